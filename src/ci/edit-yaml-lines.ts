/*
 * Edits single lines of a configuration's YAML for `init --ci`. All other text stays as it is. The caller reads the new texts before it
 * writes them, so that an edit that means something else is found.
 */
import { isMap, isScalar, parseDocument, visit } from 'yaml';

/**
 * Returns a YAML text in which the secret `db: {}` is declared as one JSON object: `db: { json: {} }`. `init --ci` edits a configuration in
 * this way if the code host cannot keep all members of the secret one by one. `line` and `column`, from 1: where the key `db` stands.
 * Undefined if the value of that key is not written as `{}`, for example if it is an alias of another value, or has a comment in it.
 */
export function declareAsJson(
  text: string,
  { line, column }: { line: number; column: number },
): string | undefined {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const keyStart = (lineStarts[line - 1] ?? 0) + column - 1;
  let emptyMap: { start: number; end: number } | undefined;
  visit(parseDocument(text), {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.range?.[0] !== keyStart) return undefined;
      if (isMap(value) && value.items.length === 0)
        emptyMap = { start: value.range![0], end: value.range![1] };
      return visit.BREAK;
    },
  });
  if (emptyMap === undefined) return undefined;
  const { start, end } = emptyMap;
  return /^\{\s*\}$/.test(text.slice(start, end))
    ? `${text.slice(0, start)}{ json: {} }${text.slice(end)}`
    : undefined;
}

/**
 * Returns the text of a configuration or workspace file with `ledger: PLACE`, for `init --ci`, which moves ledgers to a place that CI can
 * reach. An existing `ledger:` gets the new place. Otherwise the key gets a line of its own behind the value of `stack` or `stacks`
 * (`behind`). Undefined if the text is not a map in lines, lacks that key, or has a `ledger` with several settings: then the user edits it.
 */
export function setLedgerPlace(text: string, behind: 'stack' | 'stacks', place: string): string | undefined {
  const { contents } = parseDocument(text);
  if (!isMap(contents) || contents.flow) return undefined;
  const pairOf = (name: string) => contents.items.find(({ key }) => isScalar(key) && key.value === name);
  const present = pairOf('ledger');
  if (present) {
    if (!isScalar(present.value)) return undefined;
    const [from, to] = present.value.range!;
    return `${text.slice(0, from)}${place}${text.slice(to)}`;
  }
  const neighbour = pairOf(behind)?.value as { range?: [number, number, number] } | null | undefined;
  if (!neighbour?.range) return undefined;
  const [, valueEnd] = neighbour.range;
  return insertLine(text, startOfNextLine(text, valueEnd), `ledger: ${place}`);
}

/**
 * Returns the index at which the line after a YAML value begins, so that a line can be inserted there; the end of the text if no line
 * follows. `valueEnd`: behind the last line break for a list with an item on each line, but within a line for any other value, which a
 * comment may follow.
 */
function startOfNextLine(text: string, valueEnd: number): number {
  if (text[valueEnd - 1] === '\n') return valueEnd;
  const lineBreak = text.indexOf('\n', valueEnd);
  return lineBreak < 0 ? text.length : lineBreak + 1;
}

/** Returns a text with a new line before the character at `index`, where a line begins or the text ends. */
function insertLine(text: string, index: number, line: string): string {
  const before = text.slice(0, index);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const separator = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${separator}${line}${lineEnd}${text.slice(index)}`;
}
