/*
 * Takes the fields of an object apart into leaves. A leaf is one value that is compared, shown and recorded separately: `{ build: { command:
 * 'make', root: 'web' } }` has the leaves `build.command` and `build.root`. An object is one leaf if it is atomic, empty, or has no schema
 * for its members. A path has the names from the field to the leaf, with dots between them; a dot inside a name is escaped.
 */
import type * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import { type Fields, holdsSecret, isPlainObject, namesInPath, sealAt, type Value } from '../model/value.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { type FieldTraits, innerOf, shapeOf, traitsOf } from './traits.ts';

/** Returns the schemas by which resources of a kind are compared: the kind's own, or those of the unit if one row makes several units. */
export const comparedFields = (kind: Kind): FieldSchemas => kind.shape.fields ?? kind.fields;

/** One value that is compared and recorded separately from the others. */
export interface Leaf {
  path: string;
  value: Value;
  traits: FieldTraits;
  /** True if the value must not be shown and is recorded only as a keyed digest. */
  isSecret: boolean;
}

/** A leaf before its secrecy was determined, for which all leaves of the object are needed. */
type LeafWithoutSecrecy = Omit<Leaf, 'isSecret'>;

/** Returns the leaves of an object's fields, for comparing, digesting or sealing them one by one. Fields without a schema are left out. */
export function leavesOf(schemas: FieldSchemas, fields: Fields): Leaf[] {
  const leaves: LeafWithoutSecrecy[] = [];
  for (const name of Object.keys(fields)) {
    const schema = schemas[name];
    if (schema && fields[name] !== undefined && !traitsOf(schema).local)
      addLeaves(leaves, name, fields[name], schema, undefined);
  }
  return leaves.map(({ path, value, traits }) => {
    const fieldTraits = typeof traits.secret === 'function' ? evaluateSecret(traits, fields) : traits;
    const isSecretField = fieldTraits.secret !== undefined && !mayStayClear(fieldTraits, value, fields);
    return { path, value, traits: fieldTraits, isSecret: isSecretField || holdsSecret(value) };
  });
}

/** Returns traits in which `secret` is true or absent, so that users of the leaf need not check the other fields again. */
function evaluateSecret({ secret, ...traits }: FieldTraits, fields: Fields): FieldTraits {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret;
  return isSecret ? { ...traits, secret: true } : traits;
}

/** True if a value of a secret field may stay unsealed because the configuration itself contains it (`FieldTraits.inClear`). */
const mayStayClear = ({ inClear }: FieldTraits, value: Value, fields: Fields): boolean =>
  inClear?.(fields) === true && value !== null;

/**
 * Returns declared fields in which those values are sealed that are secret according to the live object. The configuration may leave the field out
 * that decides whether another field is secret, and the platform then chooses it. Without this, a plan would show clear text although its field is
 * secret in this object. `completeFields`: the declared fields and those of the live object.
 */
export function sealKnownSecrets(schemas: FieldSchemas, fields: Fields, completeFields: Fields): Fields {
  const sealedMembers = Object.entries(fields).flatMap(([name, value]) => {
    const { inClear, secret } = schemas[name] ? traitsOf(schemas[name]) : {};
    const isSecret = typeof secret === 'function' ? secret(completeFields) : secret;
    return inClear && isSecret && !inClear(completeFields)
      ? [[name, sealAt(value, [], { literals: true })]]
      : [];
  });
  return sealedMembers.length > 0 ? { ...fields, ...Object.fromEntries(sealedMembers) } : fields;
}

/**
 * Appends the leaves of one value (the parts that are compared separately) to `leaves`. Members inherit the traits of the objects that contain them.
 * Used by `leavesOf` for each field of an object.
 */
function addLeaves(
  leaves: LeafWithoutSecrecy[],
  path: string,
  value: Value,
  schema: z.ZodType,
  inherited: FieldTraits | undefined,
): void {
  const traits = inherited ? { ...inherited, ...traitsOf(schema) } : traitsOf(schema);
  const hasMembers = !traits.atomic && isPlainObject(value) && Object.keys(value).length > 0;
  const memberSchema = hasMembers ? memberSchemasOf(schema) : undefined;
  if (!memberSchema) {
    leaves.push({ path, value, traits });
    return;
  }
  for (const [name, item] of Object.entries(value as Fields)) {
    if (item === undefined) continue;
    const itemSchema = memberSchema(name);
    const itemPath = `${path}.${name.replaceAll('.', '\\.')}`;
    if (itemSchema) addLeaves(leaves, itemPath, item, itemSchema, traits);
    else leaves.push({ path: itemPath, value: item, traits });
  }
}

/** Returns the function which finds the schema of a member by its name, for an object or record schema; undefined for any other schema. */
export const memberSchemasOf: (schema: z.ZodType) => ((name: string) => z.ZodType | undefined) | undefined =
  memoize((schema) => {
    const shape = shapeOf(schema);
    if (shape) return (name) => shape[name];
    const def = schema.def as { type: string; valueType?: z.ZodType };
    if (def.type === 'record') return () => def.valueType;
    const inner = innerOf(schema);
    return inner && memberSchemasOf(inner);
  });

/** Returns the schema at a leaf's path; undefined if the schemas lack a member on the way, as for unknown members of a live object. */
export function schemaAt(schemas: FieldSchemas, path: string): z.ZodType | undefined {
  const [first, ...names] = namesInPath(path);
  return names.reduce((schema, name) => schema && memberSchemasOf(schema)?.(name), schemas[first!]);
}

/** True if the schemas have a field or member at a path. */
export const hasField = (schemas: FieldSchemas, path: string): boolean =>
  schemaAt(schemas, path) !== undefined;
