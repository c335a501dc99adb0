import { CST, Lexer, Parser } from 'yaml';
import {
  type CollectionContent,
  emptyNode,
  type LayoutEntry,
  type LayoutNode,
  type Line,
  type StreamPart,
} from './layout.ts';
import { TokenWalk, takeHead, takeTrailing } from './token-walk.ts';

type Marker = StreamPart & { type: 'marker' };

/**
 * The parts of a YAML text, each comment in the place where the formatted text has it. Works on the parser's concrete syntax,
 * since that drops nothing. The text must be free of errors.
 */
export function readLayout(text: string): StreamPart[] {
  const parts: StreamPart[] = [];
  const walk = new TokenWalk();
  const flush = () => {
    const lines = walk.take();
    if (lines.length > 0) parts.push({ type: 'lines', lines });
  };
  const behindMarker = (comment: string) => {
    const last = parts.at(-1);
    if (last?.type !== 'marker' || last.comment !== undefined) return false;
    last.comment = comment;
    return true;
  };
  const mark = (text: string): Marker => {
    flush();
    const marker: Marker = { type: 'marker', text };
    parts.push(marker);
    walk.behindText();
    return marker;
  };
  for (const token of tokensOf(text)) {
    if (token.type === 'document') {
      const index = token.start.findIndex(({ type }) => type === 'doc-start');
      walk.over(token.start.slice(0, index + 1), { comment: behindMarker });
      const marker = index >= 0 ? mark('---') : undefined;
      flush();
      const node = emptyNode();
      parts.push({ type: 'root', node });
      walk.into(node, token.start.slice(index + 1));
      if (marker && node.props.length === 0) {
        marker.comment = node.head;
        delete node.head;
      }
      readContent(walk, node, token.value, noOffset);
      walk.giveBack(node, noOffset);
      walk.over(token.end ?? [], { comment: (text) => takeTrailing(node, text) });
    } else if (token.type === 'directive') mark(token.source.trimEnd());
    else if (token.type === 'doc-end') {
      mark(token.source.trimEnd());
      walk.over(token.end ?? [], { comment: behindMarker });
    } else walk.over([token as CST.SourceToken], { comment: behindMarker });
  }
  flush();
  return parts;
}

/** Ends each document before its marker is seen: there the parser would lose lines behind an empty value. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    const isMarker = lexeme === '---' || lexeme === '...';
    if (isMarker && previous !== CST.DOCUMENT && previous !== CST.SCALAR) yield* parser.end();
    yield* parser.next(lexeme);
    previous = lexeme;
  }
  yield* parser.end();
}

type BlockToken = CST.BlockMap | CST.BlockSequence;
type ScalarToken = CST.FlowScalar | CST.BlockScalar;

/** Outside of all collections, and inside of brackets, where columns mean nothing. */
const noOffset = -1;

/** Reads what a node holds; `indent` is the column of the collection around it. */
function readContent(
  walk: TokenWalk,
  node: LayoutNode,
  token: CST.Token | null | undefined,
  indent: number,
): void {
  if (!token) return;
  const behind = { comment: (text: string) => takeTrailing(node, text) };
  if (token.type === 'block-map' || token.type === 'block-seq')
    node.content = readBlockLayout(walk, token, indent);
  else if (token.type === 'flow-collection') {
    node.content = readFlow(walk, token, node);
    walk.over(token.end, behind);
  } else {
    const scalar = token as ScalarToken;
    node.content = { type: 'scalar', token: scalar };
    if (scalar.type === 'block-scalar') walk.behindBlockScalar(scalar);
    else {
      walk.behindText();
      walk.over(scalar.end ?? [], behind);
    }
  }
}

