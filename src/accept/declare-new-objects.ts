import { isMap, isSeq } from 'yaml';
import { keyNames } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { type ExportResult, exportLive } from '../export/export-live.ts';
import { CommentedMap, type YamlValue } from '../export/print-yaml.ts';
import { childKinds, isSingleton } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { ChangeWriter } from './change-writer.ts';
import type { WrittenValue } from './edit-value.ts';
import { CannotEditHere, insertEntry, insertItem } from './edit-yaml.ts';
import { toPlainData, unescapeText } from './format-yaml-text.ts';
import { findEntry, isUnwritten, itemSlotsOf, type Slot } from './yaml-file.ts';

/*
 * Declares objects that were created outside, for `trueup accept`. Terms:
 *
 *   export     the YAML that `trueup export` would write for these objects: sections with blocks
 *   slot       a value in a file of the configuration that can be edited (`slot-index.ts`)
 *   unplaced   the objects for which the texts have no place that can be edited; the user is asked to declare them
 */

/** The account, the configuration, and its files. */
interface AdditionsInput {
  desired: Pick<Desired, 'resources'>;
  live: Live;
  kinds: Kinds;
  written: ConfigurationText;
  /** True if a secret of this name has another value here, so that an export must choose another name. */
  isTaken(name: string, value: Sealed | undefined): boolean;
}

/**
 * Declares live objects that the configuration does not have, as `export` would write them, for `trueup accept` of new objects. Each goes
 * into the block of its parent or, without a parent, into its section at the top of a file, else into a patch of its parent.
 * Objects that they need are declared as existing. Returns the export and the sections that got new entries; reports objects that
 * fit nowhere in `writer.unplaced`.
 */
export function declareNewObjects(
  addresses: ReadonlySet<Address>,
  input: AdditionsInput,
  writer: ChangeWriter,
): { exported: ExportResult; sections: ExtendedSection[] } {
  const exported = exportLive({
    live: input.live,
    kinds: input.kinds,
    isTaken: input.isTaken,
    isChosen: (address) => addresses.has(address),
    declared: input.desired.resources,
  });
  const additions = new AdditionsWriter(addresses, input, writer);
  additions.add(exported);
  return { exported, sections: additions.sections() };
}

/**
 * A section with new entries. Used to find the addresses of the new objects after the new texts were read, because an export makes up names
 * for objects that have none.
 */
export interface ExtendedSection {
  kind: string;
  parent: Address | undefined;
}

/**
 * Finds the addresses that only the new configuration declares, because `accept` added entries to sections
 * (`sections`) or declared objects that these need as existing. The proof of the new texts allows these
 * additions and no others.
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

/** A block of an export. It has no key in a list and as the only block of a section. */
interface ExportedBlock {
  key?: string;
  value: YamlValue;
}

/** The new entries of one section. They are written together. */
interface NewEntries {
  kind: Kind;
  parent: Address | undefined;
  blocks: ExportedBlock[];
}

/** Finds the new entries in an export, section by section, and writes them. */
class AdditionsWriter {
  readonly #addresses: ReadonlySet<Address>;
  readonly #input: AdditionsInput;
  readonly #writer: ChangeWriter;
  readonly #newEntries: NewEntries[] = [];

  /**
   * Creates the writer that declares objects created outside of trueup, for `accept`. `addresses`: the accepted
   * objects. `input` has their live state, and `writer` edits the files.
   */
  constructor(addresses: ReadonlySet<Address>, input: AdditionsInput, writer: ChangeWriter) {
    this.#addresses = addresses;
    this.#input = input;
    this.#writer = writer;
  }

  /**
   * Returns the sections of the configuration that got new entries. `accept` finds the addresses of the new objects
   * in them after it has read the new texts, because an export makes up names for objects that have none.
   */
  sections = (): ExtendedSection[] =>
    this.#newEntries.map(({ kind, parent }) => ({ kind: kind.name, parent }));

