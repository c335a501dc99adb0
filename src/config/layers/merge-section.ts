/**
 * Merges one section of a block: the entries that layers write for it, and the patches and drops that may concern something in it.
 * `layer.ts` defines layer, item and fragment.
 *
 * Terms
 *   child   all entries of one name in the section, such as the variable `API_URL`
 *   group   the items of one of these entries. Most names have one group. A variable with a list of values, or a set of records of one name,
 *           has several.
 *   unit    one resource that an entry declares. An entry may declare several: a variable with two targets.
 *
 * Premise: the items come from the lowest to the highest, so each finds the children of those below it.
 *
 * Steps
 *   1. The entries that a layer writes are put on the children of their names (`#addToChild`):
 *
 *      | the entries of one name                                       | result                                              |
 *      | ------------------------------------------------------------- | --------------------------------------------------- |
 *      | no group is in their fragment (any group counts for a patch)  | new groups; or layers of the first group, if a name |
 *      |                                                               | can have only one entry                             |
 *      | one entry, and one group is in their fragment                 | another layer of that group: overrides its fields   |
 *      | several entries or several groups                             | the entries replace these groups, and keep members  |
 *      |                                                               | that they do not state: see `inherit-members.ts`    |
 *      | with `$add: true`                                             | new groups                                          |
 *
 *   2. A patch adds a layer to the children that its path matches, and a drop removes them. If the path may match something below a child, the
 *      groups of the child get the patch or drop, for the merging of their own sections.
 *   3. Each group becomes one node (`mergeBlock`), and the section a map, a list or a block, as its kind is written.
 *
 * Example: a template writes `API_URL: { value: a, type: plain }`. The block's `API_URL: { value: b }` makes one group of two layers:
 * `{ value: b, type: plain }`. The block's `API_URL: [{ value: b, target: preview }, { value: c, target: production }]` replaces the template's
 * entry by two, each with `type: plain`. A patch of `env/API_URL@preview` then adds a layer to the first.
 */

import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import { type Entry, mapNode, type Node } from '../yaml/nodes.ts';
import { EntryGroups, type NamedChild, type UnitGroup } from './entry-groups.ts';
import type { Drop, Layer, Patch, TargetPath } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { type PlacedItem, placeItems } from './place-items.ts';
import { type IncomingEntry, SectionReader } from './section-reader.ts';

/** A section as a layer writes it, or a patch or drop that may concern something in it. */
export type SectionItem = { entry: Entry; layer: Layer } | { patch: Patch } | { drop: Drop };

/**
 * Merges what layers write in one section of a block, such as `env:`, from the lowest (templates) to the
 * highest (patches). Returns the section as a node; undefined if nothing is left in it. `items`: what each
 * layer writes there, and the patches and `$drop` paths that may match something in it. A section of the
 * wrong form is returned without merging, because a later reader reports it.
 */
export const mergeSection = (
  context: MergeContext,
  kind: Kind,
  block: EnclosingBlock | undefined,
  items: SectionItem[],
): Node | undefined => new SectionMerger(context, kind, block).merge(items);

class SectionMerger {
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;
  readonly #section: Address;
  readonly #reader: SectionReader;
  readonly #groups: EntryGroups;
  /** The children by their ids. */
  readonly #children = new Map<string, NamedChild>();
  /** The ids of the children in the order of the result. */
  #order: string[] = [];
  /** The first part of a list whose order matters. */
  #firstList: { layer: Layer; node: Node } | undefined;
  #anonymousCount = 0;

