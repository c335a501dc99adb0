import { hash, randomBytes } from 'node:crypto';
import { Sealed } from './sealed.ts';
import { isHole } from './value.ts';
import { containsValue, setOwn, visitMembers } from './walk.ts';

/**
 * Returns a salted digest of a value that is no secret. The ledger stores it to recognize changes. It hides nothing: a
 * value that can be guessed can be found by trying.
 */
export function digest(salt: string, value: unknown): string {
  return hash('sha256', `${salt}\n${canonicalJson(value)}`, 'base64url').slice(0, 22);
}

/** Returns a random salt for the digests of one ledger entry. */
export const newSalt = (): string => randomBytes(9).toString('base64url');

/**
 * True if a value contains a hole that is filled later, such as a secret of the configuration. Neither a plan nor the ledger can digest such a value.
 * A reference to another object (`$ref`) does not count: it is digested as it is written.
 */
export const hasUnresolvedHole = (value: unknown): boolean =>
  containsValue(value, (part) => {
    if (typeof part !== 'object' || part instanceof Sealed) return false;
    return isHole(part) ? !('$ref' in part) : visitMembers;
  });

/**
 * Returns a short digest of an id, by which an interrupted run recognizes ids that it saw. It reveals nothing else
 * about the id.
 */
export const shortIdDigest = (salt: string, id: string): string => digest(salt, id).slice(0, 8);

/**
 * Returns a value as JSON with sorted members, so that equal values have equal text. Used for digests and comparisons.
 * Sealed secrets stay sealed.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedMembers(value));
}

/**
 * Returns a copy of a value with the members of all objects sorted by name and without undefined members. Sealed
 * secrets stay sealed. Used for the entries of a ledger, so that equal ledgers are equal texts.
 */
export function withSortedMembers<T>(value: T): T {
  if (value instanceof Sealed) return value;
  if (Array.isArray(value)) return value.map(withSortedMembers) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) setOwn(copy, name, withSortedMembers(item));
  }
  return copy as T;
}
