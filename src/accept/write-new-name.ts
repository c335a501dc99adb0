import { isMap, isScalar, type Scalar } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import { escapeExpressions } from '../export/write-field.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import type { AcceptedName } from './accepted-change.ts';
import { CannotEditHere, insertEntry, replaceText } from './edit-collection.ts';
import type { SlotIndex } from './slot-index.ts';
import { findEntry, isLiteral, isUnwritten, type Slot, scalarText, surroundingsOf } from './yaml-file.ts';
import { formatKey, formatValue, unescapeText } from './yaml-text.ts';

/**
 * Writes the new name of a block whose object was renamed outside. Replaces the name in the key, in all references and in addresses, and adds
 * `$was` with the old name, so that the next plan recognizes the object. Throws `CannotEditHere` if one of the names is an expression.
 */
export function writeNewName(
  renamed: AcceptedName,
  blockSlot: Slot,
  slots: SlotIndex,
  readBlocks: readonly ReadBlock[],
): void {
  const { block: read, field, from, to } = renamed;
  const [oldName, newName] = namesOf(field);
  if (read.block.kind.yaml.mapBy === field.path[0])
    for (const slot of new Set([blockSlot, ...slots.findBlockSlots(from)])) writeKey(slot, newName);
  for (const position of findReferences(from, readBlocks)) {
    const slot = findNameSlot(position, slots, [oldName, from]);
    if (!slot) throw new CannotEditHere();
    // A reference by address is written below, with all other addresses.
    if (slotText(slot) !== from) replaceScalar(slot, newName);
  }
  for (const slot of findAddressSlots(slots)) {
    const address = slotText(slot);
    if (!isWithin(address, from)) continue;
    if (!isLiteral(slot.node) || slot.isShared) throw new CannotEditHere();
    replaceScalar(slot, to + address.slice(from.length));
  }
  writeWas(read, blockSlot, oldName, slots);
}

/**
 * Writes the meta key `$was` with the old name into a block, above its child sections. Throws `CannotEditHere` if the block gets `$was` from a
 * template, or cannot have fields.
 */
function writeWas({ block }: ReadBlock, blockSlot: Slot, oldName: string, slots: SlotIndex): void {
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

/** Returns a sentence with the lines to edit by hand, for an object that was renamed outside and whose new name could not be written. */
export function explainManualRename(
  { block: read, field, from }: AcceptedName,
  slots: SlotIndex,
  readBlocks: readonly ReadBlock[],
): string {
  const { key, at } = read.block;
  const [oldName, newName] = namesOf(field);
  const nameSpots = key?.literals ?? [key?.at ?? at];
  const nameLines = nameSpots.map(({ source, start }) => `${source.file}:${source.position(start).line}`);
  const expressionLines = findReferences(from, readBlocks)
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
const namesOf = ({ before, after }: AcceptedName['field']): [oldName: string, newName: string] => [
  unescapeText(String(before)),
  unescapeText(String(after)),
];

/** Replaces the key of a block. Throws `CannotEditHere` if other places repeat the block with its anchor. */
function writeKey(slot: Slot, name: string): void {
  const { file, key, isShared, node } = slot;
  if (!key?.range || isShared || (node as { anchor?: string } | null)?.anchor !== undefined)
    throw new CannotEditHere();
  file.edit(key.range[0], key.range[1], formatKey(escapeExpressions(name), surroundingsOf(slot)));
}

/**
 * Returns the positions of all references to an object in the blocks of the configuration, each once. They have to get the new name of a
 * renamed object.
 */
const findReferences = (address: Address, readBlocks: readonly ReadBlock[]): Position[] => {
  const positions = readBlocks
    .flatMap(({ links }) => links)
    .filter(({ to }) => to === address)
    .map(({ at }) => at);
  return [...new Map(positions.map((at) => [`${at.file}:${at.line}:${at.column}`, at])).values()];
};

/**
 * Finds the slot at the position of a reference, if its text is one of these names. Returns undefined for an expression or a shared text,
 * because it cannot be replaced. Used by `trueup accept` to write the new name of an object that was renamed outside.
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
 * Returns the slots of texts that are addresses: the values of `$at` and `$dependsOn`, also as items of a list. They contain the old name of a
 * renamed object.
 */
const findAddressSlots = ({ files }: SlotIndex): Slot[] =>
  files
    .flatMap((file) => file.slots())
    .filter(({ node, key, parent }) => {
      const entryKey = key ?? parent?.key;
      return isScalar(node) && addressKeys.has(scalarText(entryKey ?? node));
    });

/** Returns the text of a slot with a scalar, without the escapes of the YAML. */
const slotText = ({ node }: Slot): string => unescapeText(scalarText(node as Scalar));

/** Replaces the text of a scalar, in the style in which it is written. */
function replaceScalar(slot: Slot, text: string): void {
  const formatted = formatValue(escapeExpressions(text), surroundingsOf(slot), { like: slot.node as Scalar });
  replaceText(slot, formatted, slot.file);
}
