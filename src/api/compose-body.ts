import { problem, raiseErrors } from '../model/diagnostic.ts';
import { parseJsonOrText } from '../model/read-json.ts';
import type { Sealed } from '../model/sealed.ts';

type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/**
 * Composes the JSON body of a request from the `name=value` words of `trueup api --field`. A value that is JSON is sent as JSON (`3`, `true`,
 * `["a"]`, `"3"`), any other as text; dots lead into objects (`delivery.type=http`). Throws `Problems` if two words set the same member.
 * @param secrets values that are sent as text, by their names
 */
export function composeBody(
  words: readonly string[],
  secrets: ReadonlyMap<string, Sealed> = new Map(),
): JsonValue {
  const body: { [name: string]: JsonValue } = {};
  const problems = [
    ...words.flatMap((word) => {
      const index = word.indexOf('=');
      const { value, loss } = parseJsonOrText(word.slice(index + 1));
      return loss === undefined
        ? setMember(body, word.slice(0, index), value as JsonValue)
        : [lossProblem(word.slice(0, index), loss)];
    }),
    ...[...secrets].flatMap(([path, secret]) => setMember(body, path, secret.reveal())),
  ];
  raiseErrors(problems);
  return body;
}

/** Returns the problem with a number of `trueup api --field` that would be rounded as a JavaScript number. */
const lossProblem = (path: string, loss: string) =>
  problem('api/field', `--field ${path}: ${loss}`, {
    hint: `to send it as text, write it as JSON text: --field '${path}="..."'`,
  });

/**
 * Sets a member of the body at a dotted path, such as `delivery.type`. Returns the problem if it, or a value on the way, is set already, since two
 * words of a call would contradict each other.
 */
function setMember(body: { [name: string]: JsonValue }, path: string, value: JsonValue) {
  const names = path.split('.');
  const last = names.pop()!;
  let parent = body;
  for (const name of names) {
    if (!Object.hasOwn(parent, name)) Object.defineProperty(parent, name, plainMember({}));
    const next = parent[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      return [problem('api/field', `--field ${path}: \`${name}\` already has a value`)];
    parent = next;
  }
  if (Object.hasOwn(parent, last)) return [problem('api/field', `--field ${path} is set twice`)];
  Object.defineProperty(parent, last, plainMember(value));
  return [];
}

/** Returns the property descriptor of an ordinary member. Defining it works for every name, also for `__proto__`. */
const plainMember = (value: JsonValue) => ({ value, enumerable: true, writable: true, configurable: true });
