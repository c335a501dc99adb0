import { hash, randomBytes } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import { Sealed } from './sealed.ts';
import { isHole } from './value.ts';
import { containsValue, visitMembers } from './walk.ts';

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
