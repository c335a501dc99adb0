import type { ConfigurationText } from '../config/configuration.ts';
import { type Address, ancestorsAmong, isWithinAny } from '../model/address.ts';
import type { Position } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Resource } from '../model/resource.ts';
import { namesInPath, refsIn } from '../model/value.ts';
import type { Acceptance, LeftOut, Selection } from './acceptance.ts';
import type { SlotIndex } from './slot-index.ts';
import { findAddressSlots, slotText } from './write-new-names.ts';

/*
 * Objects that were deleted outside although the configuration names them elsewhere, for example in `$dependsOn`. Without the block of
 * the object, such a name would be an error, so the block stays until the user has removed the name.
 */

/** The accepted changes, and the texts after their edits. */
interface WrittenAcceptance {
  plan: Pick<Plan, 'changes'>;
  paths: Acceptance['paths'];
  blocks: ConfigurationText['blocks'];
  slots: SlotIndex;
}

/** The addresses of the accepted deletions. */
type Deleted = ReadonlySet<Address>;

/**
 * Finds the accepted deletions that cannot be written, because a block that stays names the object, or one inside it. `accept`
 * leaves these out with the lines to edit. Names that an edit of another accepted change has replaced do not count. If a parent was
 * deleted as well, it is the one that is left out, because its block contains the named one.
 */
export function findNamedDeletions(acceptance: WrittenAcceptance): LeftOut[] {
  const { plan, paths } = acceptance;
  const deleted: Deleted = new Set(
    plan.changes.flatMap(({ address, action, outside }) =>
      action === 'create' && outside && paths.get(address)?.has('') ? [address] : [],
    ),
  );
  if (deleted.size === 0) return [];
  const mentions = [...findMentions(acceptance, deleted), ...findWrittenAddresses(acceptance, deleted)];
  const mentionsByAddress = groupBy(mentions, ({ to }) => outermostOf(to, deleted)!);
  return [...mentionsByAddress].map(([address, mentionsOfObject]) => {
    const lines = new Set(mentionsOfObject.map(({ line }) => line));
    return {
      address,
      reason: `it no longer exists, but the configuration names it elsewhere: remove it there (${[...lines].join(', ')}), and run again`,
    };
  });
}

/** Returns the outermost deleted object that an address is in; undefined if there is none. */
const outermostOf = (address: Address, deleted: Deleted): Address | undefined =>
  ancestorsAmong(address, deleted).at(-1);

/** A place of the configuration that names an object. */
interface Mention {
  to: Address;
  /** For messages: `trueup.yaml:12`. */
  line: string;
}

/**
 * Returns the references to deleted objects in the blocks that stay, and in the actions (`$then`) of these, which still count
 * after the edits.
 */
function findMentions({ blocks, paths, slots }: WrittenAcceptance, deleted: Deleted): Mention[] {
  const isDeleted = (address: Address) => isWithinAny(address, deleted);
  const remainingBlocks = blocks.filter(
    ({ units }) => units.length === 0 || units.some(({ address }) => !isDeleted(address)),
  );
  return remainingBlocks.flatMap(({ units, links }) => {
    const references = links.filter(
      ({ to, at, type }) =>
        type !== 'soft' &&
        isDeleted(to) &&
        !isEditedAt(at, slots) &&
        !units.some((unit) => losesReference(unit, to, paths)),
    );
    const actionReferences = units.flatMap(({ meta, at }) =>
      (meta.actions ?? [])
        .flatMap(({ about, input }) => [...about, ...refsIn(input)])
        .filter(isDeleted)
        .map((to) => ({ to, at })),
    );
    return [...references, ...actionReferences].map(({ to, at }) => ({ to, line: `${at.file}:${at.line}` }));
  });
}

/**
 * Returns the addresses of deleted objects in texts that stay, such as the `$at` of a patch. Only those count whose block is removed from a
 * text: a patch that drops an object comes behind the other patches of it, so these stay valid.
 */
function findWrittenAddresses({ blocks, slots }: WrittenAcceptance, deleted: Deleted): Mention[] {
  const removed = new Set(
    blocks.flatMap(({ block: { at }, units }) => {
      const addresses = units.map(({ address }) => address).filter((address) => deleted.has(address));
      return addresses.length > 0 && slots.fileOf(at)?.isEdited(at.start, at.start + 1) ? addresses : [];
    }),
  );
  return findAddressSlots(slots).flatMap((slot) => {
    const { file, node } = slot;
    const [start, end] = node!.range!;
    const to = slotText(slot);
    const address = outermostOf(to, deleted);
    if (address === undefined || !removed.has(address) || file.isEdited(start, end)) return [];
    const line = file.text.slice(0, start).split('\n').length;
    return [{ to, line: `${file.name}:${line}` }];
  });
}

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
export function withoutLeftOut(selection: Selection, leftOut: readonly LeftOut[]): Selection {
  const addresses = new Set(leftOut.map(({ address }) => address));
  return {
    ...selection,
    isChosen: (address) => selection.isChosen(address) && !isWithinAny(address, addresses),
  };
}
