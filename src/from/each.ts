import { type Written, WrittenMap } from '../export/print.ts';
import { isPlainObject } from '../model/value.ts';

/** One instance of a `for_each`, as it is written out. */
export interface Instance {
  /** Its key in Terraform. */
  key: string;
  /** The name of its block. */
  name: string;
  block: WrittenMap;
}

/** A block for all instances. */
export interface Folded {
  name: string;
  block: WrittenMap;
}

/** More than this many values that differ make a table that nobody reads. */
const mostMembers = 6;

/**
 * Blocks of one form as one with `$each`: what is equal stands in it, what follows from the key is written with `${each.key}`, and the rest
 * becomes a table. Undefined where they have different forms, or little in common. Whether it means the same is for the caller to prove.
 */
export function fold(instances: readonly Instance[]): Folded | undefined {
  const folding = new Folding(instances.map(({ key }) => key));
  const name = folding.text(instances.map((instance) => instance.name));
  const block = folding.map(instances.map((instance) => instance.block));
  if (name === undefined || !name.includes('${each.') || !block) return undefined;
  const { table } = folding;
  if (table.size > mostMembers) return undefined;
  const writtenMap = new WrittenMap();
  writtenMap.add('$each', eachOf(instances, table));
  for (const { key, value, comments } of block.entries) writtenMap.add(key, value, comments);
  return { name, block: writtenMap };
}

/** A list of the keys, or a map with what else tells them apart. */
function eachOf(instances: readonly Instance[], table: ReadonlyMap<string, Written[]>): Written {
  if (table.size === 0) return instances.map(({ key }) => key);
  const writtenMap = new WrittenMap();
  for (const [index, { key }] of instances.entries())
    writtenMap.add(
      key,
      Object.fromEntries([...table].map(([name, values]) => [name, values[index]!])) as Written,
    );
  return writtenMap;
}

class Folding {
  /** The values that differ, by the name of their column. */
  readonly table = new Map<string, Written[]>();
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  map(maps: readonly WrittenMap[], path: readonly string[] = []): WrittenMap | undefined {
    const [first] = maps;
    const isAlike = maps.every(
      (map) => map.entries.length === first!.entries.length && map.comments.length === 0,
    );
    if (!isAlike) return undefined;
    const writtenMap = new WrittenMap();
    for (const index of first!.entries.keys()) {
      const entries = maps.map((map) => map.entries[index]!);
      const name = this.#nameOf(entries.map(({ key }) => key));
      if (name === undefined || entries.some(({ comments }) => comments.length > 0)) return undefined;
      const value = this.#value(
        entries.map((entry) => entry.value),
        [...path, entries[0]!.key],
      );
      if (value === undefined) return undefined;
      writtenMap.add(name, value);
    }
    return writtenMap;
  }

  /** A text for all: the one that they are, or one with the key in it. */
  text(texts: readonly string[]): string | undefined {
    const [first] = texts;
    if (texts.every((text) => text === first)) return first;
    const [key] = this.#keys;
    for (let position = first!.indexOf(key!); position >= 0; position = first!.indexOf(key!, position + 1)) {
      const [before, behind] = [first!.slice(0, position), first!.slice(position + key!.length)];
      if (texts.every((text, index) => text === before + this.#keys[index] + behind))
        return `${before}\${each.key}${behind}`;
    }
    return undefined;
  }

  /** A name inside of the block: what is in a table cannot be one. */
  #nameOf(names: readonly string[]): string | undefined {
    return this.text(names);
  }

  #value(values: readonly Written[], path: readonly string[]): Written | undefined {
    const [first] = values;
    if (values.every((value) => value instanceof WrittenMap)) return this.map(values as WrittenMap[], path);
    if (values.some(holdsMap)) return this.#list(values, path);
    if (values.every((value) => JSON.stringify(value) === JSON.stringify(first))) return first;
    if (values.every((value) => typeof value === 'string')) return this.#text(values as string[], path);
    if (values.every((value) => typeof value === 'number' || typeof value === 'boolean'))
      return `\${each.value.${this.#column(values, path)}}`;
    return values.every((value) => isPlainObject(value) || Array.isArray(value))
      ? this.#plain(values, path)
      : undefined;
  }

  /** Data without comments, member by member. */
  #plain(values: readonly Written[], path: readonly string[]): Written | undefined {
    if (values.every(Array.isArray)) return this.#list(values, path);
    if (values.some(Array.isArray)) return undefined;
    const asMaps = values.map((one) => {
      const map = new WrittenMap();
      for (const [name, value] of Object.entries(one as Record<string, Written>)) map.add(name, value);
      return map;
    });
    const writtenMap = this.map(asMaps, path);
    return (
      writtenMap && (Object.fromEntries(writtenMap.entries.map(({ key, value }) => [key, value])) as Written)
    );
  }

  #list(values: readonly Written[], path: readonly string[]): Written | undefined {
    const lists = values as Written[][];
    if (!lists.every((list) => Array.isArray(list) && list.length === lists[0]!.length)) return undefined;
    const made = lists[0]!.map((_, index) =>
      this.#value(
        lists.map((list) => list[index]!),
        [...path, String(index + 1)],
      ),
    );
    return made.includes(undefined as never) ? undefined : (made as Written[]);
  }

  #text(texts: readonly string[], path: readonly string[]): Written | undefined {
    const found = this.text(texts);
    if (found !== undefined) return found;
    // An expression is no data.
    if (texts.some((text) => text.includes('${'))) return undefined;
    return `\${each.value.${this.#column(texts, path)}}`;
  }

  /** The column with these values: two places that always have the same share one. */
  #column(values: readonly Written[], path: readonly string[]): string {
    const text = JSON.stringify(values);
    const known = [...this.table].find(([, column]) => JSON.stringify(column) === text);
    if (known) return known[0];
    const base = (path.at(-1) ?? 'value').replace(/[^A-Za-z0-9]+/g, '') || 'value';
    const word = /^\d/.test(base) ? `item${base}` : base;
    let name = word;
    for (let count = 2; this.table.has(name); count++) name = `${word}${count}`;
    this.table.set(name, [...values]);
    return name;
  }
}

const holdsMap = (value: Written): boolean =>
  Array.isArray(value) && value.some((item) => item instanceof WrittenMap);
