/*
 * Merges the entries of one section, each from its layers. Also finds what an entry keeps of the lower entries that it replaces, and which
 * entries a path with a target (`env/API_URL@preview`) means.
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
import {
  describesBlockItself,
  type Layer,
  type LayerItem,
  type PathGlob,
  resourceAddressesOf,
} from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import { toEnclosingBlock } from './section-reader.ts';

/** One entry of a section, as the list of its layers, which `merge` combines. */
export interface LayeredEntry {
  /** The fragment of its lowest layer; undefined if that is a patch. */
  fragment: object | undefined;
  /** Its layers, from the lowest to the highest, with the patches and drops that may concern something in it. */
  items: LayerItem[];
  /** The resources that the entry declares: a variable for two targets is two resources. Valid as long as there are `itemCount` items. */
  resources?: { itemCount: number; addresses: Address[] };
}

/** All entries of one name in a section. Usually there is one; a variable with a value for each target has several. */
export interface NamedEntries {
  address: Address;
  names: string[];
  key?: ScalarNode;
  entries: LayeredEntry[];
  /** True if the entries are written as a list under the name. */
  isList: boolean;
  /** True if `$when` removed the name. It is kept, so that patches of it are not reported and it can still be an anchor. */
  isDisabled?: boolean;
}

/** Merges the entries of one section, and compares entries of the same name. */
export class EntryMerger {
  readonly #context: MergeContext;
  readonly #kind: Kind;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;

