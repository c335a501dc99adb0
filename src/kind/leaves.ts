import type * as z from 'zod';
import { namesIn } from '../model/field-path.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, type Value } from '../model/value.ts';
import type { FieldSchemas } from './kind.ts';
import { type FieldTraits, innerOf, shapeOf, traitsOf } from './traits.ts';

/** One value that is compared and recorded by itself. */
export interface Leaf {
  path: string;
  value: Value;
  traits: FieldTraits;
}

/** Fields as leaves: objects are taken apart down to their members, unless they are atomic, empty or unknown to the schema. */
export function leavesOf(schemas: FieldSchemas, fields: Fields): Leaf[] {
  return Object.entries(fields)
    .flatMap(([name, value]) => {
      const schema = schemas[name];
      const isOfObject = schema && value !== undefined && !traitsOf(schema).local;
      return isOfObject ? leaves(name, value, schema, {}) : [];
    })
    .map((leaf) => ({ ...leaf, traits: settled(leaf.traits, fields) }));
}

/** Whether a field is secret may depend on the others: decided here, once. */
function settled({ secret, ...traits }: FieldTraits, fields: Fields): FieldTraits {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret;
  return isSecret ? { ...traits, secret: true } : traits;
}

function leaves(path: string, value: Value, schema: z.ZodType, inherited: FieldTraits): Leaf[] {
  const traits = { ...inherited, ...traitsOf(schema) };
  const memberOf = membersOf(schema);
  if (
    traits.atomic ||
    !memberOf ||
    !isPlainObject(value) ||
    value instanceof Sealed ||
    isHole(value) ||
    Object.keys(value).length === 0
  )
    return [{ path, value, traits }];
  return Object.entries(value as Fields).flatMap(([name, item]) => {
    const member = memberOf(name);
    if (item === undefined) return [];
    // A member may hold a dot (a map's key): it is escaped, so that the path stays unambiguous.
    const at = `${path}.${name.replaceAll('.', '\\.')}`;
    return member ? leaves(at, item, member, traits) : [{ path: at, value: item, traits }];
  });
}

/** How to find a member's schema in an object or record schema; undefined for any other. */
export function membersOf(schema: z.ZodType): ((name: string) => z.ZodType | undefined) | undefined {
  const shape = shapeOf(schema);
  if (shape) return (name) => shape[name];
  const def = schema.def as { type: string; valueType?: z.ZodType };
  if (def.type === 'record') return () => def.valueType;
  const inner = innerOf(schema);
  return inner && membersOf(inner);
}

/** Whether the schemas have what a path leads to: an object that is found may have more members than they know. */
export function isField(schemas: FieldSchemas, path: string): boolean {
  const [first, ...names] = namesIn(path);
  const schema = names.reduce((at, name) => at && membersOf(at)?.(name), schemas[first!]);
  return schema !== undefined;
}

/** Fields without what these paths lead to. */
export const without = (fields: Fields, paths: string[] = []): Fields => cut(fields, paths.map(namesIn));

function cut(fields: Fields, paths: string[][]): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      if (below.some((path) => path.length === 0)) return [];
      return [[name, below.length > 0 && isPlainObject(value) ? cut(value as Fields, below) : value]];
    }),
  );
}
