import { parseAllDocuments } from 'yaml';

/** True if the parser stumbled over the `${` of an expression: in brackets it takes the `{` for another one. */
export const isBareExpression = (text: string, at: number): boolean =>
  (text[at] === '{' && text[at - 1] === '$') || text.startsWith('${', at);

const options = { uniqueKeys: false, stringKeys: false, version: '1.2', logLevel: 'silent' } as const;
const most = 10_000;

/** The same text with quotes around the `${...}` in brackets that lack them; a text without any comes out as it is. */
export function quoteExpressions(text: string): string {
  let fixed = text;
  for (let i = 0; i < most; i++) {
    const parsed = parseAllDocuments(fixed, { ...options, prettyErrors: false });
    const errors = Array.isArray(parsed) ? parsed.flatMap((document) => document.errors) : [];
    const error = errors.find(({ pos }) => isBareExpression(fixed, pos[0]));
    if (!error) break;
    const next = quotedAt(fixed, error.pos[0]);
    if (next === undefined) break;
    fixed = next;
  }
  return fixed;
}

/** The text with quotes around the scalar that an expression at this offset is in; undefined if its end is not on the line. */
function quotedAt(text: string, at: number): string | undefined {
  let start = at;
  while (
    start > 0 &&
    !'[{,\n'.includes(text[start - 1]!) &&
    !/[:?-]\s/.test(text.slice(start - 1, start + 1))
  ) {
    start--;
    if (text[start] === '{' && text[start - 1] !== '$') return undefined;
  }
  start += /^\s*/.exec(text.slice(start, at))![0].length;
  let end = start;
  while (end < text.length && !',]}\n'.includes(text[end]!)) {
    if (!text.startsWith('${', end)) {
      end++;
      continue;
    }
    const close = text.indexOf('}', end);
    if (close === -1 || text.slice(end, close).includes('\n')) return undefined;
    end = close + 1;
  }
  const scalar = text.slice(start, end).trimEnd();
  if (!scalar.includes('${') || /^["']/.test(scalar)) return undefined;
  return text.slice(0, start) + JSON.stringify(scalar) + text.slice(start + scalar.length);
}
