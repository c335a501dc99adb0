import { hash, randomBytes } from 'node:crypto';
import { Sealed } from './sealed.ts';
import { isHole } from './value.ts';
import { holds, inside, put } from './walk.ts';

/** JSON with sorted members, so that equal values have equal text. Sealed secrets stay sealed. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** A copy with the members of all objects sorted by name, undefined ones left out. Sealed secrets stay sealed. */
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

export const newSalt = (): string => randomBytes(9).toString('base64url');

/** True if a part of a value is not known yet; then the value cannot be digested. */
export const hasUnknown = (value: unknown): boolean =>
  holds(value, (one) => {
    if (typeof one !== 'object' || one instanceof Sealed) return false;
    return isHole(one) ? !('$ref' in one) : inside;
  });

/** A short digest that recognises an id, and tells nothing else about it. */
export const seenId = (salt: string, id: string): string => digest(salt, id).slice(0, 8);
