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
 * Reads the stacks of trueup.workspace.yaml for commands with `--all` or `--changed-since`, which selects those that changes affect. Says why
 * stacks are selected that may not have changed. Throws `Problems` if the workspace file is wrong, or if two stacks have one name. Other
 * errors of a configuration are only recorded in its stack, and reported by the command that uses the stack. `texts`: the texts of files by real path, which
 * replace those on disk.
 */
export async function readWorkspaceStacks(
  provider: Provider,
  options: StackOptions & StacksOptions,
  { run, say = () => {}, texts }: Pick<Port, 'run'> & Partial<Pick<Port, 'say'>> & Pick<Loading, 'texts'>,
): Promise<ChosenStacks> {
  const { folder: top, entries: listed } = await readWorkspace(run.host.cwd, options.workspace);
  // With `--workspace`, ledgers and key stay in the working directory, because the named folder may be the checkout of a pull request.
  const folder = options.workspace === undefined ? top : run.host.cwd;
  const entries = listed.map((entry) => ({ ...entry, file: relative(folder, join(top, entry.file)) }));
  const commonOptions = withAbsolutePaths(options, run);
  const report = new Reporter();
  const byPath = new Map<string, WorkspaceStack[]>();
  for (const entry of entries) {
    // Also loads configurations with errors, and does not ask the user about new sources, because many stacks are loaded at once.
    const loadStage = (stage?: string) => {
      const stageOptions = { ...commonOptions, ...stackFlagsOf(entry, stage) };
      const loadOptions = createLoadOptions(provider, stageOptions, inFolder(run, folder));
      const sources = createSources(stageOptions, inFolder(run, folder).host);
      return load({ ...loadOptions, workspace: entry, sources, texts });
    };
    const first = await loadStage(entry.stages?.[0]);
    report.add(findUnknownStages(entry, first));
    byPath.set(entry.path, await readStages(entry, first, loadStage));
  }
  for (const stacks of byPath.values())
    for (const stack of stacks)
      stack.needs = stack.entry.needs.flatMap((path) => neededIdsOf(stack, byPath.get(path)!));
  const allStacks = sortByNeeds([...byPath.values()].flat());
  report.add(findSharedNames(allStacks));
  raiseErrors(report.diagnostics);
  if (options.changedSince === undefined) return { folder, all: allStacks, chosen: allStacks };
  const { stacks, notes } = await selectChangedStacks(allStacks, options.changedSince, top, run.host);
  for (const note of notes) say(cleanLine(note));
  return { folder, all: allStacks, chosen: stacks };
}

/**
 * Returns a stack for each stage of an entry of trueup.workspace.yaml (`shop@staging`), or one stack if it has no stages, without their needs.
 * `first`: the configuration of the first stage that the entry names, or without a stage if it names none.
 */
async function readStages(
  entry: WorkspaceEntry,
  first: Configuration,
  loadStage: (stage?: string) => Promise<Configuration>,
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
 * Returns the options of a command for stacks that are loaded in the folder of their workspace. Users write paths relative to the working directory,
 * so the paths become absolute to mean the same files.
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
