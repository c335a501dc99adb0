/**
 * Building blocks of the JSON Schema that `trueup schema` prints for editors. `withExpressions` turns the strict schemas of fields into
 * what the loader accepts: `${...}` may stand for any value, and text may be written as a number.
 *
 *   expression     `${...}` in a text. Only the loader knows its value, so every text with an expression is accepted.
 *   nullable       the value may also be null: a key without a value in the YAML
 *   alternative    one of several schemas that a value may match (`anyOf`, `oneOf`, or a list of types)
 *   discriminator  a member with a different constant in each alternative, such as `type` in `{ type: redirect, ... }`
 */
import { dropUndefined } from '../../model/walk.ts';

/** A JSON Schema of draft 7, with the keywords that this folder uses. Members that are undefined are not printed. */
export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  minItems?: number;
  items?: JsonSchema | JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  /** For editors: accept the member, but do not offer it. */
  doNotSuggest?: boolean;
  /** For editors: the message if `pattern` does not match. */
  patternErrorMessage?: string;
  /** Our own mark, never printed: texts that editors suggest. All other texts are valid, too. */
  suggested?: string[];
  /** Our own mark, never printed: a higher layer replaces this value as a whole instead of merging it member by member. */
  isReplacedWhole?: boolean;
  [keyword: string]: unknown;
}

/** The regular expression that finds the start of an expression in a text. */
export const expressionPattern = '\\$\\{';

/** The schema of a text with an expression. */
const expressionSchema: JsonSchema = { type: 'string', pattern: expressionPattern };

/** Returns a reference to a schema under `definitions`, such as that of a kind. */
export const definitionRef = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/**
 * Returns a schema that checks values with `consequence` if `condition` matches them, else with `alternative`. Used instead of `anyOf`,
 * because an editor's message is then about the case that is meant.
 */
export const ifThen = (
  condition: JsonSchema,
  consequence: JsonSchema,
  alternative?: JsonSchema,
): JsonSchema => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: consequence,
  else: alternative,
});

/** Returns the schema of a value that may also be written as a list of such values. `description`: the documentation of the list. */
export const valueOrList = (value: JsonSchema, description?: string): JsonSchema =>
  ifThen({ type: 'array' }, { description, items: value }, value);

/**
 * Returns the schema of a value of one type, or of an expression (`${...}`) that stands for it, since any
 * value of a configuration may be one. An expression is a text, so texts are allowed too, but must match the
 * pattern of expressions; JSON Schema does not apply a pattern to other types. `schema`: what else is
 * required. `nullable`: null is accepted, too.
 */
export const typeOrExpression = (type: string, schema: JsonSchema, nullable = false): JsonSchema => ({
  type: [type, 'string', ...(nullable ? ['null'] : [])],
  pattern: expressionPattern,
  patternErrorMessage: `Incorrect type. Expected "${type}".`,
  ...schema,
});

/**
 * Limits an object to at most one member. The limit is inside `allOf`, because an editor that sees it beside the members stops offering
 * them as soon as there is one.
 */
export const atMostOneMember: JsonSchema = { allOf: [{ maxProperties: 1 }] };

/**
 * Returns named schemas (the members of an object) after a change of each. Used by the passes that adapt the schema of `trueup schema`, for
 * example so that each value may also be an expression.
 */
