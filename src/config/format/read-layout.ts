import { CST, Lexer, Parser } from 'yaml';
import {
  blockScalarLines,
  type CollectionContent,
  emptyNode,
  type LayoutEntry,
  type LayoutNode,
  type Line,
  type StreamPart,
} from './layout.ts';

type Marker = StreamPart & { type: 'marker' };

/**
 * Reads the layout of a YAML text, for the formatter: its parts in order, with each comment at its place in the
 * formatted text. Reads the tokens of the parser, because they keep every character. The text must have no errors.
 */
export function readLayout(text: string): StreamPart[] {
  const reader = new StreamReader();
  for (const token of tokensOf(text)) reader.read(token);
  return reader.finish();
}

/** Collects the parts of the outermost level of a text. Comments and blank lines are pending until the next part. */
class StreamReader {
  readonly #parts: StreamPart[] = [];
  readonly #walk = new TokenWalk();

  /**
   * Reads one token of the outermost level for the formatter: a document, a directive (`%YAML`), the end of a document, or a comment, blank
   * or line end between these. Adds it to the parts, which the formatter prints in this order.
   */
  read(token: CST.Token): void {
    if (token.type === 'document') this.#readDocument(token);
    else if (token.type === 'directive') this.#pushMarker(token.source.trimEnd());
    else if (token.type === 'doc-end') {
      this.#pushMarker(token.source.trimEnd());
      this.#passBehindMarker(token.end);
    } else this.#passBehindMarker([token as CST.SourceToken]);
  }

  /** Returns all parts, with the comments behind the last one. */
  finish(): StreamPart[] {
    this.#pushPending();
    return this.#parts;
  }

  /**
   * Reads a document for `trueup fmt`: its `---` if it has one, and its content. A file can have several.
   * `marker`: the line `---`; a comment behind it belongs to it. The anchor and tag of the whole document may
   * stand between marker and content.
   */
  #readDocument({ start, value, end }: CST.Document): void {
    const markerIndex = start.findIndex(({ type }) => type === 'doc-start');
    const tokensToMarker = start.slice(0, markerIndex + 1);
    const tokensBehindMarker = start.slice(markerIndex + 1);
    this.#passBehindMarker(tokensToMarker);
    const marker = markerIndex >= 0 ? this.#pushMarker('---') : undefined;
    // Without a marker, the comments before the document are still pending.
    this.#pushPending();
    const node = emptyNode();
    this.#parts.push({ type: 'root', node });
    this.#walk.readIntroducer(node, tokensBehindMarker);
    // `--- # comment`. Behind an anchor or tag (`--- &a # comment`), the comment stays with the node.
    if (marker && node.props.length === 0) {
      marker.comment = node.head;
      delete node.head;
    }
    readContent(this.#walk, node, value, noColumn);
    this.#walk.releaseLines(node, noColumn);
    this.#walk.passTrailing(end, node);
  }

  /**
   * Passes tokens between documents for `trueup fmt`, because it has to keep the comments among them. A
   * comment on the line of the last marker, such as `--- # comment`, becomes a part of the marker.
   */
  #passBehindMarker(tokens: CST.SourceToken[] = []): void {
    const takeComment = (comment: string) => {
      const lastPart = this.#parts.at(-1);
      if (lastPart?.type !== 'marker' || lastPart.comment !== undefined) return false;
      lastPart.comment = comment;
      return true;
    };
    this.#walk.passTokens(tokens, { comment: takeComment });
  }

  /**
   * Adds a marker, a line such as `---`, `...` or `%YAML 1.2`, behind the comments that were read before it.
   * `trueup fmt` prints markers as they are. Returns it, so that the caller can add a comment behind it.
   */
  #pushMarker(text: string): Marker {
    this.#pushPending();
    const marker: Marker = { type: 'marker', text };
    this.#parts.push(marker);
    this.#walk.behindText();
    return marker;
  }

  /** Adds the pending comments as a part, since the next part begins. */
  #pushPending(): void {
    const lines = this.#walk.takePending();
    if (lines.length > 0) this.#parts.push({ type: 'lines', lines });
  }
}

