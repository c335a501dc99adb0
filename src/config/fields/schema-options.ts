import type * as z from 'zod';
import { innerOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/memoize.ts';
import { closest, hintFor, quoted } from '../suggest.ts';
import { maskNode, type Node } from '../yaml/nodes.ts';

/** The schemas behind the wrappers and unions of one, and whether it takes `null`. */
interface SchemaOptions {
  schemas: z.ZodType[];
  nullable: boolean;
}

interface SchemaDef {
  type: string;
  options?: z.ZodType[];
  getter?: () => z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  values?: unknown[];
  entries?: Record<string, unknown>;
}

const defOf = (schema: z.ZodType) => schema.def as unknown as SchemaDef;

export const schemaOptionsOf: (schema: z.ZodType) => SchemaOptions = memoize((schema) => {
  const def = defOf(schema);
  if (def.type === 'union') {
    const all = def.options!.map(schemaOptionsOf);
    return { schemas: all.flatMap(({ schemas }) => schemas), nullable: all.some(({ nullable }) => nullable) };
  }
  if (def.type === 'lazy') return schemaOptionsOf(def.getter!());
  if (def.type === 'pipe') return schemaOptionsOf(typeOf(def.in!) === 'transform' ? def.out! : def.in!);
  if (def.type === 'null') return { schemas: [], nullable: true };
  const inner = innerOf(schema);
  if (!inner)
    return { schemas: [schema], nullable: takesAnything(schema) || (def.values ?? []).includes(null) };
  const options = schemaOptionsOf(inner);
  return def.type === 'nullable' ? { ...options, nullable: true } : options;
});

export const typeOf = (schema: z.ZodType): string => defOf(schema).type;

export const takesAnything = (schema: z.ZodType): boolean =>
  ['any', 'unknown', 'custom'].includes(typeOf(schema));

/** True if some text is a value of this option. */
export const takesText: (schema: z.ZodType) => boolean = memoize((schema) => {
  const { type, values, entries } = defOf(schema);
  if (type === 'string' || type === 'template_literal' || takesAnything(schema)) return true;
  return [...(values ?? []), ...Object.values(entries ?? {})].some((value) => typeof value === 'string');
});

/** True if any text, also one that is known only later, may be a value of this schema: no enum, no number. */
export const takesFreeText = (schema: z.ZodType): boolean =>
  schemaOptionsOf(schema).schemas.some(
    (option) => ['string', 'template_literal'].includes(typeOf(option)) || takesAnything(option),
  );

/** True if a value of this schema may be a text, or a number, which has one way to be written as text. */
export const mayBeText = (schema: z.ZodType): boolean =>
  schemaOptionsOf(schema).schemas.some((option) => takesText(option) || typeOf(option) === 'number');

/** The values, if only some are allowed: for messages. */
export const allowedValues = (schema: z.ZodType): unknown[] =>
  schemaOptionsOf(schema).schemas.flatMap((option) => {
    const { values, entries } = defOf(option);
    return values ?? Object.values(entries ?? {});
  });

/** The schemas of an object's members; undefined for any other schema. Both sides of an intersection count. */
export function objectShapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const def = schema.def as unknown as {
    type: string;
    shape?: Record<string, z.ZodType>;
    left?: z.ZodType;
    right?: z.ZodType;
  };
  if (def.type === 'object') return def.shape;
  if (def.type !== 'intersection') return undefined;
  return { ...objectShapeOf(def.left!), ...objectShapeOf(def.right!) };
}

/** Says what can stand in a field, for the hint of something that cannot: the keys of a map, or how a list is written. */
export function expectedHint(schema: z.ZodType | undefined): string | undefined {
  const hints = (schema ? schemaOptionsOf(schema).schemas : []).map(optionHint);
  return [...new Set(hints.filter((hint) => hint !== undefined))].join('; or ') || undefined;
}

function optionHint(option: z.ZodType): string | undefined {
  const shape = objectShapeOf(option);
  if (shape) return hintFor('', Object.keys(shape), 'a map with the keys');
  const { valueType } = option.def as unknown as { valueType?: z.ZodType };
  if (typeOf(option) === 'record')
    return `a map with one entry per name: ${quoted(`name: ${sketch(valueType)}`)}`;
  if (typeOf(option) === 'array') return 'a list: `[item]`, or one `- item` per line';
  return { string: 'a text', number: 'a number', boolean: '`true` or `false`' }[typeOf(option)];
}

/** The beginning of a map's member: `{ version: ... }`, or just a value. */
function sketch(schema: z.ZodType | undefined): string {
  const shape =
    schema &&
    schemaOptionsOf(schema)
      .schemas.map(objectShapeOf)
      .find((one) => one !== undefined);
  const [first] = Object.keys(shape ?? {});
  return first === undefined ? 'value' : `{ ${first}: ... }`;
}

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

/** Masks what stands where a block belongs, but for the values of fields that hold no secrets: also in a block under a name, one level deep. */
export function maskMisplaced(node: Node, schemas: Schemas, isInside = false): void {
  if (node.type === 'list') for (const item of node.items) maskMisplaced(item, schemas, isInside);
  else if (node.type !== 'map') maskNode(node);
  else
    for (const { key, value } of node.entries) {
      const schema = Object.hasOwn(schemas, key.text) ? schemas[key.text] : undefined;
      if (!schema && value.type === 'map' && !isInside) maskMisplaced(value, schemas, true);
      else if (!schema || mayHoldSecret(schema)) maskNode(value);
    }
}

/** True if a value of this schema, or a part of one, may be a secret. */
export const mayHoldSecret: (schema: z.ZodType) => boolean = memoize((schema) =>
  hasSecretInside(schema, new Set()),
);

function hasSecretInside(schema: z.ZodType, seen: Set<z.ZodType>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (traitsOf(schema).secret) return true;
  return schemaOptionsOf(schema).schemas.some((option) => {
    const def = option.def as unknown as { element?: z.ZodType; valueType?: z.ZodType; items?: z.ZodType[] };
    const members = [
      option,
      ...Object.values(objectShapeOf(option) ?? {}),
      ...(def.items ?? []),
      ...[def.element ?? [], def.valueType ?? []].flat(),
    ];
    return members.some((member) => hasSecretInside(member, seen));
  });
}