export const mapSchemas = (
  schemas: Record<string, JsonSchema>,
  change: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

/**
 * Returns the schema of an object with the schema of each member replaced by the result of `change`. Used by
 * passes that walk through a whole schema, for example to remove requirements.
 */
export function mapMemberSchemas(
  { properties, additionalProperties, ...schema }: JsonSchema,
  change: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const otherMembers =
    typeof additionalProperties === 'object' ? change(additionalProperties) : additionalProperties;
  return {
    ...schema,
    properties: properties && mapSchemas(properties, change),
    additionalProperties: otherMembers,
  };
}

/** Returns an object without its undefined members; undefined if it has no others, so that no empty schema is printed. */
export function unlessEmpty<T extends object>(members: T): T | undefined {
  const defined = dropUndefined(members);
  return Object.keys(defined).length > 0 ? defined : undefined;
}

/**
 * Returns the editor's schema of a text field. As in the loader, numbers and booleans count as text, and a
 * text with an expression passes all `limits` (length, pattern, format). `suggested`: values that editors
 * offer. `nullable`: null is accepted, too.
 *
 * The schema forbids lists and maps (a value of these types must be a text, which it cannot be) instead of listing the other types, because
 * editors would then offer `true` and `false`. `anyOf` is there even if nothing limits the text, because editors complete a field only with
 * it.
 */
export function textSchema(
  { format, ...limits }: JsonSchema,
  { suggested, nullable = false }: { suggested?: string[] | undefined; nullable?: boolean } = {},
): JsonSchema {
  // Editors check formats with their own patterns, which differ from those of the kinds. A pattern of the kind goes first.
  const hasOwnPattern = limits.pattern !== undefined || limits.allOf !== undefined;
  const checks = { ...limits, ...(format === undefined || hasOwnPattern ? {} : { format }) };
  const text = Object.keys(checks).length === 0 ? {} : unlessExpression(checks);
  return {
    ...ifThen({ type: nullable ? ['object', 'array'] : ['object', 'array', 'null'] }, { type: 'string' }),
    anyOf: [text, ...(suggested ? [{ enum: suggested }] : [])],
  };
}

/**
 * Returns the editor's schema of a text that the loader uses before it resolves expressions, such as a path of `include`. Editors mark an
 * expression in it.
 */
export const plainTextSchema = (description: string): JsonSchema => ({
  ...textSchema({ minLength: 1 }),
  description,
  pattern: `^(?!.*${expressionPattern})`,
  patternErrorMessage: 'This cannot contain an expression.',
});

/** Returns the editor's schema of a text that may contain expressions: in the header, in the declaration of a secret or in `owns`. */
export const textOrExpression = (description: string): JsonSchema =>
  withExpressions({ type: 'string', minLength: 1, description });

/**
 * Returns the schema for the keys of a map, with the limits of the field that they give a value to. Accepts `<<`, which merges another map,
 * and the `$` keys of a section.
 */
export const keySchema = ({ description: _, type: __, suggested: ___, ...limits }: JsonSchema): JsonSchema =>
  Object.keys(limits).length === 0 ? {} : unlessExpression(limits, `${expressionPattern}|^<<$|^\\$when$`);

/** Returns a schema that skips its checks for texts that match a pattern: those with an expression. */
const unlessExpression = (checks: JsonSchema, pattern = expressionPattern): JsonSchema => ({
  if: { type: 'string', pattern },
  else: checks,
});

/**
 * Returns the schema of a field with expressions (`${...}`) allowed for every value, as the loader reads
 * them; an editor would otherwise mark each expression as an error. Alternatives are merged into one schema
 * where that is possible, because each of them costs an editor much time.
 */
export function withExpressions(schema: JsonSchema): JsonSchema {
  const alternatives = alternativesOf(schema);
  const description =
    schema.description ?? alternatives.find((alternative) => alternative.description)?.description;
  return { ...convertAlternatives(alternatives, description), description, default: schema.default };
}

/**
 * Returns the alternatives of a schema (`anyOf`, `oneOf`, or a list of types) as one flat list. Each has at
 * most one type, so that `trueup schema` can add to each type what a file may have in its place, such as an
 * expression. The default is left out: the caller puts it beside them.
 */
function alternativesOf({ anyOf, oneOf, default: _, ...schema }: JsonSchema): JsonSchema[] {
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.flatMap(alternativesOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

/**
 * Returns the alternatives of a field as one schema for editors, in which every value may be an expression:
 * by conditions on the member that distinguishes them (a discriminator), or else as `anyOf`. The first
 * alternative repeats `description`, the documentation of the field, because an editor shows it in its list
 * of alternatives.
 */
function convertAlternatives(alternatives: JsonSchema[], description: string | undefined): JsonSchema {
  const [first, ...others] = alternatives.filter(({ type }) => type !== 'null');
  if (!first) return { type: 'null' };
  const nullable = alternatives.some(({ type }) => type === 'null');
  if (others.length === 0) return convertSingle(first, nullable, description);
  const discriminated = convertByDiscriminator([first, ...others], nullable);
  if (discriminated) return discriminated;
  const documented = description === undefined ? first : { ...first, description };
  const converted = [documented, ...others].map(withExpressions);
  return { anyOf: [...converted, ...(nullable ? [{ type: 'null' }] : [])] };
}

/**
 * Returns a schema without alternatives, converted by its type (constants, text, object, list or another) so
 * that it also accepts an expression: any value of a configuration may be one, which only the loader can
 * check. `nullable`: null is accepted, too.
 */
function convertSingle(schema: JsonSchema, nullable: boolean, description: string | undefined): JsonSchema {
  const { type, suggested, description: _, ...limits } = schema;
  if (schema.enum || schema.const !== undefined) {
    const values = [...(schema.enum ?? [schema.const]), ...(nullable ? [null] : [])];
    return { anyOf: [{ enum: values, description }, expressionSchema] };
  }
  if (type === 'string') return textSchema(limits, { suggested, nullable });
  if (type === 'object') return typeOrExpression('object', convertObject(limits), nullable);
  if (type === 'array') return typeOrExpression('array', convertList(limits), nullable);
  if (schema.allOf) return { ...limits, allOf: schema.allOf.map(withExpressions) };
  return typeof type === 'string' ? typeOrExpression(type, limits, nullable) : schema;
}

/** Converts the members and the keys of an object schema. */
const convertObject = ({ propertyNames, ...schema }: JsonSchema): JsonSchema => ({
  ...mapMemberSchemas(schema, withExpressions),
  propertyNames: propertyNames && keySchema(propertyNames),
});

/**
 * Returns the schema of a list in which each item may also be an expression. A spread item
 * (`"...${var.names}"`) stands for any number of items, so a minimum of more than one item is not checked for
 * a list with a spread.
 */
function convertList({ items, minItems = 0, ...limits }: JsonSchema): JsonSchema {
  const converted = Array.isArray(items) ? items.map(withExpressions) : items && withExpressions(items);
  return {
    ...limits,
    ...(minItems > 1 ? { if: { contains: spreadItem }, else: { minItems } } : {}),
    // A spread item is one item, too, so a minimum of one can always be checked.
    minItems: minItems === 1 ? minItems : undefined,
    items: converted,
  };
}

/** The schema of an item that stands for the items of a list, or the entries of a map. */
export const spreadItem: JsonSchema = { type: 'string', pattern: '^\\.\\.\\.\\$\\{' };

/**
 * Returns alternative objects as conditions on their discriminator, the member whose value shows which of
 * them is meant, such as `type`; undefined if there is none. An editor then checks only that alternative, so
 * that its messages are about it.
 */
function convertByDiscriminator(alternatives: JsonSchema[], nullable: boolean): JsonSchema | undefined {
  const firstMembers = alternatives[0]?.properties ?? {};
  const name = Object.keys(firstMembers).find((member) => isDiscriminator(member, alternatives));
  if (name === undefined) return undefined;
  const valuesOf = (alternative: JsonSchema) => constantsOf(alternative.properties![name]);
  const conditions = alternatives.map((alternative) =>
    ifThen(
      { properties: { [name]: { enum: valuesOf(alternative) } }, required: [name] },
      withExpressions(alternative),
    ),
  );
  const { description } = firstMembers[name]!;
  const member = {
    description,
    anyOf: [{ enum: alternatives.flatMap(valuesOf) }, expressionSchema],
  };
  const schema = { required: [name], properties: { [name]: member }, allOf: conditions };
  return typeOrExpression('object', schema, nullable);
}

/**
 * True if the member `name` shows which of several alternative objects a user meant: all alternatives require
 * it, and no two accept the same value in it. An editor can then check a value by that alternative alone.
 */
function isDiscriminator(name: string, alternatives: JsonSchema[]): boolean {
  const valuesByAlternative = alternatives.map(({ type, required, properties }) =>
    type === 'object' && required?.includes(name) ? constantsOf(properties?.[name]) : [],
  );
  const values = valuesByAlternative.flat();
  return valuesByAlternative.every(({ length }) => length > 0) && new Set(values).size === values.length;
}

/** Returns the only values that a schema accepts; empty if it accepts others. */
const constantsOf = (schema: JsonSchema | undefined): unknown[] =>
  schema?.enum ?? (schema?.const === undefined ? [] : [schema.const]);
