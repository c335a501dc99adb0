import equal from 'fast-deep-equal';
import { canonical } from '../model/digest.ts';
import { revealed, Sealed } from '../model/sealed.ts';
import { isHole, isPlainObject, type Value } from '../model/value.ts';
import type { FieldTraits } from './traits.ts';

/** A value as it is compared and digested: a set is sorted, so that order and spelling of the input do not matter. */
export function comparable(value: Value | undefined, traits: FieldTraits): Value {
  if (value === undefined) return null;
  if (!traits.unordered || !Array.isArray(value)) return value;
  return [...value].sort((a, b) => (canonical(revealed(a)) < canonical(revealed(b)) ? -1 : 1));
}

/** Whether two values are the same; nothing and null are. Secrets are compared in memory. */
export function same(a: Value | undefined, b: Value | undefined, traits: FieldTraits): boolean {
  return equal(revealed(comparable(a, traits)), revealed(comparable(b, traits)));
}

/** Whether something in the value is secret, so that all of it has to be hidden. */
export function holdsSecret(value: unknown): boolean {
  if (value instanceof Sealed) return true;
  if (isHole(value)) return '$secret' in value || ('$join' in value && value.$join.some(holdsSecret));
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isPlainObject(value) && Object.values(value).some(holdsSecret);
}

/** A secret value as one sealed text: what a change may carry. */
export function sealed(value: Value | undefined): Value | undefined {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return value;
  const names = canonical(value);
  return new Sealed(names);
}