  /**
   * Writes the entries for objects that were created outside, which `accept` took from an export: into existing blocks, else
   * as patches. Also declares the source of their secrets.
   */
  add({ sections, secrets }: ExportResult): void {
    for (const { name, value } of sections) this.#collectEntries(name, value, undefined, undefined);
    for (const entries of this.#newEntries) {
      const { slots, unplaced } = this.#writer;
      const isWritten =
        slots.attempt(() => this.#writeIntoBlocks(entries)) ||
        slots.attempt(() => this.#writeIntoPatch(entries));
      if (!isWritten)
        unplaced.push({
          addresses: [addressOf(entries.parent, entries.kind.section, [])],
          reason: 'there is nowhere to put new entries',
        });
    }
    if (secrets.size > 0) this.#declareSecrets();
  }

  /**
   * Collects the blocks of an exported section that the configuration does not declare yet, so that `accept` adds them, and the new ones
   * inside blocks that it declares.
   */
  #collectEntries(
    section: string,
    value: YamlValue,
    parentKind: Kind | undefined,
    parent: Address | undefined,
  ): void {
    const kind = childKinds(this.#input.kinds, parentKind?.name).find((kind) => kind.section === section);
    if (!kind) return;
    const blocks = blocksIn(kind, value);
    // Items of a list have no key to make an address from. Those that are exported are new, or only named as existing.
    const isListItem = kind.yaml.mapBy === undefined && !isSingleton(kind);
    const addressOfBlock = ({ key }: ExportedBlock) =>
      addressOf(parent, section, key === undefined ? [] : keyNames(kind, unescapeText(key)));
    const isNew = (block: ExportedBlock) =>
      isListItem ? !isExisting(block.value) : !this.#isDeclared(addressOfBlock(block), kind);
    const added = new Set(blocks.filter(isNew));
    const declared = isListItem ? [] : blocks.filter((block) => !added.has(block));
    for (const block of declared) this.#collectInDeclared(kind, addressOfBlock(block), block.value);
    if (added.size > 0) this.#newEntries.push({ kind, parent, blocks: [...added] });
  }

  /**
   * Collects the new blocks inside an exported block that the configuration declares, so that `accept` adds them. Reports a variable with
   * only some declared targets as unplaced, because its entries (`manyPerKey`: several under one key) would have to be merged.
   */
  #collectInDeclared(kind: Kind, address: Address, value: YamlValue): void {
    if (kind.yaml.manyPerKey && !isExisting(value))
      this.#writer.unplaced.push({
        addresses: [address],
        reason: 'it is partly declared: add the remaining targets by hand',
      });
    else if (value instanceof CommentedMap)
      for (const entry of value.entries) this.#collectEntries(entry.key, entry.value, kind, address);
  }

  /**
   * True if the configuration declares the block at an address, so that `accept` adds only the new blocks inside it. A block with targets
   * is declared if any target is; a section that is a single block is declared if anything in it is.
   */
  #isDeclared(address: Address, kind: Kind): boolean {
    const { resources } = this.#input.desired;
    if (resources.has(address)) return true;
    const hasResource = (matches: (declared: Address) => boolean) => [...resources.keys()].some(matches);
    if (kind.shape.byAddress && hasResource((declared) => declared.startsWith(`${address}@`))) return true;
    return isSingleton(kind) && hasResource((declared) => isWithin(declared, address));
  }

  /**
   * Writes the new entries of one section into the texts of the configuration: into the section, if the block of their
   * parent (without a parent, the top of a file) has it as a map or list; otherwise as a new section into the first
   * such place that can be edited. A place is not edited if an alias repeats its text elsewhere, or if the
   * configuration was read for a stage, because the text holds for all stages.
   *
   * Throws `CannotEditHere` if there is no such place, or if the section exists but takes no more entries: nothing is
   * written behind its key, it is no map or list, or it holds a single block (a kind without a key). Then `accept`
   * tries a patch.
   */
  #writeIntoBlocks({ kind, parent, blocks }: NewEntries): void {
    const { slots } = this.#writer;
    if (this.#input.written.stage !== undefined) throw new CannotEditHere();
    const parentSlots =
      parent === undefined
        ? slots.files.filter(slots.holdsBlocks).flatMap(({ roots }) => roots)
        : slots.findBlockSlots(parent);
    const isEditable = ({ node, isShared }: Slot) => !isShared && (isMap(node) || isUnwritten(node));
    const editableParents = parentSlots.filter(isEditable);
    const sections = editableParents.flatMap((slot) => findEntry(slot, kind.section) ?? []);
    const section = sections.find((section) => isMap(section.node) || isSeq(section.node));
    if (section && !isSingleton(kind)) {
      for (const { key, value } of blocks)
        if (key === undefined)
          insertItem(section, value, this.#findPreviousIndex({ kind, parent }, section, value));
        else insertEntry(section, key, value);
      return;
    }
    const [parentSlot] = editableParents;
    if (!parentSlot || sections.length > 0) throw new CannotEditHere();
    insertEntry(parentSlot, kind.section, toSection(kind, blocks));
  }

  /**
   * Returns the index of the list item behind which `accept` inserts the item of a new object; -1 for the
   * start. In a list whose order has an effect, such as firewall rules, it is the last item that comes before
   * the new one in the account; otherwise the last item. Throws `CannotEditHere` if the live object of the
   * new item cannot be found.
   */
  #findPreviousIndex(
    { kind, parent }: Pick<NewEntries, 'kind' | 'parent'>,
    section: Slot,
    value: YamlValue,
  ): number {
    const items = itemSlotsOf(section);
    if (!kind.shape.orderDecides) return items.length - 1;
    const name =
      value instanceof CommentedMap ? value.entries.find(({ key }) => key === kind.key[0])?.value : undefined;
    // The live object that is exported as this item.
    const resource = [...this.#input.live.resources.values()].find(
      (resource) =>
        this.#addresses.has(resource.address) &&
        resource.kind === kind.name &&
        resource.parent === parent &&
        resource.fields[kind.key[0]!] === unescapeText(String(name)),
    );
    if (!resource) throw new CannotEditHere();
    const liveIndexes = items.map((item) => this.#liveIndexOf(kind, item));
    return liveIndexes.findLastIndex((index) => index !== undefined && index < resource.index);
  }

  /**
   * Returns the index in the account of the object that a list item declares, such as a firewall rule; undefined if the object does not
   * exist there. `#findPreviousIndex` compares it with the index of a new object, to insert that one in the same order. `item`: the item in
   * the text of the file. Its block is the one that was read from the same position of the same file.
   */
  #liveIndexOf(kind: Kind, item: Slot): number | undefined {
    const { live, written } = this.#input;
    const itemStart = item.node?.range?.[0];
    const itemBlock = written.blocks.find(
      ({ block: { kind: blockKind, at } }) =>
        blockKind === kind && at.start === itemStart && at.source.file === item.file.name,
    );
    // A block of a list declares one object, or none after an error.
    const address = itemBlock?.units[0]?.address;
    return address === undefined ? undefined : live.resources.get(address)?.index;
  }

  /**
   * Writes entries for objects that were created outside into a patch (an entry of `patches:`) of their
   * parent's block, because the texts of the configuration have no place for them. Items of a list whose
   * order decides go to its end. Throws `CannotEditHere` if the entries have no parent, or if no block
   * declares it.
   */
  #writeIntoPatch({ kind, parent, blocks }: NewEntries): void {
    const read = this.#input.written.blocks.find(
      ({ block, units }) => units.some(({ address }) => address === parent) || block.address === parent,
    );
    if (parent === undefined || !read) throw new CannotEditHere();
    const file = this.#writer.targets.fileFor(read);
    if (!isSingleton(kind) && kind.yaml.mapBy !== undefined)
      for (const { key, value } of blocks)
        this.#writer.patches.setField(file, parent, [kind.section, key!], toPlainData(value) as WrittenValue);
    else {
      const position = kind.shape.orderDecides ? { $last: true } : {};
      const items = blocks.map(
        ({ value }) => ({ ...(toPlainData(value) as object), ...position }) as WrittenValue,
      );
      const { patches } = this.#writer;
      if (isSingleton(kind)) patches.setField(file, parent, [kind.section], items[0]);
      else for (const item of items) patches.addItem(file, parent, kind.section, item);
    }
  }

  /**
   * Declares `secrets: { env: {} }` unless the configuration has it, because exported secrets refer to environment
   * variables. Writes it into the section `secrets` or, if there is none, into the first document of the
   * configuration. If the text cannot be edited there, reports it in `unplaced`, so that the user writes it.
   */
  #declareSecrets(): void {
    const { slots, unplaced } = this.#writer;
    const documents = slots.files.filter(slots.holdsBlocks).flatMap((file) => file.roots);
    const section = documents.flatMap((document) => findEntry(document, 'secrets') ?? [])[0];
    if (section && findEntry(section, 'env')) return;
    const isWritten = slots.attempt(() => {
      if (section) insertEntry(section, 'env', {});
      else insertEntry(documents[0]!, 'secrets', { env: {} });
    });
    if (!isWritten) unplaced.push({ addresses: ['secrets'], reason: '`env: {}` is missing' });
  }
}

/**
 * Returns the blocks of an exported section, each with its key if it has one, so that `accept` can add those
 * that the configuration does not declare yet. A section is a map of blocks, a list of blocks, or, for a kind
 * without a key, a single block.
 */
function blocksIn(kind: Kind, value: YamlValue): ExportedBlock[] {
  if (isSingleton(kind)) return [{ value }];
  if (Array.isArray(value)) return value.map((item) => ({ value: item as YamlValue }));
  return value instanceof CommentedMap ? value.entries.map(({ key, value }) => ({ key, value })) : [];
}

/**
 * Returns a new section with these blocks, which `accept` inserts into a parent that does not have it yet:
 * one block, a list or a map, as blocks of this kind are written.
 */
function toSection(kind: Kind, blocks: ExportedBlock[]): YamlValue {
  if (isSingleton(kind)) return blocks[0]!.value;
  if (kind.yaml.mapBy === undefined) return blocks.map(({ value }) => value);
  const map = new CommentedMap();
  for (const { key, value } of blocks) map.add(key!, value);
  return map;
}

/** True if an exported block only declares that its object exists. */
const isExisting = (value: YamlValue): boolean =>
  value instanceof CommentedMap && value.entries.some(({ key }) => key === '$existing');
