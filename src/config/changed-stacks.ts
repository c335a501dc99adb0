import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type ChangedFiles, findChangedFiles } from '../git/checkout.ts';
import { GitError } from '../git/git.ts';
import { workTreeOf } from '../git/work-tree.ts';
import type { Host } from '../host.ts';
import { hasErrors, problem, Reporter, raise } from '../model/diagnostic.ts';
import type { FindingRule } from '../model/resource.ts';
import { cleanLine, count } from '../report/text.ts';
import type { Configuration } from './configuration.ts';
import { workspaceFileName } from './find-workspace.ts';
import {
  coversStackPath,
  readStackEntries,
  readWorkspaceFindingRules,
  readWorkspaceLedger,
  type WorkspaceEntry,
  type WrittenStackEntry,
} from './workspace.ts';
import { readDocuments } from './yaml/read-documents.ts';

/** A stack of the workspace, or one stage of it, with the configuration that its files have now. */
export interface ReadStack {
  /** `shop`, or `shop@staging`: unique in the workspace. */
  id: string;
  path: string;
  stage?: string;
  /** May have errors, because it is read with fewer permissions than a run has. */
  configuration: Configuration;
  entry: WorkspaceEntry;
}

/**
 * Returns the stacks that changes since the git commit `ref` may affect, for `--changed-since`: a change of a
 * file that the stack reads or names, a deletion in a folder that it reads completely, or a change of its
 * entry in the workspace file. All stacks if the history is too short, and always those whose configuration
 * has errors. The notes tell the user why. Throws `Problems` if git does not know `ref`. `folder`: that of
 * the workspace.
 */
export async function selectChangedStacks<Stack extends ReadStack>(
  stacks: Stack[],
  ref: string,
  folder: string,
  host: Host,
): Promise<{ stacks: Stack[]; notes: string[] }> {
  const changedFiles = await findChangedFiles(ref, folder, host.env).catch((error) => {
    if (error instanceof GitError) raise(unknownRefProblem(ref, error));
    throw error;
  });
  if (!changedFiles) {
    const reason = `the local history is too short to reach ${cleanLine(ref)}`;
    const advice = 'Fetch more history (in GitHub Actions: `fetch-depth: 0`).';
    return { stacks, notes: [`All stacks are selected: ${reason}. ${advice}`] };
  }
  const realFolder = await realpath(folder);
  const hasChangedEntry = await createEntryTest(stacks, realFolder, changedFiles);
  const isUnclear = ({ configuration }: Stack) => hasErrors(configuration.diagnostics);
  const selected: Stack[] = [];
  for (const stack of stacks)
    if (
      isUnclear(stack) ||
      hasChangedEntry(stack) ||
      (await readsChangedFile(stack, realFolder, changedFiles))
    )
      selected.push(stack);
  const unclearIds = stacks.filter(isUnclear).map(({ id }) => id);
  if (unclearIds.length === 0) return { stacks: selected, notes: [] };
  const unreadConfigurations = count(unclearIds.length, 'configuration');
  const note = `${unclearIds.join(', ')}: selected, since ${unreadConfigurations} cannot be fully read.`;
  return { stacks: selected, notes: [note] };
}

/**
 * True if a changed file is one that a stack reads or names, or was deleted from a folder that the stack
 * reads completely, so that `--changed-since` selects the stack. A changed file in such a folder that still
 * exists and is not among the read ones belongs to another stage.
 */
async function readsChangedFile(
  { configuration }: ReadStack,
  folder: string,
  { files }: ChangedFiles,
): Promise<boolean> {
  for (const file of configuration.fileDependencies) {
    if (files.has(file)) return true;
    // A link can stay as it is while its target changes.
    const target = await realpath(file).catch(() => file);
    if (files.has(target)) return true;
  }
  const top = workTreeOf(folder) ?? folder;
  // In a repository, the name of a folder is `/` and its path from the top.
  const readFolders = configuration.desired.folders.map((name) =>
    join(name.startsWith('/') ? top : folder, name),
  );
  const isInReadFolder = (file: string) => readFolders.some((path) => file.startsWith(`${path}${sep}`));
  return [...files].some((file) => /\.ya?ml$/i.test(file) && isInReadFolder(file) && !existsSync(file));
}

/**
 * Returns a function to ask whether the entry of a stack in the workspace file has changed: it is new, has
 * other `needs` or `owns`, or did not list the stage before, or if the ledgers were elsewhere or findings had other
 * severities. `plan --changed-since` plans such a stack even if none of its files changed. If the workspace file is new
 * or had errors, every entry counts as changed. `before`: reads the old text of a file.
 */
async function createEntryTest(
  stacks: ReadStack[],
  folder: string,
  { files, before: readBefore }: ChangedFiles,
): Promise<(stack: ReadStack) => boolean> {
  const file = join(folder, workspaceFileName);
  if (!files.has(file)) return () => false;
  const oldText = await readBefore(file);
  if (oldText === undefined) return () => true;
  const report = new Reporter();
  const maps = await readDocuments({ path: file, name: workspaceFileName, text: oldText }, [], report);
  const oldEntries = readStackEntries(maps ?? [], report);
  const oldLedger = readWorkspaceLedger(maps ?? [], report);
  const oldFindings = findingsText(readWorkspaceFindingRules(maps ?? [], report));
  if (hasErrors(report.diagnostics)) return () => true;
  const oldEntryOf = new Map(stacks.map(({ entry }) => [entry, findEntryFor(entry.path, oldEntries)]));
  return ({ entry, stage }) => {
    const oldEntry = oldEntryOf.get(entry);
    if (!oldEntry || !haveSameTexts(oldEntry.needs, entry.needs)) return true;
    if (!haveSameTexts(oldEntry.owns, entry.owns) || oldLedger?.place !== entry.ledger?.place) return true;
    if (oldFindings !== findingsText(entry.findingRules)) return true;
    // Without `stages`, an entry has all stages of its configuration.
    const { stages: oldStages } = oldEntry;
    const isStageNew = stage !== undefined && oldStages !== undefined && !oldStages.includes(stage);
    return isStageNew;
  };
}

/** Returns a text that is equal for equal rules of `findings:`, wherever they are in the file. */
const findingsText = (rules: readonly FindingRule[] = []): string =>
  JSON.stringify(rules.map(({ place: _, ...rule }) => rule));

/**
 * True if two lists have the same texts, in any order, or if both are absent. Used to find stacks whose
 * `needs` or `owns` in the workspace file changed since a commit or since a saved plan.
 */
export const haveSameTexts = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a && b ? [...a].sort().join('\n') === [...b].sort().join('\n') : a === b;

/**
 * Returns the entry that a stack had in the workspace file before the changes, so that `--changed-since` can compare it: the one that
 * names its path, or else the first glob that matches it.
 */
const findEntryFor = (path: string, entries: WrittenStackEntry[]): WrittenStackEntry | undefined =>
  entries.find((writtenEntry) => writtenEntry.path === path) ??
  entries.find((writtenEntry) => coversStackPath(writtenEntry.path, path));

/**
 * Returns the problem that git cannot compare the work tree with a ref, with the reason that git gave. `plan --changed-since REF`
 * then cannot tell which stacks a pull request affects.
 */
const unknownRefProblem = (ref: string, { lines, reason }: GitError) =>
  problem(
    'git/ref',
    `cannot tell what changed since ${ref}: ${reason === 'outside' ? 'this folder is not in a git work tree' : (lines.at(-1) ?? 'git gave no reason')}`,
    { hint: 'name a branch, tag or commit that exists here: --changed-since origin/main' },
  );