  /** Creates the merger for a section of `block`; without `block`, of the root of the configuration. */
  constructor(context: MergeContext, kind: Kind, block: EnclosingBlock | undefined) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
  }

  /** Returns an entry merged into a single node. */
  merge({ items }: LayeredEntry, named: NamedEntries): Node {
    return this.#context.mergeBlock(this.#kind, this.enclosing(named), items);
  }

  /** Returns the entries of one name as the block that encloses the expressions inside them, for `${project.id}`. */
  enclosing(named: NamedEntries): EnclosingBlock {
    return toEnclosingBlock(this.#kind, this.#block, named);
  }

  /**
   * Returns an entry that replaces lower entries of its name, such as a patch with one value for a variable that has a value for each
   * target. It keeps members that it does not state, such as `type: sensitive`: those of the one lower entry that it overrides, or else
   * those on which all lower entries agree. Reports members in which they differ. Without lower entries, the entry is returned as it is.
   */
  replace(lowerEntries: LayeredEntry[], entry: LayeredEntry, named: NamedEntries): LayeredEntry {
    const [firstLower] = lowerEntries;
    if (!firstLower) return entry;
    const onTopOf = ({ fragment, items }: LayeredEntry): LayeredEntry => ({
      fragment,
      items: [...items, ...entry.items],
    });
    const overridden = this.#findOverridden(lowerEntries, entry, named);
    if (overridden) return onTopOf(overridden);
    const membersOf = (layered: LayeredEntry) => this.#membersOf(layered, named);
    const stated = new Set(membersOf(entry).map(({ key }) => key.text));
    // `common`: the members on which all lower entries agree. `unclear`: those in which they differ and which `entry` does not state.
    const { common, unclear } = inheritMembers(lowerEntries.map(membersOf), stated);
    const { layer } = entry.items.find((item) => 'layer' in item)!;
    if (unclear.length > 0) {
      this.#reportUnclear(unclear, { layer, lowerEntries, named });
      // With all members of one of them, nothing else is reported as missing.
      return onTopOf(firstLower);
    }
    // The common members become a layer below the new entry, like those of a template. Their expressions have their values already.
    const { fragment } = firstLower;
    const node = mapNode(common, layer.at);
    const lowest: Layer = { ...layer, node, rank: 'template', fragment, isExpanded: true };
    return onTopOf({ fragment, items: [{ layer: lowest }] });
  }

  /**
   * Returns the lower entry that an entry clearly overrides: the only one, or the only one that declares some of the same resources (the
   * variable in one target). Undefined if several could be meant.
   */
  #findOverridden(
    lowerEntries: LayeredEntry[],
    entry: LayeredEntry,
    named: NamedEntries,
  ): LayeredEntry | undefined {
    if (lowerEntries.length === 1) return lowerEntries[0];
    const resources = new Set(this.#resourcesOf(entry, named));
    const candidates = lowerEntries.filter((lower) =>
      this.#resourcesOf(lower, named).some((address) => resources.has(address)),
    );
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  /** Returns the members of a merged entry. For an entry in short form, such as `API_URL: text`, these are the members that it means. */
  #membersOf(entry: LayeredEntry, named: NamedEntries): Entry[] {
    const node = this.merge(entry, named);
    // Its problems are reported when the merged block is read.
    return blockEntries(this.#kind, node, node.at, new Reporter()) ?? [];
  }

  /**
   * Reports that an entry (`layer`) replaces several lower entries of its name, and that these differ in members which it does not state.
   * It cannot keep them, because each of them could be meant, and losing a `type: sensitive` silently would show a secret.
   */
  #reportUnclear(
    members: string[],
    { layer, lowerEntries, named }: { layer: Layer; lowerEntries: LayeredEntry[]; named: NamedEntries },
  ): void {
    const { section } = this.#kind;
    const list = members.map(quoted).join(', ');
    const pronoun = members.length === 1 ? 'it' : 'them';
    const dropPath = `${section}/${named.names.map(escapeName).join('/')}`;
    this.#report.error(
      'layer/unclear',
      `this replaces ${lowerEntries.length} entries, which differ in ${list}, and does not state ${pronoun}`,
      {
        at: layer,
        hint: `state ${list}; to lose ${pronoun} on purpose, remove the entries first, in the block around it: \`$drop: [${dropPath}]\``,
        related: lowerEntries.map(({ items }, i) => ({
          message: i === 0 ? 'the entries' : 'and',
          at: positionOf(placeOfLowest(items)),
        })),
      },
    );
  }

  /**
   * True if some layer of an entry describes the block itself, not only sections in it. The key in that layer is then the place for
   * messages about the block.
   */
  describesBlock({ items }: LayeredEntry): boolean {
    const sections = childKinds(this.#context.kinds, this.#kind.name).map(({ section }) => section);
    return items.some((item) => 'layer' in item && describesBlockItself(item.layer.node, sections));
  }

  /**
   * Returns those entries of a name that a path with a target means, such as `env/API_URL@production`: for a patch or a `$drop`. Other
   * paths (without `@`) mean none. Reports an entry that is for several targets of which the path names only some, because an entry cannot
   * be patched or dropped in part.
   */
  findByTarget(named: NamedEntries, path: PathGlob): LayeredEntry[] {
    if (!this.#kind.shape.byAddress || !path.text.includes('@')) return [];
    return named.entries.filter((entry) => {
      const resources = this.#resourcesOf(entry, named);
      const matching = resources.filter((address) => path.matches(address));
      const isPart = matching.length > 0 && matching.length < resources.length;
      if (isPart) this.#refusePartOf(entry, named, path);
      return matching.length > 0 && !isPart;
    });
  }

  /**
   * Reports a path that names only some targets of an entry. The path counts as matched, so that it is not reported as misspelled as well.
   */
  #refusePartOf(entry: LayeredEntry, named: NamedEntries, path: PathGlob): void {
    path.status.hasMatched = true;
    this.#report.error(
      'patch/part',
      `${quoted(path.text)} names one part of an entry that covers ${this.#resourcesOf(entry, named).length} targets`,
      {
        at: path,
        hint: `name the whole entry, or give that part its own entry below: ${named.address}`,
        related: [{ message: 'the entry', at: named.key?.at ?? this.merge(entry, named).at }],
      },
    );
  }

  /**
   * Returns the addresses of the resources that an entry declares: `env/API_URL@preview` and `env/API_URL@production` for a variable with
   * two targets. Cached until the entry gets another layer, because all its layers have to be merged for that.
   */
  #resourcesOf(entry: LayeredEntry, named: NamedEntries): Address[] {
    const itemCount = entry.items.length;
    if (entry.resources?.itemCount !== itemCount) {
      const node = this.merge(entry, named);
      const addresses = resourceAddressesOf(this.#kind, this.#block?.address, named.key, node);
      entry.resources = { itemCount, addresses };
    }
    return entry.resources.addresses;
  }
}

/** Returns the place of the lowest layer of an entry, where it is written first. */
const placeOfLowest = (items: LayerItem[]): Spot =>
  items.flatMap((item) => ('layer' in item ? item.layer.node.at : []))[0] ?? nowhere;
