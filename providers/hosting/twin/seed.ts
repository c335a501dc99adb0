import * as z from 'zod';
import { type Account, findOwner, makeId, type Owner, type Seed, tick } from './account.ts';
import { makingFor } from './call.ts';
import type { SeedField, SeedPlace } from './resource.ts';
import { resources } from './resources.ts';
import { seedOrder } from './seed-order.ts';
import type { Switches } from './switches.ts';
import { emptyAccount, emptyProject } from './tables.ts';
import { TakenNames } from './taken-names.ts';
import { describeIssue } from './validate.ts';

type Fields = Record<string, SeedField>;

const order = seedOrder(resources);

/** Returns the fields of one place of the seed by name, in the order in which they are loaded. */
function fieldsOf(seedPlace: SeedPlace): Fields {
  const fields: Fields = Object.assign({}, ...resources.map(({ seed }) => seed?.[seedPlace]));
  return Object.fromEntries(order[seedPlace].flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

/** Returns the schema of a field of the seed, with the fields inside its objects. */
function schemaOf({ schema, isList, below }: SeedField): z.ZodType {
  const itemSchema = below === undefined ? schema : (schema as z.ZodObject).extend(shapeOf(below));
  return (isList ? z.array(itemSchema) : itemSchema).optional();
}

const shapeOf = (seedPlace: SeedPlace): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fieldsOf(seedPlace)).map(([name, field]) => [name, schemaOf(field)]));

const team = z.strictObject({
  id: z.string().optional(),
  slug: z.string().optional(),
  name: z.string().optional(),
  sensitiveEnvironmentVariablePolicy: z.enum(['default', 'on', 'off']).nullable().optional(),
  ...shapeOf('team'),
});

const seedSchema = z.strictObject({
  user: z
    .strictObject({
      id: z.string().optional(),
      username: z.string().optional(),
      email: z.string().optional(),
      name: z.string().optional(),
      version: z.literal('northstar').optional(),
    })
    .optional(),
  team: team.optional(),
  teams: z.array(team).optional(),
  ...shapeOf('account'),
});

/** Thrown for a seed that cannot be loaded. `problems`: one sentence for each problem, with its place in the seed. */
export class SeedError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The seed is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** An object of a seed that is being loaded. */
interface Part {
  /** Its place in the seed, for messages, as a prefix for its fields: `projects[0].`. */
  at: string;
  seed: Record<string, unknown>;
  /** The object that was created from it. */
  created?: unknown;
  /** The owner of all objects in it. Absent at the top of the seed, where each object names its owner. */
  owner?: Owner;
}

type World = Parameters<typeof makingFor>[0];

/** Loads parts of a seed (the initial content of a twin) into an account. Collects problems, so that all are reported at once. */
class SeedLoader {
  readonly problems: string[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the owner that a part of the seed names: a team by slug or id, `personal` for the user, or without a name the first team. */
  ownerOf(name: unknown): Owner {
    const { account } = this.#world;
    const requested = name === 'personal' ? null : ((name as string) ?? account.teams[0]?.id ?? null);
    const owner = findOwner(account, requested);
    if (owner === undefined) throw new Error(`There is no team "${name}".`);
    return owner;
  }

  /**
   * Loads these fields of a part of the seed, such as the variables of a project, in their order. A problem of one item does not stop the
   * others.
   */
  loadFields(fields: Fields, parent: Part): void {
    for (const [name, field] of Object.entries(fields)) {
      const value = parent.seed[name];
      const path = parent.at + name;
      if (value === undefined) continue;
      if (!field.isList) this.#attempt(path, () => this.#loadOne(field, value, path, parent));
      for (const [i, item] of (field.isList ? (value as unknown[]) : []).entries()) {
        this.#attempt(`${path}[${i}]`, () => this.#loadOne(field, item, `${path}[${i}]`, parent));
      }
    }
  }

  /**
   * Creates one object of a seed, and then the objects below it. `path`: where it stands, for messages; `parent`: the part that contains
   * it.
   */
  #loadOne({ load, below }: SeedField, seedValue: unknown, path: string, parent: Part): void {
    const { owner: ownerName, ...seed } = (Array.isArray(seedValue) ? {} : seedValue) as Part['seed'];
    const owner = parent.owner ?? this.ownerOf(ownerName);
    const fields = below === undefined ? {} : fieldsOf(below);
    const ownMembers = Object.entries(seed).filter(([field]) => !Object.hasOwn(fields, field));
    const value = Array.isArray(seedValue) ? seedValue : Object.fromEntries(ownMembers);
    const created = load(makingFor(this.#world, owner), value, parent.created, (subpath, run) =>
      this.#attempt(path + subpath, run),
    );
    this.loadFields(fields, { at: `${path}.`, seed, created, owner });
  }

  /** Runs a step of loading, and collects its error with the place in the seed. */
  #attempt(path: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.problems.push(`${path}: ${(error as Error).message}`);
    }
  }
}

