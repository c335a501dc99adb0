import type { Resource, SeedPlace } from './resource.ts';

/** A field of the seed, with the fields inside its objects. `path`: as `after` of a resource names it, `projects.env`. */
interface Field {
  path: string;
  name: string;
  after: readonly string[];
  /** The place that its objects are, if they have fields. */
  holds?: SeedPlace;
  /** The fields inside its objects. */
  below: Field[];
}

/**
 * Returns, for each place of the seed (the initial content of a twin: the account, a team, a project), the names of its fields in the order
 * in which they are loaded: each after the fields that it, or a field below it, refers to (`after`), so that it finds their objects. Throws
 * if a resource names a field that does not exist, or if fields would have to be loaded after each other.
 */
export function seedOrder(resources: readonly Resource[]): Record<SeedPlace, string[]> {
  const team = fieldsOf(resources, 'team', 'team.');
  const root: Field[] = [
    { path: 'team', name: 'team', after: [], holds: 'team', below: team },
    ...fieldsOf(resources, 'account', ''),
  ];
  const paths = new Set(allFields(root).map(({ path }) => path));
  for (const { path, after } of allFields(root))
    for (const predecessor of after)
      if (!paths.has(predecessor))
        throw new Error(
          `The seed's field "${path}" comes after "${predecessor}", which is no field of the seed. There are ${[...paths].join(', ')}.`,
        );
  const order: Record<SeedPlace, string[]> = {
    account: [],
    team: [],
    domain: [],
    project: [],
    featureFlags: [],
  };
  const put = (seedPlace: SeedPlace, fields: Field[], prefix: string): void => {
    order[seedPlace] = namesOf(fields, prefix);
    for (const { holds, path, below } of fields) if (holds) put(holds, below, `${path}.`);
  };
  put('account', root, '');
  return order;
}

/**
 * Returns the fields that resources declare for one place of the seed (the initial content of a twin), such as all fields of a project,
 * each with the fields below it. `prefix`: the path of the place, `projects.`.
 */
const fieldsOf = (resources: readonly Resource[], seedPlace: SeedPlace, prefix: string): Field[] =>
  resources.flatMap(({ seed, after = [] }) =>
    Object.entries(seed?.[seedPlace] ?? {}).map(([name, { below }]) => ({
      path: prefix + name,
      name,
      after,
      ...(below && { holds: below }),
      below: below === undefined ? [] : fieldsOf(resources, below, `${prefix}${name}.`),
    })),
  );

/** Returns these fields with all fields inside them. */
const allFields = (fields: Field[]): Field[] => fields.flatMap((field) => [field, ...allFields(field.below)]);

/**
 * Returns the names of the fields of one place of a seed (the initial content of a twin) in the order in which they are loaded: each after
 * the fields that it refers to. Throws if two fields refer to each other. `prefix`: the path of the place, for the message.
 */
function namesOf(fields: Field[], prefix: string): string[] {
  const done: string[] = [];
  const visit = (field: Field, visiting: string[]): void => {
    const { name } = field;
    if (visiting.includes(name))
      throw new Error(
        `Fields of the seed come after each other: ${[...visiting.slice(visiting.indexOf(name)), name].map((visited) => `"${prefix}${visited}"`).join(' after ')}.`,
      );
    if (done.includes(name)) return;
    for (const predecessor of fields)
      if (predecessor !== field && comesAfter(field, predecessor)) visit(predecessor, [...visiting, name]);
    done.push(name);
  };
  for (const field of fields) visit(field, []);
  return done;
}

/** True if a field, or one inside it, has to be loaded after another field, or after one inside that. */
const comesAfter = (field: Field, predecessor: Field): boolean =>
  allFields([field]).some(({ after }) =>
    after.some((path) => path === predecessor.path || path.startsWith(`${predecessor.path}.`)),
  );
