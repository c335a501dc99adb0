import { inspect } from 'node:util';
import { mapMembers } from './members.ts';

/**
 * A secret in memory. Whatever prints, logs or serializes it gets `(secret)`; only code that asks by name gets the text.
 * Values are sealed where they enter (a secret field of the YAML or of an answer), so nothing has to be searched for later.
 */
export class Sealed {
  readonly #text: string;
  /** Its name under `secrets:`, where it has one; safe to show. */
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

  [inspect.custom](): string {
    return this.toJSON();
  }
}

/** A copy of `value` with every sealed secret, however deep, in the clear: only for comparing and digesting in memory. */
export function revealed(value: unknown): unknown {
  if (value instanceof Sealed) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return mapMembers(value as Record<string, unknown>, revealed);
}

/** All sealed secrets in a value, however deep. */
export function sealedIn(value: unknown): Sealed[] {
  if (value instanceof Sealed) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sealedIn) : [];
}
