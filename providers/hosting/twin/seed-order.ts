import type { Resource, SeedPlace } from './resource.ts';

/** A field of the seed by its path, as `after` of a resource names it: `projects.env`. */
interface Field {
  path: string;
  name: string;
  after: readonly string[];
  /** The place that its objects are, and what is loaded there. */
  holds?: SeedPlace;
  below: Field[];
}

/**
 * The names of the fields of each place, in the order in which they are loaded: that of the resources, but each behind what it,
 * or something below it, refers to. Those of the account have `team` among them. Throws if a resource comes after a field that
 * does not exist, or after itself.
 */
export function seedOrder(resources: readonly Resource[]): Record<SeedPlace, string[]> {
  const team = fieldsOf(resources, 'team', 'team.');
  const root: Field[] = [
    { path: 'team', name: 'team', after: [], holds: 'team', below: team },
    ...fieldsOf(resources, 'account', ''),
  ];
  const paths = new Set(all(root).map(({ path }) => path));
  for (const { path, after } of all(root))
    for (const other of after)
      if (!paths.has(other))
        throw new Error(
          `The seed's field "${path}" comes after "${other}", which is no field of the seed. There are ${[...paths].join(', ')}.`,
        );
  const order: Record<SeedPlace, string[]> = {
    account: [],
    team: [],
    domain: [],
    project: [],
    featureFlags: [],
  };
  const put = (seedPlace: SeedPlace, fields: Field[], at: string): void => {
    order[seedPlace] = namesOf(fields, at);
    for (const { holds, path, below } of fields) if (holds) put(holds, below, `${path}.`);
  };
  put('account', root, '');
  return order;
}

const fieldsOf = (resources: readonly Resource[], seedPlace: SeedPlace, at: string): Field[] =>
  resources.flatMap(({ seed, after = [] }) =>
    Object.entries(seed?.[seedPlace] ?? {}).map(([name, { below }]) => ({
      path: at + name,
      name,
      after,
      ...(below && { holds: below }),
      below: below === undefined ? [] : fieldsOf(resources, below, `${at}${name}.`),
    })),
  );

const all = (fields: Field[]): Field[] => fields.flatMap((field) => [field, ...all(field.below)]);

/** The names of siblings, each behind those that it comes after. */
function namesOf(fields: Field[], at: string): string[] {
  const done: string[] = [];
  const visit = (field: Field, way: string[]): void => {
    const { name } = field;
    if (way.includes(name))
      throw new Error(
        `Fields of the seed come after each other: ${[...way.slice(way.indexOf(name)), name].map((one) => `"${at}${one}"`).join(' after ')}.`,
      );
    if (done.includes(name)) return;
    for (const other of fields) if (other !== field && comesAfter(field, other)) visit(other, [...way, name]);
    done.push(name);
  };
  for (const field of fields) visit(field, []);
  return done;
}

/** True if a field, or one below it, refers to another, or to one below that. */
const comesAfter = (field: Field, other: Field): boolean =>
  all([field]).some(({ after }) =>
    after.some((path) => path === other.path || path.startsWith(`${other.path}.`)),
  );
