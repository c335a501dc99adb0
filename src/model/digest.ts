import { createHmac, hash, randomBytes } from 'node:crypto';
import { put } from './members.ts';
import { revealed, Sealed } from './sealed.ts';
import { isHole } from './value.ts';

/** JSON with sorted members, so that equal values have equal text. Sealed secrets stay sealed. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** A copy with the members of all objects by name, those that are undefined left out. Sealed secrets stay sealed. */
export function sorted<T>(value: T): T {
  if (value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) put(copy, name, sorted(item));
  }
  return copy as T;
}

/** A salted digest of a value that is no secret: tells whether it changed; hides nothing that can be guessed. */
export function digest(salt: string, value: unknown): string {
  return hash('sha256', `${salt}\n${canonical(value)}`, 'base64url').slice(0, 22);
}

/**
 * The key for digests of secrets. `id` says which key made a digest, without saying the key. All new digests are made with it;
 * what the `previous` one made is still compared, until it is made anew.
 */
export interface LedgerKey {
  id: string;
  secret: Sealed;
  previous?: LedgerKey;
}

export const ledgerKey = (text: string): LedgerKey => ({
  id: hash('sha256', `trueup key id\n${text}`, 'base64url').slice(0, 10),
  secret: new Sealed(text),
});

/** The key that made a digest, by its id: the one in use or the previous one; undefined where it was neither. */
export const makerOf = (key: LedgerKey | undefined, id: string): LedgerKey | undefined =>
  [key, key?.previous].find((one) => one?.id === id);

/** A keyed digest of a secret, bound to its entry by the salt, so that equal secrets do not look equal. */
export function keyedDigest(key: LedgerKey, salt: string, value: unknown): string {
  const text = canonical(revealed(value));
  return createHmac('sha256', key.secret.reveal())
    .update(`${salt}\n${text}`)
    .digest('base64url')
    .slice(0, 32);
}

/** A secret that is the id of an object, as it is kept and matched: bound to the key, so that an id of another key is no match. */
export const secretId = (key: LedgerKey, secret: unknown): string =>
  `${key.id}.${keyedDigest(key, 'id', secret)}`;

/** The key that `secretId` made an id with, as far as it is here. */
export const makerOfId = (key: LedgerKey | undefined, id: string): LedgerKey | undefined =>
  makerOf(key, id.slice(0, Math.max(0, id.lastIndexOf('.'))));

export const newSalt = (): string => randomBytes(9).toString('base64url');

/** Whether a value still has a part that is not known; then it cannot be digested. */
export function hasUnknown(value: unknown): boolean {
  if (value instanceof Sealed) return false;
  if (isHole(value)) return !('$ref' in value);
  if (Array.isArray(value)) return value.some(hasUnknown);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown);
}

/** A short digest by which an id is known again, and that tells nothing else. */
export const seenId = (salt: string, id: string): string => digest(salt, id).slice(0, 8);
