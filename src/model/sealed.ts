import { inside, mapTree, walk } from './walk.ts';

// What Node calls `inspect.custom`: by its name, so that the types of the library need none of Node's.
const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A secret in memory. Whatever prints, logs or serializes it gets `(secret)`; only code that asks by name gets the text.
 * Values are sealed where they enter (a secret field of the YAML or of an answer), so nothing has to be searched for later.
 */
export class Sealed {
  readonly #text: string;
  /** Its name under `secrets:`, if it has one; safe to show. */
  readonly secretName: string | undefined;

  constructor(text: string, secretName?: string) {
    this.#text = text;
    this.secretName = secretName;
  }

  /** The secret itself: for comparing in memory, for keyed digests, and for the request that sends it. */
  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return this.secretName === undefined ? '(secret)' : `(secret ${this.secretName})`;
  }

  toString(): string {
    return this.toJSON();
  }

  [inspectSymbol](): string {
    return this.toJSON();
  }
}

/** A copy of `value` with every sealed secret, however deep, in the clear: only for comparing and digesting in memory. */
export const revealed = (value: unknown): unknown =>
  typeof value === 'object'
    ? mapTree(value, (one) => (one instanceof Sealed ? one.reveal() : inside))
    : value;

/** All sealed secrets in a value, however deep. */
export function sealedIn(value: unknown): Sealed[] {
  const found: Sealed[] = [];
  walk(value, (one) => {
    if (!(one instanceof Sealed)) return inside;
    found.push(one);
    return undefined;
  });
  return found;
}
