import type { ConfigurationText } from '../config/configuration.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Resource } from '../model/resource.ts';
import { namesInPath, refsIn } from '../model/value.ts';
import type { Acceptance, LeftOut, Selection } from './acceptance.ts';
import type { SlotIndex } from './slot-index.ts';
import { findAddressSlots, slotText } from './write-new-names.ts';

/*
 * Objects that were deleted outside although the configuration names them elsewhere, for example in `$dependsOn`. Without its block, such a name
 * would be an error, so the block stays until the user has removed the name.
 */

/** The accepted changes, and the texts after their edits. */
interface WrittenAcceptance {
  plan: Pick<Plan, 'changes'>;
  paths: Acceptance['paths'];
  blocks: ConfigurationText['blocks'];
  slots: SlotIndex;
}

/**
 * Finds the accepted deletions that cannot be written, because a block that stays names the object, or one inside it. `accept` leaves these out
 * with the lines to edit. Names that an edit of another accepted change has replaced do not count. If a parent was deleted as well, it is the one
 * that is left out, because its block contains the named one.
 */
export function findNamedDeletions({ plan, paths, blocks, slots }: WrittenAcceptance): LeftOut[] {
  const deleted = plan.changes.flatMap(({ address, action, outside }) =>
    action === 'create' && outside && paths.get(address)?.has('') ? [address] : [],
  );
  if (deleted.length === 0) return [];
  const findDeleted = (address: Address) => deleted.filter((container) => isWithin(address, container));
  const remainingBlocks = blocks.filter(
    ({ units }) => units.length === 0 || units.some(({ address }) => findDeleted(address).length === 0),
  );
  // A patch that drops an object comes behind the other patches of it, so these stay valid.
  const isTextRemoved = (address: Address) =>
    blocks.some(
      ({ block: { at }, units }) =>
        units.some((unit) => unit.address === address) && slots.fileOf(at)?.isEdited(at.start, at.start + 1),
    );
  const outermostOf = (address: Address) => findDeleted(address).sort((a, b) => a.length - b.length)[0];
  const writtenAddresses = findWrittenAddresses(slots).filter(({ to }) =>
    isTextRemoved(outermostOf(to) ?? ''),
  );
  const linesByAddress = new Map<Address, string[]>();
  for (const { to, line } of [...findMentions(remainingBlocks, paths, slots), ...writtenAddresses]) {
    const outermost = outermostOf(to);
    if (outermost !== undefined) addTo(linesByAddress, outermost, line);
  }
  return [...linesByAddress].map(([address, lines]) => ({
    address,
    reason: `it no longer exists, but the configuration names it elsewhere: remove it there (${[...new Set(lines)].join(', ')}), and run again`,
  }));
}

/** A place of the configuration that names an object. */
interface Mention {
  to: Address;
  /** For messages: `trueup.yaml:12`. */
  line: string;
}

/** Returns the references of blocks, and those of the actions in `$then`, which still count after the edits. */
function findMentions(
  blocks: WrittenAcceptance['blocks'],
  paths: Acceptance['paths'],
  slots: SlotIndex,
): Mention[] {
  return blocks.flatMap(({ units, links }) => {
    const references = links.filter(
      ({ to, at, type }) =>
        type !== 'soft' && !isEditedAt(at, slots) && !units.some((unit) => losesReference(unit, to, paths)),
    );
    const actionReferences = units.flatMap(({ meta, at }) =>
      (meta.actions ?? [])
        .flatMap(({ about, input }) => [...about, ...refsIn(input)])
        .map((to): Mention => ({ to, line: `${at.file}:${at.line}` })),
    );
    return [...references.map(({ to, at }) => ({ to, line: `${at.file}:${at.line}` })), ...actionReferences];
  });
}

/** Returns the addresses in texts that stay, such as the `$at` of a patch. */
const findWrittenAddresses = (slots: SlotIndex): Mention[] =>
  findAddressSlots(slots).flatMap((slot) => {
    const { file, node } = slot;
    const [start, end] = node!.range!;
    if (file.isEdited(start, end)) return [];
    const line = file.text.slice(0, start).split('\n').length;
    return [{ to: slotText(slot), line: `${file.name}:${line}` }];
  });

/** True if another accepted change replaces or removes the text at a position. */
function isEditedAt(at: Position, { files }: SlotIndex): boolean {
  const file = files.find(({ name }) => name === at.file);
  const offset = file?.offsetOf(at);
  return offset !== undefined && file!.isEdited(offset, offset + 1);
}

/** True if an object refers to `to` only in fields whose new values are accepted. A patch can have these, so that the old text stays. */
function losesReference(
  { address, fields, meta }: Resource,
  to: Address,
  paths: Acceptance['paths'],
): boolean {
  const accepted = [...(paths.get(address) ?? [])].map((path) => namesInPath(path)[0]);
  const referring = Object.keys(fields).filter((name) => refsIn(fields[name]).includes(to));
  const isNamedBySetting = meta.dependsOn?.includes(to) ?? false;
  return !isNamedBySetting && referring.length > 0 && referring.every((name) => accepted.includes(name));
}

/**
 * Returns the selection without the objects in `leftOut` and everything in them, with which `accept` starts again: the configuration still
 * names these deleted objects elsewhere, so their blocks must stay as they are.
 */
export const withoutLeftOut = (selection: Selection, leftOut: readonly LeftOut[]): Selection => ({
  ...selection,
  isChosen: (address) =>
    selection.isChosen(address) && !leftOut.some((entry) => isWithin(address, entry.address)),
});