/**
 * Yields the tokens of a YAML text for `trueup fmt`, with every comment and blank line in them. The parser
 * would lose those behind an empty value at the end of a document, so each document is ended by hand before
 * its marker (`---`). A marker inside a scalar does not count.
 */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    const isMarker = (lexeme === '---' || lexeme === '...') && previous !== CST.SCALAR;
    // `CST.DOCUMENT` is the beginning of a document, so there is none to end.
    if (isMarker && previous !== CST.DOCUMENT) yield* parser.end();
    yield* parser.next(lexeme);
    previous = lexeme;
  }
  yield* parser.end();
}

type BlockToken = CST.BlockMap | CST.BlockSequence;
type ScalarToken = CST.FlowScalar | CST.BlockScalar;

/** The column of a collection in brackets, and of a whole document: no comment can be indented less. */
const noColumn = -1;

/**
 * Reads the content of a node (a map, a list or a scalar) and the comment behind it, for `trueup fmt`, which
 * has to keep every comment. `walk`: passes the tokens and collects comments. `indent`: the column of the
 * collection that contains the node.
 */
function readContent(
  walk: TokenWalk,
  node: LayoutNode,
  token: CST.Token | null | undefined,
  indent: number,
): void {
  if (!token) return;
  if (token.type === 'block-map' || token.type === 'block-seq')
    node.content = readBlockLayout(walk, token, indent);
  else if (token.type === 'flow-collection') {
    node.content = readFlow(walk, token, node);
    walk.passTrailing(token.end, node);
  } else {
    const scalar = token as ScalarToken;
    node.content = { type: 'scalar', token: scalar };
    if (scalar.type === 'block-scalar') walk.behindBlockScalar(scalar);
    else {
      walk.behindText();
      walk.passTrailing(scalar.end, node);
    }
  }
}

/**
 * Reads a map or list without brackets, for `trueup fmt`. `outerIndent`: the column of the collection around
 * it. Comments behind the last entry belong to this collection if they are indented like it; otherwise they
 * are about the next entry outside.
 */
function readBlockLayout(walk: TokenWalk, token: BlockToken, outerIndent: number): CollectionContent {
  const entries = (token.items as CST.CollectionItem[]).flatMap((item) => readBlockEntry(walk, item, token));
  // Comments in the column of the entries belong to them. But a list may begin in the column of its key; a comment there is about the next
  // key.
  const isInColumnOfKey = token.indent === outerIndent;
  const lastLines = walk.takeDeeper(isInColumnOfKey ? token.indent : token.indent - 1);
  if (lastLines.length > 0) entries.push({ lead: lastLines });
  return { type: token.type === 'block-map' ? 'map' : 'list', isFlow: false, entries };
}

/**
 * Reads one entry of a map or list without brackets, for `trueup fmt`: `key: value` or `- value`, with the
 * comments in front of it. Returns a list, empty if the item holds only comments; these go in front of the
 * next entry. The tokens are passed in the order of the text, because `walk` collects the comments among them.
 */
function readBlockEntry(
  walk: TokenWalk,
  { start, key, sep, value }: CST.CollectionItem,
  { type, indent }: BlockToken,
): LayoutEntry[] {
  const isList = type === 'block-seq';
  // The `-` of an item or the `?` of a key, which few keys have.
  const signIndex = start.findIndex(
    (sourceToken) => sourceToken.type === 'seq-item-ind' || sourceToken.type === 'explicit-key-ind',
  );
  const hasSign = signIndex >= 0;
  const keyOrItem = emptyNode();
  if (hasSign) walk.passTokens(start.slice(0, signIndex + 1));
  else walk.passTokens(start, { prop: (text) => keyOrItem.props.push(text) });
  const hasOnlyComments = !hasSign && !key && !sep && !value && keyOrItem.props.length === 0;
  if (hasOnlyComments) return [];
  const lead = walk.takePending();
  if (hasSign) walk.readIntroducer(keyOrItem, start.slice(signIndex + 1));
  readContent(walk, keyOrItem, isList ? value : key, indent);
  walk.releaseLines(keyOrItem, indent);
  if (isList) return [{ lead, value: keyOrItem }];
  if (!hasColon(sep)) {
    walk.passTrailing(sep, keyOrItem);
    return [{ lead, key: keyOrItem }];
  }
  const valueNode = readColon(walk, sep!, lead);
  readContent(walk, valueNode, value, indent);
  walk.releaseLines(valueNode, indent);
  return [{ lead, key: keyOrItem, value: valueNode }];
}

