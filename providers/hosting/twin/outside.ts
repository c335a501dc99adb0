import type * as z from 'zod';

/** Something that a client asked for or sent, and that the public schema of the platform does not know. */
export interface Outside {
  method: string;
  /** As the catalog has it, or, where the catalog has no such operation, as it was asked for. */
  path: string;
  /** The catalog's name of the operation. */
  operationId?: string;
  /** The member of the body, with `[]` for any item of a list; absent where the operation itself is not known. */
  member?: string;
  /** `null` where the schema has the member, but takes no null; it then counts as absent. */
  was: 'unknown operation' | 'unknown member' | 'null';
  count: number;
}

/** Takes the members of a body that the schema does not know. */
export interface Leniency {
  note(member: string, was: 'unknown member' | 'null'): void;
  /** True if a resource keeps something of its own under this name. Clients may not write it. */
  isKept(name: string): boolean;
}

/** Adds one more to a list that has each thing once. */
export function countOutside(list: Outside[], found: Omit<Outside, 'count'>): void {
  const same = ({ method, path, member, was }: Omit<Outside, 'count'>) =>
    `${method} ${path} ${member} ${was}`;
  const outside = list.find((outside) => same(outside) === same(found));
  if (outside === undefined) list.push({ ...found, count: 1 });
  else outside.count += 1;
}

type Path = readonly PropertyKey[];
interface Found {
  path: Path;
  was: 'unknown member' | 'null';
}

const placeOf = (path: Path) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );

const objectAt = (value: unknown, path: Path): Record<PropertyKey, unknown> | undefined => {
  const found = path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  );
  return typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>) : undefined;
};

/** Finds the members and nulls of a body that cause these issues and can be left out; undefined if an issue has another cause. */
function leftOut(issues: readonly z.core.$ZodIssue[], body: unknown, above: Path): Found[] | undefined {
  const found: Found[] = [];
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const last = path.at(-1);
    if (issue.code === 'unrecognized_keys') {
      found.push(...issue.keys.map((key): Found => ({ path: [...path, key], was: 'unknown member' })));
    } else if (typeof last === 'string' && objectAt(body, path.slice(0, -1))?.[last] === null) {
      found.push({ path, was: 'null' });
    } else if (issue.code === 'invalid_union') {
      const options = issue.errors
        .map((errors) => leftOut(errors, body, path))
        .filter((option) => option !== undefined && option.length > 0) as Found[][];
      if (options.length === 0) return undefined;
      found.push(...options.reduce((least, option) => (option.length < least.length ? option : least)));
    } else return undefined;
  }
  return found;
}

/**
 * A body as its schema takes it, although it has members, or nulls, that the schema does not know: these are noted. Members
 * are kept where they stood, so that what is stored has them; nulls count as absent. What is wrong otherwise is the result's error.
 */
export function parseLeniently<T>(
  schema: z.ZodType<T>,
  body: unknown,
  { note, isKept }: Leniency,
): z.ZodSafeParseResult<T> {
  let result = schema.safeParse(body);
  if (result.success) return result;
  const all: (Found & { value: unknown })[] = [];
  const rest = structuredClone(body);
  while (!result.success) {
    const found = leftOut(result.error.issues, rest, []);
    if (found === undefined) return result;
    for (const { path, was } of found) {
      const holder = objectAt(rest, path.slice(0, -1));
      if (holder === undefined || !Object.hasOwn(holder, path.at(-1)!)) return result;
      all.push({ path, was, value: holder[path.at(-1)!] });
      delete holder[path.at(-1)!];
    }
    result = schema.safeParse(rest);
  }
  for (const { path, was, value } of all) {
    note(placeOf(path), was);
    const holder = objectAt(result.data, path.slice(0, -1));
    if (was === 'null' || holder === undefined || isTwinsOwn(path, isKept)) continue;
    Object.defineProperty(holder, path.at(-1)!, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

// What the twin itself says of an object: no client writes it under a name that only looks like a field.
const own = new Set(
  'id uid ruleId name slug key type ownerId accountId teamId userId projectId projectIds apexName creator createdAt updatedAt deletedAt disabledAt createdBy updatedBy created updated version versions revision active archived deleted draft outside records items tokens members link security verified verification boughtAt expiresAt system configurationId history schema definition currentSpend serviceType nameservers'.split(
    ' ',
  ),
);
const isTwinsOwn = (path: Path, isKept: Leniency['isKept']) => {
  const name = String(path[0]);
  return path.at(-1) === '__proto__' || (path.length === 1 && (own.has(name) || isKept(name)));
};

/** An object that others are kept in: what only clients know of it stands apart, so that no read shows what it keeps. */
interface Holder {
  /** Members that clients wrote and the public schema does not know, by name. */
  outside?: Record<string, unknown>;
}

/** Writes the members of a body into an object; those that are not known go to `outside`. */
export function assignKnown(
  object: Holder,
  fields: Record<string, unknown>,
  isKnown: (field: string) => boolean,
): void {
  for (const [field, value] of Object.entries(fields)) {
    if (isKnown(field)) Object.assign(object, { [field]: value });
    else object.outside = { ...object.outside, [field]: value };
  }
}

/** The members of an object that a read shows: those that are listed, and what only clients know. */
export function shownOf<T extends Holder>(
  object: T,
  fields: readonly (keyof T & string)[],
): Record<string, unknown> {
  const listed = fields.filter((field) => Object.hasOwn(object, field));
  return { ...object.outside, ...Object.fromEntries(listed.map((field) => [field, object[field]])) };
}
