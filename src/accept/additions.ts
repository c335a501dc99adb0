import { isMap, isSeq } from 'yaml';
import { keyNames } from '../config/blocks/block.ts';
import type { WrittenDown } from '../config/configuration.ts';
import { type Exported, exportLive } from '../export/export-live.ts';
import { type Written, WrittenMap } from '../export/print.ts';
import { childKinds } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import type { Desired, Live, Resource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { CannotEditHere, insertEntry, insertItem } from './edit-collection.ts';
import type { WrittenValue } from './edit-value.ts';
import type { Placing } from './place.ts';
import { findEntry, isUnwritten, itemsOf, type Slot } from './yaml-file.ts';
import { toPlainData, unescapeText } from './yaml-text.ts';

interface Given {
  desired: Pick<Desired, 'resources'>;
  live: Live;
  kinds: Kinds;
  written: WrittenDown;
  isTaken(name: string, value: Sealed | undefined): boolean;
}

/**
 * Declares objects that nobody declares, in the words of an export: in the blocks that they are in, else where their section stands.
 * Whatever else they need comes along, declared as existing.
 */
export function declareNewObjects(
  addresses: ReadonlySet<Address>,
  given: Given,
  placing: Placing,
): { exported: Exported; sections: ExtendedSection[] } {
  const exported = exportLive({
    live: given.live,
    kinds: given.kinds,
    isTaken: given.isTaken,
    isChosen: (address) => addresses.has(address),
  });
  const adding = new Adding(addresses, given, placing);
  adding.add(exported);
  return { exported, sections: adding.sections() };
}

/** A section that got new entries: an export gives names to those that have none. */
export interface ExtendedSection {
  kind: string;
  parent: Address | undefined;
}

/** The addresses that are declared now, and were not, in sections that got new entries, or as something that has to exist. */
export function findAddedAddresses(
  before: ReadonlyMap<Address, Resource>,
  after: ReadonlyMap<Address, Resource>,
  sections: readonly ExtendedSection[],
): Address[] {
  const fresh = [...after.values()].filter(({ address }) => !before.has(address));
  const roots = fresh.filter((resource) =>
    sections.some(({ kind, parent }) => resource.kind === kind && resource.parent === parent),
  );
  return fresh
    .filter(({ address, meta }) => meta.existing || roots.some((root) => isWithin(address, root.address)))
    .map(({ address }) => address);
}

/** New entries of one section, put in together. */
interface Gathered {
  kind: Kind;
  parent: Address | undefined;
  blocks: { key?: string; value: Written }[];
}

class Adding {
  readonly #addresses: ReadonlySet<Address>;
  readonly #given: Given;
  readonly #placing: Placing;
  readonly #gathered: Gathered[] = [];

  constructor(addresses: ReadonlySet<Address>, given: Given, placing: Placing) {
    this.#addresses = addresses;
    this.#given = given;
    this.#placing = placing;
  }

  sections = (): ExtendedSection[] => this.#gathered.map(({ kind, parent }) => ({ kind: kind.name, parent }));

  add({ sections, secrets }: Exported): void {
    for (const { name, value } of sections) this.#gather(name, value, undefined, undefined);
    for (const gathered of this.#gathered)
      if (
        !this.#placing.places.attempt(() => this.#put(gathered)) &&
        !this.#placing.places.attempt(() => this.#patch(gathered))
      )
        this.#placing.unplaced.push({
          addresses: [addressOf(gathered.parent, gathered.kind.section, [])],
          reason: 'there is nowhere to put new entries',
        });
    if (secrets.size > 0) this.#declareSecrets();
  }

  #gather(section: string, value: Written, above: Kind | undefined, parent: Address | undefined): void {
    const kind = childKinds(this.#given.kinds, above?.name).find((kind) => kind.section === section);
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
      else if (block.value instanceof WrittenMap)
        for (const entry of block.value.entries) this.#gather(entry.key, entry.value, kind, address);
      return false;
    });
    if (added.length > 0) this.#gathered.push({ kind, parent, blocks: added });
  }

  #isDeclared(address: Address, kind: Kind): boolean {
    const { resources } = this.#given.desired;
    return (
      resources.has(address) ||
      (kind.shape.byAddress && [...resources.keys()].some((key) => key.startsWith(`${address}@`))) ||
      (kind.key.length === 0 && [...resources.keys()].some((key) => isWithin(key, address)))
    );
  }

  /** Into the block that they are in, or into their section at the top. */
  #put({ kind, parent, blocks }: Gathered): void {
    const { places } = this.#placing;
    if (this.#given.written.stage !== undefined) throw new CannotEditHere();
    const holders =
      parent === undefined
        ? places.files.filter(places.isPart).flatMap(({ roots }) => roots)
        : places.homesOf(parent);
    const isOpen = ({ node, isShared }: Slot) => !isShared && (isMap(node) || isUnwritten(node));
    const open = holders.filter(isOpen);
    const sections = open.flatMap((slot) => findEntry(slot, kind.section) ?? []);
    const section = sections.find((section) => isMap(section.node) || isSeq(section.node));
    if (section && kind.key.length > 0) {
      for (const { key, value } of blocks)
        if (key === undefined) insertItem(section, value, this.#indexOf(kind, section, value));
        else insertEntry(section, key, value);
      return;
    }
    const [holder] = open;
    if (!holder || sections.length > 0) throw new CannotEditHere();
    insertEntry(holder, kind.section, whole(kind, blocks));
  }

  /** Behind which item of a list one goes: in a list whose order decides, by its place in the account. */
  #indexOf(kind: Kind, section: Slot, value: Written): number {
    const items = itemsOf(section);
    if (!kind.shape.orderDecides) return items.length - 1;
    const { live, written } = this.#given;
    const name =
      value instanceof WrittenMap ? value.entries.find(({ key }) => key === kind.key[0])?.value : undefined;
    const resource = [...live.resources.values()].find(
      (resource) =>
        this.#addresses.has(resource.address) &&
        resource.kind === kind.name &&
        resource.fields[kind.key[0]!] === unescapeText(String(name)),
    );
    if (!resource) throw new CannotEditHere();
    const places = items.map(({ node }) => {
      const read = written.blocks.find(
        ({ block }) =>
          block.kind === kind &&
          block.at.start === node!.range![0] &&
          block.at.source.file === section.file.name,
      );
      return read && live.resources.get(read.units[0]?.address ?? '')?.index;
    });
    return places.findLastIndex((index) => index !== undefined && index < resource.index);
  }

  /** Into a patch of the block that they are in. */
  #patch({ kind, parent, blocks }: Gathered): void {
    const { blocks: all } = this.#given.written;
    const read = all.find(
      ({ block, units }) => units.some(({ address }) => address === parent) || block.address === parent,
    );
    if (parent === undefined || !read) throw new CannotEditHere();
    const file = this.#placing.targets.fileFor(read);
    if (kind.key.length > 0 && kind.yaml.mapBy !== undefined)
      for (const { key, value } of blocks)
        this.#placing.patches.set(file, parent, [kind.section, key!], toPlainData(value) as WrittenValue);
    else {
      const position = kind.shape.orderDecides ? { $last: true } : {};
      const items = blocks.map(
        ({ value }) => ({ ...(toPlainData(value) as object), ...position }) as WrittenValue,
      );
      this.#placing.patches.set(file, parent, [kind.section], kind.key.length === 0 ? items[0] : items);
    }
  }

  /** The family that the names of secrets belong to, as an export declares it. */
  #declareSecrets(): void {
    const roots = this.#placing.places.files
      .filter(this.#placing.places.isPart)
      .flatMap((file) => file.roots);
    const section = roots.flatMap((root) => findEntry(root, 'secrets') ?? [])[0];
    if (section && findEntry(section, 'env')) return;
    const isDone = this.#placing.places.attempt(() =>
      section ? insertEntry(section, 'env', {}) : insertEntry(roots[0]!, 'secrets', { env: {} }),
    );
    if (!isDone) this.#placing.unplaced.push({ addresses: ['secrets'], reason: '`env: {}` is missing' });
  }
}

function blocksIn(kind: Kind, value: Written): { key?: string; value: Written }[] {
  if (kind.key.length === 0) return [{ value }];
  if (Array.isArray(value)) return value.map((one) => ({ value: one as Written }));
  return value instanceof WrittenMap ? value.entries.map(({ key, value: one }) => ({ key, value: one })) : [];
}

function whole(kind: Kind, blocks: Gathered['blocks']): Written {
  if (kind.key.length === 0) return blocks[0]!.value;
  if (kind.yaml.mapBy === undefined) return blocks.map(({ value }) => value);
  const map = new WrittenMap();
  for (const { key, value } of blocks) map.add(key!, value);
  return map;
}

const isExisting = (value: Written): boolean =>
  value instanceof WrittenMap && value.entries.some(({ key }) => key === '$existing');
