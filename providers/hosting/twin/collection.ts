import type * as z from 'zod';
import { type Call, type Making, type Query, type Stamped, stamped } from './call.ts';
import { cursorList } from './cursor-list.ts';
import { notFound } from './errors.ts';
import { asked, asking, type Filter } from './http/list-query.ts';
import { timePage, timePageQuery } from './http/pages.ts';
import { type Operation, operation, type SeedField, seedList } from './resource.ts';

type Json = Record<string, unknown>;

/** Something that the platform sets up and takes down in its own time: it is on its way until `settledAt`. */
export interface Slow {
  status: string;
  settledAt: number;
}

/** Setting up takes a minute, and so does taking down; in milliseconds. */
const minute = 60_000;

/** True once it is set up or taken down; with `minutes`, that long after. */
export const isSettled = ({ settledAt }: Slow, making: Making, minutes = 0): boolean =>
  settledAt + minutes * minute <= making.now();

/** The members of an object that begins to be set up or taken down. */
export const begins = <Status extends string>(making: Making, status: Status) => ({
  status,
  settledAt: making.now() + minute,
});

/** Describes the objects of a collection. */
export interface About<T, Home, Prefix = string | undefined> {
  /** One of them, for people: 'Webhook' was not found. */
  what: string;
  /** Starts the ids of new objects. With a prefix, each new object gets an id and times. */
  prefix?: Prefix;
  /** The parameter of the path that names one, `id` if it is left out, and the members that it may be the value of. */
  param?: string | readonly string[];
  by?: readonly (keyof T & string)[];
  /** True if an object has this name, where no member holds it. */
  isCalled?(object: T, name: string, params: Record<string, string>): boolean;
  /** The status of one that goes slowly after its removal: it is listed until it is gone. */
  going?: T extends Slow ? T['status'] : never;
  /** The member that holds one in the answers about it; without it such an answer is the object itself. */
  as?: string;
  /** The query parameters that say in which home it is: every operation with one takes them. */
  query?: Query;
  /** The home that the body of a creation names, where that is not said as elsewhere. */
  homeOfBody?(call: Call): Home;
  /** Returns an object as answers show it. Members that are left out here stay in the twin. */
  shows(call: Call, object: T, home: Home): unknown;
}

/** Describes a list by what the query says of the objects in it. */
interface Filtered<T, Home> {
  query?: Query;
  /** Query parameters by name. */
  where?: Record<string, Filter<T>>;
  /** Returns an object as the list shows it, where that differs from other answers. */
  row?(call: Call, object: T, home: Home): unknown;
}

/** Describes a list that comes in pages, the newest first. */
interface Paged<T, Home> extends Filtered<T, Home> {
  /** Finds the home where the list names it in a way of its own, which `query` has then. */
  home?(call: Call): Home;
  /** The query parameter that takes the cursor. Without it the pages are by times, in the platform's usual way. */
  cursor?: 'cursor' | 'next';
  /** True if the query wants the oldest first, where pages are by times. */
  isAscending?(call: Call): boolean;
  /** The members that it can be sorted by, `createdAt` first, with `sortBy` and `sortOrder`. */
  sorts?: readonly (keyof T & string)[];
  /** The objects, of all that there are. */
  wanted?(objects: T[], call: Call, home: Home): T[];
  /** The members of an answer beside the page; default: `pagination` with `count` and `next`. */
  extraMembers?(next: string | null): Json;
  /** For pages by time: `pagination` also says explicitly whether there are more. */
  tellsMore?: true;
}

type Held<T, Member extends keyof T> = T[Member] extends (infer One extends object)[] ? One : never;

/** An object before it gets its id and times. */
export type Unstamped<T> = Omit<T, keyof Stamped>;

/** The objects of one home, an owner or a project, and the regular operations with them; a resource makes `Made` of one. */
export class Collection<T extends object, Home, Made = T> {
  readonly #about: About<T, Home>;
  /** Finds the owner or project that the objects are below; throws 404 if there is none. */
  readonly home: (call: Call) => Home;
  readonly #array: (make: Making, home: Home) => T[];
  readonly #isIn: (object: T, home: Home) => boolean;

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

