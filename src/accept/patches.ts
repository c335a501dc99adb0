import { isSeq } from 'yaml';
import { type LoadedBlock, spotOfBlock } from '../config/blocks/block.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import { CommentedMap, type YamlValue } from '../export/print-yaml.ts';
import type { Address } from '../model/address.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { AcceptedField } from './acceptance.ts';
import { setInMaps, type WrittenValue } from './edit-value.ts';
import { CannotEditHere, insertEntry, insertItem, insertLines, replaceText } from './edit-yaml.ts';
import { formatEntry, formatItem, formatValue } from './format-yaml-text.ts';
import type { SlotIndex } from './slot-index.ts';
import { endOffsetOf, findEntry, inBrackets, isUnwritten, topKeyOf, type YamlFile } from './yaml-file.ts';

/** The content of a patch: what it drops from the block at its address, and the fields and sections that it sets. */
interface CollectedPatch {
  drops: string[];
  fields: { [name: string]: WrittenValue };
}

/**
 * Collects patches (entries of `patches:`) and writes them behind those that the files have, so that they override them. All changes at one
 * address are one patch.
 */
export class PatchCollector {
  readonly #patchesByFile = new Map<YamlFile, Map<Address, CollectedPatch>>();
  readonly #stage: string | undefined;
  /** The renames that are accepted as well. Patches are written with the new addresses. */
  readonly moves: Move[] = [];

  /** @param stage the stage that the patches are for; without one, they are for all stages */
  constructor(stage: string | undefined) {
    this.#stage = stage;
  }

