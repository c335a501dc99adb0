import { mapTree, visitDeep, visitMembers } from './walk.ts';

// What Node calls `inspect.custom`: by its name, so that the types of the library need none of Node's.
const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A secret in memory. Printing, logging or serializing it gives `(secret)`; only `reveal` returns the text. Values are
 * sealed where they enter the program (a secret field of the YAML or of an answer), so no output has to be searched for
 * them.
 */
export class Sealed {
  readonly #text: string;
  readonly #json: unknown;
  /** Its name under `secrets:`, if it has one; safe to show. */
  readonly secretName: string | undefined;
  /** True if the text holds more than the secret with that name, as in `postgres://app:${secret.password}@db`. */
  readonly holdsMore: boolean;

  /**
   * Seals a secret text, so that printing it gives `(secret)`. `secretName`: its name under `secrets:`, if it has one. `holdsMore`: the
   * text holds more than the secret of that name. `json`: the number or object that the text is the JSON of, if the sealed value is none.
   */
  constructor(
    text: string,
    secretName?: string,
    { holdsMore = false, json = text }: { holdsMore?: boolean; json?: unknown } = {},
  ) {
    this.#text = text;
    this.#json = json;
    this.secretName = secretName;
    this.holdsMore = holdsMore;
  }

  /** Returns the secret: for comparing in memory, for keyed digests, and for the request that sends it. */
  reveal(): string {
    return this.#text;
  }

  /** Returns the value that was sealed, to compare it or to send it: the text, or the number or object that it is the JSON of. */
  open(): unknown {
    return this.#json;
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

/**
 * A secret that stands in clear in the configuration or the account, as a finding says. No report shows it, although its field is not
 * secret.
 */
export class StatedSecret extends Sealed {}

/**
 * Returns a copy of a value with every sealed secret in clear, at any depth. Only for comparing and digesting
 * in memory, and for a value that may be shown.
 */
export const revealed = (value: unknown): unknown =>
  typeof value === 'object'
    ? mapTree(value, (part) => (part instanceof Sealed ? part.open() : visitMembers))
    : value;

/**
 * Returns all sealed secrets in a value, at any depth. Used to register secrets for masking before a message can quote
 * them.
 */
export function sealedIn(value: unknown): Sealed[] {
  const secrets: Sealed[] = [];
  visitDeep(value, (part) => {
    if (!(part instanceof Sealed)) return visitMembers;
    secrets.push(part);
    return undefined;
  });
  return secrets;
}
