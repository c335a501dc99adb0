import { diffLines } from 'diff';
import { isMap } from 'yaml';
import { wholeObject } from '../accept/acceptance.ts';
import { addressOfBlock } from '../accept/block-remover.ts';
import type { ChangedFile } from '../accept/changed-files.ts';
import { findOtherDifferences } from '../accept/find-defects.ts';
import { type DeletionMention, outermostOf } from '../accept/referenced-deletions.ts';
import { nameOfPlace } from '../config/yaml/source.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, problem, shellWord } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { addressWithoutTarget, namesOfOutermost } from '../model/logical-changes.ts';
import type { Desired } from '../model/resource.ts';
import type { UnremovableBlock } from './remove-blocks.ts';

/** The largest number of addresses that a hint lists as one command to copy. */
const maxAddressesInHint = 8;

/**
 * Returns the problems of blocks whose text `trueup remove` cannot remove. `row`: the entry of data, such as a line of a CSV file, from
 * which `$each` makes the block. A row that also makes other objects is named with these, because they have to be removed together; any
 * other place is the line to edit by hand. `chosen`: the addresses that the user named. `stage`: the only stage in which the objects are
 * removed.
 */
export const unremovableProblems = (
  unremovable: readonly UnremovableBlock[],
  chosen: readonly Address[],
  stage: string | undefined,
): Diagnostic[] =>
  unremovable.map(({ block: { block, units }, row, isShared }) => {
    // A block that could not be removed has objects: one of them was to be removed.
    const address = addressWithoutTarget(units[0]!.address);
    const position = block.at.source.quotedPosition(block.at.start, block.at.end);
    if (stage !== undefined)
      return problem('remove/shared', `${address} cannot be removed from the stage ${stage} alone`, {
        address,
        at: position,
        hint: `${hintForStage(stage, row, isShared)}, or remove it from all stages, without --stage; nothing was written`,
      });
    if (row && row.others.length > 0) return sharedRowProblem(address, row, chosen);
    return problem('remove/shared', `${address} has no text that is only about it`, {
      address,
      at: position,
      hint: 'edit this line by hand; nothing was written',
    });
  });

/**
 * Returns the problem that an object comes from a row (an entry of data that `$each` repeats a block for) that also makes others, with the
 * command that removes all of them if it is short enough. `row.others`: the blocks made from it that are not removed.
 */
function sharedRowProblem(
  address: Address,
  row: NonNullable<UnremovableBlock['row']>,
  chosen: readonly Address[],
): Diagnostic {
  const otherNames = namesOfOutermost(new Set(row.others.map(addressOfBlock)));
  const command = [...new Set([...chosen, ...otherNames])].map(shellWord).join(' ');
  const hint =
    otherNames.length <= maxAddressesInHint
      ? `to keep the others, edit this line by hand; to remove all of them: trueup remove ${command}`
      : 'edit this line by hand; nothing was written';
  return problem(
    'remove/shared',
    `${address} comes from ${nameOfPlace(row.spot)}, which also makes ${listFirst(otherNames, 5)}`,
    { address, at: row.spot, hint },
  );
}

/**
 * Returns how a person can remove an object from one stage only. A `$when` about the stage in a block that also makes other objects
 * (`isShared`) would remove all of them from the stage, so there a member of the row of `$each` decides. The `${stage}` in the condition is
 * an expression of the configuration.
 */
function hintForStage(stage: string, row: UnremovableBlock['row'], isShared: boolean): string {
  if (!isShared) return 'write `$when: { stage: [...] }` with the other stages into its block';
  // A row of a CSV file has no slot, and is always a map.
  if (!row || (row.slot && !isMap(row.slot.node)))
    return 'its block also makes other objects, so edit the files by hand';
  const condition = '$when: { each.value.skip: { not: "${stage}" } }';
  return `its block also makes other objects, so write \`${condition}\` into the block, and \`skip: ${stage}\` into its row at ${nameOfPlace(row.spot)} (in a CSV file, a column \`skip\`)`;
}

/** Returns a problem for each line that stays in the YAML and names an object that `trueup remove` removes. */
export function mentionProblems(mentions: readonly DeletionMention[]): Diagnostic[] {
  const problems = mentions.map(({ to, at }) =>
    problem('remove/named', `${addressWithoutTarget(to)} is still named here`, {
      at,
      hint: 'remove the name or the reference, and run again; nothing was written',
    }),
  );
  return [
    ...new Map(
      problems.map((found) => [`${found.at?.file}:${found.at?.line} ${found.message}`, found]),
    ).values(),
  ];
}

