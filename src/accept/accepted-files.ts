import { allProblemsOf, type WrittenConfiguration } from '../config/configuration.ts';
import { spotsIn } from '../config/yaml/nodes.ts';
import type { Spot } from '../config/yaml/source.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, messageWithPlace, problem, raise } from '../model/diagnostic.ts';
import { addressBefore, type Move } from '../model/move.ts';
import type { Desired, Resource } from '../model/resource.ts';
import type { AcceptResult } from './accept.ts';
import { wholeObject } from './acceptance.ts';
import { addChanges, type ChangedFile, newTextsOf, type Reload } from './changed-files.ts';
import { findAddedAddresses } from './declare-new-objects.ts';
import { type AcceptedPaths, orderPath } from './find-defects.ts';
import { diffHidden, type Mask } from './hidden-diff.ts';
import { type NewOrder, reorderLists } from './reorder-lists.ts';
import { isLiteralText } from './yaml-file.ts';

/** The changed files of an `accept`, and the configuration that they declare. */
export interface AcceptedFiles {
  files: ChangedFile[];
  configuration: WrittenConfiguration;
}

/**
 * Loads the configuration with the new texts, and puts lists in their accepted order. Called before anything is written, to prove that the
 * new texts declare the accepted changes. Throws `Problems` if they have errors, or if the items of a list cannot be put in order.
 */
export async function rereadAccepted(
  { kinds }: { kinds: Kinds },
  files: ChangedFile[],
  orders: NewOrder[],
  reload: Reload,
): Promise<AcceptedFiles> {
  const unordered = { files, configuration: await reloadWith(files, reload) };
  if (orders.length === 0) return unordered;
  const { resources } = unordered.configuration.desired;
  // The new texts may declare fewer objects than the account has in its order.
  const declaredOrders = orders.map((order) => ({
    ...order,
    addresses: order.addresses.filter((address) => resources.has(address)),
  }));
  const { files: reordered, refused } = reorderLists(
    declaredOrders,
    unordered.configuration.written(),
    kinds,
  );
  if (refused.length > 0) raise(refused.map(({ addresses }) => unwritableOrderProblem(addresses, resources)));
  const changedFiles = addChanges(files, reordered);
  return { files: changedFiles, configuration: await reloadWith(changedFiles, reload) };
}

/**
 * Returns the problem that `accept` reports if it cannot write the new order of a list, because its items are declared in different places.
 * The hint has the order that the user can write by hand.
 */
function unwritableOrderProblem(
  addresses: readonly Address[],
  resources: ReadonlyMap<Address, Resource>,
): Diagnostic {
  const list = addresses[0]!.slice(0, addresses[0]!.lastIndexOf('/'));
  const items = addresses.map((address) => {
    const { file, line } = resources.get(address)!.at;
    return `${address.slice(address.lastIndexOf('/') + 1)} (${file}:${line})`;
  });
  return problem(
    'accept/order',
    `the order of ${list} cannot be written: its items come from places that have no order among themselves`,
    { hint: `edit it by hand so that the order is ${items.join(', ')}; nothing was written` },
  );
}

/**
 * Loads the configuration with the new texts of changed files, so that `accept` can prove them before it writes them to disk. Throws
 * `Problems` if it has errors.
 */
async function reloadWith(files: ChangedFile[], reload: Reload): Promise<WrittenConfiguration> {
  const configuration = await reload(newTextsOf(files));
  const errors = allProblemsOf(configuration).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) raise(unprovenProblems(errors.map(messageWithPlace)));
  return configuration;
}

/**
 * Returns the problems of `trueup accept` that the new texts have errors, or do not declare the accepted changes, so that nothing is
 * written.
 */
export const unprovenProblems = (messages: string[]): Diagnostic[] =>
  messages.map((message) =>
    problem('accept/unproven', message, {
      hint: 'nothing was written; accept something else, or edit it by hand',
    }),
  );

/**
 * Returns the diff of the changed files that a command shows before it writes them. It hides secrets, and texts that no field reads,
 * because they may be secrets. `before`, `after`: the configuration in one or several stages, with the old and with the new texts; each
 * stage can read other secrets. `allowed`: values that may be secrets and that the user allowed to be written, as `ADDRESS FIELD` with the
 * address before `moves` (the accepted renames). The diff hides them all the same.
 */
export function diffAccepted(
  files: readonly ChangedFile[],
  before: readonly WrittenConfiguration[],
  after: readonly WrittenConfiguration[],
  { allowed, moves }: { allowed: ReadonlySet<string>; moves: readonly Move[] },
): string {
  const readBefore = before.map(findReadTexts);
  const masksBefore = mergeMasksOfStages(
    before.map((configuration) => createMasks(configuration, new Set(), [])),
    readBefore,
  );
  const masksAfter = mergeMasksOfStages(
    after.map((configuration) => createMasks(configuration, allowed, moves)),
    after.map(findReadTexts),
  );
  return files
    .map((file) => {
      const hiddenBefore = masksBefore(file.path);
      const wasVisible = createVisibilityTest(file, hiddenBefore, readBefore);
      const hiddenAfter = masksAfter(file.path).filter((mask) => !wasVisible(mask));
      return diffHidden(file, { before: hiddenBefore, after: hiddenAfter });
    })
    .join('\n');
}