/**
 * Reads a collection in brackets, `[a, b]` or `{ a: b }`, for `trueup fmt`. It has to keep every comment.
 * Each entry gets the comments in front of it as its `lead`. A comment on the line of the opening bracket goes to `owner`, the node that
 * contains the collection, and one on the line of a comma to the entry before it. An item `a: b` of a list (`isPair`) is a map with one
 * entry. The tokens are passed in the order of the text: `walk` collects the comments and blank lines among them until they are taken.
 */
function readFlow(walk: TokenWalk, token: CST.FlowCollection, owner: LayoutNode): CollectionContent {
  // The comments in front of the collection belong to none of its entries. They become pending again at the end.
  const linesBefore = walk.takePending();
  const isList = token.start.type === 'flow-seq-start';
  const entries: LayoutEntry[] = [];
  walk.behindText();
  for (const { start, key, sep, value } of token.items) {
    const keyOrItem = emptyNode();
    const previousNode = entries.at(-1)?.value ?? entries.at(-1)?.key;
    let isPair = hasColon(sep);
    walk.passTokens(start, {
      prop: (text) => keyOrItem.props.push(text),
      indicator: (type) => {
        isPair ||= type === 'explicit-key-ind';
      },
      comment: (text) => (previousNode ? takeTrailing(previousNode, text) : takeHead(owner, text)),
    });
    const hasOnlyComments = !key && !isPair && !value && keyOrItem.props.length === 0;
    if (hasOnlyComments) continue;
    const lead = walk.takePending();
    // Without a colon, the parser puts an item of a list into `value`, and a key of a map into `key`.
    readContent(walk, keyOrItem, isPair ? key : (key ?? value), noColumn);
    const valueNode = hasColon(sep) ? readColon(walk, sep!, lead) : undefined;
    if (valueNode) readContent(walk, valueNode, value, noColumn);
    else walk.passTrailing(sep, keyOrItem);
    if (!isList) entries.push({ lead, key: keyOrItem, value: valueNode });
    else if (isPair)
      entries.push({ lead, value: mapOfEntry({ lead: [], key: keyOrItem, value: valueNode }) });
    else entries.push({ lead, value: keyOrItem });
  }
  // Comments in front of the closing bracket become an entry without content.
  const lastLines = walk.takePending();
  if (lastLines.some((line) => line !== 'blank')) entries.push({ lead: lastLines });
  walk.behindText();
  walk.pending = linesBefore;
  return { type: isList ? 'list' : 'map', isFlow: true, entries };
}

/** Returns the map of a pair in a list: `[a: b]` is short for `[{ a: b }]`. */
const mapOfEntry = (pair: LayoutEntry): LayoutNode => ({
  ...emptyNode(),
  content: { type: 'map', isFlow: true, entries: [pair] },
});

/** True if there is a `:` among tokens. Then the item they belong to is a pair. */
const hasColon = (tokens: CST.SourceToken[] = []) => tokens.some(({ type }) => type === 'map-value-ind');

/**
 * Reads the tokens around the `:` of a map entry for `trueup fmt`, and returns the node behind it, still
 * without content: its anchor, tag and comments. Comments in front of the `:` move in front of the entry
 * (`lead`).
 */
function readColon(walk: TokenWalk, tokens: CST.SourceToken[], lead: Line[]): LayoutNode {
  const index = tokens.findIndex(({ type }) => type === 'map-value-ind');
  walk.passTokens(tokens.slice(0, index + 1));
  lead.push(...walk.takePending());
  const node = emptyNode();
  walk.readIntroducer(node, tokens.slice(index + 1));
  return node;
}

/**
 * Receives the tokens around values. `comment` receives only comments behind text on the same line. If it returns
 * false, the comment becomes pending.
 */
interface Sink {
  prop?(text: string): void;
  indicator?(type: string): void;
  comment?(text: string): boolean;
}

/**
 * Goes through the tokens of a text in order, to give each comment its place in the layout. It remembers the pending
 * lines (comments and blank lines without a place yet), and whether the current line is still empty.
 */
class TokenWalk {
  pending: Line[] = [];
  #isLineStart = true;

