import { CST, Lexer, Parser } from 'yaml';
import { emptyNode, type StreamPart } from './layout.ts';
import { nowhere, readContent } from './read-content.ts';
import { TokenWalk, takeTrailing } from './token-walk.ts';

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
      const at = token.start.findIndex(({ type }) => type === 'doc-start');
      walk.over(token.start.slice(0, at + 1), { comment: behindMarker });
      const marker = at >= 0 ? mark('---') : undefined;
      flush();
      const node = emptyNode();
      parts.push({ type: 'root', node });
      walk.into(node, token.start.slice(at + 1));
      if (marker && node.props.length === 0) {
        marker.comment = node.head;
        delete node.head;
      }
      readContent(walk, node, token.value, nowhere);
      walk.giveBack(node, nowhere);
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
