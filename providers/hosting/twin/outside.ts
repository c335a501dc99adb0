import type * as z from 'zod';

/** An operation that a client called, or a member that it sent, which the public schema of the platform does not know. */
export interface Outside {
  method: string;
  /** The path of the operation in the catalog; that of the request if the catalog has no such operation. */
  path: string;
  /** The catalog's name of the operation. */
  operationId?: string;
  /** The member of the body, with `[]` for any item of a list: `routes[].dest`. Absent if the operation itself is unknown. */
  member?: string;
  /** `null`: the schema has the member but refuses null there. The twin then treats the member as absent. */
  was: 'unknown operation' | 'unknown member' | 'null';
  count: number;
}

/** How a lenient twin treats the members of a body that the schema does not know. */
export interface Leniency {
  /** Notes the member in the twin's list. */
  note(member: string, was: 'unknown member' | 'null'): void;
  /** True if a resource stores objects of its own under this name, which clients may not overwrite. */
  isKept(name: string): boolean;
}

/**
 * Counts a member of a request that the platform's public schema does not know, or a request without an operation. The twin shows the list
 * (at `/__twin/outside`), so that people see what clients send beyond the schema. It has one entry for each member of each operation.
 */
export function countOutside(list: Outside[], observed: Omit<Outside, 'count'>): void {
  const identityOf = ({ method, path, member, was }: Omit<Outside, 'count'>) =>
    `${method} ${path} ${member} ${was}`;
  const outside = list.find((outside) => identityOf(outside) === identityOf(observed));
  if (outside === undefined) list.push({ ...observed, count: 1 });
  else outside.count += 1;
}

type Path = readonly PropertyKey[];
/** An unknown member, or a null that the schema refuses, in a body. */
interface Found {
  path: Path;
  was: 'unknown member' | 'null';
}

/**
 * Returns the path of an unknown member as text, `routes[].dest`, for the list of what clients send beyond the public schema. Without the
 * indexes of arrays, so that all items count together.
 */
const placeOf = (path: Path) =>
  path.reduce<string>(
    (text, name) =>
      typeof name === 'number' ? `${text}[]` : text === '' ? String(name) : `${text}.${String(name)}`,
    '',
  );

/**
 * Returns the object at a path inside a body, to read or change a member that the schema does not know; undefined if there is no object.
 */
const objectAt = (value: unknown, path: Path): Record<PropertyKey, unknown> | undefined => {
  const reached = path.reduce<unknown>(
    (container, name) =>
      typeof container === 'object' && container !== null
        ? (container as Record<PropertyKey, unknown>)[name]
        : undefined,
    value,
  );
  return typeof reached === 'object' && reached !== null
    ? (reached as Record<PropertyKey, unknown>)
    : undefined;
};

/**
 * Returns the unknown members and nulls in a body that cause these issues of its schema, so that a lenient twin can parse it without them.
 * Undefined if an issue has another cause. If the value may have several forms (a union), those of the form that complains about the fewest
 * members count. `above`: the path of the value in the body.
 */
function findUnknownMembers(
  issues: readonly z.core.$ZodIssue[],
  body: unknown,
  above: Path,
): Found[] | undefined {
  const members: Found[] = [];
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const last = path.at(-1);
    if (issue.code === 'unrecognized_keys') {
      members.push(...issue.keys.map((key): Found => ({ path: [...path, key], was: 'unknown member' })));
    } else if (typeof last === 'string' && objectAt(body, path.slice(0, -1))?.[last] === null) {
      members.push({ path, was: 'null' });
    } else if (issue.code === 'invalid_union') {
      const options = issue.errors
        .map((errors) => findUnknownMembers(errors, body, path))
        .filter((option) => option !== undefined && option.length > 0) as Found[][];
      if (options.length === 0) return undefined;
      members.push(...options.reduce((least, option) => (option.length < least.length ? option : least)));
    } else return undefined;
  }
  return members;
}

/**
 * Parses a request's body for a lenient twin, which accepts members and nulls that the platform's public schema does not know and only
 * notes them. Unknown members are stored like others, unless the twin itself uses a member of that name; nulls count as absent. Any other
 * mistake is the error of the result. It works by removing what the schema complains about until nothing is left to complain about.
 */
export function parseLeniently<T>(
  schema: z.ZodType<T>,
  body: unknown,
  { note, isKept }: Leniency,
): z.ZodSafeParseResult<T> {
  let result = schema.safeParse(body);
  if (result.success) return result;
  const removed: (Found & { value: unknown })[] = [];
  const stripped = structuredClone(body);
  while (!result.success) {
    const unknownMembers = findUnknownMembers(result.error.issues, stripped, []);
    if (unknownMembers === undefined) return result;
    for (const { path, was } of unknownMembers) {
      const holder = objectAt(stripped, path.slice(0, -1));
      if (holder === undefined || !Object.hasOwn(holder, path.at(-1)!)) return result;
      removed.push({ path, was, value: holder[path.at(-1)!] });
      delete holder[path.at(-1)!];
    }
    result = schema.safeParse(stripped);
  }
  for (const { path, was, value } of removed) {
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

// Members that the twin itself writes. No client writes them: a member of this name in a body only looks like a field.
const twinMembers = new Set(
  'id uid ruleId name slug key type ownerId accountId teamId userId projectId projectIds apexName creator createdAt updatedAt deletedAt disabledAt createdBy updatedBy created updated version versions revision active archived deleted draft outside records items tokens members link security verified verification boughtAt expiresAt system configurationId history schema definition currentSpend serviceType nameservers'.split(
    ' ',
  ),
);
const isTwinsOwn = (path: Path, isKept: Leniency['isKept']) => {
  const name = String(path[0]);
  return path.at(-1) === '__proto__' || (path.length === 1 && (twinMembers.has(name) || isKept(name)));
};

/** An object that stores unknown members of clients apart from its own, so that they cannot overwrite these or be taken for them. */
interface Holder {
  /** Members that clients wrote and the public schema does not know, by name. */
  outside?: Record<string, unknown>;
}

/**
 * Writes the members of a request's body into an object of the twin. Members that the platform's public schema does not know go into the
 * object's `outside`, so that they cannot be confused with what the twin itself keeps in the object.
 */
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

/**
 * Returns the members of an object that an answer of the twin shows: the listed `fields`, and what a client wrote although the public
 * schema does not know it (`outside`). Other members are only for the twin.
 */
export function shownOf<T extends Holder>(
  object: T,
  fields: readonly (keyof T & string)[],
): Record<string, unknown> {
  const listed = fields.filter((field) => Object.hasOwn(object, field));
  return { ...object.outside, ...Object.fromEntries(listed.map((field) => [field, object[field]])) };
}
