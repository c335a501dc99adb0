import { Problems, problem } from '../model/diagnostic.ts';
import { parseJsonOrText } from '../model/json-in.ts';
import type { Sealed } from '../model/sealed.ts';

type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/**
 * The JSON body of `name=value` words: a value that is JSON counts as that (`3`, `true`, `["a"]`, `"3"`), any other is text; dots lead
 * into objects (`delivery.type=http`). `secrets` are sent as text. Throws `Problems` where two words disagree.
 */
export function composeBody(
  words: readonly string[],
  secrets: ReadonlyMap<string, Sealed> = new Map(),
): JsonValue {
  const body: { [name: string]: JsonValue } = {};
  const wrong = [
    ...words.flatMap((word) => {
      const index = word.indexOf('=');
      const { value, loss } = parseJsonOrText(word.slice(index + 1));
      return loss === undefined
        ? putMember(body, word.slice(0, index), value as JsonValue)
        : [lossy(word.slice(0, index), loss)];
    }),
    ...[...secrets].flatMap(([path, secret]) => putMember(body, path, secret.reveal())),
  ];
  if (wrong.length > 0) throw new Problems(wrong);
  return body;
}

const lossy = (path: string, loss: string) =>
  problem('api/field', `--field ${path}: ${loss}`, {
    hint: `to send it as text, write it as JSON text: --field '${path}="..."'`,
  });

function putMember(body: { [name: string]: JsonValue }, path: string, value: JsonValue) {
  const names = path.split('.');
  const last = names.pop()!;
  let inner = body;
  for (const name of names) {
    if (!Object.hasOwn(inner, name)) Object.defineProperty(inner, name, plainMember({}));
    const next = inner[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      return [problem('api/field', `--field ${path}: \`${name}\` already has a value`)];
    inner = next;
  }
  if (Object.hasOwn(inner, last)) return [problem('api/field', `--field ${path} is set twice`)];
  Object.defineProperty(inner, last, plainMember(value));
  return [];
}

/** Whatever it is called, `__proto__` too. */
const plainMember = (value: JsonValue) => ({ value, enumerable: true, writable: true, configurable: true });
