/**
 * Merges one section of a block: the entries that layers write for it, and the patches and drops that may concern something in it.
 * `layer.ts` defines layer, item and fragment.
 *
 * Terms
 *   entry      one block of the section, as the list of its layers: `LayeredEntry`
 *   name       all entries of one name, such as the variable `API_URL`: `NamedEntries`. Usually there is one. A variable with a list of
 *              values, or a set of records of one name, has several.
 *   resource   an object of the account that an entry declares. A variable for two targets is one entry, but two resources:
 *              `env/API_URL@preview` and `env/API_URL@production`.
 *   lower      what the layers below have
 *
 * Premise: layers are added from the lowest to the highest, so each finds the entries of those below it.
 *
 * Steps
 *   1. The entries that a layer writes are put on the lower entries of their names (`#addEntries`). The layer may override those of its own
 *      fragment; a patch may override all.
 *
 *      | entries that the layer writes | lower entries that it may override | result                                                  |
 *      | ----------------------------- | ---------------------------------- | ------------------------------------------------------- |
 *      | one or several                | none                               | new entries, or layers of the lower entry if a name can |
 *      |                               |                                    | have only one                                           |
 *      | one                           | one                                | another layer of the lower entry: overrides its fields  |
 *      | one or several                | one or several                     | new entries instead of the lower ones. They keep        |
 *      |                               |                                    | members that they do not state: `inherit-members.ts`    |
 *      | with `$add: true`             | any                                | new entries beside the lower ones                       |
 *      | all disabled by `$when`       | any                                | without the name if the block itself is disabled;       |
 *      |                               |                                    | otherwise as if the layer did not write it              |
 *
 *   2. A patch adds a layer to the entries that its path matches, and a drop removes them. If the path may match something inside an entry,
 *      the patch or drop is added to its items, for the merging of its own sections.
 *   3. Each entry becomes one node (`mergeBlock`), and the section a map, a list or a block, as its kind is written.
 *
 * Example: a template writes `API_URL: { value: a, type: plain }`. The block's `API_URL: { value: b }` is another layer of this entry: `{
 * value: b, type: plain }`. The block's `API_URL: [{ value: b, target: preview }, { value: c, target: production }]` replaces the
 * template's entry by two, each with `type: plain`. A patch of `env/API_URL@preview` then adds a layer to the first.
 */

import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import { type Entry, mapNode, type Node } from '../yaml/nodes.ts';
import { EntryMerger, type LayeredEntry, type NamedEntries } from './entry-merger.ts';
import type { Drop, Layer, Patch, PathGlob } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { type PlacedItem, placeItems } from './place-items.ts';
import { type IncomingEntry, SectionReader } from './section-reader.ts';

/** A section as a layer writes it, or a patch or drop that may concern something in it. */
export type SectionItem = { entry: Entry; layer: Layer } | { patch: Patch } | { drop: Drop };

/**
 * Merges what layers write in one section of a block, such as `env:`, so that the reader of blocks gets it as if it had been written by
 * hand. `items`: what each layer writes there, from the lowest to the highest, with the patches and `$drop` paths that may match something
 * in it. Returns undefined if `$when` removed everything, or if a single block is gone. Returns a section of the wrong form without
 * merging, because a later reader reports it.
 */
export const mergeSection = (
  context: MergeContext,
  kind: Kind,
  block: EnclosingBlock | undefined,
  items: SectionItem[],
): Node | undefined => new SectionMerger(context, kind, block).merge(items);

/** Collects the entries of one section by name, one layer after the other, and merges them at the end. */
class SectionMerger {
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;
  readonly #section: Address;
  readonly #reader: SectionReader;
  readonly #merger: EntryMerger;
  /** The entries so far by the ids of their names (`#idOf`), in the order of the result. */
  #names = new Map<string, NamedEntries>();
  /** The first part of a list whose order matters. */
  #firstList: { layer: Layer; node: Node } | undefined;
  #anonymousCount = 0;

