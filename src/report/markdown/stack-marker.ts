const start = '<!-- trueup:plan:';

/** The first line of a report, which nobody sees: by it the comment of a stack is found again. */
export const stackMarker = (stack: string): string =>
  `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;

/** The marker that a text begins with, if it does. */
export function markerIn(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(start) && line.trimEnd().endsWith(' -->') ? line.trimEnd() : undefined;
}
