import { type CST, Parser } from 'yaml';

/** A quote or bracket that the text opens and does not close. */
export interface Opening {
  offset: number;
  /** The character that would close it. */
  closing: string;
}

/** A text in quotes that ends with the quote it began with. Inside, `\\"` and `''` stand for quotes. */
const closedQuotes = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')$/s;

const closingOf: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * Returns the quotes and brackets of a YAML text that are never closed, in their order. The parser notices them where the text or the
 * surrounding block ends. That may be hundreds of lines further down, but a user has to see where they begin.
 */
export function findUnclosed(text: string): Opening[] {
  const openings: Opening[] = [];
  for (const token of tokensIn(text)) {
    if (token.type === 'flow-collection') {
      const closing = closingOf[token.start.source]!;
      const isClosed = token.end.some(({ source }) => source === closing);
      if (!isClosed) openings.push({ offset: token.start.offset, closing });
    } else if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      if (!closedQuotes.test(token.source))
        openings.push({ offset: token.offset, closing: token.source[0]! });
    }
  }
  return openings.sort((a, b) => a.offset - b.offset);
}

/** Yields the tokens of all values and keys, in no particular order. A loop, because a hostile text is nested more deeply than calls may be. */
function* tokensIn(text: string): Generator<CST.Token> {
  const pending: (CST.Token | null | undefined)[] = [];
  for (const topToken of new Parser().parse(text)) {
    if (topToken.type === 'document') pending.push(topToken.value);
    while (pending.length > 0) {
      const token = pending.pop();
      if (!token) continue;
      yield token;
      if ('items' in token) for (const { key, value } of token.items) pending.push(key, value);
    }
  }
}
