import type * as z from 'zod';
import type { AccountParts, Owner, Project, ProjectParts } from './account.ts';
import type { Making } from './call.ts';
import { type About, Collection, type Unstamped } from './collection.ts';
import { projectOfBody, projectOfPath, projectOfQuery, projectQuery } from './find-project.ts';
import { type Attempt, type Resource, seedOne } from './resource.ts';

/**
 * A collection with its own list in the account, in each project or in its feature flags. The seed has the same list under the same name.
 */
export class Kept<T extends object, Home, Made = T> extends Collection<T, Home, Made> {
  readonly #place: 'account' | 'project' | 'featureFlags';
  readonly #member: string;

  /** Creates a collection. `place` and `member` name the list that stores its objects, and the field of a seed that fills it. */
  constructor(
    [place, member]: readonly [place: 'account' | 'project' | 'featureFlags', member: string],
    ...rest: ConstructorParameters<typeof Collection<T, Home, Made>>
  ) {
    super(...rest);
    this.#place = place;
    this.#member = member;
  }

  /**
   * Declares the resource of these objects to the twin: where they are stored, their field in a seed (the initial content of a twin), and
   * their operations. `make` turns an item of the seed into an object, with the same rules as for requests.
   */
  resource<S extends z.ZodObject>(
    seed: S,
    make: (making: Making, content: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => Made,
    operations: Resource['operations'],
    extras: Pick<Resource, 'after' | 'forget' | 'clientOperations'> = {},
  ): Resource {
    return { ...this.kept(seed, make), operations, ...extras };
  }

  /**
   * Returns two parts of a resource's declaration: where its objects are stored (except for feature flags), and their field in a seed (the
   * initial content of a twin). For resources that are written out; others use `resource`. `make` turns an item of the seed into an object.
   */
  kept<S extends z.ZodObject>(
    seed: S,
    make: (making: Making, content: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => Made,
  ): Pick<Resource, 'keeps' | 'seed'> {
    const seeded = { seed: { [this.#place]: { [this.#member]: this.seed(seed, make) } } };
    // Another resource declares the storage of all feature flags.
    return this.#place === 'featureFlags'
      ? seeded
      : { keeps: { [this.#place]: { [this.#member]: [] } }, ...seeded };
  }
}

/**
 * The result of creating an object. With a prefix for ids it lacks id and times, which the collection adds. Otherwise it is the whole
 * object.
 */
type MadeOf<T, Prefix> = Prefix extends string ? Unstamped<T> : T;

/** The type of the objects in a list of the account or of a project. */
type Item<Parts, Member extends keyof Parts> = Parts[Member] extends (infer T extends object)[] ? T : never;

/**
 * Returns a collection of objects that belong to an owner (a team or the user), such as webhooks: with list, create and other operations.
 * `member`: the list of the account that stores them for all owners; `about`: what distinguishes these objects from others.
 */
export const ofOwner = <Member extends keyof AccountParts, Prefix extends string | undefined = undefined>(
  member: Member,
  about: About<Item<AccountParts, Member>, Owner, Prefix>,
) =>
  new Kept<Item<AccountParts, Member>, Owner, MadeOf<Item<AccountParts, Member>, Prefix>>(
    ['account', member],
    about,
    (call) => call.owner,
    ({ account }) => account[member] as Item<AccountParts, Member>[],
    (item, { id }) => 'ownerId' in item && item.ownerId === id,
  );

/**
 * Returns a collection of objects that belong to the user, such as tokens: with list, create and other operations. A request sees them
 * with any team, and without one. `member`: the list of the account that stores them.
 */
export const ofUser = <Member extends keyof AccountParts, Prefix extends string | undefined = undefined>(
  member: Member,
  about: About<Item<AccountParts, Member>, undefined, Prefix>,
) =>
  new Kept<Item<AccountParts, Member>, undefined, MadeOf<Item<AccountParts, Member>, Prefix>>(
    ['account', member],
    about,
    () => undefined,
    ({ account }) => account[member] as Item<AccountParts, Member>[],
  );

/**
 * Returns a collection of objects that belong to a project, such as checks: with list, create and other operations, whose paths name the
 * project. `member`: the list of the project that stores them; `about`: what distinguishes these objects from others.
 */
export const ofProject = <Member extends keyof ProjectParts, Prefix extends string | undefined = undefined>(
  member: Member,
  about: About<Item<ProjectParts, Member>, Project, Prefix>,
) =>
  new Kept<Item<ProjectParts, Member>, Project, MadeOf<Item<ProjectParts, Member>, Prefix>>(
    ['project', member],
    about,
    projectOfPath,
    (_, project) => project[member] as Item<ProjectParts, Member>[],
  );

/**
 * Returns a collection of objects that belong to a project, for operations whose query, or the body of a creation, names the project by its
 * id. If their paths name it, use `ofProject`.
 */
export const ofQueriedProject = <
  Member extends keyof ProjectParts,
  Prefix extends string | undefined = undefined,
>(
  member: Member,
  about: About<Item<ProjectParts, Member>, Project, Prefix>,
) =>
  new Kept<Item<ProjectParts, Member>, Project, MadeOf<Item<ProjectParts, Member>, Prefix>>(
    ['project', member],
    {
      query: projectQuery,
      homeOfBody: projectOfBody,
      ...about,
    },
    projectOfQuery,
    (_, project) => project[member] as Item<ProjectParts, Member>[],
  );

/**
 * Returns a collection of objects that the twin stores among a project's feature flags, such as segments: with list, create and other
 * operations.
 */
export const ofFlags = <Member extends 'flags' | 'segments' | 'sdkKeys'>(
  member: Member,
  about: About<Item<ProjectParts['featureFlags'], Member>, Project>,
) =>
  new Kept<Item<ProjectParts['featureFlags'], Member>, Project>(
    ['featureFlags', member],
    about,
    projectOfPath,
    (_, { featureFlags }) => featureFlags[member] as Item<ProjectParts['featureFlags'], Member>[],
  );

/**
 * Declares a part of a resource that every project has exactly once, such as its firewall: a new project gets `empty`. A seed (the initial
 * content of a twin) can set it; `load` takes that value over into the project.
 */
export const inEveryProject = <Member extends keyof ProjectParts, S extends z.ZodType>(
  member: Member,
  empty: ProjectParts[Member],
  seed: S,
  load: (making: Making, content: z.output<S>, project: Project, attempt: Attempt) => unknown,
): Pick<Resource, 'keeps' | 'seed'> => ({
  keeps: { project: { [member]: empty } },
  seed: { project: { [member]: seedOne(seed, load) } },
});
