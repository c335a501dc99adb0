/** Text as JSON; undefined if it is none, which no JSON means. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
