import { isMap, isScalar, type Scalar } from 'yaml';
import type { LoadedBlock } from '../config/blocks/block.ts';
import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import { type Address, isWithin, lastNameOf } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { AcceptedName } from './acceptance.ts';
import { CannotEditHere, insertEntry, replaceText } from './edit-yaml.ts';
import { formatKey, formatValue, unescapeText } from './format-yaml-text.ts';
import type { SlotIndex } from './slot-index.ts';
import {
  enclosingSlots,
  findEntry,
  isLiteral,
  isUnwritten,
  type Slot,
  scalarText,
  surroundingsOf,
} from './yaml-file.ts';

/**
 * Writes the new name of a block whose object was renamed outside: in the key (a name that is a field is written by the caller), in all
 * references by name, and as `$was` with the old name, so that the next plan recognizes the object. Addresses with the name are only
 * checked, since `writeAddresses` replaces them after all renames. Throws `CannotEditHere` if a text with the name is an expression or is
 * repeated by an alias.
 */
export function writeNewName(
  renamed: AcceptedName,
  blockSlot: Slot,
  slots: SlotIndex,
  loadedBlocks: readonly LoadedBlock[],
): void {
  const { block: read, field, from } = renamed;
  const [oldName, newName] = oldAndNewNameOf(field);
  const isNameInKey = read.block.kind.yaml.mapBy === field.path[0];
  if (isNameInKey)
    for (const slot of new Set([blockSlot, ...slots.findBlockSlots(from)])) writeKey(slot, newName);
  for (const position of findReferences(from, loadedBlocks)) {
    const slot = findNameSlot(position, slots, [oldName, from]);
    if (!slot) throw new CannotEditHere();
    // A reference by address is written with all other addresses.
    if (slotText(slot) !== from) replaceScalar(slot, newName);
  }
  const slotsWithAddress = findAddressSlots(slots).filter((slot) => isWithin(slotText(slot), from));
  const areWritable = slotsWithAddress.every(({ node, isShared }) => !isShared && isLiteral(node));
  if (!areWritable) throw new CannotEditHere();
  writeWas(read, blockSlot, oldName, slots);
}

/**
 * Writes the new names and addresses of renamed objects into the text of an entry that refers to them. Called when `trueup accept` splits
 * the entry and so replaces its text as a whole; the later edits of `writeNewName` would be lost in it. References of the entry that are
 * written elsewhere, such as in a template, are left to these.
 */
export function renameInEntry(
  { links }: LoadedBlock,
  entrySlot: Slot,
  slots: SlotIndex,
  newAddressOf: (address: Address) => Address,
): void {
  for (const { to, at } of links) {
    const newAddress = newAddressOf(to);
    const slot = newAddress === to ? undefined : findNameSlot(at, slots, [lastNameOf(to), to]);
    if (!slot || ![...enclosingSlots(slot)].includes(entrySlot)) continue;
    replaceScalar(slot, slotText(slot) === to ? newAddress : lastNameOf(newAddress));
  }
}

/**
 * Writes the new addresses of renamed objects, and of everything in them, where the configuration names them by address. Called after all
 * renames, because one address can contain several new names.
 */
export function writeAddresses(slots: SlotIndex, moves: readonly Move[]): void {
  if (moves.length === 0) return;
  for (const slot of findAddressSlots(slots)) {
    const address = slotText(slot);
    const newAddress = addressAfter(address, moves);
    if (newAddress !== address) replaceScalar(slot, newAddress);
  }
}

/**
 * Writes the key `$was` with the old name into the block of an object that was renamed outside, above its child sections, so that the next
 * plan takes the block for the same object. Throws `CannotEditHere` if the block gets `$was` from a template, or cannot have fields.
 */
function writeWas({ block }: LoadedBlock, blockSlot: Slot, oldName: string, slots: SlotIndex): void {
  const hasWas = block.settingEntries.some(({ key }) => key.text === '$was');
  const wasSlot = hasWas ? findEntry(blockSlot, '$was') : undefined;
  if (wasSlot && isLiteral(wasSlot.node)) {
    replaceScalar(wasSlot, oldName);
    return;
  }
  if (hasWas || !(isMap(blockSlot.node) || isUnwritten(blockSlot.node))) throw new CannotEditHere();
  const childSections = new Set(slots.childSectionsOf(block.kind));
  insertEntry(blockSlot, '$was', escapeExpressions(oldName), (key) => !childSections.has(key));
}

/**
 * Returns what the user has to edit by hand for an object that was renamed outside and whose new name
 * `accept` could not write: the lines with the name, and those of expressions that refer to it, for the
 * message that reports the object.
 */