  /** Creates the merger for a section of `block`; without `block`, of the root of the configuration. */
  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
    this.#section = addressOf(block?.address, kind.section, []);
    this.#reader = new SectionReader(context, kind, block);
    this.#merger = new EntryMerger(context, kind, block);
  }

  /**
   * Merges the parts of the section. `items`: from the lowest layer to the highest; at least one is a layer that writes the section.
   * Returns undefined like `#toNode`. If a layer writes the section in the wrong form, such as a list instead of a map, returns that form
   * as the whole section.
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
   * Returns the merged section as a node in the form in which sections of its kind are written: a single block for a kind without a key, a
   * list, or a map by name. Returns undefined if `$when` removed everything, or if a single block is gone. A list or map that `$drop` has
   * emptied stays, empty. `at`: the place of the section, for messages.
   */
  #toNode(at: Node['at']): Node | undefined {
    const writtenNames = [...this.#names.values()].filter(
      ({ isDisabled, entries }) => !isDisabled && entries.length > 0,
    );
    const mergedNames: MergedName[] = writtenNames.map((named) => ({
      named,
      nodes: named.entries.map((entry) => this.#merger.merge(entry, named)),
    }));
    if (isSingleton(this.#kind)) return mergedNames[0]?.nodes[0];
    const { unusableEntries } = this.#reader;
    const isEmptied = mergedNames.length === 0 && this.#names.size > 0;
    // A section that was written empty stays. Entries whose names could not be determined stay too, so that nothing is reported as missing.
    if (isEmptied && unusableEntries.length === 0) return undefined;
    if (this.#kind.yaml.mapBy === undefined)
      return { type: 'list', at, items: mergedNames.flatMap(({ nodes }) => nodes) };
    return mapNode([...mergedNames.map(toMapEntry), ...unusableEntries], at);
  }

  #addressOf(names: string[]): Address {
    return addressOf(this.#block?.address, this.#kind.section, names.map(escapeName));
  }

  /**
   * Adds the entries that one layer (a template, a document or a patch) writes in this section to those of lower layers. Where order
   * matters, such as in a list of routes, a new name also gets its place among the others.
   */
  #addLayer({ entry, layer }: { entry: Entry; layer: Layer }): void {
    const incoming = this.#reader.read(entry, layer);
    // The section has the wrong form, which `merge` returns.
    if (!incoming) return;
    const isOrdered = this.#kind.shape.orderDecides;
    // A list whose order matters has to stand in one document (fragment). The second part was reported.
    if (isOrdered && this.#isSplitOverFragments(entry.key, layer)) return;
    // Only `placeItems` needs the order, and copying it for every layer takes time.
    const lowerOrder = isOrdered ? [...this.#names.keys()] : [];
    const newItems: PlacedItem[] = [];
    for (const [id, sameName] of groupBy(incoming, (incomingEntry) => this.#idOf(incomingEntry))) {
      const entries = this.#withoutSecondEntries(id, sameName);
      const [firstEntry] = entries;
      if (!this.#names.has(id)) {
        this.#names.set(id, this.#emptyName(firstEntry!));
        newItems.push(toPlacedItem(id, firstEntry!));
      }
      this.#addEntries(this.#names.get(id)!, entries);
    }
    if (!isOrdered) return;
    const order = placeItems(lowerOrder, newItems, this.#report);
    this.#names = new Map(order.map((id) => [id, this.#names.get(id)!]));
  }

  /** Returns the record of a new name, from its first entry. `#addEntries` adds the entry to it. */
  #emptyName({ names = [], key }: IncomingEntry): NamedEntries {
    return { address: this.#addressOf(names), names, key, entries: [], isList: false };
  }

  /**
   * Returns a key for the name of an entry. An entry whose name is not known yet gets a key of its own, so that no other entry is merged
   * with it.
   */
  #idOf({ names }: IncomingEntry): string {
    return names === undefined ? `#${this.#anonymousCount++}` : names.join('/');
  }

  /**
   * Puts the entries of one name that one layer (a template, a document or a patch) writes on the lower entries of this name: they override
   * those that the layer may override, and stand beside all others or, if the name can have only one entry, become layers of it. With
   * `$add` they override none. Entries that `$when` disables are left out. Changes `named`. The table at the top of this file shows all
   * cases.
   */
  #addEntries(named: NamedEntries, incoming: IncomingEntry[]): void {
    const enabled = incoming.filter(({ isEnabled }) => isEnabled);
    const [firstEnabled] = enabled;
    if (!firstEnabled) {
      if (incoming.some(disablesBlock)) named.isDisabled = true;
      return;
    }
    // All entries come from one layer, so they have the same fragment.
    const overridable = this.#findOverridable(named, firstEnabled.layer);
    const isOnlyInOtherDocuments = named.entries.length > 0 && overridable.length === 0;
    if (isOnlyInOtherDocuments && this.#hasOneEntryPerName()) {
      this.#addToOtherFragment(named, enabled);
      return;
    }
    const added = enabled.filter(({ isAdded }) => isAdded);
    const overriding = enabled.filter(({ isAdded }) => !isAdded);
    if (overriding.length > 0) this.#override(named, overridable, overriding);
    named.entries.push(...added.map(toLayeredEntry));
  }

  /**
   * Returns the entries of a name that a layer may override: those of its own fragment (a document, or an entry of `use:`), so that no file
   * overrides another by accident. A patch has no fragment, and may override all.
   */
  #findOverridable({ entries }: NamedEntries, { fragment }: Layer): LayeredEntry[] {
    return fragment === undefined ? entries : entries.filter((entry) => entry.fragment === fragment);
  }

  /**
   * Adds layers to the only entry of a name, which another fragment writes too: one document describes the block `web`, and another adds
   * sections to it. Messages about the block then point at the one that describes it.
   */
  #addToOtherFragment(named: NamedEntries, incoming: IncomingEntry[]): void {
    const onlyEntry = named.entries[0]!;
    const { key } = incoming[0]!;
    // If the entry has only sections so far, the new layers may describe the block.
    if (key && !this.#merger.describesBlock(onlyEntry)) named.key = key;
    onlyEntry.items.push(...incoming.map(({ layer }) => ({ layer })));
  }

  /**
   * Overrides lower entries of a name; there may be none. One entry on top of one entry is another layer, which overrides single fields. If
   * there are several (one for each target of a variable, for example), the new entries replace the lower ones, and each keeps members of
   * the lower ones that it does not state (`EntryMerger.replace`).
   */
  #override(named: NamedEntries, lowerEntries: LayeredEntry[], incoming: IncomingEntry[]): void {
    const newEntries = incoming.map(toLayeredEntry);
    const isOneOnOne = newEntries.length === 1 && lowerEntries.length === 1;
    if (isOneOnOne) {
      lowerEntries[0]!.items.push(...newEntries[0]!.items);
      return;
    }
    const remainingEntries = named.entries.filter((entry) => !lowerEntries.includes(entry));
    const replacing = newEntries.map((entry) => this.#merger.replace(lowerEntries, entry, named));
    named.entries = [...remainingEntries, ...replacing];
    named.isList = incoming[0]!.isList;
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
   * Reports a name that one layer writes twice in different ways, such as `a` and `"a"`: for YAML these are two keys, but both declare one
   * object. Returns the entries that count: those behind the first key, and only the first of them if a name can have only one entry.
   * `entries`: all entries of the name `id`, perhaps instances of one `$each` with one key.
   */
  #withoutSecondEntries(id: string, entries: IncomingEntry[]): IncomingEntry[] {
    const { yaml } = this.#kind;
    if (yaml.mapBy === undefined || isSingleton(this.#kind)) return entries;
    const [firstEntry] = entries;
    const hasFirstKey = (entry: IncomingEntry) => isSameKey(entry, firstEntry!);
    for (const entry of entries.filter((other) => !hasFirstKey(other)))
      this.#context.reportDuplicate(
        this.#addressOf(id.split('/')),
        { ...entry.layer, at: entry.key!.at },
        { ...firstEntry!.layer, at: firstEntry!.key!.at },
      );
    return yaml.manyPerKey ? entries.filter(hasFirstKey) : entries.slice(0, 1);
  }

  /**
   * True, after a report, if two fragments (documents) both contain a part of a list whose order matters, such as routes, because nothing
   * says which part comes first. The second part is then left out.
   */
  #isSplitOverFragments(node: Node, layer: Layer): boolean {
    // A patch is in no fragment, and may change the list.
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
   * Applies an entry of `patches:` to the blocks of this section. If its path matches a block, the patch becomes a layer on top of it. If
   * it may match something inside the block (`reach` is `below`), it is passed on, to be applied there. Otherwise it may name a target of
   * the block (`env/API_URL@preview`). A block that `$when` removed counts as matched, so that the path is not reported as misspelled.
   */
  #applyPatch(patch: Patch): void {
    const { path } = patch;
    for (const named of this.#names.values()) {
      const reach = path.reach(named.address);
      if (isRemovedByWhen(named)) {
        if (reach !== 'none' || mayNameTargetOf(named, path)) path.status.hasMatched = true;
      } else if (reach === 'match') this.#patchByName(patch, named);
      else if (reach === 'below') {
        this.#context.countPatched(patch);
        for (const entry of named.entries) entry.items.push({ patch });
      } else this.#patchByTarget(patch, named);
    }
  }

  /**
   * Puts a patch on top of all entries of a name, because its path matches the name. On a single entry it is one more layer, which
   * overrides single fields. With several entries it is unclear which of them it is about, so the patch becomes one entry that replaces all
   * of them and keeps the members on which they agree (`EntryMerger.replace`). A patch that changes nothing leaves them as they are.
   */
  #patchByName(patch: Patch, named: NamedEntries): void {
    this.#context.countPatched(patch);
    const layer = this.#enabledLayerOf(patch, named);
    if (!layer) return;
    const { entries } = named;
    if (entries.length === 1) entries[0]!.items.push({ layer });
    else if (changesAnything(layer))
      named.entries = [this.#merger.replace(entries, { fragment: undefined, items: [{ layer }] }, named)];
  }

  /**
   * Puts a patch on top of those entries of a name whose target its path names: the patch of `env/API_URL@preview` becomes the highest
   * layer of the entry for `preview`. Does nothing for a path without a target.
   */
  #patchByTarget(patch: Patch, named: NamedEntries): void {
    for (const { items } of this.#merger.findByTarget(named, patch.path)) {
      // The next such patch has to merge all layers of the entry again to find its targets, so each layer counts for the limit.
      this.#context.countPatched(patch, items.length);
      const layer = this.#enabledLayerOf(patch, named);
      if (layer) items.push({ layer });
    }
  }

  /** Returns the layer of a patch that matches a name; undefined if its `$when` switches it off. Records that the path has matched. */
  #enabledLayerOf({ path, layer }: Patch, named: NamedEntries): Layer | undefined {
    path.status.hasMatched = true;
    return this.#context.isEnabled(layer, this.#merger.enclosing(named), this.#kind) ? layer : undefined;
  }

  /**
   * Applies a path of `$drop`, by which a block removes parts that its template declares. A path that matches the section (`env`) removes
   * all of it, and one that matches a name (`env/API_URL`) removes that. A path to something inside an entry (`reach` is `below`) is passed
   * on, to be applied there. Otherwise it may name a target (`env/API_URL@preview`). A path to something that `$when` removed counts as
   * matched, so that it is not reported as misspelled.
   */
  #applyDrop(drop: Drop): void {
    const { path } = drop;
    // The section of a singleton has the address of its block, and is handled like a name below.
    if (!isSingleton(this.#kind) && path.matches(this.#section)) {
      this.#dropAllNames(path);
      return;
    }
    for (const [id, named] of this.#names) {
      const reach = path.reach(named.address);
      const mayMeanRemovedPart = reach === 'below' || mayNameTargetOf(named, path);
      if (isRemovedByWhen(named) && mayMeanRemovedPart) path.status.hasMatched = true;
      if (reach === 'match') this.#dropName(id, named, path);
      else if (reach === 'below') {
        for (const entry of named.entries) entry.items.push({ drop });
      } else this.#dropByTarget(id, named, path);
    }
  }

  /**
   * Removes everything that lower layers have in the section, because the path of a `$drop` matches the section, and records it, so that
   * secrets in it are masked. If there was anything, the path counts as matched, so that it is not reported as misspelled.
   */
  #dropAllNames(path: PathGlob): void {
    if (this.#names.size > 0) path.status.hasMatched = true;
    for (const { entries } of this.#names.values()) this.#recordDropped(entries);
    this.#names.clear();
  }

  /** Removes a name with all of its entries, because the path of a `$drop` matches it. */
  #dropName(id: string, { entries }: NamedEntries, path: PathGlob): void {
    path.status.hasMatched = true;
    this.#recordDropped(entries);
    this.#names.delete(id);
  }

  /**
   * Removes those entries of a name whose target the path of a `$drop` names, such as `env/API_URL@preview`; the whole name if none is
   * left. Does nothing for a path without a target.
   */
  #dropByTarget(id: string, named: NamedEntries, path: PathGlob): void {
    const dropped = this.#merger.findByTarget(named, path);
    if (dropped.length === 0) return;
    path.status.hasMatched = true;
    this.#recordDropped(dropped);
    named.entries = named.entries.filter((entry) => !dropped.includes(entry));
    if (named.entries.length === 0) this.#names.delete(id);
  }

  /** Records the layers of dropped entries, so that secrets in them are masked although nothing reads them. */
  #recordDropped(entries: readonly LayeredEntry[]): void {
    for (const item of entries.flatMap(({ items }) => items)) {
      if ('drop' in item) continue;
      const { node } = 'layer' in item ? item.layer : item.patch.layer;
      this.#context.dropped.push({ node, kind: this.#kind });
    }
  }
}

