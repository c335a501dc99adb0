import { canonical } from '../model/canonical.ts';
import { memoize } from '../model/memoize.ts';
import { type Fields, holdsSecret } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { comparedFields } from './leaves.ts';
import { traitsOf } from './traits.ts';

/** A value that only one object may have at a time. */
interface SoleValue {
  /** The field that holds it. */
  name: string;
  /** The same text for the same value, whichever kind has it. */
  text: string;
  /** It is given up once the object is there, for whatever else may have it. */
  createOnly: boolean;
}

/** The values of an object that no other may have at the same time. */
export const soleValues = (kind: Kind, fields: Fields): SoleValue[] =>
  soleFields(kind).flatMap(({ name, sole, createOnly }) => {
    const value = fields[name];
    if (value === undefined || value === null || holdsSecret(value)) return [];
    return { name, text: `${sole} ${canonical(value)}`, createOnly };
  });

type SoleField = Pick<SoleValue, 'name' | 'createOnly'> & { sole: string };

/** Few kinds have any, and all objects are asked. */
const soleFields = memoize((kind: Kind): SoleField[] =>
  Object.entries(comparedFields(kind)).flatMap(([name, schema]) => {
    const { sole, createOnly = false } = traitsOf(schema);
    return sole === undefined ? [] : { name, sole, createOnly };
  }),
);
