/**
 * Remembers which members of an answer the program reads.
 *
 * An answer of the platform may contain anything, also secrets that trueup does not know. A snapshot contains only what the plan read of
 * it. A member that was not read has an empty value of its type in the copy: its name may matter, for example to a warning about unknown
 * members.
 */
export class ReadTracker {
  readonly #reads = new WeakMap<object, Reads>();
  readonly #tracked = new WeakMap<object, object>();

  /**
   * Returns a proxy of a value (an answer of the platform, or a part of it) that behaves like the value, and remembers which members the
   * program reads through it. A snapshot then contains only these. A value that is no object or list is returned as it is.
   */
  track<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const earlierProxy = this.#tracked.get(value);
    if (earlierProxy) return earlierProxy as T;
    const reads: Reads = { names: new Set(), values: new Set(), isListed: false };
    const tracked = new Proxy(value, {
      get: (target, name, receiver) => {
        if (typeof name === 'symbol' || !Object.hasOwn(target, name))
          return Reflect.get(target, name, receiver);
        reads.values.add(name);
        // The members of the member are remembered, too.
        return this.track((target as Record<string, unknown>)[name]);
      },
      has: (target, name) => {
        if (typeof name === 'string') reads.names.add(name);
        return Reflect.has(target, name);
      },
      getOwnPropertyDescriptor: (target, name) => {
        if (typeof name === 'string') reads.names.add(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      ownKeys: (target) => {
        reads.isListed = true;
        return Reflect.ownKeys(target);
      },
    });
    this.#reads.set(value, reads);
    this.#tracked.set(value, tracked);
    return tracked;
  }

  /**
   * Returns a copy of the part of an answer that the program has read through its tracked form, for a snapshot, because that must not
   * contain more. A member has an empty value if only its name was read. `others`: further answers to the same request, whose reads count
   * as well.
   */
  readPartOf(value: unknown, others: readonly unknown[] = []): unknown {
    if (!isObject(value)) return value;
    const otherObjects = others.filter(isObject);
    const allReads = [value, ...otherObjects].flatMap((object) => this.#reads.get(object) ?? []);
    if (allReads.length === 0) return emptyLike(value);
    const isRead = (name: string) => allReads.some((reads) => reads.values.has(name));
    const copyOf = (name: string, member: unknown) =>
      isRead(name)
        ? this.readPartOf(
            member,
            otherObjects.map((object) => object[name]),
          )
        : emptyLike(member);
    if (Array.isArray(value)) return value.map((item, index) => copyOf(String(index), item));
    const isKept = (name: string) =>
      isRead(name) || allReads.some((reads) => reads.isListed || reads.names.has(name));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isKept(name))
        .map(([name, member]) => [name, copyOf(name, member)]),
    );
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The reads of one object: the members whose values were read, those whose names were asked for, and whether all names were listed. */
interface Reads {
  values: Set<string>;
  names: Set<string>;
  isListed: boolean;
}

/**
 * Returns the empty value of the same JSON type: '' for a text, 0 for a number. In a snapshot, it replaces a value that the plan did not
 * read, so that the snapshot contains no more than needed.
 */
function emptyLike(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object' && value !== null) return {};
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : value;
}
