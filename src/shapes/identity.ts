import { comparedFields, isSameValue } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { hasUnresolvedHole } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import type { LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields } from '../model/value.ts';

/*
 * How objects without a name of their own, such as webhooks, are recognized: by the values of some of their fields.
 *
 * | Term               | Meaning                                                                                                      |
 * | ------------------ | ------------------------------------------------------------------------------------------------------------ |
 * | identity           | Lists of field names, best first. The first list with a field that a block declares finds its live object.   |
 * | identifying values | The values that a block declares for one of these lists.                                                     |
 */

/** Lists of identifying fields, best first. */
export type Identity = readonly (readonly string[])[];

/**
 * Returns the values that a block declares for these fields (one list of the identity of its kind), by which its live object is found.
 * Undefined if it declares none of them, or if one is known only later.
 */
export function identifyingValues(fields: Fields, names: readonly string[]): Fields | undefined {
  const declared = Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null);
  return declared.length === 0 || hasUnresolvedHole(declared) ? undefined : Object.fromEntries(declared);
}

/** True if an object's fields have these identifying values, so that it may be the object of the block that declares them. */
export const hasIdentifyingValues = (fields: Fields, values: Fields, kind: Kind): boolean =>
  Object.entries(values).every(([name, value]) =>
    isSameValue(value, fields[name], traitsOf(comparedFields(kind)[name]!)),
  );

/** Returns the objects that may have these values: those with the same text in one field, or all objects if no value is a text. */
export type Candidates = (values: Fields) => readonly LiveResource[];

/**
 * Indexes live objects by the texts in their fields. Returns a function which finds those that may have some identifying values, so that a
 * block need not be compared with each of thousands of objects. It returns too many rather than too few: the caller compares the values.
 */
export function indexCandidates(objects: readonly LiveResource[]): Candidates {
  const byText = new Map<string, LiveResource[]>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object.fields)) {
      const text = revealed(value);
      if (typeof text === 'string') addTo(byText, `${name} ${text}`, object);
    }
  return (values) => {
    const firstText = Object.entries(values).find(([, value]) => typeof value === 'string');
    if (!firstText) return objects;
    const [name, text] = firstText;
    return byText.get(`${name} ${text}`) ?? [];
  };
}
