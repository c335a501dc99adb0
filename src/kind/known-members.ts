import * as z from 'zod';
import { memoize } from '../model/graph.ts';
import { type Fields, isPlainObject, pathOfMember, type Value } from '../model/value.ts';
import { mapMembers, setOwn } from '../model/walk.ts';
import { innerOf, traitsOf } from './traits.ts';

/**
 * Returns a live value in which objects that are compared as a whole (items of lists, values with several
 * forms, and fields with the trait `atomic`) have only the members that the schema names, since a
 * configuration can declare no others. The platform may add a member to its answers at any time, and a plan
 * must not take that for a change. Other objects keep all members: they are compared member by member, so an
 * unknown one makes no difference.
 * @param note gets the path of each member that is left out, because an update would remove it: the plan warns of that
 */
export function withoutUnknownMembers(
  schema: z.ZodType,
  value: Value,
  path: string,
  note: (path: string) => void,
): Value {
  return mayHoldUnknown(schema) ? keepKnown(schema, value, { path, isWhole: false }, note) : value;
}

/** The place of a value in a field. */
interface MemberPlace {
  path: string;
  /**
   * True where values are compared as a whole: inside a list, an object with the trait `atomic`, or a value with several forms (a union).
   */
  isWhole: boolean;
}

const optionsOf = (schema: z.ZodType): z.ZodType[] | undefined =>
  (schema.def as { options?: z.ZodType[] }).options;

/** True if a value of the schema can have objects with fixed members. Used to skip most fields quickly, because they are text. */
const mayHoldUnknown: (schema: z.ZodType) => boolean = memoize((schema): boolean => {
  if (schema instanceof z.ZodObject) return true;
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  const inner = [innerOf(schema), element, valueType, ...(optionsOf(schema) ?? [])];
  return inner.some((each) => each !== undefined && mayHoldUnknown(each));
});

/** True if an object with this schema may have any members beside the named ones. */
function isOpen(schema: z.ZodObject): boolean {
  const { catchall } = schema.def as { catchall?: z.ZodType };
  return catchall !== undefined && !(catchall instanceof z.ZodNever);
}

/**
 * Leaves out the unknown members of a value, at any depth, for `withoutUnknownMembers`, and calls `note` with the path of each. Only
 * objects lose members that are written and compared as a whole (`isWhole`): in a value with the trait `atomic`, in a list, or in a union.
 * `keepKnownMembers` leaves the members out.
 */
function keepKnown(
  schema: z.ZodType,
  value: Value,
  { path, isWhole: isInWhole }: MemberPlace,
  note: (path: string) => void,
): Value {
  const isWhole = isInWhole || traitsOf(schema).atomic === true;
  const inner = innerOf(schema);
  if (inner) return keepKnown(inner, value, { path, isWhole }, note);
  const options = optionsOf(schema);
  if (options) return keepKnownOfUnion(options, value, { path, isWhole: true }, note);
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  if (Array.isArray(value) && element)
    return value.map((item) => keepKnown(element, item, { path: `${path}[]`, isWhole: true }, note));
  if (!isPlainObject(value)) return value;
  const fields = value as Fields;
  if (schema instanceof z.ZodObject) return keepKnownMembers(schema, fields, { path, isWhole }, note);
  if (!valueType) return value;
  // A map with free keys: all of its members stay.
  return mapMembers(fields, (member, name) =>
    keepKnown(valueType, member, { path: pathOfMember(path, name), isWhole }, note),
  );
}

/**
 * Returns an object with fixed members without those that its schema does not name, if it is compared as a whole (`isWhole`) and its schema
 * does not allow others (`isOpen`), and calls `note` with the path of each. The members themselves lose unknown members in the same way.
 */
function keepKnownMembers(
  schema: z.ZodObject,
  fields: Fields,
  { path, isWhole }: MemberPlace,
  note: (path: string) => void,
): Fields {
  const shape = schema.shape as Record<string, z.ZodType>;
  const keepsUnknown = !isWhole || isOpen(schema);
  const knownMembers: Fields = {};
  for (const name in fields) {
    const member = fields[name]!;
    const memberPath = pathOfMember(path, name);
    const memberSchema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (memberSchema)
      setOwn(knownMembers, name, keepKnown(memberSchema, member, { path: memberPath, isWhole }, note));
    else if (keepsUnknown) setOwn(knownMembers, name, member);
    else note(memberPath);
  }
  return knownMembers;
}

/**
 * Returns the value as the alternative that accepts it with the fewest members left out; unchanged if none accepts it, so that an export
 * can tell why no configuration can express it.
 */
function keepKnownOfUnion(
  options: readonly z.ZodType[],
  value: Value,
  place: MemberPlace,
  note: (path: string) => void,
): Value {
  if (typeof value !== 'object' || value === null) return value;
  const accepted = options
    .map((option) => {
      const lost: string[] = [];
      const keptValue = keepKnown(option, value, place, (path) => lost.push(path));
      return { option, keptValue, lost };
    })
    .filter(({ option, keptValue }) => option.safeParse(keptValue).success)
    .sort((a, b) => a.lost.length - b.lost.length);
  const [best] = accepted;
  for (const path of best?.lost ?? []) note(path);
  return best?.keptValue ?? value;
}
