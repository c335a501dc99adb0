import { isMap, isScalar, type Scalar } from 'yaml';
import type { ReadBlock } from '../config/blocks/block.ts';
import { escapeExpressions } from '../export/write-field.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import type { AcceptedName } from './accepted-change.ts';
import { CannotEditHere, insertEntry, replaceText } from './edit-collection.ts';
import type { SlotIndex } from './slot-index.ts';
import { findEntry, isLiteral, isUnwritten, type Slot, scalarText } from './yaml-file.ts';
import { formatKey, formatValue, unescapeText } from './yaml-text.ts';

/**
 * Gives a block the name that its object got outside, with a `$was` for the old name, and replaces the old name in all references to the block. Throws
 * `CannotEditHere` if one of these names is an expression.
 */
export function writeNewName(
  renamed: AcceptedName,
  home: Slot,
  places: SlotIndex,
  readBlocks: readonly ReadBlock[],
): void {
  const { block: read, field, from, to } = renamed;
  const { kind, settingEntries } = read.block;
  const [before, after] = renamedNames(field);
  if (kind.yaml.mapBy === field.path[0])
    for (const slot of new Set([home, ...places.findBlockSlots(from)])) writeKey(slot, after);
  for (const mention of mentionsOf(from, readBlocks)) writeMention(mention, places, { from, before, after });
  for (const slot of addressSlotsIn(places)) writeAddress(slot, from, to);
  const was = settingEntries.find(({ key }) => key.text === '$was');
  const known = was && findEntry(home, '$was');
  if (was && (!known || !isLiteral(known.node))) throw new CannotEditHere();
  if (known) replaceText(known, textFor(known, before), known.file);
  else if (isMap(home.node) || isUnwritten(home.node)) {
    const sections = new Set(places.childSectionsOf(kind));
    insertEntry(home, '$was', escapeExpressions(before), (key) => !sections.has(key));
  } else throw new CannotEditHere();
}

/** The line that gives a block its name outside, for people to write. */
export function explainManualRename(
  { block: read, field, from }: AcceptedName,
  places: SlotIndex,
  readBlocks: readonly ReadBlock[],
): string {
  const { block } = read;
  const [before, after] = renamedNames(field);
  const spots = [...(block.key?.literals ?? [block.key?.at ?? block.at])];
  const madeAt = spots.map(({ source, start }) => `${source.file}:${source.position(start).line}`);
  const mentions = mentionsOf(from, readBlocks)
    .filter((mention) => !literalAt(mention, places, [before, from]))
    .map(({ file, line }) => `${file}:${line}`);
  const name = `it is called \`${after}\` in the account`;
  const isOwn = places.findBlockSlot(read) !== undefined;
  const own = isOwn
    ? `use that name instead of \`${before}\` (${madeAt[0]})`
    : `its name is generated: put \`${after}\` where \`${before}\` comes from (${[...new Set(madeAt)].join(', ')})`;
  const also =
    mentions.length > 0
      ? `, and update the expressions that refer to it (${[...new Set(mentions)].join(', ')})`
      : '';
  return `${name}, which cannot be written automatically; ${own}, with \`$was: ${before}\` in its block${also}`;
}

/** The old name and the new one, as they are meant. */
const renamedNames = ({ before, after }: AcceptedName['field']): [string, string] => [
  unescapeText(String(before)),
  unescapeText(String(after)),
];

function writeKey({ file, key, collection: holder, isShared, node }: Slot, name: string): void {
  if (!key?.range || isShared || (node as { anchor?: string } | null)?.anchor !== undefined)
    throw new CannotEditHere();
  const isFlow = (holder as { flow?: boolean } | undefined)?.flow === true;
  file.edit(key.range[0], key.range[1], formatKey(escapeExpressions(name), { isFlow, isJson: file.isJson }));
}

/** The places in other blocks that name one. */
const mentionsOf = (address: Address, readBlocks: readonly ReadBlock[]): Position[] => [
  ...new Map(
    readBlocks
      .flatMap(({ links }) => links)
      .filter(({ to }) => to === address)
      .map(({ at }) => [`${at.file}:${at.line}:${at.column}`, at]),
  ).values(),
];

/** The literal that names a block at a place, by its name or its address; undefined where that is an expression, or anything else. */
function literalAt(position: Position, places: SlotIndex, names: readonly string[]): Slot | undefined {
  const file = places.files.find((file) => file.name === position.file);
  const offset = file?.offsetOf(position);
  const slot = file
    ?.slots()
    .find(({ node, isShared }) => isScalar(node) && node.range?.[0] === offset && !isShared);
  const isName = ({ node }: Slot) =>
    isLiteral(node) && names.includes(unescapeText(scalarText(node as Scalar)));
  return slot && isName(slot) ? slot : undefined;
}

function writeMention(
  position: Position,
  places: SlotIndex,
  { from, before, after }: { from: Address; before: string; after: string },
): void {
  const slot = literalAt(position, places, [before, from]);
  if (!slot) throw new CannotEditHere();
  // Addresses are written all together.
  if (unescapeText(scalarText(slot.node as Scalar)) !== from)
    replaceText(slot, textFor(slot, after), slot.file);
}

const naming = new Set(['$at', '$dependsOn']);

/** The texts that are addresses. */
const addressSlotsIn = (places: SlotIndex): Slot[] =>
  places.files.flatMap((file) =>
    file
      .slots()
      .filter(
        ({ node, key, parent: up }) =>
          isScalar(node) && naming.has(scalarText(key ?? up?.key ?? (node as Scalar))),
      ),
  );

function writeAddress(slot: Slot, from: Address, to: Address): void {
  const text = unescapeText(scalarText(slot.node as Scalar));
  if (!isWithin(text, from)) return;
  if (!isLiteral(slot.node) || slot.isShared) throw new CannotEditHere();
  replaceText(slot, textFor(slot, to + text.slice(from.length)), slot.file);
}

/** A text as the one in a place is written. */
function textFor({ node, file, collection: holder }: Slot, text: string): string {
  const isFlow = (holder as { flow?: boolean } | undefined)?.flow === true || file.isJson;
  return formatValue(escapeExpressions(text), { isFlow, isJson: file.isJson }, { like: node as Scalar });
}
