import type * as z from 'zod';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { beneath, defOf, traitWords, typeWords } from './type-words.ts';

/** One field, as the manual shows it. */
export interface FieldManual {
  name: string;
  type: string;
  /** `key`: its value is the key of the map in the YAML. */
  presence: 'key' | 'required' | 'optional';
  default?: unknown;
  /** The effect of null: it resets the field, or is a value like any other. Absent if null is refused. */
  null?: 'reset' | 'value';
  traits: string[];
  doc?: string;
  /** The fields of an object, of each item of a list, or of each value of a map. */
  members?: FieldManual[];
}

/** The fields of a block in the YAML, in their order. */
export const fieldsOf = (kind: Kind): FieldManual[] =>
  membersIn(kind.fields, kind, { isWhole: false, depth: 0 }).map((field) =>
    field.name === kind.yaml.mapBy ? { ...field, presence: 'key' } : field,
  );

interface FieldManualContext {
  /** In something that is compared as a whole. */
  isWhole: boolean;
  depth: number;
}

// Deep enough for every kind; schemas that contain themselves have no end.
const deepest = 6;

const membersIn = (schemas: FieldSchemas, kind: Kind, around: FieldManualContext): FieldManual[] =>
  Object.entries(schemas).map(([name, schema]) => fieldOf(name, schema, kind, around));

function fieldOf(name: string, schema: z.ZodType, kind: Kind, around: FieldManualContext): FieldManual {
  const traits = traitsOf(schema);
  const isWhole = around.isWhole || traits.atomic === true;
  const type = typeWords(schema);
  const standard = shownDefaultOf(schema);
  const doc = docOf(schema);
  const members =
    around.depth < deepest ? memberManualsOf(schema, kind, { isWhole, depth: around.depth + 1 }) : [];
  return {
    name,
    type,
    presence: schema.safeParse(undefined).success ? 'optional' : 'required',
    ...(standard === undefined ? {} : { default: standard }),
    ...(schema.safeParse(null).success
      ? { null: isNullable(schema) && !around.isWhole ? 'reset' : 'value' }
      : {}),
    traits: [
      ...(traits.ref === undefined || type === `name of a ${traits.ref}` ? [] : [`refers to ${traits.ref}s`]),
      ...traitWords(traits, kind),
    ],
    ...(doc === undefined ? {} : { doc }),
    ...(members.length > 0 ? { members } : {}),
  };
}

/** True if the schema allows null in addition to its values. Where anything is allowed, null is a value like any other. */
function isNullable(schema: z.ZodType): boolean {
  const inner = beneath(schema);
  return defOf(schema).type === 'nullable' || (inner !== undefined && isNullable(inner));
}

function shownDefaultOf(schema: z.ZodType): unknown {
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  const inner = beneath(schema);
  return defaultValue ?? (inner && shownDefaultOf(inner));
}

/** The members of an object, of the items of a list, or of a map, whose one member `NAME` stands for all. */
function memberManualsOf(schema: z.ZodType, kind: Kind, around: FieldManualContext): FieldManual[] {
  const def = defOf(schema);
  const inner = beneath(schema);
  if (inner) return memberManualsOf(inner, kind, around);
  if (def.type === 'object') return membersIn((schema as z.ZodObject).shape, kind, around);
  if (def.element) return memberManualsOf(def.element, kind, { ...around, isWhole: true });
  if (def.valueType) {
    const each = fieldOf('NAME', def.valueType, kind, around);
    return each.members ? [{ ...each, presence: 'optional' }] : [];
  }
  const objects = (def.options ?? []).filter((option) => shapeIn(option));
  if (objects.length < 2) return objects.flatMap((option) => memberManualsOf(option, kind, around));
  return objects.map((option, index) => ({
    ...fieldOf(formName(objects, option, index), option, kind, around),
    presence: 'optional',
  }));
}

/** Names a form of an object by the member that distinguishes it from the other forms: `(type: a)`; without such a member by its number. */
function formName(forms: z.ZodType[], form: z.ZodType, index: number): string {
  const valuesOf = (option: z.ZodType, name: string) => defOf(shapeIn(option)![name] ?? option).values;
  const distinctive = Object.keys(shapeIn(form)!).find((name) => forms.every((form) => valuesOf(form, name)));
  return distinctive === undefined
    ? `(form ${index + 1})`
    : `(${distinctive}: ${valuesOf(form, distinctive)!.join(', ')})`;
}

const shapeIn = (schema: z.ZodType): FieldSchemas | undefined => {
  const inner = beneath(schema);
  if (inner) return shapeIn(inner);
  return defOf(schema).type === 'object' ? (schema as z.ZodObject).shape : undefined;
};
