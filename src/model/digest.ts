import { hash, randomBytes } from 'node:crypto';
import { canonical } from './canonical.ts';
import { Sealed } from './sealed.ts';
import { isHole } from './value.ts';
import { containsValue, inside } from './walk.ts';

/** A salted digest of a value that is no secret: tells whether it changed; hides nothing that can be guessed. */
export function digest(salt: string, value: unknown): string {
  return hash('sha256', `${salt}\n${canonical(value)}`, 'base64url').slice(0, 22);
}

export const newSalt = (): string => randomBytes(9).toString('base64url');

/** True if a part of a value is not known yet; then the value cannot be digested. */
export const hasUnresolvedHole = (value: unknown): boolean =>
  containsValue(value, (one) => {
    if (typeof one !== 'object' || one instanceof Sealed) return false;
    return isHole(one) ? !('$ref' in one) : inside;
  });

/** A short digest that recognises an id, and tells nothing else about it. */
export const shortIdDigest = (salt: string, id: string): string => digest(salt, id).slice(0, 8);