export function explainManualRename(
  { block: read, field, from }: AcceptedName,
  slots: SlotIndex,
  loadedBlocks: readonly LoadedBlock[],
): string {
  const { key, at } = read.block;
  const [oldName, newName] = oldAndNewNameOf(field);
  const nameSpots = key?.literals ?? [key?.at ?? at];
  const nameLines = nameSpots.map(({ source, start }) => `${source.file}:${source.position(start).line}`);
  const expressionLines = findReferences(from, loadedBlocks)
    .filter((position) => !findNameSlot(position, slots, [oldName, from]))
    .map(({ file, line }) => `${file}:${line}`);
  const isWritten = slots.findBlockSlot(read) !== undefined;
  const instruction = isWritten
    ? `use that name instead of \`${oldName}\` (${nameLines[0]})`
    : `its name is generated: put \`${newName}\` where \`${oldName}\` comes from (${[...new Set(nameLines)].join(', ')})`;
  const references =
    expressionLines.length > 0
      ? `, and update the expressions that refer to it (${[...new Set(expressionLines)].join(', ')})`
      : '';
  return `it is called \`${newName}\` in the account, which cannot be written automatically; ${instruction}, with \`$was: ${oldName}\` in its block${references}`;
}

/** Returns the old and the new name of a renamed object, without the escapes of the YAML. */
const oldAndNewNameOf = ({ before, after }: AcceptedName['field']): [oldName: string, newName: string] => [
  unescapeText(String(before)),
  unescapeText(String(after)),
];

/**
 * Replaces the key of a block by the name that its object got outside, for `accept`. Throws `CannotEditHere` for a block with a YAML
 * anchor, and for one in a collection that an alias repeats, because the places that repeat it would be renamed, too.
 */
function writeKey(slot: Slot, name: string): void {
  const { file, key, isShared, node } = slot;
  if (!key?.range || isShared || (node as { anchor?: string } | null)?.anchor !== undefined)
    throw new CannotEditHere();
  file.edit(key.range[0], key.range[1], formatKey(escapeExpressions(name), surroundingsOf(slot)));
}

/**
 * Returns the positions of all references to an object in the blocks of the configuration, each once. If the object was renamed outside,
 * `accept` writes the new name there.
 */
const findReferences = (address: Address, loadedBlocks: readonly LoadedBlock[]): Position[] => {
  const positions = loadedBlocks
    .flatMap(({ links }) => links)
    .filter(({ to }) => to === address)
    .map(({ at }) => at);
  return [...new Map(positions.map((at) => [`${at.file}:${at.line}:${at.column}`, at])).values()];
};

/**
 * Finds the place in the files at the position of a reference, if its text is one of these names. `trueup
 * accept` writes the new name of an object there that was renamed outside. Returns undefined for an
 * expression, or a text that an alias repeats, because it cannot be replaced.
 */
function findNameSlot(position: Position, slots: SlotIndex, names: readonly string[]): Slot | undefined {
  const file = slots.files.find(({ name }) => name === position.file);
  const offset = file?.offsetOf(position);
  const slot = file
    ?.slots()
    .find(({ node, isShared }) => isScalar(node) && node.range?.[0] === offset && !isShared);
  return slot && isLiteral(slot.node) && names.includes(slotText(slot)) ? slot : undefined;
}

/** The meta keys whose values are addresses. */
const addressKeys = new Set(['$at', '$dependsOn']);

/**
 * Returns the slots (places in YAML files) of texts that are addresses: the values of `$at` and `$dependsOn`, also as items of a
 * list, and the `variable` of `$secretTo`. If an object was renamed outside, `accept` replaces its old name there; if it was deleted
 * outside, its block stays.
 */
export const findAddressSlots = ({ files }: SlotIndex): Slot[] =>
  files
    .flatMap((file) => file.slots())
    .filter(({ node, key, parent }) => {
      if (!isScalar(node)) return false;
      const [name, outerName] = [key, parent?.key].map((slotKey) => slotKey && scalarText(slotKey));
      // An item of a list has no key, so that of the list counts.
      const isAddress = addressKeys.has(name ?? outerName ?? '');
      return isAddress || (name === 'variable' && outerName === '$secretTo');
    });

/** Returns the text of a slot with a scalar, without the escapes of the YAML. */
export const slotText = ({ node }: Slot): string => unescapeText(scalarText(node as Scalar));

/**
 * Replaces the text of a scalar, in the style in which it is written. Leaves a scalar that another accepted change has replaced,
 * because that one wrote the new value.
 */
function replaceScalar(slot: Slot, text: string): void {
  const [start, end] = slot.node!.range!;
  if (slot.file.isEdited(start, end)) return;
  const formatted = formatValue(escapeExpressions(text), surroundingsOf(slot), { like: slot.node as Scalar });
  replaceText(slot, formatted, slot.file);
}
