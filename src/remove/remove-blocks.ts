/*
 * Computes the texts of a configuration without some of its objects, for `trueup remove`.
 *
 *   removed object   an object that the user named, or one inside it
 *   mention          text that stays and names a removed object: a reference, `$dependsOn`, the `$at` of a patch
 *   row              the line of a CSV file, or the member of a YAML or JSON file, from which `$each` makes blocks
 *
 * The text of an object is removed as `trueup accept` removes that of an object which somebody deleted in the account: its block with the
 * comments above it, or its row if nothing else is made from the row, or by a patch that drops it from the block around it. Patches of
 * removed objects go as well.
 */
import { findEditedFiles } from '../accept/accept.ts';
import { type AcceptInput, type Selection, wholeObject } from '../accept/acceptance.ts';
import { ChangeWriter } from '../accept/change-writer.ts';
import type { ChangedFile } from '../accept/changed-files.ts';
import { findAcceptedChanges } from '../accept/find-accepted-changes.ts';
import { type DeletionMention, findDeletionMentions } from '../accept/referenced-deletions.ts';
import type { YamlFile } from '../accept/yaml-file.ts';
import { addressesOfUnits, type LoadedBlock, spotOfBlock } from '../config/blocks/block.ts';
import type { ConfigurationText } from '../config/configuration.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { ChangeOf } from '../model/change.ts';
import type { Position } from '../model/diagnostic.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { removePatchesOf } from './remove-patches.ts';

/** A configuration, and the addresses of all objects to remove from it, with those inside others. */
export interface RemovalInput {
  written: ConfigurationText;
  desired: Pick<Desired, 'resources'>;
  kinds: Kinds;
  removed: ReadonlySet<Address>;
}

/** A block that cannot be removed, with the row that it is made from; without a row, or with one that cannot be edited, `row` is absent. */
export interface UnremovableBlock {
  block: LoadedBlock;
  row: ReturnType<ChangeWriter['findRow']>;
  /** True if its text makes other objects as well, so that a key such as `$when` in it would concern all of them. */
  isShared: boolean;
}

/** The texts without the removed objects. They must not be written if a block is unremovable or some text mentions a removed object. */
export interface RemovalTexts {
  files: ChangedFile[];
  /** The removed rows, for people: `removes the entry ab, sites.csv:12`. */
  removedRows: readonly string[];
  unremovable: UnremovableBlock[];
  mentions: DeletionMention[];
}

/** True if one text makes two blocks, as with `$each`. */
const hasSameText = (a: LoadedBlock['block'], b: LoadedBlock['block']): boolean => {
  const [first, second] = [spotOfBlock(a), spotOfBlock(b)];
  return first.source === second.source && first.start === second.start;
};

/**
 * Computes the texts of the files of a configuration without the removed objects, in memory. Further text can still declare an object, such
 * as a second file with a part of its block. So the caller reads the new texts, and calls this again until the object is gone. The result
 * also has the blocks that could not be edited (`unremovable`), and other texts that name removed objects (`mentions`).
 */
export function removeBlocks(input: RemovalInput): RemovalTexts {
  const { written, kinds, removed } = input;
  const { blocks } = written;
  const { wholeBlocks, partialBlocks } = findRemovedBlocks(blocks, removed);
  const paths = new Map([...removed].map((address) => [address, new Set([wholeObject])]));
  const writer = new ChangeWriter(written, kinds, { cutsPatches: true });
  for (const block of wholeBlocks)
    writer.write({ type: 'deleted', block, addresses: addressesOfUnits(block) });
  // A block that keeps some of its objects is edited as `accept` edits it if the others were deleted in the account.
  const { accepted, leftOut } = findAcceptedChanges(pretendDeletedOutside(input, partialBlocks), allChanges);
  for (const change of accepted) writer.write(change);
  writer.finish();
  removePatchesOf(writer.slots, removed, input.desired.resources.keys());
  const stillWritten = [
    ...writer.unplaced.flatMap(({ addresses }) => addresses),
    ...leftOut.map(({ address }) => address),
  ];
  const unremovable = blocks.filter((block) =>
    addressesOfUnits(block).some((address) => stillWritten.includes(address)),
  );
  return {
    files: findEditedFiles(writer.slots.files),
    removedRows: writer.removedRows,
    unremovable: unremovable.map((block) => ({
      block,
      row: writer.findRow(block),
      isShared: blocks.some((other) => other !== block && hasSameText(other.block, block.block)),
    })),
    mentions: findDeletionMentions({ blocks, paths, slots: writer.slots }, removed).map((mention) => ({
      ...mention,
      at: withLineText(mention.at, writer.slots.files),
    })),
  };
}

/** Returns a position with the text of its line, so that a message of `trueup remove` can quote it. */
function withLineText(at: Position, files: readonly YamlFile[]): Position {
  const file = files.find(({ name }) => name === at.file);
  if (!file) return at;
  const offset = file.offsetOf(at);
  return file.source.quotedPosition(offset, offset);
}

/**
 * Finds the blocks whose text has to be edited: `wholeBlocks` lose all their objects and are not inside another one of these;
 * `partialBlocks` are entries that lose only some of their objects, such as one target of a variable. A variable that belongs to the secret
 * of a removed object (`$secretTo`) has no text of its own.
 */
function findRemovedBlocks(
  blocks: readonly LoadedBlock[],
  removed: ReadonlySet<Address>,
): { wholeBlocks: LoadedBlock[]; partialBlocks: LoadedBlock[] } {
  const isRemoved = ({ address }: Resource) => removed.has(address);
  const writtenBlocks = blocks.filter(
    ({ block: { secretOf } }) => secretOf === undefined || !removed.has(secretOf),
  );
  const allRemoved = writtenBlocks.filter(({ units }) => units.length > 0 && units.every(isRemoved));
  const removedBlocks = new Set(allRemoved.map(({ block }) => block));
  const isInside = ({ block }: LoadedBlock) => {
    for (let { parent } = block; parent; { parent } = parent) if (removedBlocks.has(parent)) return true;
    return false;
  };
  return {
    wholeBlocks: allRemoved.filter((block) => !isInside(block)),
    partialBlocks: writtenBlocks.filter(({ units }) => units.some(isRemoved) && !units.every(isRemoved)),
  };
}

/**
 * Returns an input for `findAcceptedChanges` of `trueup accept` that looks as if somebody had deleted the removed objects of these blocks
 * in the account. `trueup remove` uses it to edit a block that keeps some of its objects, such as a variable that loses one of its targets.
 * The plan in it has a creation with `outside` for each removed object, as a real plan has for a declared object that was deleted outside.
 */
function pretendDeletedOutside(
  { written, desired, kinds, removed }: RemovalInput,
  partialBlocks: readonly LoadedBlock[],
): AcceptInput {
  const changes = partialBlocks
    .flatMap(({ units }) => units)
    .filter(({ address }) => removed.has(address))
    .map(
      (after): ChangeOf<'create'> => ({
        address: after.address,
        kind: after.kind,
        action: 'create',
        after,
        fields: [],
        outside: true,
        grade: 'safe',
      }),
    );
  return {
    plan: { changes, diagnostics: [] },
    desired,
    live: { resources: new Map() },
    blocks: written.blocks,
    kinds,
    moves: [],
  };
}

/** Selects all changes of the plan that `pretendDeletedOutside` returns. */
const allChanges: Selection = { isChosen: () => true, isNamed: true, mayWrite: () => false };
