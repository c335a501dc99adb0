import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { ExportResult } from '../export/export-live.ts';
import { CommentedMap, type YamlValue } from '../export/print-yaml.ts';
import type { StateResource } from '../kind/foreign.ts';
import { type Address, addressOf, escapeName } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { isPlainObject } from '../model/value.ts';

type FoldedSections = ExportResult['sections'];

/** Blocks of a section that could be one with `$each`. */
export interface FoldCandidate {
  section: string;
  /** The address of the Terraform resource with `for_each` that they come from. */
  from: string;
  /** The keys of the blocks. */
  names: ReadonlySet<string>;
  folded: FoldedBlock;
}

/**
 * Finds blocks at the top of sections that come from one Terraform resource with `for_each`, and folds them
 * into one block with `$each`, so that `trueup from terraform` keeps the loop. Blocks with comments or
 * expressions in their key are left as they are. The caller checks that the configuration still means the
 * same with each candidate.
 */
export function findFoldCandidates(
  sections: FoldedSections,
  resourceOf: ReadonlyMap<Address, StateResource>,
): FoldCandidate[] {
  return sections.flatMap(({ name: section, value }) => {
    if (!(value instanceof CommentedMap)) return [];
    const instances = listForEachInstances(section, value, resourceOf);
    return [...groupBy(instances, ({ from }) => from)].flatMap(([from, group]) => {
      if (group.length < 2) return [];
      const folded = foldInstances(group);
      const names = new Set(group.map((instance) => instance.name));
      return folded ? [{ section, from, names, folded }] : [];
    });
  });
}

/**
 * Lists the blocks of a section that come from a Terraform resource with `for_each`, each with the address of the resource without its key
 * (`from`). Leaves out blocks that cannot be folded: with comments, of a short form, or with an expression in their name.
 */
function listForEachInstances(
  section: string,
  { entries }: CommentedMap,
  resourceOf: ReadonlyMap<Address, StateResource>,
): (ForEachInstance & { from: string })[] {
  return entries.flatMap(({ key: name, value: block, comments }) => {
    // In a key of the YAML, `${` is written as `$${`, because it would begin an expression.
    const address = addressOf(undefined, section, [escapeName(name.replaceAll('$${', '${'))]);
    const resource = resourceOf.get(address);
    // The instances of `for_each` have texts as keys, those of `count` numbers.
    if (typeof resource?.key !== 'string' || comments.length > 0) return [];
    if (!(block instanceof CommentedMap) || name.includes('${')) return [];
    const from = [resource.module, resource.type, resource.name].filter(Boolean).join('.');
    return [{ from, key: escapeExpressions(resource.key), name, block }];
  });
}

/**
 * Returns the sections with folded blocks (with `$each`) instead of the blocks that they stand for, each at the
 * place of the first one. `trueup from terraform` then checks whether the configuration still means the same.
 */
export const replaceByFolded = (
  sections: FoldedSections,
  candidates: readonly FoldCandidate[],
): FoldedSections =>
  sections.map((section) => {
    const candidatesHere = candidates.filter((candidate) => candidate.section === section.name);
    if (candidatesHere.length === 0 || !(section.value instanceof CommentedMap)) return section;
    const candidateOf = new Map(
      candidatesHere.flatMap((candidate) => [...candidate.names].map((name) => [name, candidate] as const)),
    );
    const map = new CommentedMap(section.value.comments);
    const added = new Set<FoldCandidate>();
    for (const { key, value, comments } of section.value.entries) {
      const candidate = candidateOf.get(key);
      if (!candidate) map.add(key, value, comments);
      else if (!added.has(candidate)) {
        map.add(candidate.folded.name, candidate.folded.block);
        added.add(candidate);
      }
    }
    return { ...section, value: map };
  });

/** One instance of a Terraform resource with `for_each`, as a block of the configuration. */
interface ForEachInstance {
  /** Its key in Terraform. */
  key: string;
  /** The name of its block. */
  name: string;
  block: CommentedMap;
}

