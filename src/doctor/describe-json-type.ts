/**
 * Returns a value's type in the words of the reports of `trueup doctor`: `list`, `text`, `null`, `nothing` for a
 * missing value. The value itself is never reported.
 */
export function describeJsonType(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? 'text' : typeof value;
}