  /**
   * Creates the object that merges what templates, documents and patches write in one section, such as
   * `env:`, of `block`; without `block`, at the root of the configuration. `context`: the parts of the merger
   * of the whole configuration.
   */
  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
    this.#section = addressOf(block?.address, kind.section, []);
    this.#reader = new SectionReader(context, kind, block);
    this.#groups = new EntryGroups(context, kind, block);
  }

  /**
   * Merges the parts of one section, such as `env:`, from the lowest layer (templates) to the highest
   * (patches), so that the reader of blocks gets the section as if it had been written by hand. `items`: what
   * layers write in it (at least one does), and the patches and `$drop` paths that may match something in it. Returns
   * undefined if nothing is left. Returns a section of the wrong form, such as a list instead of a map, without merging,
   * because a later reader reports it.
   */
  merge(items: SectionItem[]): Node | undefined {
    for (const item of items) {
      if ('entry' in item) this.#addLayer(item);
      else if ('patch' in item) this.#applyPatch(item.patch);
      else this.#applyDrop(item.drop);
    }
    if (this.#reader.invalidSection) return this.#reader.invalidSection;
    const firstEntry = items.find((item) => 'entry' in item)!.entry;
    return this.#toNode(firstEntry.value.at);
  }

  /**
   * Returns the section, merged from all layers (templates, documents and patches), as a node in the form in
   * which sections of its kind are written, so that the reader of blocks need not know that it was merged: a
   * single block for a kind without a key, a map by name, or a list. In a map, a name with several groups (the
   * merged entries of this name) has a list. A map also keeps the entries whose names could not be determined,
   * so that nothing in it is reported as missing. Returns undefined if `$when` or `$drop` removed everything.
   * `at`: the place of the section, for messages.
   */
  #toNode(at: Node['at']): Node | undefined {
    const { mapBy } = this.#kind.yaml;
    const mergedChildren = this.#order.flatMap((id) => {
      const child = this.#children.get(id)!;
      if (child.isDisabled) return [];
      const nodes = child.groups.map((group) => this.#groups.merge(group, child));
      return nodes.length > 0 ? [{ child, nodes }] : [];
    });
    if (isSingleton(this.#kind)) return mergedChildren[0]?.nodes[0];
    const { unusableEntries } = this.#reader;
    // A section that `$when` or `$drop` emptied is omitted. A section that was written empty stays.
    if (mergedChildren.length === 0 && this.#order.length > 0 && unusableEntries.length === 0)
      return undefined;
    if (mapBy === undefined) return { type: 'list', at, items: mergedChildren.flatMap(({ nodes }) => nodes) };
    const entries = mergedChildren.map(
      ({ child: { key, isList }, nodes }): Entry => ({
        key: key!,
        value: isList || nodes.length > 1 ? { type: 'list', at: key!.at, items: nodes } : nodes[0]!,
      }),
    );
    return mapNode([...entries, ...unusableEntries], at);
  }

  #addressOf(names: string[]): Address {
    return addressOf(this.#block?.address, this.#kind.section, names.map(escapeName));
  }

  /**
   * Adds the entries that one layer (a template, a document or a patch) writes in this section, such as `env:`.
   * `#children` has the entries of lower layers; a child is all entries of one name. Called for each layer from
   * the lowest, templates, to the highest, patches. Where order matters, such as in a list of routes, a new name
   * also gets its place among the others.
   */
  #addLayer({ entry, layer }: { entry: Entry; layer: Layer }): void {
    const incoming = this.#reader.read(entry, layer);
    if (!incoming) return;
    const { orderDecides: isOrdered } = this.#kind.shape;
    // A list whose order matters has to stand in one document. The second part was reported.
    if (isOrdered && this.#isSplitOverFragments(entry.key, layer)) return;
    // An entry without a name so far is a child of its own.
    const idOf = ({ names }: IncomingEntry) =>
      names === undefined ? `#${this.#anonymousCount++}` : names.join('/');
    const entriesById = groupBy(incoming, idOf);
    const newItems: PlacedItem[] = [];
    for (const [id, entries] of entriesById) {
      this.#reportSecondEntry(id, entries);
      if (!this.#children.has(id)) {
        const { names = [], key, layer: entryLayer, position } = entries[0]!;
        const address = this.#addressOf(names);
        this.#children.set(id, { address, names, key, groups: [], isList: false });
        newItems.push({ id, position, node: key ?? entryLayer.node });
      }
      this.#addToChild(this.#children.get(id)!, entries);
    }
    this.#order = isOrdered
      ? placeItems(this.#order, newItems, this.#report)
      : [...this.#order, ...newItems.map(({ id }) => id)];
  }

  /**
   * Puts the entries of one name that one layer writes (a template, a document or a patch) on top of `child`,
   * the entries of lower layers with this name. A patch overrides all of these; any other layer only those of
   * its own fragment (a document, or an entry of `use:`), so that no file overrides another by accident.
   * Entries with `$add: true`, and entries of other fragments, stand beside the others, or are merged with
   * them if a name can have only one entry. A `group` has the layers of one entry. Most names have one; a variable with a
   * value for each target has several.
   */
  #addToChild(child: NamedChild, entries: IncomingEntry[]): void {
    const enabledEntries = entries.filter(({ isEnabled }) => isEnabled);
    const [firstEntry] = enabledEntries;
    if (!firstEntry) {
      // If the block's own layer is disabled, the block is. If a template or a patch is, or only the section in the layer, that layer is missing.
      if (entries.some(({ layer, isSectionOff }) => layer.rank === 'own' && !isSectionOff))
        child.isDisabled = true;
      return;
    }
    const { layer, isList, key } = firstEntry;
    const toGroup = (entry: IncomingEntry): UnitGroup => ({
      fragment: entry.layer.fragment,
      items: [{ layer: entry.layer }],
    });
    // The groups that this layer may override. A patch has no fragment, and may override all of them.
    const isPatch = layer.fragment === undefined;
    const lowerGroups = child.groups.filter(({ fragment }) => isPatch || fragment === layer.fragment);
    const [firstGroup] = child.groups;
    const isOtherFragment = firstGroup !== undefined && lowerGroups.length === 0;
    if (isOtherFragment && this.#hasOneEntryPerName()) {
      // Two documents may both write the block `web`: one describes it, the other adds sections. Messages point at the former.
      if (key && !this.#groups.describesBlock(firstGroup)) child.key = key;
      firstGroup.items.push(...enabledEntries.map((entry) => ({ layer: entry.layer })));
      return;
    }
    const overridingGroups = enabledEntries.filter(({ isAdded }) => !isAdded).map(toGroup);
    // One entry on top of one entry overrides single fields. With several, the new ones replace the lower ones.
    if (overridingGroups.length === 1 && lowerGroups.length === 1)
      lowerGroups[0]!.items.push(...overridingGroups[0]!.items);
    else if (overridingGroups.length > 0) {
      const replacingGroups = overridingGroups.map((group) =>
        this.#groups.inherit(lowerGroups, group, child),
      );
      child.groups = [...child.groups.filter((group) => !lowerGroups.includes(group)), ...replacingGroups];
      child.isList = isList;
    }
    child.groups.push(...enabledEntries.filter(({ isAdded }) => isAdded).map(toGroup));
  }

  /**
   * True if a name in this section can have only one entry, so that two documents with the same name add to one block: the section is a
   * single block, or a map in which no name can have a list of entries (`manyPerKey`).
   */
  #hasOneEntryPerName(): boolean {
    const { mapBy, manyPerKey } = this.#kind.yaml;
    const isMap = mapBy !== undefined;
    return isSingleton(this.#kind) || (isMap && !manyPerKey);
  }

  /**
   * Reports a name that one layer writes twice in different ways, such as `a` and `"a"`: for YAML these are
   * two keys, but both declare one object. `entries`: all entries of the name `id`, perhaps instances of one
   * `$each` with one key. If a name can have only one entry, removes all but the first.
   */
  #reportSecondEntry(id: string, entries: IncomingEntry[]): void {
    const { yaml } = this.#kind;
    if (yaml.mapBy === undefined || isSingleton(this.#kind)) return;
    const [firstEntry, ...otherEntries] = entries;
    for (const entry of otherEntries)
      if (entry.key !== firstEntry!.key)
        this.#context.reportDuplicate(
          this.#addressOf(id.split('/')),
          { ...entry.layer, at: entry.key!.at },
          { ...firstEntry!.layer, at: firstEntry!.key!.at },
        );
    if (!yaml.manyPerKey) entries.splice(1);
  }

  /**
   * True, after a report, if two fragments (documents) both contain a part of a list whose order matters, such as routes, because nothing
   * says which part comes first. The second part is then left out.
   */
  #isSplitOverFragments(node: Node, layer: Layer): boolean {
    if (layer.fragment === undefined) return false;
    this.#firstList ??= { layer, node };
    if (this.#firstList.layer.fragment === layer.fragment) return false;
    this.#report.error(
      'config/split-order',
      `the list \`${this.#kind.section}\` is declared in two places, but its order matters`,
      { at: node, related: [{ message: 'the first one', at: this.#firstList.node.at }] },
    );
    return true;
  }

  /**
   * Applies a patch, an entry of `patches:`, to the blocks of this section (its children), which another file or a template may declare. If its path
   * matches a block, it is put on top of the block's layers. If it may match something inside the block (`reach` is `below`), it is passed on, to be
   * applied there. Otherwise it is put on the entries of the block whose targets it names (`env/API_URL@preview`). A block that `$when`
   * removed counts as matched, so that the path is not reported as misspelled.
   */
  #applyPatch(patch: Patch): void {
    const { path } = patch;
    for (const child of this.#children.values()) {
      const reach = path.reach(child.address);
      if (this.#isRemovedByWhen(child)) {
        if (reach !== 'none' || mayNameUnitOf(child, path)) path.status.hasMatched = true;
      } else if (reach === 'match') this.#patchAll(patch, child);
      else if (reach === 'below') {
        this.#context.countPatched(patch);
        for (const { items } of child.groups) items.push({ patch });
      } else this.#patchUnits(patch, child);
    }
  }

  /**
   * Puts a patch on top of all entries of a name (`child.groups`), because its path matches the name. On a
   * single entry it is one more layer, which overrides single fields. With several entries it is unclear
   * which of them it is about, so it replaces all of them, unless it is empty, and keeps what they have in
   * common. A patch that its `$when` switches off does nothing.
   */
  #patchAll(patch: Patch, child: NamedChild): void {
    this.#context.countPatched(patch);
    const layer = this.#enabledLayerOf(patch, child);
    if (!layer) return;
    if (child.groups.length === 1) child.groups[0]!.items.push({ layer });
    else if (changesAnything(layer))
      child.groups = [this.#groups.inherit(child.groups, { fragment: undefined, items: [{ layer }] }, child)];
  }

  /**
   * Puts a patch on top of those entries of a name whose targets its path names, such as
   * `env/API_URL@preview`. Does nothing for a path without a target.
   */
  #patchUnits(patch: Patch, child: NamedChild): void {
    for (const { items } of this.#groups.matchedByUnits(child, patch.path)) {
      // The next patch of a unit merges all layers of the entry again.
      this.#context.countPatched(patch, items.length);
      const layer = this.#enabledLayerOf(patch, child);
      if (layer) items.push({ layer });
    }
  }

  /** Returns the layer of a patch that matches a child; undefined if its `$when` switches it off. Records that the path has matched. */
  #enabledLayerOf({ path, layer }: Patch, child: NamedChild): Layer | undefined {
    path.status.hasMatched = true;
    return this.#context.isEnabled(layer, this.#groups.enclosing(child), this.#kind) ? layer : undefined;
  }

  /** True if `$when` removed a child, or all of its entries. */
  #isRemovedByWhen({ isDisabled, groups }: NamedChild): boolean {
    return isDisabled === true || groups.length === 0;
  }

  /**
   * Applies a path of `$drop`, by which a block removes parts that its template declares. `#children` holds
   * what lower layers declare in this section, by name, such as the variable `API_URL`. A path that matches
   * the section (`env`) removes all of it, and one that matches a name (`env/API_URL`) removes that. A path
   * to something inside an entry (`reach` is `below`) is passed on to the merging of the entry.
   */
  #applyDrop(drop: Drop): void {
    const { path } = drop;
    if (!isSingleton(this.#kind) && path.matches(this.#section)) {
      if (this.#order.length > 0) path.status.hasMatched = true;
      for (const { groups } of this.#children.values()) this.#recordDropped(groups);
      this.#children.clear();
      this.#order = [];
      return;
    }
    for (const [id, child] of this.#children) {
      const reach = path.reach(child.address);
      if (this.#isRemovedByWhen(child) && (reach === 'below' || mayNameUnitOf(child, path)))
        path.status.hasMatched = true;
      if (reach === 'match') this.#remove(id, path);
      else if (reach === 'below') {
        for (const { items } of child.groups) items.push({ drop });
      } else this.#dropUnits(id, child, path);
    }
  }

  /**
   * Removes those entries of a name whose targets the path of a `$drop` names, such as `env/API_URL@preview`;
   * the whole name if none is left. Does nothing for a path without a target. `id`: the name; `child`: all of
   * its entries.
   */
  #dropUnits(id: string, child: NamedChild, path: TargetPath): void {
    const droppedGroups = this.#groups.matchedByUnits(child, path);
    if (droppedGroups.length === 0) return;
    path.status.hasMatched = true;
    this.#recordDropped(droppedGroups);
    child.groups = child.groups.filter((group) => !droppedGroups.includes(group));
    if (child.groups.length === 0) this.#remove(id, path);
  }

  /**
   * Removes all entries of a name that the path of a `$drop` matches. Also marks the path as matched, because
   * a path that never matches is reported as probably misspelled. `id`: the name.
   */
  #remove(id: string, path: TargetPath): void {
    path.status.hasMatched = true;
    this.#recordDropped(this.#children.get(id)!.groups);
    this.#children.delete(id);
    this.#order = this.#order.filter((childId) => childId !== id);
  }

  /** Records the layers of dropped entries, so that secrets in them are masked although nothing reads them. */
  #recordDropped(groups: readonly UnitGroup[]): void {
    for (const item of groups.flatMap(({ items }) => items)) {
      if ('drop' in item) continue;
      const { node } = 'layer' in item ? item.layer : item.patch.layer;
      this.#context.dropped.push({ node, kind: this.#kind });
    }
  }
}

/**
 * True if a path names a target of a child, such as `env/API_URL@preview` for `env/API_URL`. Used for
 * children that `$when` removed: their units cannot be determined, because expressions in them may have no
 * value. So each word of the path is tried as the target.
 */
const mayNameUnitOf = ({ address }: NamedChild, { text, matches }: TargetPath): boolean =>
  text.includes('@') && text.split(/[@/{},]/).some((word) => matches(`${address}@${word}`));

/** True if a patch changes something. An empty patch must not replace several entries by one. */
const changesAnything = ({ node }: Layer): boolean =>
  node.type !== 'map' || node.entries.some(({ key }) => key.text !== '$when');
