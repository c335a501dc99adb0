import type * as z from 'zod';
import { once, traitsOf } from '../../kind/traits.ts';
import { closest } from '../suggest.ts';
import { maskNode, type Node } from '../yaml/nodes.ts';
import { optionsOf, shapeOf } from './schema-options.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;

/**
 * Masks the value of a key that is not known, since the key may be a secret's, misspelled. One that is clearly meant for a field
 * without secrets is quoted like any other. `others`: the other names that may be meant.
 */
export function maskUnknown(
  name: string,
  value: Node,
  schemas: Schemas,
  others: readonly string[] = [],
): void {
  const meant = closest(name, [...Object.keys(schemas), ...others]);
  const schema = meant !== undefined && Object.hasOwn(schemas, meant) ? schemas[meant] : undefined;
  if (!schema || mayHoldSecret(schema)) maskNode(value);
}

/** Masks what stands where a block belongs, but for the values of fields that hold no secrets. */
export function maskMisplaced(node: Node, schemas: Schemas): void {
  if (node.type === 'list') for (const item of node.items) maskMisplaced(item, schemas);
  else if (node.type !== 'map') maskNode(node);
  else
    for (const { key, value } of node.entries) {
      const schema = Object.hasOwn(schemas, key.text) ? schemas[key.text] : undefined;
      if (!schema || mayHoldSecret(schema)) maskNode(value);
    }
}

/** True if a value of this schema, or a part of one, may be a secret. */
export const mayHoldSecret: (schema: z.ZodType) => boolean = once((schema) => holdsSecret(schema, new Set()));

function holdsSecret(schema: z.ZodType, seen: Set<z.ZodType>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (traitsOf(schema).secret) return true;
  return optionsOf(schema).schemas.some((option) => {
    const def = option.def as unknown as { element?: z.ZodType; valueType?: z.ZodType; items?: z.ZodType[] };
    const members = [
      option,
      ...Object.values(shapeOf(option) ?? {}),
      ...(def.items ?? []),
      ...[def.element ?? [], def.valueType ?? []].flat(),
    ];
    return members.some((member) => holdsSecret(member, seen));
  });
}