/**
 * Returns the problems of new texts that do not mean the old configuration without the removed objects: an object that is still declared,
 * one that would be lost as well, or a field that would change. Then `trueup remove` writes nothing.
 */
export function unprovenRemovals(
  before: Desired,
  after: Desired,
  removed: ReadonlySet<Address>,
): Diagnostic[] {
  const lost = new Set(
    [...before.resources.keys()].filter((address) => !after.resources.has(address) && !removed.has(address)),
  );
  // Removed and lost objects may differ as a whole here: the lost ones have problems of their own.
  const paths = new Map([...removed, ...lost].map((address) => [address, new Set([wholeObject])]));
  const differences = findOtherDifferences(before, after, paths);
  return [
    ...stillDeclaredProblems(after, removed),
    ...lossProblems(lost, removed),
    ...differences.map((difference) =>
      problem('remove/unproven', difference, {
        hint: 'nothing was written; name these objects as well, or edit the files by hand',
      }),
    ),
  ];
}

/** Returns a problem for each removed object that new texts still declare. An object inside another one of these is not mentioned. */
function stillDeclaredProblems({ resources }: Desired, removed: ReadonlySet<Address>): Diagnostic[] {
  const remaining = new Set([...removed].filter((address) => resources.has(address)));
  const outermost = [...remaining].filter((address) => outermostOf(address, remaining) === address);
  return outermost.map((address) =>
    problem('remove/unproven', `${address} would still be declared`, {
      address,
      at: resources.get(address)!.at,
      hint: 'edit this line by hand; nothing was written',
    }),
  );
}

/**
 * Returns the problems with objects that `trueup remove` would remove from the configuration although the user did not name them (`lost`):
 * one for each outermost object, with its contents. The hint has the command that removes all of them and the named ones (`removed`),
 * unless it would be too long.
 */
function lossProblems(lost: ReadonlySet<Address>, removed: ReadonlySet<Address>): Diagnostic[] {
  const outermost = namesOfOutermost(lost);
  const names = new Set([...lost].map(addressWithoutTarget));
  const commandWords = [...namesOfOutermost(removed), ...outermost];
  const hint =
    commandWords.length <= maxAddressesInHint
      ? `nothing was written; to remove all of them: trueup remove ${commandWords.map(shellWord).join(' ')}`
      : 'nothing was written; name these objects as well, or edit the files by hand';
  return outermost.map((address) => {
    const inside = [...names].filter((name) => name.startsWith(`${address}/`)).length;
    const contents = inside === 0 ? '' : ` and ${inside} object${inside === 1 ? '' : 's'} in it`;
    return problem('remove/unproven', `${address}${contents} would be removed, too`, { hint });
  });
}

/**
 * Returns the errors of new texts, with the places that their lines have in the old texts, since the new ones are not written. Errors at
 * lines that other problems are about are left out.
 */
export function rereadingProblems(
  diagnostics: readonly Diagnostic[],
  files: readonly ChangedFile[],
  reported: readonly Diagnostic[],
): Diagnostic[] {
  const reportedLines = new Set(reported.map(({ at }) => lineIdOf(at)));
  const fileByName = new Map(files.map((file) => [file.name, file]));
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ folded, ...diagnostic }) => folded ?? [diagnostic])
    .map((diagnostic): Diagnostic => {
      const { at } = diagnostic;
      const file = at && fileByName.get(at.file);
      return file ? { ...diagnostic, at: { ...at, line: oldLineOf(file, at.line) } } : diagnostic;
    })
    .filter(({ at }) => !reportedLines.has(lineIdOf(at)));
}

/** Returns an id of the line of a position. */
const lineIdOf = (at: Diagnostic['at']): string => `${at?.file}:${at?.line}`;

/**
 * Returns the number, from 1, that a line of the new text of a file has in its old text, because problems of a new text that is not written
 * name lines of the old one. For a new line, returns the number of the line before it.
 */
function oldLineOf({ before, after }: ChangedFile, line: number): number {
  let [oldLine, newLine] = [0, 0];
  for (const { count = 0, added, removed } of diffLines(before, after)) {
    if (!removed && newLine + count >= line) return added ? Math.max(oldLine, 1) : oldLine + line - newLine;
    if (!added) oldLine += count;
    if (!removed) newLine += count;
  }
  return line;
}