  /** All objects of a home. */
  all(make: Making, home: Home): T[] {
    return this.#array(make, home).filter((object) => this.#isIn(object, home));
  }

  /** Returns the object with this id, or with this name if the collection has names. Throws 404 if there is none. */
  find(make: Making, home: Home, name: string | undefined, params: Record<string, string> = {}): T {
    const { what, isCalled, by = isCalled ? [] : ['id' as keyof T & string] } = this.#about;
    const objects = this.all(make, home);
    const called = name !== undefined && isCalled && objects.find((object) => isCalled(object, name, params));
    if (called) return called;
    for (const member of by) {
      const match = objects.find((object) => object[member] === name);
      if (match !== undefined) return match;
    }
    throw notFound(what);
  }

  /** The one that the path names with its home, or 404. */
  readonly named = (call: Call): { home: Home; object: T } => {
    const home = this.home(call);
    const { param = 'id' } = this.#about;
    const [name] = [param].flat().flatMap((param) => call.params[param] ?? []);
    return { home, object: this.find(call, home, name, call.params) };
  };

  /** Returns the collection of the objects that each of these holds under `member`. `home` finds the holder, if the path does not simply name it. */
  inside<Member extends keyof T & string>(
    member: Member,
    about: About<Held<T, Member>, T>,
    home: (call: Call) => T = (call) => this.named(call).object,
  ): Collection<Held<T, Member>, T> {
    return new Collection(about, home, (_, holder) => holder[member] as Held<T, Member>[]);
  }

  /** Stores a new object, with an id and times if the collection has a prefix. */
  add(make: Making, content: Made, home: Home): T {
    const { prefix } = this.#about;
    const object = (prefix ? { ...content, ...stamped(make, prefix) } : content) as unknown as T;
    this.#array(make, home).push(object);
    return object;
  }

  drop(make: Making, object: T, home: Home): void {
    takeOut(this.#array(make, home), object);
  }

  show(call: Call, object: T, home: Home): unknown {
    return this.#about.shows(call, object, home);
  }

  /** Returns the answer about one object, wrapped in the member that the collection wants. */
  answer(call: Call, object: T, home: Home): unknown {
    const { as: wrapper } = this.#about;
    const shown = this.show(call, object, home);
    return wrapper === undefined ? shown : { [wrapper]: shown };
  }

  /** Answers a page of those that are wanted, in `member` of the answer. */
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

  /** Answers those that are wanted, all at once, in `member` of the answer, or as an array if that is ''. */
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
      const listed = this.all(call, home).filter((object) => !this.#isGone(call, object));
      const matching = listed.filter((object) => isAsked(object) && wanted(object, call));
      const shown = matching.map((object) => row(call, object, home));
      return member === '' ? shown : { [member]: shown };
    });
  }

  /** Keeps what `make` makes of the body. */
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

  /** Answers the object that the path names. */
  read(endpoint: { query?: Query } = {}): Operation {
    return operation({ ...this.#asking(endpoint), on: this.named }, (call, { object, home }) =>
      this.answer(call, object, home),
    );
  }

  /** Writes the members of the body over those of the object, or what `change` does, and stamps it. */
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

  /** Drops the object, unless `check` refuses it. It answers `answer`, or the object itself. */
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

  /** True if a removed object that took some time to go is gone by now. */
  #isGone(call: Call, object: T): boolean {
    const { going } = this.#about;
    return (
      going !== undefined && (object as T & Slow).status === going && isSettled(object as T & Slow, call)
    );
  }

  #asking({ query }: { query?: Query }): { query?: Query } {
    return query || this.#about.query ? { query: { ...this.#about.query, ...query } } : {};
  }

  /** Returns the field of a seed that lists these objects. Each becomes what `make` makes of it, with the id of the seed if it has one. */
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

/** Takes one out of a list. */
export function takeOut<T>(list: T[], item: T): void {
  list.splice(list.indexOf(item), 1);
}
