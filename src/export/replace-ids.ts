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
  const present = [...new Set(objects.map(({ kind }) => kind))].map((name) => kinds.get(name)!);
  const concerned = new Map(
    present.filter(({ fields }) => Object.values(fields).some(mayHoldId)).map((kind) => [kind.name, kind]),
  );
  return objects.map((resource) => {
    const kind = concerned.get(resource.kind);
    return kind ? withAddress(resource, kind, addressOf) : resource;
  });
}

const withAddress = (resource: LiveResource, kind: Kind, addressOf: AddressOf): LiveResource => ({
  ...resource,
  fields: mapMembers(resource.fields, (value, name) => inField(kind.fields[name]!, value, addressOf)),
  ...(resource.alternatives
    ? { alternatives: resource.alternatives.map((each) => withAddress(each, kind, addressOf)) }
    : {}),
});

function inField(schema: z.ZodType, value: Value, addressOf: AddressOf): Value {
  if (typeof value === 'string') {
    const { mayIdentify } = traitsOf(schema);
    const address = mayIdentify === undefined ? undefined : addressOf(mayIdentify, value);
    return address === undefined ? value : { $ref: address, attr: 'id' };
  }
  if (Array.isArray(value)) {
    const element = itemSchemaOf(schema);
    return element ? value.map((item) => inField(element, item, addressOf)) : value;
  }
  const memberOf = isPlainObject(value) ? memberSchemasOf(schema) : undefined;
  if (!memberOf) return value;
  return mapMembers(value as Record<string, Value>, (item, name) => {
    const member = memberOf(name);
    return member ? inField(member, item, addressOf) : item;
  });
}

const itemSchemaOf = (schema: z.ZodType): z.ZodType | undefined => {
  const inner = innerOf(schema);
  return inner ? itemSchemaOf(inner) : (schema.def as { element?: z.ZodType }).element;
};

const mayHoldId: (schema: z.ZodType) => boolean = memoize((schema) => {
  const inside = [itemSchemaOf(schema), ...Object.values(shapeOf(schema) ?? {})];
  return traitsOf(schema).mayIdentify !== undefined || inside.some((schema) => schema && mayHoldId(schema));
});
