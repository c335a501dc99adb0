import type * as z from 'zod';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { defOf, innerSchemaOf, traitWords, typeWords } from './type-words.ts';

/** A field of a kind, as the manual shows it. */
export interface FieldManual {
  name: string;
  type: string;
  /** `key`: its value is the key of the map in the YAML. */
  presence: 'key' | 'required' | 'optional';
  default?: unknown;
  /** The effect of null: it resets the field, or is a value like any other. Absent if null is rejected. */
  null?: 'reset' | 'value';
  traits: string[];
  doc?: string;
  /** The fields of an object, of each item of a list, or of each value of a map. */
  members?: FieldManual[];
}

/** Returns the fields of a kind's block, in the order of their declaration, with their members at all depths. */
export const fieldsOf = (kind: Kind): FieldManual[] =>
  membersIn(kind.fields, kind, { isWhole: false, depth: 0 }).map((field) =>
    field.name === kind.yaml.mapBy ? { ...field, presence: 'key' } : field,
  );

/** The place of a field inside other fields. */
interface FieldManualContext {
  /** True inside a value that is compared as a whole. Null cannot reset a part of it. */
  isWhole: boolean;
  /** The number of fields around it. */
  depth: number;
}

/** The greatest depth of members. It is enough for every kind, and ends schemas that contain themselves. */
const maxMemberDepth = 6;

/** Describes the fields of a kind's block, or the members of an object field, for the manual. */
const membersIn = (schemas: FieldSchemas, kind: Kind, context: FieldManualContext): FieldManual[] =>
  Object.entries(schemas).map(([name, schema]) => describeField(name, schema, kind, context));

/**
 * Returns what the manual shows about one field and its members: type, default, documentation. Everything comes
 * from the schema with which the configuration is checked, and from its traits (facts that a schema cannot state),
 * so the manual cannot be outdated. `context`: how deep the field is, and whether it is part of a value that plans
 * compare as a whole, so that null cannot reset it.
 */
function describeField(
  name: string,
  schema: z.ZodType,
  kind: Kind,
  context: FieldManualContext,
): FieldManual {
  const traits = traitsOf(schema);
  const isWhole = context.isWhole || traits.atomic === true;
  const type = typeWords(schema);
  const defaultValue = defaultOfSchema(schema);
  const doc = docOf(schema);
  const members =
    context.depth < maxMemberDepth
      ? memberManualsOf(schema, kind, { isWhole, depth: context.depth + 1 })
      : [];
  return {
    name,
    type,
    presence: schema.safeParse(undefined).success ? 'optional' : 'required',
    default: defaultValue,
    // A field that is atomic itself can be reset as a whole; only its members cannot.
    null: nullEffectOf(schema, context.isWhole),
    traits: [
      // The type may say this already.
      ...(traits.ref === undefined || type === `name of a ${traits.ref}` ? [] : [`refers to ${traits.ref}s`]),
      ...traitWords(traits, kind),
    ],
    doc,
    members: members.length > 0 ? members : undefined,
  };
}

/**
 * True if a field's schema allows null in addition to its values. The manual then says that null resets the field. False for a schema that
 * allows anything: there, null is a value like any other.
 */
function isNullable(schema: z.ZodType): boolean {
  const inner = innerSchemaOf(schema);
  return defOf(schema).type === 'nullable' || (inner !== undefined && isNullable(inner));
}

/**
 * Returns what null does in the YAML of a field, for its manual page: it resets the field, or is a value like any
 * other; undefined if null is not accepted. `isPartOfWhole`: the field is part of a value that plans compare as a
 * whole, so that null cannot reset it.
 */
function nullEffectOf(schema: z.ZodType, isPartOfWhole: boolean): FieldManual['null'] {
  if (!schema.safeParse(null).success) return undefined;
  return isNullable(schema) && !isPartOfWhole ? 'reset' : 'value';
}

/**
 * Returns the default value that a schema declares, also inside wrappers such as optional; undefined if it has
 * none. The manual shows it beside the type of the field.
 */
function defaultOfSchema(schema: z.ZodType): unknown {
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  const inner = innerSchemaOf(schema);
  return defaultValue ?? (inner && defaultOfSchema(inner));
}

/**
 * Returns the rows that the manual page of a kind shows indented below a field: the members of an object, or of
 * each item of a list, also inside wrappers such as optional. A map has one row `NAME` for all of its values, if
 * these have members. A union with several object forms has a row per form; one with a single object form has its
 * members. Other fields have no rows.
 */
function memberManualsOf(schema: z.ZodType, kind: Kind, context: FieldManualContext): FieldManual[] {
  const def = defOf(schema);
  const inner = innerSchemaOf(schema);
  if (inner) return memberManualsOf(inner, kind, context);
  if (def.type === 'object') return membersIn((schema as z.ZodObject).shape, kind, context);
  // A plan compares the items of a list as a whole, so null cannot reset a member of an item.
  if (def.element) return memberManualsOf(def.element, kind, { ...context, isWhole: true });
  if (def.valueType) {
    const value = describeField('NAME', def.valueType, kind, context);
    return value.members ? [{ ...value, presence: 'optional' }] : [];
  }
  const objectForms = (def.options ?? []).filter((form) => shapeIn(form));
  if (objectForms.length < 2) return objectForms.flatMap((form) => memberManualsOf(form, kind, context));
  return objectForms.map((form, index) => ({
    ...describeField(formName(objectForms, form, index), form, kind, context),
    presence: 'optional',
  }));
}

/**
 * Names one form of a union (a value with several possible object forms) for its row in the field table of a manual
 * page: by the fixed values of the member that all forms have, `(type: a)`, or by its number, `(form 2)`.
 */
function formName(forms: z.ZodType[], form: z.ZodType, index: number): string {
  // A form without the member counts as if it had no fixed values: the schema of an object has none.
  const valuesOf = (option: z.ZodType, name: string) => defOf(shapeIn(option)![name] ?? option).values;
  const distinctive = Object.keys(shapeIn(form)!).find((name) => forms.every((form) => valuesOf(form, name)));
  return distinctive === undefined
    ? `(form ${index + 1})`
    : `(${distinctive}: ${valuesOf(form, distinctive)!.join(', ')})`;
}

/**
 * Returns the members of an object schema by name; undefined for another schema. Looks inside wrappers, such as that of an optional value.
 * Used to list the members of each form of a union in the manual.
 */
const shapeIn = (schema: z.ZodType): FieldSchemas | undefined => {
  const inner = innerSchemaOf(schema);
  if (inner) return shapeIn(inner);
  return defOf(schema).type === 'object' ? (schema as z.ZodObject).shape : undefined;
};
