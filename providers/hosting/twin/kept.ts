import type * as z from 'zod';
import type { AccountParts, Owner, Project, ProjectParts } from './account.ts';
import type { Making } from './call.ts';
import { type About, Collection, type Unstamped } from './collection.ts';
import { projectOfBody, projectOfPath, projectOfQuery, projectQuery } from './find-project.ts';
import { type Attempt, type Resource, seedOne } from './resource.ts';

/** A collection with its own list in the account, in each project or in its feature flags. The seed has the same list under the same name. */
export class Kept<T extends object, Home, Made = T> extends Collection<T, Home, Made> {
  readonly #place: 'account' | 'project' | 'featureFlags';
  readonly #member: string;

  /** Creates a collection. `place` and `member`: the list that stores its objects. */
  constructor(
    [place, member]: readonly [place: 'account' | 'project' | 'featureFlags', member: string],
    ...rest: ConstructorParameters<typeof Collection<T, Home, Made>>
  ) {
    super(...rest);
    this.#place = place;
    this.#member = member;
  }

  /** Returns the resource (storage, seed and operations) of these objects. `make` turns an item of the seed into an object. */
  resource<S extends z.ZodObject>(
    seed: S,
    make: (making: Making, content: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => Made,
    operations: Resource['operations'],
    extras: Pick<Resource, 'after' | 'forget' | 'clientOperations'> = {},
  ): Resource {
    return { ...this.kept(seed, make), operations, ...extras };
  }

  /** Returns the storage and the seed of a resource, for resources with further parts. `make` turns an item of the seed into an object. */
  kept<S extends z.ZodObject>(
    seed: S,
    make: (making: Making, content: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => Made,
  ): Pick<Resource, 'keeps' | 'seed'> {
    const seeded = { seed: { [this.#place]: { [this.#member]: this.seed(seed, make) } } };
    // The feature flags are kept as one.
    return this.#place === 'featureFlags'
      ? seeded
      : { keeps: { [this.#place]: { [this.#member]: [] } }, ...seeded };
  }
}

/** Without a prefix a resource makes the whole object. */
type MadeOf<T, Prefix> = Prefix extends string ? Unstamped<T> : T;

type Item<Parts, Member extends keyof Parts> = Parts[Member] extends (infer T extends object)[] ? T : never;

/** Returns the collection of an owner's objects, which the account stores under `member`. */
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

/** Returns the collection of the user's objects. A request sees them with any team in its scope. */
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

/** Returns the collection of the objects below a project, which it stores under `member`. */
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

/** Returns a collection like `ofProject`, if the query, and the body of a creation, name the project by its id. */
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

/** Returns the collection of objects among a project's feature flags. */
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

/** Returns the part of a resource that every project has once, at first as `empty`. A value in the seed is loaded into the project. */
export const inEveryProject = <Member extends keyof ProjectParts, S extends z.ZodType>(
  member: Member,
  empty: ProjectParts[Member],
  seed: S,
  load: (making: Making, content: z.output<S>, project: Project, attempt: Attempt) => unknown,
): Pick<Resource, 'keeps' | 'seed'> => ({
  keeps: { project: { [member]: empty } },
  seed: { project: { [member]: seedOne(seed, load) } },
});
