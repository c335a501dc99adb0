import type { Link } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import { type Address, ancestorsAmong, isWithinAny } from '../model/address.ts';
import { type Change, isDeletedOutside } from '../model/change.ts';
import type { Position } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Resource } from '../model/resource.ts';
import { namesInPath, refsIn } from '../model/value.ts';
import { type Acceptance, type LeftOut, type Selection, wholeObject } from './acceptance.ts';
import type { SlotIndex } from './slot-index.ts';
import { findAddressSlots, slotText } from './write-new-names.ts';

/*
 * `trueup accept` removes the block of an object that was deleted outside (in the account, not by trueup). It must not remove the block
 * while another block refers to the object, for example in `$dependsOn`: such a reference to an undeclared object is an error. This file
 * finds these objects. Their blocks stay until the user has removed the references.
 *
 *   deletion   an object that was deleted outside and whose block `accept` wants to remove
 *   mention    a reference to a deletion, or its address, in text that stays
 */

/** The accepted changes, and the configuration with the edits that write them. */
interface WrittenAcceptance {
  plan: Pick<Plan, 'changes'>;
  paths: Acceptance['paths'];
  blocks: ConfigurationText['blocks'];
  slots: SlotIndex;
}

/** The addresses of the deletions. */
type DeletedAddresses = ReadonlySet<Address>;

/**
 * Returns the objects deleted outside whose blocks `accept` cannot remove, because text that stays mentions the object or an object inside
 * it, each with the lines that the user has to edit. If such an object is inside another deletion, the outer one is returned, since its
 * block contains both.
 */
export function findReferencedDeletions(acceptance: WrittenAcceptance): LeftOut[] {
  const { plan, paths } = acceptance;
  const isAcceptedDeletion = (change: Change) =>
    isDeletedOutside(change) && paths.get(change.address)?.has(wholeObject) === true;
  const deletions: DeletedAddresses = new Set(
    plan.changes.filter(isAcceptedDeletion).map(({ address }) => address),
  );
  // A soft mention is a name that need not be declared, so it may stay.
  const mentions = findDeletionMentions(acceptance, deletions).filter(({ type }) => type !== 'soft');
  const mentionsByAddress = groupBy(mentions, ({ to }) => outermostOf(to, deletions)!);
  return [...mentionsByAddress].map(([address, mentionsOfObject]) => {
    const lines = new Set(mentionsOfObject.map(({ at: { file, line } }) => `${file}:${line}`));
    return {
      address,
      reason: `it no longer exists, but the configuration names it elsewhere: remove it there (${[...lines].join(', ')}), and run again`,
    };
  });
}

/**
 * Returns all places that still mention a deletion, or an object inside one, after the edits of `accept` or `remove`: references, and
 * addresses such as the `$at` of a patch.
 */
export function findDeletionMentions(
  acceptance: Omit<WrittenAcceptance, 'plan'>,
  deletions: DeletedAddresses,
): DeletionMention[] {
  if (deletions.size === 0) return [];
  return [...findReferenceMentions(acceptance, deletions), ...findAddressMentions(acceptance, deletions)];
}

/** Returns the outermost deletion that an address is in, or is; undefined if there is none. */
export const outermostOf = (address: Address, deletions: DeletedAddresses): Address | undefined =>
  ancestorsAmong(address, deletions).at(-1);

/** A place of the configuration that mentions a deleted object. */
export interface DeletionMention {
  /** The mentioned object: a deletion, or an object inside one. */
  to: Address;
  /**
   * How a field or key mentions it; absent for actions, and for addresses such as the `$at` of a patch. `soft`: a name that need not be
   * declared, so the configuration stays valid with it.
   */
  type?: Link['type'];
  at: Position;
}

/**
 * Returns the references to deletions, or to objects inside them, that the configuration still has after the edits of `accept`: in fields
 * and `$` keys of the blocks that stay, and in the actions (`$then`) of these blocks. A reference that another accepted change replaces or
 * removes does not count.
 */
function findReferenceMentions(
  { blocks, paths, slots }: Omit<WrittenAcceptance, 'plan'>,
  deletions: DeletedAddresses,
): DeletionMention[] {
  const isDeleted = (address: Address) => isWithinAny(address, deletions);
  // `accept` removes a block if all its objects are deletions. A block with an error has no objects, and stays.
  const remainingBlocks = blocks.filter(
    ({ units }) => units.length === 0 || units.some(({ address }) => !isDeleted(address)),
  );
  return remainingBlocks.flatMap(({ units, links }) => {
    // The text of the reference is edited, or a patch gives its field another value.
    const isReplaced = ({ to, at }: (typeof links)[number]) =>
      isEditedAt(at, slots) || units.some((unit) => losesReference(unit, to, paths));
    const references = links.filter((link) => isDeleted(link.to) && !isReplaced(link));
    const actionReferences = units.flatMap(({ meta, at }) =>
      (meta.actions ?? [])
        .flatMap(({ about, input }) => [...about, ...refsIn(input)])
        .filter(isDeleted)
        .map((to) => ({ to, at })),
    );
    return [...references, ...actionReferences];
  });
}

/**
 * Returns the places where text that stays contains the address of a deletion, or of an object inside it, such as the `$at` of a patch.
 * Counts only deletions whose block `accept` cuts from a file, since patches of an undeclared object are errors. If it adds a patch that
 * drops the object instead, the patches before that one still find the object.
 */
function findAddressMentions(
  { blocks, slots }: Omit<WrittenAcceptance, 'plan' | 'paths'>,
  deletions: DeletedAddresses,
): DeletionMention[] {
  const cutFromFile = new Set(
    blocks.flatMap(({ block: { at }, units }) => {
      const addresses = units.map(({ address }) => address).filter((address) => deletions.has(address));
      // A removed block is edited from its first character on.
      const isCut = addresses.length > 0 && slots.fileOf(at)?.isEdited(at.start, at.start + 1);
      return isCut ? addresses : [];
    }),
  );
  return findAddressSlots(slots).flatMap((slot) => {
    const { file, node } = slot;
    const [start, end] = node!.range!;
    const to = slotText(slot);
    const address = outermostOf(to, deletions);
    if (address === undefined || !cutFromFile.has(address) || file.isEdited(start, end)) return [];
    return [{ to, at: file.source.position(start) }];
  });
}

/** True if an accepted change replaces or removes the text at a position, so that a reference there no longer counts. */
function isEditedAt(at: Position, { files }: SlotIndex): boolean {
  const file = files.find(({ name }) => name === at.file);
  const offset = file?.offsetOf(at);
  return offset !== undefined && file!.isEdited(offset, offset + 1);
}

/**
 * True if an object refers to `to`, but only in fields that get a new value from `accept`, so that the reference ends. Needed besides
 * `isEditedAt`, because `accept` can write the new value into a patch and leave the old text where it is.
 */
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
 * Returns the selection without the objects in `leftOut` (deletions that the configuration still mentions) and everything inside them,
 * whose blocks must stay as they are. `accept` starts again with this smaller selection.
 */
export function withoutLeftOut(selection: Selection, leftOut: readonly LeftOut[]): Selection {
  const addresses = new Set(leftOut.map(({ address }) => address));
  return {
    ...selection,
    isChosen: (address) => selection.isChosen(address) && !isWithinAny(address, addresses),
  };
}
