import type * as z from 'zod';
import type { Kind, Kinds } from '../kind/kind.ts';
import { memberSchemasOf } from '../kind/leaves.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { memoize } from '../model/memoize.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';

type AddressOf = (kind: string, id: string) => Address | undefined;

/**
 * Returns the live objects with references instead of ids: a text that is the id of another object becomes a reference if its schema allows
 * that (`mayIdentify`). Used so that an export does not contain ids, which differ in each account.
 */
export function replaceIdsByReferences({ resources }: Live, kinds: Kinds): LiveResource[] {
  const objects = [...resources.values()];
  const addresses = new Map(objects.map(({ kind, id, address }) => [`${kind} ${id}`, address]));
  const addressOf: AddressOf = (kind, id) => addresses.get(`${kind} ${id}`);
  return objects.map((resource) => {
    const kind = kinds.get(resource.kind)!;
    return Object.values(kind.fields).some(mayHoldId) ? replaceInObject(resource, kind, addressOf) : resource;
  });
}

/** Replaces ids in the fields of an object and of its alternatives. Alternatives are objects with the same address; one of them is exported. */
const replaceInObject = (resource: LiveResource, kind: Kind, addressOf: AddressOf): LiveResource => ({
  ...resource,
  fields: mapMembers(resource.fields, (value, name) => replaceInValue(kind.fields[name]!, value, addressOf)),
  ...(resource.alternatives
    ? {
        alternatives: resource.alternatives.map((alternative) =>
          replaceInObject(alternative, kind, addressOf),
        ),
      }
    : {}),
});

/**
 * Replaces the ids in a value by references, at all depths, if their schemas may identify an object (`mayIdentify`). Unknown ids stay as they
 * are.
 */
function replaceInValue(schema: z.ZodType, value: Value, addressOf: AddressOf): Value {
  if (typeof value === 'string') {
    const { mayIdentify } = traitsOf(schema);
    const address = mayIdentify === undefined ? undefined : addressOf(mayIdentify, value);
    return address === undefined ? value : { $ref: address, attr: 'id' };
  }
  if (Array.isArray(value)) {
    const element = itemSchemaOf(schema);
    return element ? value.map((item) => replaceInValue(element, item, addressOf)) : value;
  }
  const memberOf = isPlainObject(value) ? memberSchemasOf(schema) : undefined;
  if (!memberOf) return value;
  return mapMembers(value as Record<string, Value>, (item, name) => {
    const member = memberOf(name);
    return member ? replaceInValue(member, item, addressOf) : item;
  });
}

/** Returns the schema of a list's items, also inside optional and nullable schemas. */
const itemSchemaOf = (schema: z.ZodType): z.ZodType | undefined => {
  const inner = innerOf(schema);
  return inner ? itemSchemaOf(inner) : (schema.def as { element?: z.ZodType }).element;
};

/** True if a value of a schema can contain an id. Remembered, since it is asked for each object. */
const mayHoldId: (schema: z.ZodType) => boolean = memoize((schema) => {
  const inside = [itemSchemaOf(schema), ...Object.values(shapeOf(schema) ?? {})];
  return traitsOf(schema).mayIdentify !== undefined || inside.some((schema) => schema && mayHoldId(schema));
});
