import type { ConfigurationText } from '../config/configuration.ts';
import type { ExportResult } from '../export/export-live.ts';
import { writtenAsFound } from '../export/export-summary.ts';
import { exportedSecretEnv } from '../export/secret-names.ts';
import { naturalAddressOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, globOf } from '../model/address.ts';
import { shellQuoted } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter, type Move } from '../model/move.ts';
import { driftCount, type Plan } from '../model/plan.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { mapRefs, refsIn } from '../model/value.ts';
import { notComparedState } from '../report/not-compared-text.ts';
import { cleanLine } from '../report/text.ts';
import type { Acceptance, LeftOut, Selection, Unplaced } from './acceptance.ts';
import { groupByEntry } from './additions.ts';
import { ChangeWriter } from './change-writer.ts';
import type { ChangedFile } from './changed-files.ts';
import { declareNewObjects, type ExtendedSection } from './declare-new-objects.ts';
import { findAcceptedChanges } from './find-accepted-changes.ts';
import type { OriginEdit, RefusedOrigins } from './origin-edit.ts';
import { findReferencedDeletions, withoutLeftOut } from './referenced-deletions.ts';
import { applyTextEdits, type YamlFile } from './yaml-file.ts';

interface AcceptRequest {
  plan: Pick<Plan, 'changes' | 'diagnostics'>;
  desired: Pick<Desired, 'resources'>;
  live: Live;
  written: ConfigurationText;
  kinds: Kinds;
  /** The live objects to declare that the configuration does not have (`--new`). */
  additions?: ReadonlySet<Address>;
  /** The data (such as CSV cells) that must stay as it is, because changing it would change other values; see `acceptSafely`. */
  refused?: RefusedOrigins;
  /** True if a secret of this name has another value here, so that an export must choose another name. By default none has. */
  isTaken?(name: string, value: Sealed | undefined): boolean;
}

export interface AcceptResult extends Acceptance {
  files: ChangedFile[];
  /** Accepted changes that could be written nowhere. */
  unplaced: Unplaced[];
  /** The removed rows of data files, for people. */
  removedRows: readonly string[];
  /** The data that was changed instead of blocks. Other values may depend on it, so the caller checks it (`acceptSafely`). */
  originEdits: OriginEdit[];
  /** Why values were not written where their data is, by address. */
  originNotes: readonly { address: Address; text: string }[];
  /** The export of the new declarations. */
  exported?: ExportResult;
  /** The sections that contain them. */
  extendedSections: ExtendedSection[];
  /**
   * The moves from the old to the new addresses of renamed objects, and of those whose addresses contain their names. `paths` has the new
   * addresses.
   */
  moves: Move[];
}

/**
 * Writes changes that were made outside into the texts of the configuration, each value where it is written now or, if that is impossible,
 * in its block or a patch (an entry of `patches:`, which overrides blocks). `trueup accept` proves and shows the new texts before it writes
 * them to disk. Pure: nothing is read or written.
 */
export function accept(input: AcceptRequest, selection: Selection): AcceptResult {
  const leftOut: LeftOut[] = [];
  const acceptAllButLeftOut = (renames: readonly Move[]) =>
    acceptWithNames(input, withoutLeftOut(selection, leftOut), renames);
  let { result, referencedDeletions } = acceptAllButLeftOut([]);
  // A block that stays because others refer to it can itself refer to further deleted objects.
  while (referencedDeletions.length > 0) {
    leftOut.push(...referencedDeletions);
    ({ result, referencedDeletions } = acceptAllButLeftOut([]));
  }
  // Only a finished run shows which new names can be written. References to these objects are then written in a last run. It accepts the
  // same changes, so no further block has to stay.
  if (result.moves.length > 0) ({ result } = acceptAllButLeftOut(result.moves));
  return { ...result, leftOut: [...result.leftOut, ...leftOut] };
}

/**
 * Writes the accepted changes once. `accept` calls it again with a smaller `selection` if it returns `referencedDeletions`: objects deleted
 * outside whose blocks have to stay, because other blocks refer to them. It calls it a last time with the `renames` that this run could
 * write, so that references have the new names.
 */
