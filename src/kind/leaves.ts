import type * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import { type Fields, holdsSecret, isPlainObject, namesInPath, sealAt, type Value } from '../model/value.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { type FieldTraits, innerOf, shapeOf, traitsOf } from './traits.ts';

/** The fields by which resources of a kind are compared: those of the unit, if a unit is not a row. */
export const comparedFields = (kind: Kind): FieldSchemas => kind.shape.fields ?? kind.fields;

/** One value that is compared and recorded by itself. */
export interface Leaf {
  path: string;
  value: Value;
  traits: FieldTraits;
  /** It is shown nowhere, and kept as a keyed digest only. */
  isSecret: boolean;
}

/** Fields as leaves: objects are taken apart down to their members, unless they are atomic, empty or unknown to the schema. */
export function leavesOf(schemas: FieldSchemas, fields: Fields): Leaf[] {
  const found: Omit<Leaf, 'isSecret'>[] = [];
  for (const name of Object.keys(fields)) {
    const schema = schemas[name];
    if (schema && fields[name] !== undefined && !traitsOf(schema).local)
      addLeaves(found, name, fields[name], schema, undefined);
  }
  return found.map(({ path, value, traits }) => {
    const fieldTraits = typeof traits.secret === 'function' ? settled(traits, fields) : traits;
    const isByTrait = fieldTraits.secret !== undefined && !isInClear(fieldTraits, value, fields);
    return { path, value, traits: fieldTraits, isSecret: isByTrait || holdsSecret(value) };
  });
}

/** Decides, once, whether a field is secret: that may depend on other fields. */
function settled({ secret, ...traits }: FieldTraits, fields: Fields): FieldTraits {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret;
  return isSecret ? { ...traits, secret: true } : traits;
}

/** True if text that the configuration itself holds may stay unsealed. */
const isInClear = ({ inClear }: FieldTraits, value: Value, fields: Fields): boolean =>
  inClear?.(fields) === true && value !== null;

/**
 * Seals whatever turns out to be secret now that more is known than the configuration says. `all`: the fields, with what the configuration
 * leaves to the platform.
 */
export function sealKnownSecrets(schemas: FieldSchemas, fields: Fields, all: Fields): Fields {
  const sealed = Object.entries(fields).flatMap(([name, value]) => {
    const { inClear, secret } = schemas[name] ? traitsOf(schemas[name]) : {};
    const isSecret = typeof secret === 'function' ? secret(all) : secret;
    return inClear && isSecret && !inClear(all) ? [[name, sealAt(value, [], { literals: true })]] : [];
  });
  return sealed.length > 0 ? { ...fields, ...Object.fromEntries(sealed) } : fields;
}

function addLeaves(
  found: Omit<Leaf, 'isSecret'>[],
  path: string,
  value: Value,
  schema: z.ZodType,
  inherited: FieldTraits | undefined,
): void {
  const traits = inherited ? { ...inherited, ...traitsOf(schema) } : traitsOf(schema);
  const isOfMembers = !traits.atomic && isPlainObject(value) && Object.keys(value).length > 0;
  const memberOf = isOfMembers ? memberSchemasOf(schema) : undefined;
  if (!memberOf) {
    found.push({ path, value, traits });
    return;
  }
  for (const [name, item] of Object.entries(value as Fields)) {
    if (item === undefined) continue;
    const member = memberOf(name);
    // A member may hold a dot (a map's key): it is escaped, so that the path stays unambiguous.
    const at = `${path}.${name.replaceAll('.', '\\.')}`;
    if (member) addLeaves(found, at, item, member, traits);
    else found.push({ path: at, value: item, traits });
  }
}

/** Finds members' schemas in an object or record schema; undefined for any other. */
export const memberSchemasOf: (schema: z.ZodType) => ((name: string) => z.ZodType | undefined) | undefined =
  memoize((schema) => {
    const shape = shapeOf(schema);
    if (shape) return (name) => shape[name];
    const def = schema.def as { type: string; valueType?: z.ZodType };
    if (def.type === 'record') return () => def.valueType;
    const inner = innerOf(schema);
    return inner && memberSchemasOf(inner);
  });

/** The schema of the leaf at a path; undefined for a path that the schemas do not know: a found object may have such members. */
export function schemaAt(schemas: FieldSchemas, path: string): z.ZodType | undefined {
  const [first, ...names] = namesInPath(path);
  return names.reduce((schema, name) => schema && memberSchemasOf(schema)?.(name), schemas[first!]);
}

export const hasField = (schemas: FieldSchemas, path: string): boolean =>
  schemaAt(schemas, path) !== undefined;

/** A copy of fields without these paths. */
export const withoutPaths = (fields: Fields, paths: string[] = []): Fields =>
  cut(fields, paths.map(namesInPath));

function cut(fields: Fields, paths: string[][]): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      if (below.some((path) => path.length === 0)) return [];
      return [[name, below.length > 0 && isPlainObject(value) ? cut(value as Fields, below) : value]];
    }),
  );
}
