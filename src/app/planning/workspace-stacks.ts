import { join, relative } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { readWorkspace, type WorkspaceEntry } from '../../config/workspace.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, hasErrors, Problems, problem } from '../../model/diagnostic.ts';
import { pathOn, type Run } from '../host.ts';
import { createLoadOptions } from '../session/load-configuration.ts';
import type { GuardOptions } from '../session/open-guards.ts';
import { sourcesFor } from '../session/sources-for.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';
import { type ReadStack, selectChangedStacks } from './changed-stacks.ts';

/** A stack of the workspace with its place among the others. */
export interface WorkspaceStack extends ReadStack {
  /** The ids of those that are applied first. */
  needs: string[];
}

/** The stacks that a command is about, in an order in which each comes after those that it needs. */
export interface ChosenStacks {
  /** The folder of each stack and of the ledgers: that of the workspace, unless `--workspace` names it from elsewhere. */
  folder: string;
  /** All that there are. */
  all: WorkspaceStack[];
  chosen: WorkspaceStack[];
  /** Why more was chosen than what changed; for people. */
  notes: string[];
}

/**
 * The stacks of the workspace; with `changedSince` only those that changes since then touch. Throws `Problems` where the workspace is
 * wrong; a configuration that cannot be read is told of by whoever needs it.
 */
export async function readWorkspaceStacks(
  provider: Provider,
  options: StackOptions & StacksOptions,
  run: Run,
): Promise<ChosenStacks> {
  const { folder: top, entries: listed } = await readWorkspace(run.host.cwd, options.workspace);
  // Whoever names a workspace elsewhere keeps ledgers, key and git here: what is there may be a pull request.
  const folder = options.workspace === undefined ? top : run.host.cwd;
  const entries = listed.map((entry) => ({ ...entry, file: relative(folder, join(top, entry.file)) }));
  const here = inFolder(run, folder);
  const common = withAbsolutePaths(options, run);
  const wrong: Diagnostic[] = [];
  const byPath = new Map<string, WorkspaceStack[]>();
  for (const entry of entries) {
    const look = (stage?: string) =>
      lookAt(provider, { ...common, ...stackFlagsOf(entry, stage) }, entry.owns, here);
    const configuration = await look(entry.stages?.[0]);
    wrong.push(...unknownStages(entry, configuration));
    const stages = configuration.stages.length === 0 ? [undefined] : (entry.stages ?? configuration.stages);
    const stacks: WorkspaceStack[] = [];
    for (const [at, stage] of stages.entries())
      stacks.push({
        id: stage === undefined ? entry.path : `${entry.path}@${stage}`,
        path: entry.path,
        stage,
        needs: [],
        configuration: at === 0 && (stage === undefined || entry.stages) ? configuration : await look(stage),
        entry,
      });
    byPath.set(entry.path, stacks);
  }
  for (const stacks of byPath.values())
    for (const stack of stacks)
      stack.needs = stack.entry.needs.flatMap((path) => neededOf(stack, byPath.get(path)!));
  const all = sortByNeeds([...byPath.values()].flat());
  wrong.push(...sameLedger(all));
  if (wrong.length > 0) throw new Problems(wrong);
  if (options.changedSince === undefined) return { folder, all, chosen: all, notes: [] };
  const { stacks, notes } = await selectChangedStacks(all, options.changedSince, top, run.host);
  return { folder, all, chosen: stacks, notes };
}

/** The flags that name one stack of the workspace. */
export const stackFlagsOf = (
  { file }: Pick<WorkspaceEntry, 'file'>,
  stage: string | undefined,
): Pick<StackOptions, 'file' | 'stage'> => ({ file: [file], ...(stage === undefined ? {} : { stage }) });

/** Returns a run of its own in the folder of the workspace, where paths of its stacks start. */
export const inFolder = ({ host }: Run, folder: string): Run => ({ host: { ...host, cwd: folder } });

/** The same options, wherever they are used: paths start where the command was given. */
export function withAbsolutePaths<O extends StackOptions>(
  options: O,
  { host }: Run,
): O & Pick<GuardOptions, 'guardsFrom'> {
  const { tokenFile, varFile } = options;
  return {
    ...options,
    ...(tokenFile === undefined ? {} : { tokenFile: pathOn(host, tokenFile) }),
    ...(varFile ? { varFile: varFile.map((file) => pathOn(host, file)) } : {}),
    guardsFrom: host.cwd,
  };
}

async function lookAt(
  provider: Provider,
  options: StackOptions,
  owns: string[] | undefined,
  run: Run,
): Promise<Configuration> {
  return load({ ...createLoadOptions(provider, options, run), owns, sources: sourcesFor(options, run.host) });
}

function unknownStages({ path, stages, at }: WorkspaceEntry, look: Configuration): Diagnostic[] {
  if (hasErrors(look.diagnostics) && look.stages.length === 0) return [];
  return (stages ?? [])
    .filter((stage) => !look.stages.includes(stage))
    .map((stage) =>
      problem('stage/unknown', `the stack \`${path}\` has no stage \`${stage}\``, {
        at,
        hint:
          look.stages.length === 0
            ? 'its configuration has no `stages`'
            : `its stages are ${look.stages.map((name) => `\`${name}\``).join(', ')}`,
      }),
    );
}

/** Needs the same stage of a stack with stages, if both have it; else all. */
function neededOf({ stage }: WorkspaceStack, needed: WorkspaceStack[]): string[] {
  const workspaceStacks = needed.filter(
    (workspaceStack) => workspaceStack.stage !== undefined && workspaceStack.stage === stage,
  );
  return (workspaceStacks.length > 0 ? workspaceStacks : needed).map(({ id }) => id);
}

/** Two stacks of one name would take each other's objects for their own. */
function sameLedger(stacks: WorkspaceStack[]): Diagnostic[] {
  const first = new Map<string, WorkspaceStack>();
  return stacks.flatMap((stack) => {
    const { stack: name } = stack.configuration.desired;
    const workspaceStack = first.get(name);
    if (name === '' || !workspaceStack) {
      first.set(name, stack);
      return [];
    }
    return [
      problem('workspace/same-name', `${workspaceStack.id} and ${stack.id} are both named \`${name}\``, {
        at: stack.entry.at,
        hint: 'they would share a ledger: give each its own `stack:` name',
      }),
    ];
  });
}

/** As they are listed, but for those that others need: these come first. */
function sortByNeeds(stacks: WorkspaceStack[]): WorkspaceStack[] {
  const byId = new Map(stacks.map((stack) => [stack.id, stack]));
  const ordered = new Set<WorkspaceStack>();
  const add = (stack: WorkspaceStack) => {
    if (ordered.has(stack)) return;
    for (const id of stack.needs) add(byId.get(id)!);
    ordered.add(stack);
  };
  stacks.forEach(add);
  return [...ordered];
}
