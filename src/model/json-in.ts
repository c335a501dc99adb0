import { InexactNumber } from './exact-number.ts';
import { readJson } from './read-json.ts';
import { containsValue, inside } from './walk.ts';

/** Text as JSON; undefined if it is none, which no JSON means. For JSON of our own: of two equal keys the last one counts. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a text that may be JSON, else the text itself; `loss`: what reading it as JSON would lose. */
export function parseJsonOrText(text: string): { value: unknown; loss?: string } {
  if (tryParseJson(text) === undefined) return { value: text };
  const { value, problems } = readJson(text);
  const [duplicate] = problems;
  if (duplicate) return { value: text, loss: `line ${duplicate.line}: ${duplicate.message}` };
  const isInexact = containsValue(value, (inner) => inner instanceof InexactNumber || inside);
  return isInexact ? { value: text, loss: 'a number in it has more digits than can be sent' } : { value };
}
