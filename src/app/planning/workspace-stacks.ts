import { join, relative } from 'node:path';
import { selectChangedStacks } from '../../config/changed-stacks.ts';
import type { Configuration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { readWorkspace, type WorkspaceEntry } from '../../config/workspace.ts';
import {
  type ChosenStacks,
  findSharedNames,
  findUnknownStages,
  neededIdsOf,
  sortByNeeds,
  stackFlagsOf,
  type WorkspaceStack,
} from '../../config/workspace-stacks.ts';
import type { GuardOptions } from '../../guards/open-guards.ts';
import { resolvePath } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { Reporter, raiseErrors } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/text.ts';
import type { Port, Run } from '../port.ts';
import { createLoadOptions, createSources, type Loading } from '../session/load-configuration.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';

/**
 * Reads the stacks of trueup.workspace.yaml for commands with `--all`, which work on all of them, or with `--changed-since REF`, which work
 * on those that commits since REF affect (`chosen`). Throws `Problems` if the workspace file is wrong, or if two stacks have one name.
 * Other errors of a configuration are only recorded in its stack, and reported by the command that uses the stack. `texts`: texts by real
 * path, which replace those of files on disk. `say`: gets a line for each reason to choose a stack that may not have changed.
 */
export async function readWorkspaceStacks(
  provider: Provider,
  options: StackOptions & StacksOptions,
  { run, say = () => {}, texts }: Pick<Port, 'run'> & Partial<Pick<Port, 'say'>> & Pick<Loading, 'texts'>,
): Promise<ChosenStacks> {
  const { folder: workspaceFolder, entries } = await readWorkspace(run.host.cwd, options.workspace);
  // The folder in which the stacks are loaded, and where the relative paths of ledgers and key start. With `--workspace`, it stays the
  // working directory, because the named folder may be the checkout of a pull request, whose files must not decide about ledgers.
  const folder = options.workspace === undefined ? workspaceFolder : run.host.cwd;
  const runInFolder = inFolder(run, folder);
  const commonOptions = withAbsolutePaths(options, run);
  // Also loads configurations with errors, and does not ask the user about new sources, because many stacks are loaded at once.
  const loadEntry = (entry: WorkspaceEntry, stage: string | undefined) => {
    const stageOptions = { ...commonOptions, ...stackFlagsOf(entry, stage) };
    const loadOptions = createLoadOptions(provider, stageOptions, runInFolder);
    const sources = createSources(stageOptions, runInFolder.host);
    return load({ ...loadOptions, workspace: entry, sources, texts });
  };
  const report = new Reporter();
  const stacksByPath = new Map<string, WorkspaceStack[]>();
  for (const listedEntry of entries) {
    const entry = { ...listedEntry, file: relative(folder, join(workspaceFolder, listedEntry.file)) };
    // If the entry names no stages, only the loaded configuration shows which there are.
    const first = await loadEntry(entry, entry.stages?.[0]);
    report.add(findUnknownStages(entry, first));
    stacksByPath.set(entry.path, await readStages(entry, first, (stage) => loadEntry(entry, stage)));
  }
  const allStacks = sortByNeeds(withNeededIds(stacksByPath));
  report.add(findSharedNames(allStacks));
  raiseErrors(report.diagnostics);
  if (options.changedSince === undefined) return { folder, all: allStacks, chosen: allStacks };
  const { stacks, notes } = await selectChangedStacks(
    allStacks,
    options.changedSince,
    workspaceFolder,
    run.host,
  );
  for (const note of notes) say(cleanLine(note));
  return { folder, all: allStacks, chosen: stacks };
}

/**
 * Returns all stacks with the ids of the stacks that they need, so that they can be sorted. `needs:` of their entries names paths, and
 * `readWorkspace` has refused unknown ones.
 */
const withNeededIds = (stacksByPath: ReadonlyMap<string, WorkspaceStack[]>): WorkspaceStack[] =>
  [...stacksByPath.values()].flat().map((stack) => ({
    ...stack,
    needs: stack.entry.needs.flatMap((path) => neededIdsOf(stack, stacksByPath.get(path)!)),
  }));

/**
 * Returns a stack for each stage of an entry of trueup.workspace.yaml (`shop@staging`), or one stack if it has no stages, without their
 * needs. `first`: the configuration of the first stage that the entry names, or without a stage if it names none.
 */
async function readStages(
  entry: WorkspaceEntry,
  first: Configuration,
  loadStage: (stage: string) => Promise<Configuration>,
): Promise<WorkspaceStack[]> {
  const { path } = entry;
  if (first.stages.length === 0)
    return [{ id: path, path, stage: undefined, needs: [], configuration: first, entry }];
  const stacks: WorkspaceStack[] = [];
  for (const stage of entry.stages ?? first.stages) {
    const configuration = stage === entry.stages?.[0] ? first : await loadStage(stage);
    stacks.push({ id: `${path}@${stage}`, path, stage, needs: [], configuration, entry });
  }
  return stacks;
}

/** Returns a run like this one in another folder, usually that of the workspace, where the paths of its stacks start. */
export const inFolder = ({ host }: Run, folder: string): Run => ({ host: { ...host, cwd: folder } });

/**
 * Returns the options of a command for stacks that are loaded in the folder of their workspace. Users write paths relative to the working
 * directory, so the paths become absolute to mean the same files. Paths of guards (the operator's rules) are resolved in `guardsFrom`.
 */
export function withAbsolutePaths<O extends StackOptions>(
  options: O,
  { host }: Run,
): O & Pick<GuardOptions, 'guardsFrom'> {
  const { tokenFile, varFile } = options;
  return {
    ...options,
    tokenFile: tokenFile === undefined ? undefined : resolvePath(host, tokenFile),
    varFile: varFile?.map((file) => resolvePath(host, file)),
    guardsFrom: host.cwd,
  };
}
