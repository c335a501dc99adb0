/*
 * Answers questions about the entries of one name in a section: what a group merges to, which units it declares, and what an entry keeps of the
 * lower entries that it replaces. `merge-section.ts` defines child, group and unit.
 */
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { type Address, escapeName } from '../../model/address.ts';
import { Reporter } from '../../model/diagnostic.ts';
import { blockEntries } from '../blocks/section-entries.ts';
import type { EnclosingBlock } from '../expressions/scope.ts';
import { quoted } from '../suggest.ts';
import { type Entry, mapNode, type Node, nowhere, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { inheritMembers } from './inherit-members.ts';
import { describesBlockItself, type Layer, type LayerItem, type TargetPath, unitAddresses } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { toEnclosingBlock } from './section-reader.ts';

/** The layers of one entry of a name, with the patches and drops that may concern something in it. */
export interface UnitGroup {
  /** The fragment of its lowest layer; undefined if that is a patch. */
  fragment: object | undefined;
  items: LayerItem[];
  /** The addresses of its units. Valid as long as there are `itemCount` items. */
  units?: { itemCount: number; addresses: Address[] };
}

/** All entries of one name. */
export interface NamedChild {
  address: Address;
  names: string[];
  key?: ScalarNode;
  groups: UnitGroup[];
  /** True if the entries are written as a list under the name. */
  isList: boolean;
  /** True if `$when` removed it. It is kept, so that patches of it are not reported and it can still be an anchor. */
  isDisabled?: boolean;
}

/** The groups of the children of one section. */
export class EntryGroups {
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;

  /**
   * Prepares the merging of the entries of a section that have the same name, such as those of several documents and templates. `block`:
   * the block around the section; undefined at the root of the configuration.
   */
  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
  }

  /** Returns a group merged into a single node. */
  merge({ items }: UnitGroup, child: NamedChild): Node {
    return this.#context.mergeBlock(this.#kind, this.enclosing(child), items);
  }

  /** Returns the entries of one name as the block that encloses the expressions inside them, for `${project.id}`. */
  enclosing(child: NamedChild): EnclosingBlock {
    return toEnclosingBlock(this.#kind, this.#block, child);
  }

  /**
   * Returns the layers of an entry that replaces lower entries of its name, such as a patch that replaces the values of a variable for
   * single targets by one value for all. The new entry keeps members that it does not state (`type: sensitive`):
   *
   * - of the lower entry, if there is only one, or only one declares some of the same units (the variable in one target)
   * - else those on which all lower entries agree. Reports members in which they differ, because nothing says which one is meant.
   *
   * A group has the layers of one entry: `group` those of the new entry, `lowerGroups` those of the lower entries. `child`: the name.
   */
  inherit(lowerGroups: UnitGroup[], group: UnitGroup, child: NamedChild): UnitGroup {
    const [firstLower] = lowerGroups;
    if (!firstLower) return group;
    const candidates =
      lowerGroups.length === 1 ? lowerGroups : this.#groupsOfSameUnits(lowerGroups, group, child);
    const [base] = candidates;
    if (base && candidates.length === 1)
      return { fragment: base.fragment, items: [...base.items, ...group.items] };
    const membersOf = (lower: UnitGroup) => this.#membersOf(lower, child);
    const stated = new Set(membersOf(group).map(({ key }) => key.text));
    const { common, unclear } = inheritMembers(lowerGroups.map(membersOf), stated);
    const { layer } = group.items.find((item) => 'layer' in item)!;
    const { fragment } = firstLower;
    if (unclear.length > 0) {
      this.#reportUnclear(unclear, { layer, lowerGroups, child });
      // With all members of one of them, nothing else is reported as missing.
      return { fragment, items: [...firstLower.items, ...group.items] };
    }
    // The common members become a layer below the new entry, like those of a template. Their expressions have their values already.
    const node = mapNode(common, layer.at);
    const lowest: Layer = { ...layer, node, rank: 'template', fragment, isExpanded: true };
    return { fragment, items: [{ layer: lowest }, ...group.items] };
  }

  /** Returns the lower groups that declare some of the units (a variable in one target) that the entry of a group declares. */
  #groupsOfSameUnits(lowerGroups: UnitGroup[], group: UnitGroup, child: NamedChild): UnitGroup[] {
    const units = new Set(this.#unitsOf(group, child));
    return lowerGroups.filter((lower) => this.#unitsOf(lower, child).some((unit) => units.has(unit)));
  }

  /** Returns the members of a merged group. For an entry in short form, such as `API_URL: text`, these are the members that it means. */
  #membersOf(group: UnitGroup, child: NamedChild): Entry[] {
    const node = this.merge(group, child);
    // Its problems are reported when the merged block is read.
    return blockEntries(this.#kind, node, node.at, new Reporter()) ?? [];
  }

  /**
   * Reports that an entry (`layer`) replaces several lower entries of its name, and that these differ in members which it does not state.
   * It cannot keep them, because each of them could be meant, and losing a `type: sensitive` silently would show a secret.
   */
  #reportUnclear(
    names: string[],
    { layer, lowerGroups, child }: { layer: Layer; lowerGroups: UnitGroup[]; child: NamedChild },
  ): void {
    const { section } = this.#kind;
    const list = names.map(quoted).join(', ');
    this.#report.error(
      'layer/unclear',
      `this replaces ${lowerGroups.length} entries, which differ in ${list}, and does not state ${names.length === 1 ? 'it' : 'them'}`,
      {
        at: layer,
        hint: `state ${list}; to lose ${names.length === 1 ? 'it' : 'them'} on purpose, remove the entries first, in the block around it: \`$drop: [${section}/${child.names.map(escapeName).join('/')}]\``,
        related: lowerGroups.map(({ items }, i) => ({
          message: i === 0 ? 'the entries' : 'and',
          at: positionOf(placeOfLowest(items)),
        })),
      },
    );
  }

  /**
   * True if some layer of a group (the layers of one entry) describes the block itself, not only sections in it. The key in that layer is
   * then the place for messages about the block.
   */
  describesBlock({ items }: UnitGroup): boolean {
    const sections = childKinds(this.#context.kinds, this.#kind.name).map(({ section }) => section);
    return items.some((item) => 'layer' in item && describesBlockItself(item.layer.node, sections));
  }

  /**
   * Returns those entries of a name (`child.groups`) whose units are all matched by the path of a patch or
   * `$drop`. A unit is one target of an entry: `env/API_URL@production` (only such paths have an `@`).
   * Reports a path that matches some units of an entry and not the others, because an entry cannot be patched
   * or dropped in part.
   */
  matchedByUnits(child: NamedChild, path: TargetPath): UnitGroup[] {
    if (!this.#kind.shape.byAddress || !path.text.includes('@')) return [];
    return child.groups.filter((group) => {
      const units = this.#unitsOf(group, child);
      const matchingUnits = units.filter((unit) => path.matches(unit));
      if (matchingUnits.length > 0 && matchingUnits.length < units.length) {
        path.status.hasMatched = true;
        this.#report.error(
          'patch/part',
          `${quoted(path.text)} names one part of an entry that covers ${units.length} targets`,
          {
            at: path,
            hint: `name the whole entry, or give that part its own entry below: ${child.address}`,
            related: [{ message: 'the entry', at: child.key?.at ?? this.merge(group, child).at }],
          },
        );
      }
      return units.length > 0 && matchingUnits.length === units.length;
    });
  }

  /**
   * Returns the addresses of the units that one entry declares: a variable with two targets is one entry with
   * two units, such as `env/API_URL@preview`. Used to decide if a path with a target (`@`) matches all of
   * them. `group`: the layers of the entry; `child`: all entries of its name. Cached until another layer is
   * added to the entry, because merging takes long.
   */
  #unitsOf(group: UnitGroup, child: NamedChild): Address[] {
    const itemCount = group.items.length;
    if (group.units?.itemCount !== itemCount) {
      const node = this.merge(group, child);
      const addresses = unitAddresses(this.#kind, this.#block?.address, child.key, node);
      group.units = { itemCount, addresses };
    }
    return group.units.addresses;
  }
}

/** Returns the place of the lowest layer of an entry, where it is written first. */
const placeOfLowest = (items: LayerItem[]): Spot =>
  items.flatMap((item) => ('layer' in item ? item.layer.node.at : []))[0] ?? nowhere;