/**
 * Returns the test for places of a changed file whose text could be seen before: the old file has the same text at the same place, read as
 * the value of a field and not hidden. Such a text stays visible in the diff, although no field reads it any more, for example after a new
 * `$drop`. `readByStage`: the places that each stage read, by `findReadTexts`. Places are compared as texts `START,END`.
 */
function createVisibilityTest(
  { path, before, after }: ChangedFile,
  hiddenBefore: readonly Mask[],
  readByStage: readonly Map<string, Set<string>>[],
): (place: Mask) => boolean {
  const hiddenPlaces = new Set(hiddenBefore.map(String));
  return (place) => {
    const isUnchanged = before.slice(...place) === after.slice(...place);
    const wasRead = readByStage.some((read) => read.get(path)?.has(String(place)));
    return isUnchanged && wasRead && !hiddenPlaces.has(String(place));
  };
}

/**
 * Returns a function which lists the places that the diff of `trueup accept` hides in a file, for all stages together. A stage hides the
 * secrets that it reads, and texts that it does not read, because they could be secrets. The latter stay visible if another stage reads
 * them as no secrets. `readByStage`: the places that each stage reads, by `findReadTexts`. Places are compared as texts `START,END`.
 */
function mergeMasksOfStages(
  masksByStage: readonly Map<string, Mask[]>[],
  readByStage: readonly Map<string, Set<string>>[],
): (path: string) => Mask[] {
  return (path) => {
    const hiddenByStage = masksByStage.map((masks) => new Set((masks.get(path) ?? []).map(String)));
    const isReadIn = (stage: number, place: string) => readByStage[stage]?.get(path)?.has(place) === true;
    const isVisibleInAnyStage = (place: string) =>
      hiddenByStage.some((hidden, stage) => isReadIn(stage, place) && !hidden.has(place));
    return masksByStage.flatMap((masks, stage) =>
      (masks.get(path) ?? []).filter((mask) => {
        const isSecretOfStage = isReadIn(stage, String(mask));
        return isSecretOfStage || !isVisibleInAnyStage(String(mask));
      }),
    );
  };
}

/**
 * Returns the places of all texts that a configuration reads as values of fields, by the path of their file, as `START,END`. The diff of
 * `accept` may show them, while texts that no field reads are hidden in case that they are secrets.
 */
function findReadTexts(configuration: WrittenConfiguration): Map<string, Set<string>> {
  const { files, blocks } = configuration.written();
  // Places name a file as messages do (`source.file`); the result has its real path.
  const readByFile = new Map(files.map(({ source }) => [source.file, new Set<string>()]));
  for (const { block } of blocks)
    for (const { value } of block.fieldEntries)
      for (const spot of spotsIn(value)) readByFile.get(spot.source.file)?.add(String(rangeOf(spot)));
  return new Map(files.map(({ path, source }) => [path, readByFile.get(source.file)!]));
}

/** Returns the place of a value in its file: for a value from a CSV file that of its cell, not of its row. */
const rangeOf = ({ start, end, cell }: Spot): Mask => [cell?.start ?? start, cell?.end ?? end];

/**
 * Returns, by the path of each file of a configuration, the secrets that the diff of changed files hides. `allowed`: fields that are
 * written although they may be secrets, as `ADDRESS FIELD` with the address before `moves`. The diff hides them as well, also where their
 * data is.
 */
function createMasks(
  configuration: WrittenConfiguration,
  allowed: ReadonlySet<string>,
  moves: readonly Move[],
): Map<string, Mask[]> {
  const written = configuration.written();
  const hiddenByFile = new Map<string, Mask[]>(
    written.files.map(({ source }) => [source.file, source.masked()]),
  );
  const hide = (spot: Spot) => {
    const { source } = spot;
    const range = rangeOf(spot);
    // An expression has no value in it, and hiding it would look like a change of its line.
    if (isLiteralText(source.text.slice(...range))) hiddenByFile.get(source.file)?.push(range);
  };
  // If a value inside of a field is hidden, the whole field is.
  const isHidden = (field: string) =>
    [...allowed].some((name) => name === field || name.startsWith(`${field}.`));
  for (const { block, units } of written.blocks)
    for (const { key, value } of block.fieldEntries)
      if (units.some(({ address }) => isHidden(`${addressBefore(address, moves)} ${key.text}`)))
        spotsIn(value).forEach(hide);
  return new Map(written.files.map(({ path, source }) => [path, hiddenByFile.get(source.file) ?? []]));
}

/**
 * Returns the fields that the new texts of `trueup accept` are allowed to change, by address. The proof (a second plan, made from the new
 * texts) rejects any other difference. An added object may change as a whole, a reordered one only its position.
 */
export function acceptedPathsOf(
  before: Desired['resources'],
  { configuration }: AcceptedFiles,
  { paths, extendedSections }: AcceptResult,
  orders: readonly NewOrder[],
): AcceptedPaths {
  const acceptedPaths = new Map(paths);
  const after = configuration.desired.resources;
  for (const address of findAddedAddresses(before, after, extendedSections))
    acceptedPaths.set(address, new Set([wholeObject]));
  for (const address of orders.flatMap((order) => order.addresses))
    acceptedPaths.set(address, new Set([...(acceptedPaths.get(address) ?? []), orderPath]));
  return acceptedPaths;
}
