import { childKinds } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, addressOf, escapeName } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import { quoted } from '../suggest.ts';
import type { Entry, Node, ScalarNode } from '../yaml/nodes.ts';
import type { LayeringContext } from './context.ts';
import { type Drop, describesBlockItself, type Layer, type Patch, type StackItem } from './layer.ts';
import { type PlacedItem, placeItems } from './place-items.ts';
import { type IncomingEntry, SectionReader, toEnclosingBlock } from './section-reader.ts';
import { type TargetPath, unitAddresses } from './target-path.ts';

/** A section as a layer writes it, or what is meant for a place in it. */
export type SectionItem = { entry: Entry; layer: Layer } | { patch: Patch } | { drop: Drop };

/** One entry of a section that layers make: most names have one, a variable's list and a set of records several. */
interface EntryGroup {
  fragment: object | undefined;
  items: StackItem[];
  /** The addresses of its units, as long as it has this many items. */
  units?: { items: number; addresses: Address[] };
}

/** All entries of one name. */
interface NamedChild {
  address: Address;
  names: string[];
  key?: ScalarNode;
  groups: EntryGroup[];
  /** The name stands for a list of entries. */
  isList: boolean;
  /** `$when` took it away. */
  isDisabled?: boolean;
}

/**
 * One section of a block from all layers; undefined if nothing is left in it. A section that is none comes out as it is written, to be
 * reported as any other.
 */
export function laySection(
  context: LayeringContext,
  kind: Kind,
  block: EnclosingBlock | undefined,
  items: SectionItem[],
): Node | undefined {
  return new SectionLaying(context, kind, block).lay(items);
}

class SectionLaying {
  readonly #context: LayeringContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #section: Address;
  readonly #children = new Map<string, NamedChild>();
  #order: string[] = [];
  #list: { layer: Layer; node: Node } | undefined;
  readonly #reader: SectionReader;
  #anonymous = 0;

