/*
 * Replaces the secrets of what a plan observed by tokens.
 *
 * A plan only compares secrets, with each other and with keyed digests in the ledger. So it stays the same if each secret is replaced by another text,
 * equal ones by equal texts, and if the digests of the new texts are taken from a table that was made with the secrets.
 *
 *   secret   a text that the plan has sealed: a secret of the configuration, or a live value that must not be shown
 *   token    the text that replaces it. The empty text stays, because a plan treats an empty secret differently
 *   joined   a text that the configuration makes of a secret and other text, such as `Bearer ${secret.api}`. It is replaced by the same text
 *            with the token, because the configuration makes that one again
 */
import { randomBytes } from 'node:crypto';
import type { LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../model/secret-finder.ts';
import { mapMembers, setOwn } from '../model/walk.ts';

/** Secrets of this length and longer are replaced wherever they stand. Shorter ones could be any word, so their place must fit as well. */
const shortestDistinct = 8;

/** Assigns tokens to secrets. */
export class SecretTokens {
  readonly #tokens = new Map<string, string>([['', '']]);
  /** Where a short secret stands: `ID NAME` of the object and of the member. */
  readonly #places = new Map<string, Set<string>>();
  #finder: SecretFinder | undefined;
  #longSecrets: string[] = [];

  /** Returns the token of a secret. */
  tokenOf(secret: string): string {
    const earlierToken = this.#tokens.get(secret);
    if (earlierToken !== undefined) return earlierToken;
    const token = `snapshot-secret-${this.#tokens.size}-${randomBytes(6).toString('hex')}`;
    this.#tokens.set(secret, token);
    return token;
  }

  /** Replaces a joined text by this text from now on. */
  assign(joined: string, replacement: string): void {
    if (joined === replacement) return;
    this.#tokens.set(joined, replacement);
  }

  /** Keeps a text in clear, because it stands in the configuration. */
  keepClear(text: string): void {
    this.#tokens.set(text, text);
  }

  /** Assigns tokens to all sealed values of a live object, and remembers where they stand. */
  addObject({ ids, fields, rows = [] }: LiveResource): void {
    for (const sealedFields of [fields, ...rows.map((row) => row.fields)])
      visitSealed(sealedFields, [], (sealed, names) => {
        const text = sealed.reveal();
        this.tokenOf(text);
        const places = this.#places.get(text) ?? new Set();
        for (const id of ids) places.add(`${id} ${names.at(-1)}`);
        this.#places.set(text, places);
      });
  }

  /** Returns JSON data in which every secret is replaced by its token, in names of members as well. */
  replaceIn(value: unknown): unknown {
    const secrets = this.distinctSecrets();
    this.#longSecrets = secrets.map((secret) => secret.reveal()).sort((a, b) => b.length - a.length);
    this.#finder = createSecretFinder(secrets);
    return this.#replace(value, '', '');
  }

  /** Returns JSON data that contains nothing but secrets and their parts, with tokens: also in the place of short secrets. */
  replaceEach(value: unknown): unknown {
    if (typeof value === 'string') return this.#tokens.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.replaceEach(item));
    return mapMembers(value as Record<string, unknown>, (member) => this.replaceEach(member));
  }

  /** Returns the secrets that are long enough to be recognized in any text. */
  distinctSecrets(): Sealed[] {
    return [...this.#tokens]
      .filter(([secret, token]) => secret !== token && secret.length >= shortestDistinct)
      .map(([secret]) => new Sealed(secret));
  }

  #replace(value: unknown, id: string, name: string): unknown {
    if (typeof value === 'string') return this.#replaceText(value, id, name);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#replace(item, id, name));
    const ownId = (value as { id?: unknown }).id;
    const members: Record<string, unknown> = {};
    for (const [member, item] of Object.entries(value))
      setOwn(
        members,
        this.#replaceText(member, '', ''),
        this.#replace(item, typeof ownId === 'string' ? ownId : id, member),
      );
    return members;
  }

  #replaceText(text: string, id: string, name: string): string {
    if (text === '') return text;
    const token = this.#tokens.get(text);
    if (
      token !== undefined &&
      (text.length >= shortestDistinct || this.#places.get(text)?.has(`${id} ${name}`))
    )
      return token;
    if (!this.#finder!(text)) return text;
    const replaced = this.#longSecrets.reduce(
      (changed, secret) => changed.replaceAll(secret, () => this.#tokens.get(secret)!),
      text,
    );
    // It has a secret in another spelling, such as base64.
    return this.#finder!(replaced) ? this.tokenOf(text) : replaced;
  }
}

function visitSealed(
  value: unknown,
  names: readonly string[],
  visit: (sealed: Sealed, names: readonly string[]) => void,
): void {
  if (value instanceof Sealed) visit(value, names);
  else if (Array.isArray(value)) for (const item of value) visitSealed(item, names, visit);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) visitSealed(member, [...names, name], visit);
}
