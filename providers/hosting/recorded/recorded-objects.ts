import type { Row } from '../facts/observed.ts';

/** A project or a domain that existed before a recording, as far as the recording shows it. */
export interface SeededObject {
  id?: string;
  name?: string;
  /** The id or slug of its team; undefined for the user. */
  owner?: string | undefined;
  /** Further members of its seed. */
  members?: Row;
  /** The seeds of the objects inside it, by the field of the seed. */
  inner: Record<string, Row[]>;
}

/** Collects the objects of one kind, each once under its id and its name. */
export class RecordedObjects {
  readonly #objects: SeededObject[] = [];
  readonly #created: ReadonlySet<string>;

  constructor(created: ReadonlySet<string>) {
    this.#created = created;
  }

  /** Adds an object, or completes one that was added before. Returns undefined if the recording creates it. */
  add(
    names: { id?: string | undefined; name?: string | undefined },
    owner?: string,
  ): SeededObject | undefined {
    const { id, name } = names;
    if ([id, name].some((text) => text !== undefined && this.#created.has(text))) return undefined;
    const earlier = this.#objects.find(
      (object) =>
        (id !== undefined && object.id === id) ||
        (name !== undefined && object.name === name && (!id || !object.id)),
    );
    const object = earlier ?? { inner: {} };
    if (earlier === undefined) this.#objects.push(object);
    object.id ??= id!;
    object.name ??= name!;
    object.owner ??= owner;
    return object;
  }

  /** Returns the objects as parts of a seed. `prefix`: begins the names of objects that the recording shows only by their ids. */
  toSeed(prefix: string): Row[] {
    return this.#objects.map(({ id, name, owner = 'personal', members, inner }, index) => ({
      ...(id === undefined ? {} : { id }),
      name: name ?? `${prefix}-${index + 1}`,
      owner,
      ...members,
      ...inner,
    }));
  }
}
