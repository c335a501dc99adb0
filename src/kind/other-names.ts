import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { memoize } from '../model/graph.ts';
import type { LiveResource } from '../model/resource.ts';
import type { Kind } from './kind.ts';
import { type OtherNames, traitsOf } from './traits.ts';

/** The other names of a kind, with the field that takes the id. */
export interface OtherNamesOfKind extends OtherNames {
  idField: string;
}

/** Returns the other names that a kind allows for its objects; undefined for most kinds, whose objects have one name. */
export const otherNamesOf: (kind: Kind) => OtherNamesOfKind | undefined = memoize(({ fields }) =>
  Object.entries(fields)
    .map(([idField, schema]) => {
      const { foundBy } = traitsOf(schema);
      return foundBy && { ...foundBy, idField };
    })
    .find((otherNames) => otherNames !== undefined),
);

/**
 * Returns all names of a live object by which a configuration may declare it: that of its key, and those among its facts (read-only
 * values), such as the e-mail address of a member. Empty if its kind has no other names.
 */
function namesOfObject(kind: Kind, { fields, facts = {} }: Pick<LiveResource, 'fields' | 'facts'>): string[] {
  const otherNames = otherNamesOf(kind);
  if (!otherNames) return [];
  const names = [fields[kind.key[0]!], ...otherNames.facts.map((name) => facts[name])];
  return [...new Set(names)].filter((name): name is string => typeof name === 'string' && name !== '');
}

/**
 * Returns the addresses that a live object could have in a configuration, one for each of its names: a member may be declared by e-mail
 * address or by user name. The usual one comes first. Used to find the block that means the object. Empty if its kind has no other names.
 */
export const addressesByName = (
  kind: Kind,
  object: Pick<LiveResource, 'fields' | 'facts'>,
  parent: Address | undefined,
): Address[] =>
  namesOfObject(kind, object).map((name) => addressOf(parent, kind.section, [escapeName(name)]));

/**
 * Returns a live object under one of its other names: its key has the name at the end of its address, so that it is compared with a block
 * of that name, and does not count as renamed (`renamedTo`). If none of its names is at the end of its address, it was renamed outside,
 * and stays.
 */
export function underOwnName(kind: Kind, object: LiveResource): LiveResource {
  const name = lastNameOf(object.address);
  if (!namesOfObject(kind, object).includes(name)) return object;
  const { renamedTo: _, ...members } = object;
  return { ...members, fields: { ...object.fields, [kind.key[0]!]: name } };
}