  /**
   * Passes the tokens around values, so that `trueup fmt` gives every comment a place: the parser does not
   * say what a comment is about. Blank lines and comments become pending lines, which the next entry takes,
   * except for comments that the sink takes. `sink`: functions that get the comments behind a text on its
   * line (`comment`), the anchors and tags (`prop`), and signs such as `-` (`indicator`).
   */
  passTokens(tokens: CST.SourceToken[], sink: Sink = {}): void {
    for (const { type, source, indent } of tokens) {
      if (type === 'space' || type === 'byte-order-mark' || type === 'doc-mode') continue;
      if (type === 'newline') {
        if (this.#isLineStart) this.pending.push('blank');
        this.#isLineStart = true;
        continue;
      }
      if (type === 'comment') {
        const comment = source.trimEnd();
        if (this.#isLineStart || !sink.comment?.(comment)) this.pending.push({ comment, indent });
      } else if (type === 'anchor' || type === 'tag') sink.prop?.(source);
      else sink.indicator?.(type);
      this.#isLineStart = false;
    }
  }

  /** Passes the tokens behind the content of a node. A comment on its last line becomes its trailing comment. */
  passTrailing(tokens: CST.SourceToken[] = [], node: LayoutNode): void {
    this.passTokens(tokens, { comment: (text) => takeTrailing(node, text) });
  }

  /** Records that text stands on the current line, so that a comment behind it is not on a line of its own. */
  behindText(): void {
    this.#isLineStart = false;
  }

  /** Records that a block scalar was passed, which ends with its line. */
  behindBlockScalar(token: CST.BlockScalar): void {
    this.#isLineStart = true;
    if (blockScalarLines(token, 0).hasBlankBehind) this.pending.push('blank');
  }

  /**
   * Passes the tokens between an introducer (`key:`, `-`, `---`) and its content, for `trueup fmt`. Adds to
   * `node` its anchor and tag, the comment on the introducer's line (its head), and the comments on lines of
   * their own before the content. Comments that were pending before stay so: they belong elsewhere.
   */
  readIntroducer(node: LayoutNode, tokens: CST.SourceToken[]): void {
    const linesBefore = this.takePending();
    this.passTokens(tokens, {
      prop: (text) => node.props.push(text),
      // After a line of its own, a comment cannot be the head. It becomes such a line, too.
      comment: (text) => this.pending.length === 0 && takeHead(node, text),
    });
    node.before = node.before.concat(this.takePending());
    this.pending = linesBefore;
  }

  /**
   * Makes the lines behind an empty value pending again if they are indented no deeper than its collection, because
   * they belong to the next entry.
   */
  releaseLines(node: LayoutNode, indent: number): void {
    if (!node.content)
      this.pending = [...node.before.splice(countDeeper(node.before, indent)), ...this.pending];
  }

  /** Returns the pending lines and forgets them. The caller gives them a place in the layout. */
  takePending(): Line[] {
    return this.pending.splice(0);
  }

  /**
   * Returns the pending lines that are indented deeper than `indent`, up to the first one that is not. They still
   * belong to the block that ends here.
   */
  takeDeeper(indent: number): Line[] {
    return this.pending.splice(0, countDeeper(this.pending, indent));
  }
}

/**
 * Makes a comment the head of a node: the comment behind its `key:` or opening bracket. Returns false if the
 * node has one already; the caller then makes the comment a line of its own, so that `trueup fmt` loses none.
 */
function takeHead(node: LayoutNode, text: string): boolean {
  if (node.head !== undefined) return false;
  node.head = text;
  return true;
}

/**
 * Makes a comment the one that stands behind a node on its last line. Returns false if the node has one
 * already; the caller then keeps the comment for the next entry, so that `trueup fmt` loses none.
 */
function takeTrailing(node: LayoutNode, text: string): boolean {
  if (node.trailing !== undefined) return false;
  node.trailing = text;
  return true;
}

/**
 * Returns how many of the first lines are indented deeper than `indent`, because `trueup fmt` leaves those
 * comments in the collection that ends there. Blank lines at their end do not count, because they belong to
 * the line that follows.
 */
function countDeeper(lines: Line[], indent: number): number {
  const index = lines.findIndex((line) => line !== 'blank' && line.indent <= indent);
  let end = index < 0 ? lines.length : index;
  while (end > 0 && lines[end - 1] === 'blank') end--;
  return end;
}