  constructor(context: LayeringContext, kind: Kind, block: EnclosingBlock | undefined) {
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

  #result(entries: { entry: Entry }[]): Node | undefined {
    const { mapBy } = this.#kind.yaml;
    const { at } = entries[0]!.entry.value;
    const made = this.#order.flatMap((id) => {
      const child = this.#children.get(id)!;
      if (child.isDisabled) return [];
      const enclosing = this.#enclosing(child);
      const nodes = child.groups.map((group) => this.#context.block(this.#kind, enclosing, group.items));
      return nodes.length > 0 ? [{ child, nodes }] : [];
    });
    if (this.#kind.key.length === 0) return made[0]?.nodes[0];
    // What `$when` or `$drop` emptied is not there; what was written empty stays.
    if (made.length === 0 && this.#order.length > 0 && this.#reader.unusableEntries.length === 0)
      return undefined;
    if (mapBy === undefined) return { type: 'list', at, items: made.flatMap(({ nodes }) => nodes) };
    return {
      type: 'map',
      at,
      entries: [
        ...made.map(
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

  #layer({ entry, layer }: { entry: Entry; layer: Layer }): void {
    const incoming = this.#reader.read(entry, layer);
    if (!incoming) return;
    if (this.#kind.shape.orderDecides && this.#isSplit(entry.key, layer)) return;
    const before = [...this.#order];
    const added = groupBy(incoming, ({ names }) =>
      names === undefined ? `#${this.#anonymous++}` : names.join('/'),
    );
    const placed: PlacedItem[] = [];
    for (const [id, all] of added) {
      this.#checkTwice(id, all);
      if (!this.#children.has(id)) {
        const { names = [], key, layer, position } = all[0]!;
        const address = addressOf(this.#block?.address, this.#kind.section, names.map(escapeName));
        this.#children.set(id, { address, names, ...(key ? { key } : {}), groups: [], isList: false });
        placed.push({ id, position, node: key ?? layer.node });
      }
      this.#lieOn(this.#children.get(id)!, all);
    }
    this.#order = this.#kind.shape.orderDecides
      ? placeItems(before, placed, this.#context.reporterFor(this.#block))
      : [...before, ...placed.map(({ id }) => id)];
  }

  #lieOn(child: NamedChild, all: IncomingEntry[]): void {
    const on = all.filter(({ isEnabled }) => isEnabled);
    if (on.length === 0) {
      // The block's own layer decides whether it is there; of others only the layer goes.
      if (all.some(({ layer }) => layer.rank === 'own')) child.isDisabled = true;
      return;
    }
    const { layer, isList } = on[0]!;
    const groups = on.map(
      (incoming): EntryGroup => ({ fragment: incoming.layer.fragment, items: [{ layer: incoming.layer }] }),
    );
    const lower = child.groups.filter(
      ({ fragment }) => layer.fragment === undefined || fragment === layer.fragment,
    );
    const isOther = lower.length === 0 && child.groups.length > 0;
    if (isOther && this.#isOnePerName()) {
      const { key } = on[0]!;
      if (key && !this.#isHome(child.groups[0]!)) child.key = key;
      child.groups[0]!.items.push(...groups.flatMap(({ items }) => items));
      return;
    }
    const rest = groups.filter((_, i) => !on[i]!.isAdded);
    if (rest.length === 1 && lower.length === 1) lower[0]!.items.push(...rest[0]!.items);
    else if (rest.length > 0) {
      child.groups = [...child.groups.filter((group) => !lower.includes(group)), ...rest];
      child.isList = isList;
    }
    const more = groups.filter((_, i) => on[i]!.isAdded);
    child.groups.push(...more);
  }

  /** True if something in a stack is about the block itself, not only about what is in it. */
  #isHome({ items }: EntryGroup): boolean {
    const sections = childKinds(this.#context.kinds, this.#kind.name).map(({ section }) => section);
    return items.some((item) => 'layer' in item && describesBlockItself(item.layer.node, sections));
  }

  #isOnePerName(): boolean {
    const { key, yaml } = this.#kind;
    return key.length === 0 || (yaml.mapBy !== undefined && !yaml.manyPerKey);
  }

  /** One layer that makes two entries of one name, where a name has one. */
  #checkTwice(id: string, all: IncomingEntry[]): void {
    const { yaml, key } = this.#kind;
    const [first, ...others] = all;
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
    if (!yaml.manyPerKey) all.splice(1);
  }

  /** True, and reported, if two documents both hold a part of a list whose order decides. */
  #isSplit(node: Node, layer: Layer): boolean {
    if (layer.fragment === undefined) return false;
    this.#list ??= { layer, node };
    if (this.#list.layer.fragment === layer.fragment) return false;
    this.#context.reporterFor(this.#block)(
      'config/split-order',
      `the list \`${this.#kind.section}\` is declared in two places, but its order matters`,
      node.at,
      undefined,
      [{ message: 'the first one', at: this.#list.node.at }],
    );
    return true;
  }

  #patch(patch: Patch): void {
    const { path } = patch;
    for (const child of this.#children.values()) {
      const reach = path.reach(child.address);
      if (this.#isGone(child)) {
        if (reach !== 'none') path.status.hasMatched = true;
      } else if (reach === 'match') {
        this.#context.countPatched(patch);
        const isOne = child.groups.length === 1;
        const layer = this.#hit(patch, child);
        if (layer && isOne) child.groups[0]!.items.push({ layer });
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

  /** The layer of a patch that has met a block; undefined if its `$when` switches it off. */
  #hit({ path, layer }: Patch, child: NamedChild): Layer | undefined {
    path.status.hasMatched = true;
    return this.#context.isEnabled(layer, this.#enclosing(child)) ? layer : undefined;
  }

  /** True if `$when` took an entry away. */
  #isGone({ isDisabled, groups }: NamedChild): boolean {
    return isDisabled === true || groups.length === 0;
  }

  /** The entries of a name of which a place names all units: `env/API_URL@production`. */
  #groupsAt(child: NamedChild, place: TargetPath): EntryGroup[] {
    if (!this.#kind.shape.byAddress || !place.text.includes('@')) return [];
    return child.groups.filter((group) => {
      const units = this.#unitsOf(group, child);
      const named = units.filter((unit) => place.matches(unit));
      if (named.length > 0 && named.length < units.length) {
        place.status.hasMatched = true;
        this.#context.reporterFor(this.#block)(
          'patch/part',
          `${quoted(place.text)} names one part of an entry that covers ${units.length} targets`,
          place.at,
          `name the whole entry, or give that part its own entry below: ${child.address}`,
          [{ message: 'the entry', at: child.key?.at ?? this.#nodeOf(group, child).at }],
        );
      }
      return units.length > 0 && named.length === units.length;
    });
  }

  #unitsOf(group: EntryGroup, child: NamedChild): Address[] {
    const { length } = group.items;
    if (group.units?.items !== length) {
      const node = this.#nodeOf(group, child);
      const addresses = unitAddresses(this.#kind, this.#block?.address, child.key, node);
      group.units = { items: length, addresses };
    }
    return group.units.addresses;
  }

  #nodeOf({ items }: EntryGroup, child: NamedChild): Node {
    return this.#context.block(this.#kind, this.#enclosing(child), items);
  }

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
        this.#order = this.#order.filter((one) => one !== id);
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

/** A patch of nothing changes nothing, and does not stand in for several entries either. */
const changesAnything = ({ node }: Layer): boolean =>
  node.type !== 'map' || node.entries.some(({ key }) => key.text !== '$when');
