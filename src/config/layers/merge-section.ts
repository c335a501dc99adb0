/**
 * Lays one section of a block: the entries that layers write for it, and the patches and drops that may concern something in it.
 *
 *   child   all entries of one name in the section, such as the variable `API_URL`
 *   group   the stack of one of these entries. Most names have one group; a variable with a list of values, or a set of records of one name,
 *           has several
 */
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import { quoted } from '../suggest.ts';
import type { Entry, Node, ScalarNode } from '../yaml/nodes.ts';
import { type Drop, describesBlockItself, type Layer, type Patch, type StackItem } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { type PlacedItem, placeItems } from './place-items.ts';
import { type IncomingEntry, SectionReader, toEnclosingBlock } from './section-reader.ts';
import { type TargetPath, unitAddresses } from './target-path.ts';

/** A section as a layer writes it, or a patch or drop that may concern something in it. */
export type SectionItem = { entry: Entry; layer: Layer } | { patch: Patch } | { drop: Drop };

/** The stack of one entry of a name. */
interface UnitGroup {
  fragment: object | undefined;
  items: StackItem[];
  /** The addresses of its units, valid while the stack has this many items. */
  units?: { items: number; addresses: Address[] };
}

/** All entries of one name. */
interface NamedChild {
  address: Address;
  names: string[];
  key?: ScalarNode;
  groups: UnitGroup[];
  /** True if the entries are written as a list under the name. */
  isList: boolean;
  /** True if `$when` removed it. It is kept, so that patches of it are not reported and it can still be an anchor. */
  isDisabled?: boolean;
}

/**
 * Lays one section of a block from all layers; returns undefined if nothing is left in it. A section of the wrong form is returned as it
 * is written: the reader of sections reports it.
 */
export function mergeSection(
  context: MergeContext,
  kind: Kind,
  block: EnclosingBlock | undefined,
  items: SectionItem[],
): Node | undefined {
  return new SectionLaying(context, kind, block).lay(items);
}