/** The block with `$each` that replaces the blocks of all instances. */
interface FoldedBlock {
  name: string;
  block: CommentedMap;
}

/** The most columns of a table. A wider one would be harder to read than separate blocks. */
const mostColumns = 6;

/**
 * Folds blocks that come from one Terraform resource with `for_each` into one block with `$each`. Equal
 * values are written once, values that contain the key use `${each.key}`, and all other values become a
 * table. Undefined if the forms differ or the table would have too many columns. The caller must check that
 * the folded block means the same as the blocks.
 */
export function foldInstances(instances: readonly ForEachInstance[]): FoldedBlock | undefined {
  const folding = new Folding(instances.map(({ key }) => key));
  const name = folding.findSharedText(instances.map((instance) => instance.name));
  const block = folding.foldMaps(instances.map((instance) => instance.block));
  // Without an expression in its name, the block would stand for one object only.
  if (name === undefined || !name.includes('${each.') || !block) return undefined;
  const { table } = folding;
  if (table.size > mostColumns) return undefined;
  const foldedBlock = new CommentedMap();
  foldedBlock.add('$each', createEachValue(instances, table));
  for (const { key, value, comments } of block.entries) foldedBlock.add(key, value, comments);
  return { name, block: foldedBlock };
}

/**
 * Returns the value of `$each` for a block that `trueup from terraform` folds from several: the list of the
 * keys (`[de, fr]`), if only the keys differ, or a map from each key to its values: `{ de: { port: 80 }, fr:
 * { port: 81 } }`. `table`: the values of each column, one per key.
 */
function createEachValue(
  instances: readonly ForEachInstance[],
  table: ReadonlyMap<string, YamlValue[]>,
): YamlValue {
  if (table.size === 0) return instances.map(({ key }) => key);
  const writtenMap = new CommentedMap();
  for (const [index, { key }] of instances.entries())
    writtenMap.add(
      key,
      Object.fromEntries([...table].map(([name, values]) => [name, values[index]!])) as YamlValue,
    );
  return writtenMap;
}