function acceptWithNames(
  input: AcceptRequest,
  selection: Selection,
  renames: readonly Move[],
): { result: AcceptResult; referencedDeletions: LeftOut[] } {
  const { written, kinds, plan, desired, live, additions, refused, isTaken = () => false } = input;
  const { blocks } = written;
  const acceptance = findAcceptedChanges(
    { plan, desired, live, blocks, kinds, moves: renames, additions },
    selection,
  );
  const writer = new ChangeWriter(written, kinds, { renames, refused });
  for (const change of acceptance.accepted) writer.write(change);
  const declared = additions?.size
    ? declareNewObjects(additions, { desired, live, kinds, written, isTaken }, writer)
    : undefined;
  writer.finish();
  const { slots, patches, notRenamed } = writer;
  // Only the writer finds out which new names cannot be written (`notRenamed`).
  const pathsByOldAddress = withoutUnwrittenNames(acceptance.paths, notRenamed, input);
  // The renames that were written, and the changes of other addresses that contain the old names.
  const moves = withFollowingMoves(patches.moves, input);
  const result: AcceptResult = {
    ...acceptance,
    leftOut: [...acceptance.leftOut, ...notRenamed],
    paths: new Map([...pathsByOldAddress].map(([address, paths]) => [addressAfter(address, moves), paths])),
    moves,
    files: findEditedFiles(slots.files),
    unplaced: writer.unplaced,
    removedRows: writer.removedRows,
    originEdits: findOriginEdits(writer),
    originNotes: writer.originNotes,
    extendedSections: declared?.sections ?? [],
    exported: declared?.exported,
  };
  const referencedDeletions = findReferencedDeletions({ plan, paths: pathsByOldAddress, blocks, slots });
  return { result, referencedDeletions };
}

/**
 * Returns the changes of data (CSV files, variables) that `trueup accept` makes in its new texts, so that `acceptSafely` can check each of
 * them, and compute the texts again without it. Edits that were taken back are left out.
 */
function findOriginEdits({ slots, origins }: ChangeWriter): OriginEdit[] {
  const ids = new Set(slots.files.flatMap(({ edits }) => edits.flatMap(({ originId }) => originId ?? [])));
  const editById = new Map(origins.edits.map((edit) => [edit.id, edit]));
  // An id that `origins` does not have is that of a removed row, without a value.
  return [...ids].map((id) => editById.get(id) ?? { id });
}

/**
 * Returns the renames that `trueup accept` takes over, with the moves that follow from them. The address of an object may contain the name
 * of an object that it refers to: the address of a variable contains the name of its custom environment, so renaming that moves both.
 */
function withFollowingMoves(
  renames: readonly Move[],
  { desired, live, kinds }: Pick<AcceptRequest, 'desired' | 'live' | 'kinds'>,
): Move[] {
  if (renames.length === 0) return [];
  const newAddressOf = (address: Address) => addressAfter(address, renames);
  const objects = new Map<Address, Resource | LiveResource>([...live.resources, ...desired.resources]);
  const followingMoves = [...objects.values()].flatMap(({ address, kind: name, parent, fields }): Move[] => {
    if (renames.some(({ from }) => from === address)) return [];
    const renamedReference = refsIn(fields).find((reference) => newAddressOf(reference) !== reference);
    if (renamedReference === undefined) return [];
    const kind = kinds.get(name)!;
    // The move of a renamed parent moves its children, too. So both addresses have the new parent, and differ only in names of references.
    const newParent = parent && newAddressOf(parent);
    const addressWithOldReferences = naturalAddressOf(kind, newParent, fields);
    const to = naturalAddressOf(kind, newParent, mapRefs(fields, newAddressOf));
    if (to === addressWithOldReferences) return [];
    return [{ from: newAddressOf(address), to, renamedBy: newAddressOf(renamedReference) }];
  });
  return [...renames, ...followingMoves];
}

/**
 * Returns the files that have edits, with the texts before and after them. `trueup accept` shows them as a diff before it writes them to
 * disk.
 */