class SectionLaying {
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #section: Address;
  readonly #children = new Map<string, NamedChild>();
  #order: string[] = [];
  #list: { layer: Layer; node: Node } | undefined;
  readonly #reader: SectionReader;
  #anonymous = 0;

  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#section = addressOf(block?.address, kind.section, []);
    this.#reader = new SectionReader(context, kind, block);
  }

  lay(items: SectionItem[]): Node | undefined {
    const entries = items.filter((item) => 'entry' in item);
    for (const item of items) {
      if ('entry' in item) this.#layer(item);
      else if ('patch' in item) this.#patch(item.patch);
      else this.#drop(item.drop);
    }
    if (this.#reader.invalidSection) return this.#reader.invalidSection;
    return this.#result(entries);
  }

  /** Returns the section as a node, from the children that are left. */
  #result(entries: { entry: Entry }[]): Node | undefined {
    const { mapBy } = this.#kind.yaml;
    const { at } = entries[0]!.entry.value;
    const laidChildren = this.#order.flatMap((id) => {
      const child = this.#children.get(id)!;
      if (child.isDisabled) return [];
      const enclosing = this.#enclosing(child);
      const nodes = child.groups.map((group) => this.#context.mergeBlock(this.#kind, enclosing, group.items));
      return nodes.length > 0 ? [{ child, nodes }] : [];
    });
    if (this.#kind.key.length === 0) return laidChildren[0]?.nodes[0];
    // What `$when` or `$drop` emptied is not there; what was written empty stays.
    if (laidChildren.length === 0 && this.#order.length > 0 && this.#reader.unusableEntries.length === 0)
      return undefined;
    if (mapBy === undefined) return { type: 'list', at, items: laidChildren.flatMap(({ nodes }) => nodes) };
    return {
      type: 'map',
      at,
      entries: [
        ...laidChildren.map(
          ({ child: { key, isList }, nodes }): Entry => ({
            key: key!,
            value: isList || nodes.length > 1 ? { type: 'list', at: key!.at, items: nodes } : nodes[0]!,
          }),
        ),
        ...this.#reader.unusableEntries,
      ],
    };
  }

  #enclosing(child: NamedChild): EnclosingBlock {
    return toEnclosingBlock(this.#kind, this.#block, child);
  }

  /** Adds the entries of one layer to the children, and determines their order. */
  #layer({ entry, layer }: { entry: Entry; layer: Layer }): void {
    const incoming = this.#reader.read(entry, layer);
    if (!incoming) return;
    if (this.#kind.shape.orderDecides && this.#isSplit(entry.key, layer)) return;
    const orderBefore = [...this.#order];
    const entriesById = groupBy(incoming, ({ names }) =>
      names === undefined ? `#${this.#anonymous++}` : names.join('/'),
    );
    const newItems: PlacedItem[] = [];
    for (const [id, entries] of entriesById) {
      this.#checkTwice(id, entries);
      if (!this.#children.has(id)) {
        const { names = [], key, layer, position } = entries[0]!;
        const address = addressOf(this.#block?.address, this.#kind.section, names.map(escapeName));
        this.#children.set(id, { address, names, ...(key ? { key } : {}), groups: [], isList: false });
        newItems.push({ id, position, node: key ?? layer.node });
      }
      this.#lieOn(this.#children.get(id)!, entries);
    }
    this.#order = this.#kind.shape.orderDecides
      ? placeItems(orderBefore, newItems, this.#context.reporterFor(this.#block))
      : [...orderBefore, ...newItems.map(({ id }) => id)];
  }

  /**
   * Lays the entries of one name in one layer on a child. They override the entries of the same fragment, except those with `$add: true`,
   * which are always added. Entries of another fragment are added, or merged if a name can have only one entry.
   */
  #lieOn(child: NamedChild, entries: IncomingEntry[]): void {
    const enabledEntries = entries.filter(({ isEnabled }) => isEnabled);
    if (enabledEntries.length === 0) {
      // If the block's own layer is disabled, the block is. If a template or a patch is, only that layer is missing.
      if (entries.some(({ layer }) => layer.rank === 'own')) child.isDisabled = true;
      return;
    }
    const { layer, isList } = enabledEntries[0]!;
    const groups = enabledEntries.map(
      (incoming): UnitGroup => ({ fragment: incoming.layer.fragment, items: [{ layer: incoming.layer }] }),
    );
    const lower = child.groups.filter(
      ({ fragment }) => layer.fragment === undefined || fragment === layer.fragment,
    );
    const isOtherFragment = lower.length === 0 && child.groups.length > 0;
    if (isOtherFragment && this.#isOnePerName()) {
      const { key } = enabledEntries[0]!;
      if (key && !this.#isHome(child.groups[0]!)) child.key = key;
      child.groups[0]!.items.push(...groups.flatMap(({ items }) => items));
      return;
    }
    const overridingGroups = groups.filter((_, i) => !enabledEntries[i]!.isAdded);
    if (overridingGroups.length === 1 && lower.length === 1)
      lower[0]!.items.push(...overridingGroups[0]!.items);
    else if (overridingGroups.length > 0) {
      child.groups = [...child.groups.filter((group) => !lower.includes(group)), ...overridingGroups];
      child.isList = isList;
    }
    const addedGroups = groups.filter((_, i) => enabledEntries[i]!.isAdded);
    child.groups.push(...addedGroups);
  }

  /** True if some layer in a stack describes the block itself, not only sections in it. */
  #isHome({ items }: UnitGroup): boolean {
    const sections = childKinds(this.#context.kinds, this.#kind.name).map(({ section }) => section);
    return items.some((item) => 'layer' in item && describesBlockItself(item.layer.node, sections));
  }

  /** True if a name can have only one entry. */
  #isOnePerName(): boolean {
    const { key, yaml } = this.#kind;
    return key.length === 0 || (yaml.mapBy !== undefined && !yaml.manyPerKey);
  }

  /** Reports a layer with two entries of one name, if a name can have only one, and removes the second from `entries`. */
  #checkTwice(id: string, entries: IncomingEntry[]): void {
    const { yaml, key } = this.#kind;
    const [first, ...others] = entries;
    if (yaml.mapBy === undefined || key.length === 0) return;
    for (const incoming of others) {
      if (incoming.key === first!.key) continue;
      const address = addressOf(this.#block?.address, this.#kind.section, id.split('/').map(escapeName));
      this.#context.reportDuplicate(
        address,
        { ...incoming.layer, at: incoming.key!.at },
        { ...first!.layer, at: first!.key!.at },
      );
    }
    if (!yaml.manyPerKey) entries.splice(1);
  }

  /** Returns true, after a report, if two fragments both contain a part of a list whose order matters. */
  #isSplit(node: Node, layer: Layer): boolean {
    if (layer.fragment === undefined) return false;
    this.#list ??= { layer, node };
    if (this.#list.layer.fragment === layer.fragment) return false;
    this.#context
      .reporterFor(this.#block)
      .error(
        'config/split-order',
        `the list \`${this.#kind.section}\` is declared in two places, but its order matters`,
        { at: node, related: [{ message: 'the first one', at: this.#list.node.at }] },
      );
    return true;
  }

  /** Applies a patch to the children that its path matches, and passes it on to those it may match something in. */
  #patch(patch: Patch): void {
    const { path } = patch;
    for (const child of this.#children.values()) {
      const reach = path.reach(child.address);
      if (this.#isGone(child)) {
        if (reach !== 'none') path.status.hasMatched = true;
      } else if (reach === 'match') {
        this.#context.countPatched(patch);
        const isSingleGroup = child.groups.length === 1;
        const layer = this.#hit(patch, child);
        if (layer && isSingleGroup) child.groups[0]!.items.push({ layer });
        else if (layer && changesAnything(layer))
          child.groups = [{ fragment: undefined, items: [{ layer }] }];
      } else if (reach === 'below') {
        this.#context.countPatched(patch);
        for (const { items } of child.groups) items.push({ patch });
      } else
        for (const { items } of this.#groupsAt(child, path)) {
          // The next patch of a unit lays all layers of the entry again.
          this.#context.countPatched(patch, items.length);
          const layer = this.#hit(patch, child);
          if (layer) items.push({ layer });
        }
    }
  }

  /** Records that a patch has matched a block, and returns its layer; undefined if its `$when` switches it off. */
  #hit({ path, layer }: Patch, child: NamedChild): Layer | undefined {
    path.status.hasMatched = true;
    return this.#context.isEnabled(layer, this.#enclosing(child)) ? layer : undefined;
  }

  /** True if `$when` removed an entry. */
  #isGone({ isDisabled, groups }: NamedChild): boolean {
    return isDisabled === true || groups.length === 0;
  }

  /**
   * Returns the groups of a child of which a path matches all units: `env/API_URL@production`. Reports a path that matches only some units
   * of a group, because an entry cannot be patched in part.
   */
  #groupsAt(child: NamedChild, path: TargetPath): UnitGroup[] {
    if (!this.#kind.shape.byAddress || !path.text.includes('@')) return [];
    return child.groups.filter((group) => {
      const units = this.#unitsOf(group, child);
      const matchingUnits = units.filter((unit) => path.matches(unit));
      if (matchingUnits.length > 0 && matchingUnits.length < units.length) {
        path.status.hasMatched = true;
        this.#context
          .reporterFor(this.#block)
          .error(
            'patch/part',
            `${quoted(path.text)} names one part of an entry that covers ${units.length} targets`,
            {
              at: path,
              hint: `name the whole entry, or give that part its own entry below: ${child.address}`,
              related: [{ message: 'the entry', at: child.key?.at ?? this.#nodeOf(group, child).at }],
            },
          );
      }
      return units.length > 0 && matchingUnits.length === units.length;
    });
  }

  /** Returns the addresses of the units of a group. Cached until the stack grows. */
  #unitsOf(group: UnitGroup, child: NamedChild): Address[] {
    const { length } = group.items;
    if (group.units?.items !== length) {
      const node = this.#nodeOf(group, child);
      const addresses = unitAddresses(this.#kind, this.#block?.address, child.key, node);
      group.units = { items: length, addresses };
    }
    return group.units.addresses;
  }

  /** Returns a group laid to a single node. */
  #nodeOf({ items }: UnitGroup, child: NamedChild): Node {
    return this.#context.mergeBlock(this.#kind, this.#enclosing(child), items);
  }

  /** Removes the whole section, or the children that the path of a drop matches. Passes it on to children it may match something in. */
  #drop(drop: Drop): void {
    const { path } = drop;
    if (this.#kind.key.length > 0 && path.matches(this.#section)) {
      if (this.#order.length > 0) path.status.hasMatched = true;
      this.#children.clear();
      this.#order = [];
      return;
    }
    for (const [id, child] of this.#children) {
      const remove = () => {
        path.status.hasMatched = true;
        this.#children.delete(id);
        this.#order = this.#order.filter((childId) => childId !== id);
      };
      const reach = path.reach(child.address);
      if (reach === 'match') remove();
      else if (reach === 'below') {
        if (this.#isGone(child)) path.status.hasMatched = true;
        for (const { items } of child.groups) items.push({ drop });
      } else {
        const dropped = this.#groupsAt(child, path);
        if (dropped.length === 0) continue;
        path.status.hasMatched = true;
        child.groups = child.groups.filter((group) => !dropped.includes(group));
        if (child.groups.length === 0) remove();
      }
    }
  }
}

/** True if a patch changes something. An empty patch must not replace several entries by one. */
const changesAnything = ({ node }: Layer): boolean =>
  node.type !== 'map' || node.entries.some(({ key }) => key.text !== '$when');
