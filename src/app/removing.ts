/*
 * `trueup remove`: removes objects from the YAML, so that the next apply deletes or releases them. Reads no account.
 *
 *   1. Compute new texts for the files. Text that makes other objects as well, or that still names a removed object, is an error.
 *   2. Read the new texts, in all stages. They must mean the old configuration without the removed objects, and nothing else. Otherwise
 *      nothing is written.
 *   3. Show the difference, ask, and write all files or none.
 */

import { diffAccepted } from '../accept/accepted-files.ts';
import { addChanges, type ChangedFile, newTextsOf } from '../accept/changed-files.ts';
import type { FileTexts, WrittenConfiguration } from '../config/configuration.ts';
import { writeAllOrNone } from '../files/write-files.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { type Address, isWithinAny } from '../model/address.ts';
import { type Diagnostic, Problems, raise, raiseErrors } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { type Desired, standardInput } from '../model/resource.ts';
import { createUnmatchedGlobProblems } from '../plan/unmatched-globs.ts';
import {
  mentionProblems,
  rereadingProblems,
  unprovenRemovals,
  unremovableProblems,
} from '../remove/removal-problems.ts';
import { removeBlocks } from '../remove/remove-blocks.ts';
import {
  addRemovedEntries,
  findRemovedContainers,
  type RemovedContainer,
} from '../remove/removed-entries.ts';
import type { Port } from './port.ts';
import { createSources, loadStages } from './session/load-configuration.ts';
import type { StackOptions } from './stack-options.ts';

/** The options of `trueup remove`. */
export interface RemoveOptions extends StackOptions {
  autoApprove?: boolean;
}

/**
 * What an apply does with a removed container: `delete` it with everything in it, or `release` it, so that it stays and is not managed any
 * more.
 */
export type Fate = 'delete' | 'release';

/** The port of a removal, with what depends on the terminal. */
export interface RemovePort extends Port {
  /** Shows the difference of the files. */
  out(text: string): void;
  /**
   * Asks whether to write the files and, if containers are removed, what an apply does with them. The shown files release them. Undefined:
   * the user declines, and nothing is written.
   */
  decide(files: readonly ChangedFile[], containers: readonly RemovedContainer[]): Promise<Fate | undefined>;
}

/** Reads the configuration of each stage, or the only one, with new texts for some files. Throws `Problems` with their errors. */
type LoadAll = (texts: FileTexts) => Promise<WrittenConfiguration[]>;

/** How often the texts are read again if further text declares a removed object. Few objects are declared in more than two places. */
const maxPasses = 4;

/**
 * Runs `trueup remove`: removes the blocks of the objects that the user named, with everything in them, from the files. A removed
 * container, such as a project, gets an entry in `removed:`, by which the next apply deletes or releases it, as the user decides. The shown
 * difference has the entries that release. Throws `Problems` before anything is written, with all places to edit first.
 */
export async function removeObjects(
  provider: Provider,
  addresses: string[],
  options: RemoveOptions,
  port: RemovePort,
): Promise<void> {
  if (options.file?.includes(standardInput))
    raise('accept/input', 'standard input cannot be written to', { hint: 'name the files: -f PATH' });
  const sources = createSources(options, port.run.host, port);
  const loadAll: LoadAll = async (texts) => {
    const stages = await loadStages(provider, options, port.run, { sources, isOnlyShown: true, texts });
    return Promise.all(stages.map(({ load }) => load()));
  };
  const before = await loadAll(new Map());
  const declared = [...new Set(before.flatMap(({ desired }) => [...desired.resources.keys()]))];
  raiseErrors(createUnmatchedGlobProblems(addresses, declared));
  const chosen = new Set(declared.filter(createAddressMatcher(addresses)));
  const removed = new Set(declared.filter((address) => isWithinAny(address, chosen)));
  const kinds = kindsOf(provider.kinds);
  const removal = await computeRemoval({ kinds, stage: options.stage, addresses, removed, before, loadAll });
  const resources = new Map(before.flatMap(({ desired }) => [...desired.resources]));
  const containers = findRemovedContainers(resources, removed, kinds);
  const withEntries = (fate: Fate) =>
    containers.length > 0 ? declareRemoved(removal, containers, fate, options, loadAll) : removal;
  const { files, after } = await withEntries('release');
  const notes = [...removal.removedRows, ...describeLeftovers(files, before, after)];
  if (notes.length > 0) port.say(notes.join('\n'));
  port.out(diffAccepted(files, before, after, { allowed: new Set(), moves: [] }));
  const fate = await port.decide(files, containers);
  if (!fate) return;
  const decided = fate === 'delete' ? (await withEntries(fate)).files : files;
  await writeAllOrNone(decided);
  port.say(`Wrote ${decided.map(({ name }) => name).join(', ')}.`);
}

