import { isMap, isSeq } from 'yaml';
import { keyNames } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { type ExportResult, exportLive } from '../export/export-live.ts';
import { CommentedMap, type YamlValue } from '../export/print.ts';
import { childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { ChangeWriter } from './change-writer.ts';
import { CannotEditHere, insertEntry, insertItem } from './edit-collection.ts';
import type { WrittenValue } from './edit-value.ts';
import { findEntry, isUnwritten, itemsOf, type Slot } from './yaml-file.ts';
import { toPlainData, unescapeText } from './yaml-text.ts';

/** The account, the configuration, and what was read from its files. */
interface AdditionsInput {
  desired: Pick<Desired, 'resources'>;
  live: Live;
  kinds: Kinds;
  written: ConfigurationText;
  /** True if a secret of this name has another value here, so that an export must choose another name. */
  isTaken(name: string, value: Sealed | undefined): boolean;
}

/**
 * Declares live objects that the configuration does not have, as `export` would write them, for `trueup accept` of unmanaged objects. Each
 * goes into the block of its parent, else into its section at the top of a file, else into a patch. Objects that they need are declared
 * as existing. Returns the exported objects and the sections that got new entries; reports objects without a place in `placing.unplaced`.
 */
export function declareNewObjects(
  addresses: ReadonlySet<Address>,
  input: AdditionsInput,
  placing: ChangeWriter,
): { exported: ExportResult; sections: ExtendedSection[] } {
  const exported = exportLive({
    live: input.live,
    kinds: input.kinds,
    isTaken: input.isTaken,
    isChosen: (address) => addresses.has(address),
  });
  const writer = new AdditionsWriter(addresses, input, placing);
  writer.add(exported);
  return { exported, sections: writer.sections() };
}

/** A section with new entries. An export may name objects without a name of their own, so their addresses are only found later. */
export interface ExtendedSection {
  kind: string;
  parent: Address | undefined;
}

/**
 * Finds the addresses that only the new configuration declares, if they are in an extended section or declared as existing. Used to check
 * that the new texts declare what was asked for and nothing else.
 */
export function findAddedAddresses(
  before: ReadonlyMap<Address, Resource>,
  after: ReadonlyMap<Address, Resource>,
  sections: readonly ExtendedSection[],
): Address[] {
  const newResources = [...after.values()].filter(({ address }) => !before.has(address));
  const roots = newResources.filter((resource) =>
    sections.some(({ kind, parent }) => resource.kind === kind && resource.parent === parent),
  );
  return newResources
    .filter(({ address, meta }) => meta.existing || roots.some((root) => isWithin(address, root.address)))
    .map(({ address }) => address);
}

/** The new entries of one section, which are written together. `key`: missing for items of a list and for sections with one block. */
interface NewEntries {
  kind: Kind;
  parent: Address | undefined;
  blocks: { key?: string; value: YamlValue }[];
}

/** Finds the new entries in an export, section by section, and writes them. */
class AdditionsWriter {
  readonly #addresses: ReadonlySet<Address>;
  readonly #input: AdditionsInput;
  readonly #placing: ChangeWriter;
  readonly #newEntries: NewEntries[] = [];

  constructor(addresses: ReadonlySet<Address>, input: AdditionsInput, placing: ChangeWriter) {
    this.#addresses = addresses;
    this.#input = input;
    this.#placing = placing;
  }

  sections = (): ExtendedSection[] =>
    this.#newEntries.map(({ kind, parent }) => ({ kind: kind.name, parent }));

  add({ sections, secrets }: ExportResult): void {
    for (const { name, value } of sections) this.#collectEntries(name, value, undefined, undefined);
    for (const entries of this.#newEntries) {
      const { slots: places, unplaced } = this.#placing;
      const isWritten =
        places.attempt(() => this.#writeIntoBlocks(entries)) ||
        places.attempt(() => this.#writeIntoPatch(entries));
      if (!isWritten)
        unplaced.push({
          addresses: [addressOf(entries.parent, entries.kind.section, [])],
          reason: 'there is nowhere to put new entries',
        });
    }
    if (secrets.size > 0) this.#declareSecrets();
  }

  /** Collects the undeclared entries of an exported section, and those inside its declared entries. */
  #collectEntries(
    section: string,
    value: YamlValue,
    parentKind: Kind | undefined,
    parent: Address | undefined,
  ): void {
    const kind = childKinds(this.#input.kinds, parentKind?.name).find((kind) => kind.section === section);
    if (!kind) return;
    const blocks = blocksIn(kind, value);
    const added = blocks.filter((block) => {
      const address = addressOf(
        parent,
        section,
        block.key === undefined ? [] : keyNames(kind, unescapeText(block.key)),
      );
      if (kind.yaml.mapBy === undefined && kind.key.length > 0) return !isExisting(block.value);
      if (!this.#isDeclared(address, kind)) return true;
      if (kind.yaml.manyPerKey && !isExisting(block.value))
        this.#placing.unplaced.push({
          addresses: [address],
          reason: 'it is partly declared: add the remaining targets by hand',
        });
      else if (block.value instanceof CommentedMap)
        for (const entry of block.value.entries) this.#collectEntries(entry.key, entry.value, kind, address);
      return false;
    });
    if (added.length > 0) this.#newEntries.push({ kind, parent, blocks: added });
  }

  /** True if the configuration declares an object at an address, or anything inside it. */
  #isDeclared(address: Address, kind: Kind): boolean {
    const { resources } = this.#input.desired;
    return (
      resources.has(address) ||
      (kind.shape.byAddress && [...resources.keys()].some((key) => key.startsWith(`${address}@`))) ||
      (kind.key.length === 0 && [...resources.keys()].some((key) => isWithin(key, address)))
    );
  }

  /** Writes entries into the block of their parent, or into their section at the top. Throws `CannotEditHere` if there is neither. */
  #writeIntoBlocks({ kind, parent, blocks }: NewEntries): void {
    const { slots: places } = this.#placing;
    if (this.#input.written.stage !== undefined) throw new CannotEditHere();
    const holders =
      parent === undefined
        ? places.files.filter(places.holdsBlocks).flatMap(({ roots }) => roots)
        : places.findBlockSlots(parent);
    const isEditable = ({ node, isShared }: Slot) => !isShared && (isMap(node) || isUnwritten(node));
    const editableHolders = holders.filter(isEditable);
    const sections = editableHolders.flatMap((slot) => findEntry(slot, kind.section) ?? []);
    const section = sections.find((section) => isMap(section.node) || isSeq(section.node));
    if (section && kind.key.length > 0) {
      for (const { key, value } of blocks)
        if (key === undefined) insertItem(section, value, this.#indexOf(kind, section, value));
        else insertEntry(section, key, value);
      return;
    }
    const [holder] = editableHolders;
    if (!holder || sections.length > 0) throw new CannotEditHere();
    insertEntry(holder, kind.section, toSection(kind, blocks));
  }

  /**
   * Returns the index of the list item after which a new item goes. If the order of the list has a meaning, that follows from the live
   * positions, else it is the last item. Throws `CannotEditHere` if the live object of the new item cannot be found.
   */
  #indexOf(kind: Kind, section: Slot, value: YamlValue): number {
    const items = itemsOf(section);
    if (!kind.shape.orderDecides) return items.length - 1;
    const { live, written } = this.#input;
    const name =
      value instanceof CommentedMap ? value.entries.find(({ key }) => key === kind.key[0])?.value : undefined;
    const resource = [...live.resources.values()].find(
      (resource) =>
        this.#addresses.has(resource.address) &&
        resource.kind === kind.name &&
        resource.fields[kind.key[0]!] === unescapeText(String(name)),
    );
    if (!resource) throw new CannotEditHere();
    const liveIndexes = items.map(({ node }) => {
      const read = written.blocks.find(
        ({ block }) =>
          block.kind === kind &&
          block.at.start === node!.range![0] &&
          block.at.source.file === section.file.name,
      );
      return read && live.resources.get(read.units[0]?.address ?? '')?.index;
    });
    return liveIndexes.findLastIndex((index) => index !== undefined && index < resource.index);
  }

  /** Writes entries into a patch of their parent's block. Throws `CannotEditHere` if they have no parent, or it has no block. */
  #writeIntoPatch({ kind, parent, blocks }: NewEntries): void {
    const read = this.#input.written.blocks.find(
      ({ block, units }) => units.some(({ address }) => address === parent) || block.address === parent,
    );
    if (parent === undefined || !read) throw new CannotEditHere();
    const file = this.#placing.targets.fileFor(read);
    if (kind.key.length > 0 && kind.yaml.mapBy !== undefined)
      for (const { key, value } of blocks)
        this.#placing.patches.setField(
          file,
          parent,
          [kind.section, key!],
          toPlainData(value) as WrittenValue,
        );
    else {
      const position = kind.shape.orderDecides ? { $last: true } : {};
      const items = blocks.map(
        ({ value }) => ({ ...(toPlainData(value) as object), ...position }) as WrittenValue,
      );
      this.#placing.patches.setField(file, parent, [kind.section], kind.key.length === 0 ? items[0] : items);
    }
  }

  /** Declares `secrets: { env: {} }`, unless it is declared, because exported secrets refer to environment variables. */
  #declareSecrets(): void {
    const roots = this.#placing.slots.files
      .filter(this.#placing.slots.holdsBlocks)
      .flatMap((file) => file.roots);
    const section = roots.flatMap((root) => findEntry(root, 'secrets') ?? [])[0];
    if (section && findEntry(section, 'env')) return;
    const isDone = this.#placing.slots.attempt(() =>
      section ? insertEntry(section, 'env', {}) : insertEntry(roots[0]!, 'secrets', { env: {} }),
    );
    if (!isDone) this.#placing.unplaced.push({ addresses: ['secrets'], reason: '`env: {}` is missing' });
  }
}

/** Returns the blocks of an exported section, with the keys of a map. */
function blocksIn(kind: Kind, value: YamlValue): { key?: string; value: YamlValue }[] {
  if (kind.key.length === 0) return [{ value }];
  if (Array.isArray(value)) return value.map((item) => ({ value: item as YamlValue }));
  return value instanceof CommentedMap ? value.entries.map(({ key, value }) => ({ key, value })) : [];
}

/** Returns a new section with these blocks: one block, a list or a map, as the kind has it. */
function toSection(kind: Kind, blocks: NewEntries['blocks']): YamlValue {
  if (kind.key.length === 0) return blocks[0]!.value;
  if (kind.yaml.mapBy === undefined) return blocks.map(({ value }) => value);
  const map = new CommentedMap();
  for (const { key, value } of blocks) map.add(key!, value);
  return map;
}

/** True if an exported block only declares that its object exists. */
const isExisting = (value: YamlValue): boolean =>
  value instanceof CommentedMap && value.entries.some(({ key }) => key === '$existing');
