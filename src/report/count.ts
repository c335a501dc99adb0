/** Formats a number with its noun: `1 request`, `3 requests`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Returns the first lines and, if there are more, `... and 4 more`, which `format` can indent or colour. */
export const firstLines = (
  lines: readonly string[],
  limit: number,
  format = (text: string): string => text,
): string[] =>
  lines.length > limit
    ? [...lines.slice(0, limit), format(`... and ${lines.length - limit} more`)]
    : [...lines];

/** Joins items as in a sentence: `a`, `a and b`, `a, b and c`. */
export const listed = (items: string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Formats a wait, from milliseconds: `90 s`, `43 min`, `5 h`. Rounded up, so that people do not come back too early. */
export function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** Formats how long something took, from milliseconds, for the summary of an apply: `0.4s`, `4.1s`, `47s`, `3m 5s`, `1h 2m`. */
export function tookText(milliseconds: number): string {
  const tenths = Math.round(Math.max(0, milliseconds) / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(tenths / 10);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
