import type * as z from 'zod';
import { type Call, type Making, type Query, type Stamped, stamped } from './call.ts';
import { cursorList } from './cursor-list.ts';
import { notFound } from './errors.ts';
import { asked, asking, type Filter } from './http/list-query.ts';
import { timePage, timePageQuery } from './http/pages.ts';
import { type Operation, operation, type SeedField, seedList } from './resource.ts';

type Json = Record<string, unknown>;

/** An object that the platform takes time to create and delete, such as a network. The change that is under way ends at `settledAt`. */
export interface Slow {
  status: string;
  settledAt: number;
}

/** The time that a slow creation or deletion takes, in milliseconds. */
const minute = 60_000;

/** True if the creation or deletion of a slow object is over; with `minutes`, if it has been over for so long. */
export const isSettled = ({ settledAt }: Slow, making: Making, minutes = 0): boolean =>
  settledAt + minutes * minute <= making.now();

/** Returns the members of an object whose creation or deletion starts now and takes a minute. `status`: its status meanwhile. */
export const begins = <Status extends string>(making: Making, status: Status) => ({
  status,
  settledAt: making.now() + minute,
});

/** Describes the objects of a collection. */
export interface About<T, Home, Prefix = string | undefined> {
  /** The word for an object in errors, such as `Webhook` in "Webhook was not found". */
  what: string;
  /** Starts the ids of new objects. With a prefix, each new object gets an id and times. */
  prefix?: Prefix;
  /** The parameter of the path that names an object. Several if different paths call it differently. Default: `id`. */
  param?: string | readonly string[];
  /** The members of an object that can have the name in the path, in order of precedence. Default: `id`, or none if there is `isCalled`. */
  by?: readonly (keyof T & string)[];
  /** True if an object has this name: for objects whose name is in no single member. `params`: the other parameters of the path. */
  isCalled?(object: T, name: string, params: Record<string, string>): boolean;
  /** The status of an object while its deletion takes its time. Until the deletion is over, the object can be listed and read. */
  going?: T extends Slow ? T['status'] : never;
  /** The member of an answer that contains the object. Absent if the answer is the object itself. */
  as?: string;
  /** The query parameters that name the home (owner or project) of an object. Every operation on an object takes them. */
  query?: Query;
  /** Returns the home that the body of a creation names, if creations name it in another way than other operations. */
  homeOfBody?(call: Call): Home;
  /** Returns an object as answers show it. May leave out members that only the twin needs. */
  shows(call: Call, object: T, home: Home): unknown;
}

/** Describes which objects a list operation shows, and how. */
interface Filtered<T, Home> {
  query?: Query;
  /** The filters of the list, by the query parameter that asks for them. */
  where?: Record<string, Filter<T>>;
  /** Returns an object as the list shows it, if that differs from other answers. */
  row?(call: Call, object: T, home: Home): unknown;
}

/** Describes a list that comes in pages, the newest first. */
interface Paged<T, Home> extends Filtered<T, Home> {
  /** Finds the home, if the list names it in another way than other operations. `query` then has its parameter. */
  home?(call: Call): Home;
  /** The query parameter that takes the cursor. Without it the pages are by times, in the platform's usual way. */
  cursor?: 'cursor' | 'next';
  /** True if the query requests the oldest objects first, for pages by time. */
  isAscending?(call: Call): boolean;
  /** For pages with a cursor: the members that the query can sort by with `sortBy` and `sortOrder`, first `createdAt`. */
  sorts?: readonly (keyof T & string)[];
  /** Returns the objects to list. */
  wanted?(objects: T[], call: Call, home: Home): T[];
  /** For pages with a cursor: the members of an answer beside the page. Default: `pagination` with `count` and `next`. */
  extraMembers?(next: string | null): Json;
  /** For pages by time: `pagination` also has `hasNext`. */
  tellsMore?: true;
}

type Held<T, Member extends keyof T> = T[Member] extends (infer One extends object)[] ? One : never;

/** An object before it gets its id and times. */
export type Unstamped<T> = Omit<T, keyof Stamped>;

/**
 * Stores the objects of one kind in the twin, by home (the owner or project that they belong to), and provides their
 * usual operations: list, read, create, update and delete. `Made`: the members of a new object before it gets an id.
 */
export class Collection<T extends object, Home, Made = T> {
  readonly #about: About<T, Home>;
  /** Finds the owner or project that the objects are below; throws 404 if there is none. */
  readonly home: (call: Call) => Home;
  readonly #array: (make: Making, home: Home) => T[];
  readonly #isIn: (object: T, home: Home) => boolean;