/** A name with its merged entries. */
interface MergedName {
  named: NamedEntries;
  nodes: Node[];
}

/** Returns a merged name as an entry of a section that is a map. Several entries of the name become a list. */
const toMapEntry = ({ named: { key, isList }, nodes }: MergedName): Entry => ({
  key: key!,
  value: isList || nodes.length > 1 ? { type: 'list', at: key!.at, items: nodes } : nodes[0]!,
});

/** Returns a new name of an ordered list with the position that its first entry asks for. */
const toPlacedItem = (id: string, { position, key, layer }: IncomingEntry): PlacedItem => ({
  id,
  position,
  node: key ?? layer.node,
});

/** Returns an entry that a layer writes as an entry with this only layer. */
const toLayeredEntry = ({ layer }: IncomingEntry): LayeredEntry => ({
  fragment: layer.fragment,
  items: [{ layer }],
});

/** True if `$when` removed a name, or all of its entries. */
const isRemovedByWhen = ({ isDisabled, entries }: NamedEntries): boolean =>
  isDisabled === true || entries.length === 0;

/**
 * True if a disabled entry disables its whole block, because it is the block itself. If a template or a patch is disabled, or only the
 * section around the entry, just that layer is missing.
 */
const disablesBlock = ({ layer, isSectionOff }: IncomingEntry): boolean =>
  layer.rank === 'own' && !isSectionOff;

/**
 * True if a path may name a target of a name, such as `env/API_URL@preview` for `env/API_URL`. Used for names that `$when` removed: their
 * targets cannot be determined, because expressions in them may have no value. So each word of the path is tried as the target.
 */
const mayNameTargetOf = ({ address }: NamedEntries, { text, matches }: PathGlob): boolean =>
  text.includes('@') && text.split(/[@/{},]/).some((word) => matches(`${address}@${word}`));

/** True if a patch changes something. An empty patch must not replace several entries by one. */
const changesAnything = ({ node }: Layer): boolean =>
  node.type !== 'map' || node.entries.some(({ key }) => key.text !== '$when');

/**
 * True if two entries of one name stand behind the same map key, so that the name is written once. A key without expressions is one object
 * for all instances of a `$each`, and any written key for all entries of its list. Instances of a `$each` whose keys only become equal, such
 * as `site-${each.value}` for two equal values, are two declarations.
 */
const isSameKey = (entry: IncomingEntry, other: IncomingEntry): boolean =>
  entry.key === other.key || (entry.isList && other.isList && entry.writtenKey === other.writtenKey);