export const findEditedFiles = (files: readonly YamlFile[]): ChangedFile[] =>
  files.flatMap(({ path, name, text, edits }) => {
    const after = applyTextEdits(text, edits);
    return after === text ? [] : [{ path, name, before: text, after }];
  });

/**
 * Returns the accepted paths (the fields that the new texts may change, by address) without the names of objects
 * whose new name could not be written after all. The proof of the texts then expects these names unchanged.
 */
function withoutUnwrittenNames(
  paths: Acceptance['paths'],
  notRenamed: readonly LeftOut[],
  { desired, kinds }: Pick<AcceptRequest, 'desired' | 'kinds'>,
): Acceptance['paths'] {
  const remaining = new Map(paths);
  for (const { address } of notRenamed) {
    const nameFields = kinds.get(desired.resources.get(address)!.kind)!.key;
    const otherPaths = [...(paths.get(address) ?? [])].filter((path) => !nameFields.includes(path));
    if (otherPaths.length > 0) remaining.set(address, new Set(otherPaths));
    else remaining.delete(address);
  }
  return remaining;
}

/**
 * Returns the messages that `accept` prints before it asks whether to write the files: fields to check for secrets, removed rows of data,
 * why values were not written where their data is, notes about new declarations, values that the user has to set, and changes that are not
 * written. Each line comes once. A secret that several objects use is named with the first of them. `notAdded`: the new objects that cannot
 * be added, with reasons. `unchangedFields`: the fields that are written although they could contain a secret.
 */
export function describeResult(
  { leftOut, possibleSecrets, removedRows, originNotes, exported }: AcceptResult,
  notAdded: readonly string[],
  unchangedFields: readonly string[],
): string[] {
  const missingValues = [...(exported?.secretUsers ?? [])].map(
    ([name, [user]]) =>
      `${addressWithoutTarget(user!)}: its value is not written; set ${exportedSecretEnv(name)} where this is applied`,
  );
  const possibleSecretLines = groupByEntry(possibleSecrets).map(
    ({ name, address, path }) =>
      `${name}: \`${path}\` changed but is not written, since it may be a secret: --values ${shellQuoted(globOf(address))}`,
  );
  const leftOutLines = leftOut.map(({ address, reason }) => `${addressWithoutTarget(address)}: ${reason}`);
  const lines = [
    ...writtenAsFound(unchangedFields),
    ...removedRows,
    ...foldNotes(originNotes),
    ...notAdded,
    ...(exported?.notes ?? []),
    ...missingValues,
    ...possibleSecretLines,
    ...leftOutLines,
  ];
  return [...new Set(lines.map(cleanLine))];
}

/** The number of equal notes up to which each has its own line. */
const maxUnfoldedNotes = 3;

/**
 * Returns the lines of notes about data. Those that differ only in their objects and rows become one line, because a template makes the
 * same field of many objects.
 */
function foldNotes(notes: AcceptResult['originNotes']): string[] {
  // The line number goes from texts such as "is not written at hosts.csv:3, because ...".
  const withoutLine = ({ text }: { text: string }) => text.replace(/:\d+(?=,| is)/, '');
  return [...groupBy(notes, withoutLine)].flatMap(([text, equalNotes]) => {
    const addresses = [...new Set(equalNotes.map(({ address }) => addressWithoutTarget(address)))];
    if (addresses.length > maxUnfoldedNotes) return [`${listFirst(addresses, maxUnfoldedNotes)}: ${text}`];
    return equalNotes.map((note) => `${addressWithoutTarget(note.address)}: ${note.text}`);
  });
}

/**
 * Returns what `accept` prints if there is nothing to write into the configuration: nothing was changed
 * outside, or no change that was chosen can be accepted. Also counts the parts that were not compared.
 */
export const nothingToAcceptText = (plan: Plan): string => {
  const isUnchanged = driftCount(plan) === 0;
  const text = isUnchanged ? 'Nothing was changed outside since the last apply.' : 'Nothing to accept.';
  return [text, ...notComparedState(plan)].join(' ');
};