  /**
   * Creates a collection of objects that belong to an owner or a project, their home. `about`: what distinguishes these objects from
   * others; `home`: finds the home that a request names; `array`: returns the list that stores the objects; `isIn`: false for objects in it
   * of other homes.
   */
  constructor(
    about: About<T, Home>,
    home: (call: Call) => Home,
    array: (make: Making, home: Home) => T[],
    isIn: (object: T, home: Home) => boolean = () => true,
  ) {
    this.#about = about;
    this.home = home;
    this.#array = array;
    this.#isIn = isIn;
  }

  /** Returns all stored objects of a home. */
  all(make: Making, home: Home): T[] {
    return this.#array(make, home).filter((object) => this.#isIn(object, home));
  }

  /**
   * Returns the object of a home (an owner or a project) that a request names: by its id, or by another member or name if the collection
   * says so. Throws the platform's 404 if there is none, or if its deletion is over. `params`: the other parameters of the path, because
   * some names consist of several.
   */
  find(make: Making, home: Home, name: string | undefined, params: Record<string, string> = {}): T {
    const { what, isCalled, by = isCalled ? [] : ['id' as keyof T & string] } = this.#about;
    const objects = this.all(make, home).filter((object) => !this.#isGone(make, object));
    const called = name !== undefined && isCalled && objects.find((object) => isCalled(object, name, params));
    if (called) return called;
    for (const member of by) {
      const match = objects.find((object) => object[member] === name);
      if (match !== undefined) return match;
    }
    throw notFound(what);
  }

  /** Returns the object that the path of a request names, with its home. Throws 404 if there is none. */
  readonly named = (call: Call): { home: Home; object: T } => {
    const home = this.home(call);
    const { param = 'id' } = this.#about;
    const [name] = [param].flat().flatMap((param) => call.params[param] ?? []);
    return { home, object: this.find(call, home, name, call.params) };
  };

  /**
   * Returns a collection of the objects that each object of this collection contains, such as the keys of a store, in its list `member`.
   * `home` finds the outer object; by default the path of the request names it.
   */
  inside<Member extends keyof T & string>(
    member: Member,
    about: About<Held<T, Member>, T>,
    home: (call: Call) => T = (call) => this.named(call).object,
  ): Collection<Held<T, Member>, T> {
    return new Collection(about, home, (_, holder) => holder[member] as Held<T, Member>[]);
  }

  /**
   * Stores a new object in its home (an owner or a project) and returns it. Adds an id and times if the collection has a `prefix` for ids.
   */
  add(make: Making, content: Made, home: Home): T {
    const { prefix } = this.#about;
    const object = (prefix ? { ...content, ...stamped(make, prefix) } : content) as unknown as T;
    this.#array(make, home).push(object);
    return object;
  }

  /** Removes an object from its home at once. */
  drop(make: Making, object: T, home: Home): void {
    takeOut(this.#array(make, home), object);
  }

  /** Returns an object as answers show it. */
  show(call: Call, object: T, home: Home): unknown {
    return this.#about.shows(call, object, home);
  }

  /** Returns the body of an answer about one object: as answers show it, wrapped in a member if the collection says so (`as`). */
  answer(call: Call, object: T, home: Home): unknown {
    const { as: wrapper } = this.#about;
    const shown = this.show(call, object, home);
    return wrapper === undefined ? shown : { [wrapper]: shown };
  }

  /**
   * Declares the operation that lists the objects in pages, in `member` of the answer. With `cursor`, that query parameter asks for the
   * next page; otherwise pages are by time, in the platform's usual way. `paged` also says how the query filters and sorts, and how a row
   * looks.
   */
  pages(member: string, paged: Paged<T, Home> = {}): Operation {
    const { cursor, isAscending, tellsMore, wanted = (objects) => objects, ...listed } = paged;
    const { where, row = (call: Call, object: T, home: Home) => this.show(call, object, home) } = listed;
    const on = listed.home ?? this.home;
    const objectsIn = (call: Call, home: Home) => wanted(this.all(call, home), call, home);
    const query = { ...(listed.home ? {} : this.#about.query), ...listed.query };
    if (cursor !== undefined) return cursorList(member, { ...listed, on, cursor, row, query }, objectsIn);
    const described = { on, list: member, query: { ...timePageQuery, ...query, ...asking(where) } };
    return operation(described, (call, home) => {
      const dated = objectsIn(call, home).filter(asked(call, where)) as (T & { createdAt: number })[];
      const { page, pagination } = timePage(call, dated, { ascending: isAscending?.(call) ?? false });
      const more = tellsMore && { hasNext: pagination.next !== null };
      return {
        [member]: page.map((object) => row(call, object, home)),
        pagination: { ...pagination, ...more },
      };
    });
  }

  /** Returns the operation that lists all objects at once, in `member` of the answer, or as an array if `member` is empty. */
  list(
    member: string,
    options: Filtered<T, Home> & { wanted?(object: T, call: Call): boolean } = {},
  ): Operation {
    const { where, wanted = () => true } = options;
    const { row = (call: Call, object: T, home: Home) => this.show(call, object, home) } = options;
    const query = where ? { ...options.query, ...asking(where) } : options.query;
    const described = this.#asking(query ? { query } : {});
    return operation({ ...described, list: member, on: this.home }, (call, home) => {
      const isAsked = asked(call, where);
      const existing = this.all(call, home).filter((object) => !this.#isGone(call, object));
      const matching = existing.filter((object) => isAsked(object) && wanted(object, call));
      const shown = matching.map((object) => row(call, object, home));
      return member === '' ? shown : { [member]: shown };
    });
  }

  /**
   * Declares the operation that creates an object: it finds the home (an owner or a project), parses the body, stores what `make` turns it
   * into, and answers with the object.
   */
  create<S extends z.ZodType>(
    endpoint: { body: S; query?: Query; statuses?: readonly number[] },
    make: (call: Call, body: Exclude<z.output<S>, undefined>, home: Home) => Made,
  ): Operation {
    const { homeOfBody, query } = this.#about;
    const described =
      homeOfBody || query === undefined ? endpoint : { ...endpoint, ...this.#asking(endpoint) };
    return operation({ ...described, on: homeOfBody ?? this.home }, (call, home, body) =>
      this.answer(call, this.add(call, make(call, body, home), home), home),
    );
  }

  /** Declares the operation that reads the object that the path names, and answers with it. */
  read(endpoint: { query?: Query } = {}): Operation {
    return operation({ ...this.#asking(endpoint), on: this.named }, (call, { object, home }) =>
      this.answer(call, object, home),
    );
  }

  /**
   * Declares the operation that updates the object that the path names, sets its time of change, and answers with it. By default it writes
   * the members of the body into the object; `change` can do something else.
   */
  update<S extends z.ZodType>(
    endpoint: { body: S; query?: Query; statuses?: readonly number[] },
    change: (call: Call, object: T, body: Exclude<z.output<S>, undefined>, home: Home) => unknown = (
      _,
      object,
      body,
    ) => Object.assign(object, body),
  ): Operation {
    return operation(
      { ...endpoint, ...this.#asking(endpoint), on: this.named },
      (call, { object, home }, body) => {
        change(call, object, body, home);
        Object.assign(object, { updatedAt: call.time() });
        return this.answer(call, object, home);
      },
    );
  }

  /**
   * Declares the operation that deletes the object that the path names, unless `check` throws a refusal. Objects whose deletion takes time
   * (`going`) only get that status. `answer`: the body of the answer; by default it is empty. Without `endpoint`, the status is 204.
   */
  remove(
    endpoint: {
      query?: Query;
      statuses?: readonly number[];
      answer?: Json | 'itself' | ((object: T) => Json);
      answers?: 'none';
    } = {
      statuses: [204],
    },
    check: (call: Call, object: T, home: Home) => void = () => {},
  ): Operation {
    const { answer, ...described } = endpoint;
    return operation(
      { ...described, ...this.#asking(endpoint), on: this.named },
      (call, { object, home }) => {
        check(call, object, home);
        const { going } = this.#about;
        if (going === undefined) this.drop(call, object, home);
        else Object.assign(object, begins(call, going));
        if (answer === 'itself') return this.answer(call, object, home);
        return typeof answer === 'function' ? answer(object) : answer;
      },
    );
  }

  /** True if the deletion of an object that takes time, such as a network, is over. The object is still stored, but no request finds it. */
  #isGone(make: Making, object: T): boolean {
    const { going } = this.#about;
    return (
      going !== undefined && (object as T & Slow).status === going && isSettled(object as T & Slow, make)
    );
  }

  /** Returns an endpoint's query parameters together with those that name the home of the objects. */
  #asking({ query }: { query?: Query }): { query?: Query } {
    return query || this.#about.query ? { query: { ...this.#about.query, ...query } } : {};
  }

  /**
   * Declares the field of a seed (the initial content of a twin) that lists these objects. `make` turns an item of the seed into an object,
   * with the same rules as for requests; an id in the seed is kept.
   */
  seed<S extends z.ZodObject>(
    schema: S,
    make: (making: Making, content: Omit<z.output<S>, 'owner' | 'id'>, home: Home) => Made,
  ): SeedField {
    return seedList(schema, (making, { id, ...given }: Record<string, unknown>, home: Home) => {
      const object = this.add(making, make(making, given as Omit<z.output<S>, 'owner' | 'id'>, home), home);
      return id === undefined ? object : Object.assign(object, { id });
    });
  }
}

/** Removes an item from a list. The list must contain it. */
export function takeOut<T>(list: T[], item: T): void {
  list.splice(list.indexOf(item), 1);
}