/**
 * Adds the objects of a seed (the initial content of a twin, or what a test adds later) to an account. The fields are loaded in an order in
 * which each finds the objects that it refers to. Throws a `SeedError` with all problems.
 */
export function addSeed(account: Account, input: Seed, switches: Switches, now: () => number): void {
  const result = seedSchema.safeParse(input);
  if (!result.success) {
    throw new SeedError(result.error.issues.map((issue) => describeIssue(issue, input)));
  }
  const seed = result.data as Part['seed'] & Pick<Seed, 'team' | 'teams'>;
  const loader = new SeedLoader({ account, switches, now, emptyProject, taken: new TakenNames(account) });
  const fields = fieldsOf('account');
  for (const name of order.account) {
    if (fields[name]) loader.loadFields({ [name]: fields[name] }, { at: '', seed });
    else for (const teamPart of teamPartsOf(seed, loader)) loader.loadFields(fieldsOf('team'), teamPart);
  }
  if (loader.problems.length > 0) throw new SeedError(loader.problems);
}

/** Returns the teams of a seed as parts to load: `team`, and then each of `teams`. */
function teamPartsOf({ team, teams = [] }: Pick<Seed, 'team' | 'teams'>, loader: SeedLoader): Part[] {
  const named = [
    ...(team ? [{ at: 'team.', team }] : []),
    ...teams.map((team, i) => ({ at: `teams[${i}].`, team })),
  ];
  return named.map(({ at, team }): Part => {
    const owner = loader.ownerOf(team.id ?? team.slug);
    return { at, seed: { ...team }, created: owner.team, owner };
  });
}

/**
 * Returns the account of a new twin: the seed's user and teams (or one user and the team `acme`), and everything of the seed that they own.
 * Throws a `SeedError` if the seed is not valid.
 */
export function newAccount(seed: Seed, switches: Switches, now: () => number): Account {
  const user = { id: '', username: 'ada', email: 'ada@example.com', name: null, createdAt: 0, ...seed.user };
  const account: Account = { user, teams: [], ...emptyAccount(), made: 0, lastTime: 0 };
  user.createdAt = tick(account, now);
  user.id ||= makeId(account, '', 24);
  for (const seedTeam of [...(seed.team || !seed.teams ? [seed.team ?? {}] : []), ...(seed.teams ?? [])]) {
    const { id, slug = 'acme', name, sensitiveEnvironmentVariablePolicy: policy } = seedTeam;
    const timestamp = tick(account, now);
    const generatedId = makeId(account, 'team_', 24);
    account.teams.push({
      id: id ?? generatedId,
      slug,
      name: name ?? slug,
      sensitiveEnvironmentVariablePolicy: policy ?? null,
      createdAt: timestamp,
      updatedAt: timestamp,
    });
  }
  addSeed(account, seed, switches, now);
  return account;
}
