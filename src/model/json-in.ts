import { InexactNumber } from './exact-number.ts';
import { readJson } from './read-json.ts';
import { containsValue, inside } from './walk.ts';

/**
 * Parses a text as JSON; returns undefined if it is none. For JSON that this program wrote: of two equal keys the last
 * one counts, and long numbers are rounded.
 */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a text that may be JSON, otherwise the text itself. `loss`: what parsing would lose (a repeated
 * key, digits of a long number); then the value is the text. Used for values on the command line.
 */
export function parseJsonOrText(text: string): { value: unknown; loss?: string } {
  if (tryParseJson(text) === undefined) return { value: text };
  const { value, problems } = readJson(text);
  const [duplicate] = problems;
  if (duplicate) return { value: text, loss: `line ${duplicate.line}: ${duplicate.message}` };
  const isInexact = containsValue(value, (inner) => inner instanceof InexactNumber || inside);
  return isInexact ? { value: text, loss: 'a number in it has more digits than can be sent' } : { value };
}
