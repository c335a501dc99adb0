import { canonicalJson } from '../model/canonical.ts';
import { memoize } from '../model/memoize.ts';
import { type Fields, holdsSecret } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { comparedFields } from './leaves.ts';
import { traitsOf } from './traits.ts';

/** A value that only one object may have at a time, such as a domain name. */
interface SoleValue {
  /** The field that holds it. */
  name: string;
  /** A text that is equal for equal values, also in objects of other kinds. */
  text: string;
  /** True if the object needs the value only while it is created, so that another object can take it afterwards. */
  createOnly: boolean;
}

/** Returns the values of an object that no other object may have at the same time. Used to order deletions before creations, and to find clashes. */
export const soleValues = (kind: Kind, fields: Fields): SoleValue[] =>
  soleFields(kind).flatMap(({ name, sole, createOnly }) => {
    const value = fields[name];
    if (value === undefined || value === null || holdsSecret(value)) return [];
    return { name, text: `${sole} ${canonicalJson(value)}`, createOnly };
  });

type SoleField = Pick<SoleValue, 'name' | 'createOnly'> & { sole: string };

/**
 * Returns the fields of a kind with such values. Few kinds have any, but the question is asked for every object, so the answer is
 * remembered.
 */
const soleFields = memoize((kind: Kind): SoleField[] =>
  Object.entries(comparedFields(kind)).flatMap(([name, schema]) => {
    const { sole, createOnly = false } = traitsOf(schema);
    return sole === undefined ? [] : { name, sole, createOnly };
  }),
);