function readBlockLayout(walk: TokenWalk, token: BlockToken, outer: number): CollectionContent {
  const entries = (token.items as CST.CollectionItem[]).flatMap((item) => readBlockEntry(walk, item, token));
  // A list may begin in the column of its key; a comment in that column is about the next key.
  const inside = walk.takeInside(token.indent === outer ? token.indent : token.indent - 1);
  if (inside.length > 0) entries.push({ lead: inside });
  return { type: token.type === 'block-map' ? 'map' : 'list', isFlow: false, entries };
}

function readBlockEntry(
  walk: TokenWalk,
  { start, key, sep, value }: CST.CollectionItem,
  { type, indent }: BlockToken,
): LayoutEntry[] {
  const isList = type === 'block-seq';
  const index = start.findIndex(
    (sourceToken) => sourceToken.type === 'seq-item-ind' || sourceToken.type === 'explicit-key-ind',
  );
  const first = emptyNode();
  if (index >= 0) walk.over(start.slice(0, index + 1));
  else walk.over(start, { prop: (text) => first.props.push(text) });
  if (index < 0 && !key && !sep && !value && first.props.length === 0) return [];
  const lead = walk.take();
  if (index >= 0) walk.into(first, start.slice(index + 1));
  readContent(walk, first, isList ? value : key, indent);
  walk.giveBack(first, indent);
  if (isList) return [{ lead, value: first }];
  if (!hasColon(sep)) {
    walk.over(sep ?? [], { comment: (text) => takeTrailing(first, text) });
    return [{ lead, key: first }];
  }
  const behind = readColon(walk, sep!, lead);
  readContent(walk, behind, value, indent);
  walk.giveBack(behind, indent);
  return [{ lead, key: first, value: behind }];
}

function readFlow(walk: TokenWalk, token: CST.FlowCollection, owner: LayoutNode): CollectionContent {
  const lines = walk.take();
  const isList = token.start.type === 'flow-seq-start';
  const entries: LayoutEntry[] = [];
  walk.behindText();
  for (const { start, key, sep, value } of token.items) {
    const first = emptyNode();
    const last = entries.at(-1)?.value ?? entries.at(-1)?.key;
    let isPair = hasColon(sep);
    walk.over(start, {
      prop: (text) => first.props.push(text),
      indicator: (type) => {
        isPair ||= type === 'explicit-key-ind';
      },
      comment: (text) => (last ? takeTrailing(last, text) : takeHead(owner, text)),
    });
    if (!key && !isPair && !value && first.props.length === 0) continue;
    const lead = walk.take();
    readContent(walk, first, isPair ? key : (key ?? value), noOffset);
    const behind = hasColon(sep) ? readColon(walk, sep!, lead) : undefined;
    if (behind) readContent(walk, behind, value, noOffset);
    else walk.over(sep ?? [], { comment: (text) => takeTrailing(first, text) });
    const pair = { lead, key: first, ...(behind ? { value: behind } : {}) };
    entries.push(!isList ? pair : { lead, value: isPair ? mapOfEntry({ ...pair, lead: [] }) : first });
  }
  const rest = walk.take();
  if (rest.some((line) => line !== 'blank')) entries.push({ lead: rest });
  walk.behindText();
  walk.pending = lines;
  return { type: isList ? 'list' : 'map', isFlow: true, entries };
}

/** `[a: b]` is short for `[{ a: b }]`. */
const mapOfEntry = (pair: LayoutEntry): LayoutNode => ({
  ...emptyNode(),
  content: { type: 'map', isFlow: true, entries: [pair] },
});

const hasColon = (tokens: CST.SourceToken[] = []) => tokens.some(({ type }) => type === 'map-value-ind');

/** The node behind a `:`, without its content yet; comments in front of the `:` go in front of the entry. */
function readColon(walk: TokenWalk, tokens: CST.SourceToken[], lead: Line[]): LayoutNode {
  const index = tokens.findIndex(({ type }) => type === 'map-value-ind');
  walk.over(tokens.slice(0, index + 1));
  lead.push(...walk.take());
  const node = emptyNode();
  walk.into(node, tokens.slice(index + 1));
  return node;
}