/** The new texts, and what they mean in each stage. */
interface RemovalResult {
  files: ChangedFile[];
  after: WrittenConfiguration[];
  removedRows: string[];
}

/**
 * Adds entries of `removed:` for removed containers, such as projects, to the new texts of `trueup remove`, and reads these again. The
 * entries say whether the next apply deletes or releases the containers (`fate`). Throws `Problems` if the texts are not valid.
 */
async function declareRemoved(
  removal: RemovalResult,
  containers: readonly RemovedContainer[],
  fate: Fate,
  { stage }: RemoveOptions,
  loadAll: LoadAll,
): Promise<RemovalResult> {
  // All stages are written in the same files.
  const { files: writtenFiles } = removal.after[0]!.written();
  const edited = addRemovedEntries(writtenFiles, containers, { deletes: fate === 'delete', stage });
  const files = addChanges(removal.files, [edited]);
  return { ...removal, files, after: await loadAll(newTextsOf(files)) };
}

/**
 * Returns messages about what the user can delete by hand afterwards: files that declare nothing any more, and secrets that nothing uses.
 * Printed at the end of `trueup remove`.
 */
function describeLeftovers(
  files: readonly ChangedFile[],
  before: readonly WrittenConfiguration[],
  after: readonly WrittenConfiguration[],
): string[] {
  const usedAfter = new Set(after.flatMap(({ usedSecrets }) => [...usedSecrets]));
  const unused = new Set(
    before.flatMap(({ usedSecrets }) => [...usedSecrets].filter((name) => !usedAfter.has(name))),
  );
  return [
    ...files
      .filter(({ after: text }) => text.replaceAll(/^\s*#.*$/gm, '').trim() === '{}')
      .map(({ name }) => `${name} declares nothing any more; delete it`),
    ...[...unused].sort().map((name) => `Nothing uses the secret ${name} any more.`),
  ];
}

/** What to remove, and from what. */
interface RemovalTask {
  kinds: Kinds;
  stage: string | undefined;
  /** The addresses and globs that the user named. */
  addresses: string[];
  removed: ReadonlySet<Address>;
  before: WrittenConfiguration[];
  loadAll: LoadAll;
}

/**
 * Computes the texts of the configuration without the removed objects, for `trueup remove`. After each pass it reads the new texts again,
 * because further text, such as that of another stage, may declare a removed object. Objects that only the new texts declare are removed as
 * well: a variable whose own block goes would get the targets that a template gives it. Throws `Problems` if text cannot be removed or
 * still names a removed object, and if the new texts mean something else than before besides the removed objects.
 */
async function computeRemoval({
  kinds,
  stage,
  addresses,
  removed,
  before,
  loadAll,
}: RemovalTask): Promise<RemovalResult> {
  let files: ChangedFile[] = [];
  const removedRows: string[] = [];
  let after = before;
  for (let pass = 0; pass < maxPasses; pass++) {
    const unwanted = after.map(({ desired }, index) =>
      findUnwanted(desired, before[index]!.desired, removed),
    );
    const index = unwanted.findIndex(({ size }) => size > 0);
    if (index < 0) break;
    const declaring = after[index]!;
    const result = removeBlocks({
      // Without `--stage`, the block itself goes, so that the object is gone in all stages.
      written: { ...declaring.written(), stage },
      desired: declaring.desired,
      kinds,
      removed: new Set([...removed, ...unwanted[index]!]),
    });
    files = addChanges(files, result.files);
    removedRows.push(...result.removedRows);
    const refusals = [
      ...unremovableProblems(result.unremovable, addresses, stage),
      ...mentionProblems(result.mentions),
    ];
    after = await rereadRemoval(files, refusals, loadAll);
    if (result.files.length === 0) break;
  }
  raiseErrors(
    before.flatMap(({ desired }, index) => unprovenRemovals(desired, after[index]!.desired, removed)),
  );
  return { files, after, removedRows };
}

/** Returns the objects that a configuration still declares although they are removed, and those that it did not declare before. */
const findUnwanted = (after: Desired, before: Desired, removed: ReadonlySet<Address>): ReadonlySet<Address> =>
  new Set(
    [...after.resources.keys()].filter((address) => removed.has(address) || !before.resources.has(address)),
  );

/**
 * Reads the new texts of `trueup remove` in all stages. If text could not be removed (`refusals`), or if the new texts have errors, throws
 * `Problems` with both, without errors at lines that a refusal is about.
 */
async function rereadRemoval(
  files: ChangedFile[],
  refusals: Diagnostic[],
  loadAll: LoadAll,
): Promise<WrittenConfiguration[]> {
  const configurations = await loadAll(newTextsOf(files)).catch((error) => {
    if (!(error instanceof Problems)) throw error;
    return raise([...refusals, ...rereadingProblems(error.diagnostics, files, refusals)]);
  });
  raiseErrors(refusals);
  return configurations;
}
