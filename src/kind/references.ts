/**
 * Finds the objects that the fields of an object refer to. References come in three forms: refs (`${...}` in the YAML), names in plain text
 * (`softRef` and `within` in the schema of a field), and ids that the platform made, in plain text.
 */

import { type Address, addressOf, escapeName } from '../model/address.ts';
import { memoize } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, refsIn } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { comparedFields } from './compare.ts';
import { ancestorsOf, isSingleton } from './define-kind.ts';
import type { Kind, Kinds } from './kind.ts';
import { traitsOf } from './traits.ts';

/** Returns the addresses that fields refer to, by references and by names in plain text. The plan creates these objects first. */
export function referencesIn(
  fields: Fields,
  kind: Kind,
  parent: Address | undefined,
  kinds: Kinds,
): Address[] {
  return [...refsIn(fields), ...addressesByNameIn(fields, kind, parent, kinds)];
}

/**
 * Returns the addresses of the resources that fields name in plain text, such as a domain, because the plan
 * has to create these first, as for references. The trait `softRef` of a field says which kind it names. A DNS name
 * (trait `within`) names itself and the domains around it: `a.b.com` and `b.com`. `softOnly`: leaves DNS names out.
 */
export function addressesByNameIn(
  fields: Fields,
  kind: Kind,
  parent: Address | undefined,
  kinds: Kinds,
  { softOnly = false } = {},
): Address[] {
  // A name means a resource under the nearest ancestor that can have such resources.
  const parentForKind = (target: Kind) =>
    ancestorsOf(kinds, kind, parent).find((ancestor) => ancestor.kind.name === target.parent)?.address;
  return namingFields(kind).flatMap(({ name, softRef, within }) => {
    const texts = [fields[name]].flat().filter((item) => typeof item === 'string');
    const target = kinds.get(softRef ?? within!);
    if (texts.length === 0 || !target || (softOnly && softRef === undefined)) return [];
    const names = within === undefined ? texts : texts.flatMap(enclosingNames);
    return names.map((text) => addressOf(parentForKind(target), target.section, [escapeName(text)]));
  });
}

/** Returns the fields of a kind that name resources in plain text. Most kinds have none, and the question is asked for every object. */
const namingFields = memoize((kind: Kind) =>
  Object.entries(comparedFields(kind)).flatMap(([name, schema]) => {
    const { softRef, within } = traitsOf(schema);
    return softRef === undefined && within === undefined ? [] : { name, softRef, within };
  }),
);

/**
 * Returns a dotted name and the names in which it lies, to find the domain on which a DNS name depends: `a.b.c` and `b.c` for `a.b.c`. The
 * last label alone (`c`) cannot be a resource.
 */
const enclosingNames = (name: string): string[] => {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
};

/**
 * Returns the id that the platform made for an object; undefined if the id is a name given by people, or the id of the parent or of an
 * object that it refers to. Used to find references to a deleted object in other live objects: only an id made for this object means it
 * wherever it appears.
 */
export function platformIdOf(
  resource: LiveResource,
  { resources }: Pick<Live, 'resources'>,
  kinds: Kinds,
): string | undefined {
  const { id, fields, parent } = resource;
  const kind = kinds.get(resource.kind)!;
  if (kind.shape.byAddress || isSingleton(kind)) return undefined;
  const relatedAddresses = [...(parent === undefined ? [] : [parent]), ...refsIn(fields)];
  const isOfRelated = relatedAddresses.some((address) => resources.get(address)?.id === id);
  const isOwnFieldValue = addressesByIdIn(fields, new Map([[id, resource.address]])).length > 0;
  return isOwnFieldValue || isOfRelated ? undefined : id;
}

/**
 * Returns the addresses whose ids are texts anywhere in a value (the whole text, not a part of it), since some fields contain ids without a
 * reference. Used to find what breaks if the objects at these addresses are deleted. Secrets are not searched.
 */
export function addressesByIdIn(value: unknown, addressById: ReadonlyMap<string, Address>): Address[] {
  if (addressById.size === 0) return [];
  const addresses: Address[] = [];
  visitDeep(value, (member) => {
    if (typeof member === 'string') addresses.push(...[addressById.get(member) ?? []].flat());
    return member instanceof Sealed ? undefined : visitMembers;
  });
  return addresses;
}
