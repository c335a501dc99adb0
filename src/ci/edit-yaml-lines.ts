/*
 * Edits single lines of a configuration's YAML for `init --ci`. All other text stays as it is. The caller reads the new texts before it
 * writes them, so that an edit that means something else is found.
 */
import { isMap, isScalar, parseDocument, visit } from 'yaml';

/**
 * Returns a YAML text in which the secret declared at a place (`db: {}`) is one JSON object: `db: { json: {} }`. Undefined if there is no such
 * declaration, because the value comes from an alias or has another form.
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
 * existing `ledger:` gets the new place. Otherwise the key gets a line of its own behind the line of `stack` or `stacks` (`behind`). Undefined if the
 * text has another form, so that the user edits it.
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
  // The third number is behind comments and the line end.
  const end = text.indexOf('\n', range[1] - 1);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const before = end < 0 || text[range[1] - 1] === '\n' ? text.slice(0, range[1]) : text.slice(0, end + 1);
  const separator = before.endsWith('\n') ? '' : lineEnd;
  return `${before}${separator}ledger: ${place}${lineEnd}${text.slice(before.length)}`;
}
