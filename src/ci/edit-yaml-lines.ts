/*
 * Edits single lines of a configuration's YAML for `init --ci`. All other text stays as it is. The caller reads the new texts before it
 * writes them, so that an edit that means something else is found.
 */
import { isMap, isScalar, parseDocument, visit } from 'yaml';

/**
 * Returns a YAML text in which the secret declared at a place (`db: {}`) is declared as one JSON object: `db: { json: {} }`. Undefined if no such
 * declaration begins there, because the value comes from an alias or has another form. The place has the line and column of the key, from 1.
 */
export function declareAsJson(
  text: string,
  { line, column }: { line: number; column: number },
): string | undefined {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const start = (lineStarts[line - 1] ?? 0) + column - 1;
  let value: readonly [number, number] | undefined;
  visit(parseDocument(text), {
    Pair(_, { key, value: node }) {
      if (!isScalar(key) || key.range?.[0] !== start) return undefined;
      if (isMap(node) && node.items.length === 0) value = [node.range![0], node.range![1]];
      return visit.BREAK;
    },
  });
  if (value === undefined || !/^\{\s*\}$/.test(text.slice(...value))) return undefined;
  return `${text.slice(0, value[0])}{ json: {} }${text.slice(value[1])}`;
}

/**
 * Returns the text of a configuration or workspace file with `ledger: PLACE`, for `init --ci`, which moves ledgers to a place that CI can reach. An
 * existing `ledger:` gets the new place. Otherwise the key gets a line of its own behind the value of `stack` or `stacks` (`behind`). Undefined if the
 * text is not a map in lines, lacks that key, or has a `ledger` with several settings: then the user edits it.
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
  const neighbour = pairOf(behind);
  const range = (neighbour?.value as { range?: [number, number, number] } | null | undefined)?.range;
  if (!range) return undefined;
  const [, valueEnd] = range;
  // A list in lines ends behind its last line. A name ends inside its line: a comment may follow, or the end of the text.
  const isBehindLine = text[valueEnd - 1] === '\n';
  const lineBreak = text.indexOf('\n', valueEnd);
  const lineEndsAt = lineBreak < 0 ? text.length : lineBreak + 1;
  const insertAt = isBehindLine ? valueEnd : lineEndsAt;
  const before = text.slice(0, insertAt);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const separator = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${separator}ledger: ${place}${lineEnd}${text.slice(insertAt)}`;
}