  /**
   * Returns the patch (an entry of `patches:`, which overrides a block) at an address that `accept` writes into a file; creates it if
   * necessary. So several accepted changes of one block become one patch.
   */
  #patchAt(file: YamlFile, address: Address): CollectedPatch {
    const patches = this.#patchesByFile.get(file) ?? new Map<Address, CollectedPatch>();
    this.#patchesByFile.set(file, patches);
    const patch = patches.get(address) ?? { drops: [], fields: {} };
    patches.set(address, patch);
    return patch;
  }

  /**
   * Adds a value to the patch of the block at an address. The path starts with a field or a section of the block. Used by `trueup accept`
   * for values that cannot be edited where they are.
   */
  setField(file: YamlFile, address: Address, path: string[], value: WrittenValue): void {
    setInMaps(this.#patchAt(file, address).fields, path, value);
  }

  /**
   * Adds a new item for a section that is a list to the patch of the block at an address. Used by `trueup accept` for items that cannot be
   * written into their list. A list can get items of several changes, such as the records of two DNS names.
   */
  addItem(file: YamlFile, address: Address, section: string, item: WrittenValue): void {
    const { fields } = this.#patchAt(file, address);
    fields[section] = [...((fields[section] as WrittenValue[] | undefined) ?? []), item];
  }

  /**
   * Adds to the patch of a block that a field, or a block in it, is removed. `path` has slashes, as in `env/API_URL`. Used if it was
   * removed outside, or before the patch declares it again.
   */
  addDrop(file: YamlFile, address: Address, path: string): void {
    this.#patchAt(file, address).drops.push(path);
  }

  /** Returns the addresses of all collected patches, for messages. */
  addresses = (): Address[] => [...this.#patchesByFile.values()].flatMap((patches) => [...patches.keys()]);

  /**
   * Writes all collected patches (entries of `patches:`, which override blocks) into the texts of their files, in memory. `accept` shows
   * the texts before it saves them. Throws `CannotEditHere` if a file has no place for them.
   */
  write(): void {
    for (const [file, patches] of this.#patchesByFile) {
      const items = [...patches].map(([address, patch]) => this.#toMap(address, patch));
      insertPatches(file, items);
    }
  }

  /**
   * Returns a collected patch as an item of the `patches:` list. `accept` writes a patch where it cannot edit the block of the object
   * itself, for example because a template makes the value, or because the value is for one stage only (`#stage`): then the patch applies
   * to this stage. `$at` has the address after all accepted renames.
   */
  #toMap(address: Address, { drops, fields }: CollectedPatch): CommentedMap {
    const map = new CommentedMap().add('$at', addressAfter(address, this.moves));
    if (this.#stage !== undefined) map.add('$when', { stage: this.#stage });
    if (drops.length > 0) map.add('$drop', drops);
    for (const [name, value] of Object.entries(fields)) map.add(name, value as YamlValue);
    return map;
  }
}

/**
 * Inserts patches at the end of a file's last `patches:` list. Creates the list if the file has none. Used by `trueup accept` for values
 * that cannot be edited where they are. Throws `CannotEditHere` if the file contains no map, or if `patches:` has another value than a list.
 */
function insertPatches(file: YamlFile, patches: CommentedMap[]): void {
  const list = file.roots.flatMap((root) => findEntry(root, 'patches') ?? []).at(-1);
  const root = file.roots.at(-1);
  if (!root) throw new CannotEditHere();
  const isOnOneLine = file.isJson || (root.node as { flow?: boolean }).flow;
  if (!list) {
    if (isOnOneLine) insertEntry(root, 'patches', patches);
    // An empty line separates the new section from the last one.
    else insertLines(file, endOffsetOf(root), `\n${formatEntry('patches', patches, 0)}`);
    return;
  }
  const items = isSeq(list.node) ? list.node.items : [];
  if (items.length > 0) {
    // Insertions at one place keep their order.
    for (const patch of patches) insertItem(list, patch, items.length - 1);
    return;
  }
  if (!isUnwritten(list.node) && !isSeq(list.node)) throw new CannotEditHere();
  const lines = patches.map((patch) => formatItem(patch, 2)).join('');
  const text = isOnOneLine ? formatValue(patches, inBrackets(file)) : `\n${lines.trimEnd()}`;
  replaceText(list, text, file);
}

/** Chooses the file and the address of the patch that changes a block. */
export class PatchTargets {
  readonly #slots: SlotIndex;
  readonly #blocks: readonly LoadedBlock[];
  readonly #patches: PatchCollector;

  /**
   * Creates the object with which `accept` chooses the file and the address of a patch (an entry of `patches:`,
   * which overrides a block). `patches` collects them.
   */
  constructor(slots: SlotIndex, blocks: readonly LoadedBlock[], patches: PatchCollector) {
    this.#slots = slots;
    this.#blocks = blocks;
    this.#patches = patches;
  }

  /**
   * Adds a patch that sets or removes a field of a block, and so overrides the block and its templates. Throws `CannotEditHere` for a
   * member of a set, because it has no address of its own, and if `$drop` cannot name the field.
   */
  setField(loaded: LoadedBlock, { path, after }: AcceptedField): void {
    if (loaded.block.kind.shape.mergeRows) throw new CannotEditHere();
    const file = this.fileFor(loaded, path[0]!);
    const address = this.addressFor(loaded);
    if (after !== undefined) {
      this.#patches.setField(file, address, path.map(escapeExpressions), after);
      return;
    }
    // `$drop` names a field as a path such as `build/command`, without quotes.
    if (!path.every((name) => /^[\w.-]+$/.test(name))) throw new CannotEditHere();
    this.#patches.addDrop(file, address, path.join('/'));
  }

  /**
   * Returns the file in which `accept` writes a patch of a block (an entry of `patches:`, which overrides the block): the one with the
   * patch that sets the field now, else the one with the block, else one that the block comes from, else the first file with blocks. Throws
   * `CannotEditHere` if no file can be edited.
   */
  fileFor(loaded: LoadedBlock, fieldName?: string): YamlFile {
    const { block } = loaded;
    const entry = block.fieldEntries.find(({ key }) => key.text === fieldName);
    const fieldSlot = entry && this.#slots.slotAt(entry.key.at);
    const candidates = [
      fieldSlot && topKeyOf(fieldSlot) === 'patches' ? fieldSlot.file : undefined,
      this.#slots.findBlockSlot(loaded)?.file,
      this.#slots.fileOf(spotOfBlock(block)),
      this.#slots.fileOf(block.at),
      ...this.#slots.files,
    ];
    const file = candidates.find(
      (candidate) => candidate && candidate.roots.length > 0 && this.#slots.holdsBlocks(candidate),
    );
    if (!file) throw new CannotEditHere();
    return file;
  }

  /**
   * Returns the address that `accept` writes into `$at` of a patch, so that it overrides this block and no
   * other. Usually it is the address of the object. If several entries have the same key, it also lists the
   * targets of this entry: `projects/web/env/API_URL@{production,preview}`.
   */
  addressFor({ block, units }: LoadedBlock): Address {
    const [first, ...others] = units.map(({ address }) => address);
    if (!block.kind.shape.byAddress || first === undefined) return first ?? block.address;
    const withoutTarget = addressWithoutTarget(first);
    if (!this.hasSiblings(block)) return withoutTarget;
    if (others.length === 0) return first;
    const targets = [first, ...others].map((address) => address.slice(address.lastIndexOf('@') + 1));
    return `${first.slice(0, first.lastIndexOf('@'))}@{${targets.join(',')}}`;
  }

  /**
   * True if other entries have the same key, such as entries of one variable for different targets. A patch of their common address changes
   * all. So `trueup accept` then needs an address with targets.
   */
  hasSiblings = ({ kind, key, parent }: LoadedBlock['block']): boolean =>
    this.#blocks.filter(
      ({ block }) => block.kind === kind && block.parent === parent && block.key?.text === key?.text,
    ).length > 1;
}
