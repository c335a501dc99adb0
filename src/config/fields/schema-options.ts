/**
 * Questions about the zod schema of a field. A schema can be wrapped (`optional`, `nullable`, `default`) and have alternatives (`union`),
 * so most questions first ask for the options: the plain schemas behind all wrappers.
 */
import type * as z from 'zod';
import { innerOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/graph.ts';
import { closestName } from '../../model/similar-name.ts';
import { hintFor, quoted } from '../suggest.ts';
import { maskNode, type Node } from '../yaml/nodes.ts';

/** The plain schemas behind the wrappers and unions of a schema, and whether it takes `null`. */
interface SchemaOptions {
  schemas: z.ZodType[];
  nullable: boolean;
}

/** The same schemas by the form of the values that they take. */
interface OptionsByForm {
  texts: z.ZodType[];
  /** Those that take other scalars. One that takes anything is among the texts as well. */
  otherScalars: z.ZodType[];
  lists: z.ZodType[];
  maps: z.ZodType[];
}

/** The members of zod's definitions that are used here. */
interface SchemaDef {
  type: string;
  options?: z.ZodType[];
  getter?: () => z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  values?: unknown[];
  entries?: Record<string, unknown>;
}

/** Returns zod's definition of a schema, from which its type and members are read for hints and for reading values. */
const schemaDefOf = (schema: z.ZodType) => schema.def as unknown as SchemaDef;

/**
 * Returns the plain schemas that a value may satisfy: the alternatives of a union, and the schemas inside wrappers such as `optional`. Used
 * to read a value by the alternative that fits, and for hints about allowed values. Cached, since it is asked for every value.
 */
export const schemaOptionsOf: (schema: z.ZodType) => SchemaOptions = memoize((schema) => {
  const def = schemaDefOf(schema);
  if (def.type === 'union') {
    const alternatives = def.options!.map(schemaOptionsOf);
    return {
      schemas: alternatives.flatMap(({ schemas }) => schemas),
      nullable: alternatives.some(({ nullable }) => nullable),
    };
  }
  if (def.type === 'lazy') return schemaOptionsOf(def.getter!());
  // A pipe that begins with a transformation takes everything at first, so its output decides.
  if (def.type === 'pipe') return schemaOptionsOf(typeOf(def.in!) === 'transform' ? def.out! : def.in!);
  if (def.type === 'null') return { schemas: [], nullable: true };
  const inner = innerOf(schema);
  if (!inner)
    return { schemas: [schema], nullable: takesAnything(schema) || (def.values ?? []).includes(null) };
  const options = schemaOptionsOf(inner);
  return def.type === 'nullable' ? { ...options, nullable: true } : options;
});

/** Returns the plain schemas that a value may satisfy, by its form. Cached, since it is asked for every value. */
export const optionsByForm: (schema: z.ZodType) => OptionsByForm = memoize((schema) => {
  const { schemas } = schemaOptionsOf(schema);
  return {
    texts: schemas.filter(takesText),
    otherScalars: schemas.filter((option) => takesAnything(option) || !takesText(option)),
    lists: schemas.filter((option) => ['array', 'tuple', 'set'].includes(typeOf(option))),
    maps: schemas.filter((option) => typeOf(option) === 'record' || objectShapeOf(option)),
  };
});

/**
 * Returns the known values of a field that takes text, such as regions (trait `knownValues`); undefined if one of the
 * alternatives of its schema has none. Cached, since it is asked for every text.
 */
export const knownValuesOf: (schema: z.ZodType) => readonly string[] | undefined = memoize((schema) => {
  const { texts } = optionsByForm(schema);
  const lists = texts.map(
    (option) =>
      traitsOf(option).knownValues ?? (texts.length === 1 ? traitsOf(schema).knownValues : undefined),
  );
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
});

/**
 * Returns the name that zod has for the type of a schema, such as `object`, to decide by which schema a value is read.
 */
export const typeOf = (schema: z.ZodType): string => schemaDefOf(schema).type;

/** True if any value is allowed. */
export const takesAnything = (schema: z.ZodType): boolean =>
  ['any', 'unknown', 'custom'].includes(typeOf(schema));

/** True if some text is a value of this option. */
export const takesText: (schema: z.ZodType) => boolean = memoize((schema) => {
  const { type, values, entries } = schemaDefOf(schema);
  if (type === 'string' || type === 'template_literal' || takesAnything(schema)) return true;
  return [...(values ?? []), ...Object.values(entries ?? {})].some((value) => typeof value === 'string');
});

/**
 * True if any text may be a value of this schema, also a text that is determined only later. False for an enum or a
 * number.
 */
export const takesFreeText = (schema: z.ZodType): boolean =>
  schemaOptionsOf(schema).schemas.some(
    (option) => ['string', 'template_literal'].includes(typeOf(option)) || takesAnything(option),
  );

/**
 * True if a value of this schema may be a text or a number. Only such values of other resources can be joined with text in an expression:
 * `https://${domains.main.name}`.
 */
export const mayBeText = (schema: z.ZodType): boolean =>
  schemaOptionsOf(schema).schemas.some((option) => takesText(option) || typeOf(option) === 'number');

/**
 * Returns the allowed values of a schema that is an enum or a constant, or a union of these, for messages and editors.
 * Returns none if no alternative has a fixed list of values.
 */
export const allowedValues = (schema: z.ZodType): unknown[] =>
  schemaOptionsOf(schema).schemas.flatMap((option) => {
    const { values, entries } = schemaDefOf(option);
    return values ?? Object.values(entries ?? {});
  });

/**
 * Returns the schemas of an object's members by name; undefined for a schema that is no object. Used to read
 * a map member by member, and to suggest keys for unknown ones. An intersection of two objects has the
 * members of both.
 */
export function objectShapeOf(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const { type } = schema.def;
  if (type === 'object') return (schema as z.ZodObject<Record<string, z.ZodType>>).def.shape;
  if (type !== 'intersection') return undefined;
  const { def } = schema as z.ZodIntersection<z.ZodType, z.ZodType>;
  return { ...objectShapeOf(def.left), ...objectShapeOf(def.right) };
}

/** Returns a hint about the values that a field takes: the keys of a map, or how a list is written. */
export function expectedHint(schema: z.ZodType | undefined): string | undefined {
  const hints = (schema ? schemaOptionsOf(schema).schemas : []).map(optionHint);
  return [...new Set(hints.filter((hint) => hint !== undefined))].join('; or ') || undefined;
}

/**
 * Returns how to write a value for one alternative of a field's schema, as a part of the hint of a message:
 * "a list: `[item]`, ...". Undefined for types that need no explanation.
 */
function optionHint(option: z.ZodType): string | undefined {
  const shape = objectShapeOf(option);
  if (shape) return hintFor('', Object.keys(shape), 'a map with the keys');
  const { valueType } = option.def as unknown as { valueType?: z.ZodType };
  if (typeOf(option) === 'record')
    return `a map with one entry per name: ${quoted(`name: ${sketch(valueType)}`)}`;
  if (typeOf(option) === 'array') return 'a list: `[item]`, or one `- item` per line';
  return { string: 'a text', number: 'a number', boolean: '`true` or `false`' }[typeOf(option)];
}

/**
 * Returns how a value of a schema begins, `{ version: ... }` with the first key of an object, for the hint
 * about a map that was written in a wrong form. Just `value` if it has no named members.
 */
function sketch(schema: z.ZodType | undefined): string {
  const shapes = schema ? schemaOptionsOf(schema).schemas.map(objectShapeOf) : [];
  const shape = shapes.find((candidate) => candidate !== undefined);
  const [firstKey] = Object.keys(shape ?? {});
  return firstKey === undefined ? 'value' : `{ ${firstKey}: ... }`;
}

/** The schemas of fields, by name. */
type Schemas = Readonly<Record<string, z.ZodType>>;

/**
 * Masks the value of an unknown key in quoted lines, because the key may be a misspelled secret field. The
 * value stays readable if the key clearly resembles a field without secrets. `schemas`: the valid fields.
 * `otherNames`: other valid names that the key may resemble.
 */
export function maskUnknown(
  name: string,
  value: Node,
  schemas: Schemas,
  otherNames: readonly string[] = [],
): void {
  const resembled = closestName(name, [...Object.keys(schemas), ...otherNames]);
  const schema = resembled === undefined ? undefined : schemaOfField(schemas, resembled);
  if (!schema || mayHoldSecret(schema)) maskNode(value);
}

/**
 * Masks a value that was written where a block belongs, so that the message about it cannot quote a secret.
 * Values of fields that are never secret stay readable. `schemas`: the fields of the block. A map is searched
 * for these fields, also one level down, since it may be a map of blocks; `isInside` is true there.
 */
export function maskMisplaced(node: Node, schemas: Schemas, { isInside = false } = {}): void {
  if (node.type === 'list') for (const item of node.items) maskMisplaced(item, schemas, { isInside });
  else if (node.type !== 'map') maskNode(node);
  else
    for (const { key, value } of node.entries) {
      const schema = schemaOfField(schemas, key.text);
      if (!schema && value.type === 'map' && !isInside) maskMisplaced(value, schemas, { isInside: true });
      else if (!schema || mayHoldSecret(schema)) maskNode(value);
    }
}

/**
 * Returns the schema of a field by its written name; undefined for a name such as `constructor`, which is no field although every object
 * has it.
 */
export const schemaOfField = (schemas: Schemas, name: string): z.ZodType | undefined =>
  Object.hasOwn(schemas, name) ? schemas[name] : undefined;

/** True if a value of this schema, or a part of one, may be a secret. */
export const mayHoldSecret: (schema: z.ZodType) => boolean = memoize((schema) =>
  hasSecretInside(schema, new Set()),
);

/**
 * True if a schema, or a schema inside it, is for a secret. Values of such fields are masked if they are
 * invalid, so that no message quotes them. `visited`: schemas that were looked at, since schemas can contain
 * themselves.
 */
function hasSecretInside(schema: z.ZodType, visited: Set<z.ZodType>): boolean {
  if (visited.has(schema)) return false;
  visited.add(schema);
  if (traitsOf(schema).secret) return true;
  return schemaOptionsOf(schema).schemas.some((option) => {
    const def = option.def as unknown as { element?: z.ZodType; valueType?: z.ZodType; items?: z.ZodType[] };
    const members = [
      option,
      ...Object.values(objectShapeOf(option) ?? {}),
      ...(def.items ?? []),
      def.element,
      def.valueType,
    ];
    return members.some((member) => member !== undefined && hasSecretInside(member, visited));
  });
}
