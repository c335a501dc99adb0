import type * as z from 'zod';
import type { AccountParts, Owner, Project, ProjectParts } from './account.ts';
import type { Call, Making, Query } from './call.ts';
import { notFound } from './errors.ts';
import { projectOfPath } from './find-project.ts';
import { type Operation, operation, type SeedField, seedList } from './resource.ts';

type Json = Record<string, unknown>;

/** Describes the objects of a collection. */
interface About<T, Home> {
  /** One of them, for people: 'Webhook' was not found. */
  what: string;
  /** The parameter of the path that names one, `id` if it is left out, and the members that it may be the value of. */
  param?: string;
  by?: readonly (keyof T & string)[];
  /** One as answers show it; what is not in here stays in the twin. */
  shows(call: Call, one: T, home: Home): unknown;
}

/** The objects of one home, an owner or a project, and the regular operations with them. */
export class Collection<T extends object, Home> {
  readonly #about: About<T, Home>;
  /** Finds the owner or project that the objects are below; throws 404 if there is none. */
  readonly home: (call: Call) => Home;
  readonly #array: (make: Making, home: Home) => T[];
  readonly #isIn: (one: T, home: Home) => boolean;

  constructor(
    about: About<T, Home>,
    home: (call: Call) => Home,
    array: (make: Making, home: Home) => T[],
    isIn: (one: T, home: Home) => boolean = () => true,
  ) {
    this.#about = about;
    this.home = home;
    this.#array = array;
    this.#isIn = isIn;
  }

  /** All objects of a home. */
  all(make: Making, home: Home): T[] {
    return this.#array(make, home).filter((one) => this.#isIn(one, home));
  }

  /** The one that the path names with its home, or 404. */
  readonly named = (call: Call): { home: Home; one: T } => {
    const { what, param = 'id', by = ['id' as keyof T & string] } = this.#about;
    const home = this.home(call);
    const all = this.all(call, home);
    for (const member of by) {
      const one = all.find((one) => one[member] === call.params[param]);
      if (one !== undefined) return { home, one };
    }
    throw notFound(what);
  };

  add(make: Making, one: T, home: Home): T {
    this.#array(make, home).push(one);
    return one;
  }

  drop(make: Making, one: T, home: Home): void {
    const array = this.#array(make, home);
    array.splice(array.indexOf(one), 1);
  }

  show(call: Call, one: T, home: Home): unknown {
    return this.#about.shows(call, one, home);
  }

  /** Answers those that are wanted, all at once, in `member` of the answer, or as an array if that is ''. */
  list(member: string, options: { query?: Query; wanted?(one: T, call: Call): boolean } = {}): Operation {
    const { query, wanted = () => true } = options;
    return operation({ ...(query && { query }), list: member, on: this.home }, (call, home) => {
      const found = this.all(call, home).filter((one) => wanted(one, call));
      const shown = found.map((one) => this.show(call, one, home));
      return member === '' ? shown : { [member]: shown };
    });
  }

  /** Keeps what `make` makes of the body. */
  create<S extends z.ZodType>(
    given: { body: S; query?: Query; statuses?: readonly number[] },
    make: (call: Call, body: Exclude<z.output<S>, undefined>, home: Home) => T,
  ): Operation {
    return operation({ ...given, on: this.home }, (call, home, body) =>
      this.show(call, this.add(call, make(call, body, home), home), home),
    );
  }

  read(given: { query?: Query } = {}): Operation {
    return operation({ ...given, on: this.named }, (call, { one, home }) => this.show(call, one, home));
  }

  /** Writes the members of the body over those of the object, or what `change` does, and stamps it. */
  update<S extends z.ZodType>(
    given: { body: S; query?: Query; statuses?: readonly number[] },
    change: (call: Call, one: T, body: Exclude<z.output<S>, undefined>, home: Home) => unknown = (
      _,
      one,
      body,
    ) => Object.assign(one, body),
  ): Operation {
    return operation({ ...given, on: this.named }, (call, { one, home }, body) => {
      change(call, one, body, home);
      Object.assign(one, { updatedAt: call.time() });
      return this.show(call, one, home);
    });
  }

  /** Drops the object, unless `check` refuses it. */
  remove(
    given: { query?: Query; statuses?: readonly number[]; answer?: Json; answers?: 'none' } = {
      statuses: [204],
    },
    check: (call: Call, one: T, home: Home) => void = () => {},
  ): Operation {
    const { answer, ...described } = given;
    return operation({ ...described, on: this.named }, (call, { one, home }) => {
      check(call, one, home);
      this.drop(call, one, home);
      return answer;
    });
  }

  /** A seed's list of them: kept as `make` makes them, but for an id that is given. */
  seed<S extends z.ZodObject>(
    schema: S,
    make: (making: Making, given: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => T,
  ): SeedField {
    return seedList(schema, (making, { id, ...given }: Record<string, unknown>, home: Home) => {
      const made = make(making, given as Omit<z.output<S>, 'owner' | 'id'>, home);
      return this.add(making, id === undefined ? made : { ...made, id }, home);
    });
  }
}

type Item<Parts, Member extends keyof Parts> = Parts[Member] extends (infer T extends object)[] ? T : never;

/** The objects of an owner, which the account keeps under `member`. */
export const ofOwner = <Member extends keyof AccountParts>(
  member: Member,
  about: About<Item<AccountParts, Member>, Owner>,
) =>
  new Collection<Item<AccountParts, Member>, Owner>(
    about,
    (call) => call.owner,
    ({ account }) => account[member] as Item<AccountParts, Member>[],
    (one, { id }) => 'ownerId' in one && one.ownerId === id,
  );

/** The objects below a project, which keeps them under `member`. */
export const ofProject = <Member extends keyof ProjectParts>(
  member: Member,
  about: About<Item<ProjectParts, Member>, Project>,
) =>
  new Collection<Item<ProjectParts, Member>, Project>(
    about,
    projectOfPath,
    (_, project) => project[member] as Item<ProjectParts, Member>[],
  );
