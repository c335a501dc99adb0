import { Sealed } from './sealed.ts';
import { setOwn } from './walk.ts';

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