/** Folds the values of several blocks into one value, and collects the differing values in a table. */
class Folding {
  /** The differing values, by the name of their column; each column has a value per block. */
  readonly table = new Map<string, YamlValue[]>();
  readonly #keys: readonly string[];

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /**
   * Folds the maps of several similar blocks into one map, entry by entry, for one block with `$each`: equal
   * values stay, and different ones become expressions. Returns undefined if they have different entries, or
   * comments, which belong to one block only. `path`: where the maps are in their blocks.
   */
  foldMaps(maps: readonly CommentedMap[], path: readonly string[] = []): CommentedMap | undefined {
    const [first] = maps;
    const isAlike = maps.every(
      (map) => map.entries.length === first!.entries.length && map.comments.length === 0,
    );
    if (!isAlike) return undefined;
    const writtenMap = new CommentedMap();
    for (const index of first!.entries.keys()) {
      const entries = maps.map((map) => map.entries[index]!);
      // A name can contain only the key of `$each`, and no other value of its table.
      const name = this.findSharedText(entries.map(({ key }) => key));
      if (name === undefined || entries.some(({ comments }) => comments.length > 0)) return undefined;
      const value = this.#foldValues(
        entries.map((entry) => entry.value),
        [...path, entries[0]!.key],
      );
      if (value === undefined) return undefined;
      writtenMap.add(name, value);
    }
    return writtenMap;
  }

  /**
   * Returns one text that stands for the texts of all blocks to fold into one with `$each`: the equal text,
   * or one with a single `${each.key}` (`app-de` and `app-fr` become `app-${each.key}` for the keys `de` and `fr`).
   * Undefined if neither fits.
   */
  findSharedText(texts: readonly string[]): string | undefined {
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

  /**
   * Folds the values of one place in all blocks into one value for a block with `$each`: into the equal
   * value, an expression, or a list or map of these. Returns undefined if they have different forms. `path`
   * leads to the place, for the name of its column in the table of `$each`.
   */
  #foldValues(values: readonly YamlValue[], path: readonly string[]): YamlValue | undefined {
    const [first] = values;
    if (values.every((value) => value instanceof CommentedMap))
      return this.foldMaps(values as CommentedMap[], path);
    if (values.some(holdsMap)) return this.#foldLists(values, path);
    if (values.every((value) => JSON.stringify(value) === JSON.stringify(first))) return first;
    if (values.every((value) => typeof value === 'string')) return this.#foldTexts(values as string[], path);
    if (values.every((value) => typeof value === 'number' || typeof value === 'boolean'))
      return `\${each.value.${this.#columnFor(values, path)}}`;
    return values.every((value) => isPlainObject(value) || Array.isArray(value))
      ? this.#foldPlainValues(values, path)
      : undefined;
  }

  /**
   * Folds the plain maps (data without comments, such as `{ a: 1 }`) or lists at one place of several similar blocks into one value, member
   * by member, for one block with `$each`. Returns undefined if some are maps and others lists, or if their members cannot be folded.
   */
  #foldPlainValues(values: readonly YamlValue[], path: readonly string[]): YamlValue | undefined {
    if (values.every(Array.isArray)) return this.#foldLists(values, path);
    if (values.some(Array.isArray)) return undefined;
    const asMaps = values.map((object) => {
      const map = new CommentedMap();
      for (const [name, value] of Object.entries(object as Record<string, YamlValue>)) map.add(name, value);
      return map;
    });
    const writtenMap = this.foldMaps(asMaps, path);
    return (
      writtenMap &&
      (Object.fromEntries(writtenMap.entries.map(({ key, value }) => [key, value])) as YamlValue)
    );
  }

  /**
   * Folds the lists of several similar blocks into one list, item by item, so that `trueup from` writes one block
   * with `$each` in place of many: `[a-one, x]` and `[a-two, x]` become `[a-${each.key}, x]`. Returns undefined if
   * they have different lengths, or items that cannot be folded. `path`: where the lists are in their blocks, for the
   * names of the values in `$each`.
   */
  #foldLists(values: readonly YamlValue[], path: readonly string[]): YamlValue | undefined {
    const lists = values as YamlValue[][];
    if (!lists.every((list) => Array.isArray(list) && list.length === lists[0]!.length)) return undefined;
    const items = lists[0]!.map((_, index) =>
      this.#foldValues(
        lists.map((list) => list[index]!),
        [...path, String(index + 1)],
      ),
    );
    return items.includes(undefined as never) ? undefined : (items as YamlValue[]);
  }

  /**
   * Folds the texts of one place in all blocks into one text for a block with `$each`: the equal text, an
   * expression with the key, or a column of its table. Returns undefined if they have expressions that
   * differ.
   */
  #foldTexts(texts: readonly string[], path: readonly string[]): YamlValue | undefined {
    const sharedText = this.findSharedText(texts);
    if (sharedText !== undefined) return sharedText;
    // An expression cannot be in a table, because a table has data only.
    if (texts.some((text) => text.includes('${'))) return undefined;
    return `\${each.value.${this.#columnFor(texts, path)}}`;
  }

  /**
   * Returns the name of the column with these values (one per block) in the table of a `$each`, so that
   * `${each.value.NAME}` stands for them in the folded block. Adds the column if necessary, named after the
   * last name of the path. Places with equal values share a column.
   */
  #columnFor(values: readonly YamlValue[], path: readonly string[]): string {
    const text = JSON.stringify(values);
    const equalColumn = [...this.table].find(([, column]) => JSON.stringify(column) === text);
    if (equalColumn) return equalColumn[0];
    const base = (path.at(-1) ?? 'value').replace(/[^A-Za-z0-9]+/g, '') || 'value';
    const word = /^\d/.test(base) ? `item${base}` : base;
    let name = word;
    for (let count = 2; this.table.has(name); count++) name = `${word}${count}`;
    this.table.set(name, [...values]);
    return name;
  }
}

/** True for a list with maps that can have comments. */
const holdsMap = (value: YamlValue): boolean =>
  Array.isArray(value) && value.some((item) => item instanceof CommentedMap);
