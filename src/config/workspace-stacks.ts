import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import { orderDespiteCycles } from '../model/graph.ts';
import type { ReadStack } from './changed-stacks.ts';
import type { Configuration } from './configuration.ts';
import type { WorkspaceEntry } from './workspace.ts';

/** A stack of the workspace, or one stage of it, with the stacks that it needs. */
export interface WorkspaceStack extends ReadStack {
  /** The ids of the stacks that are applied before it. */
  needs: string[];
}

/**
 * Returns the options that select one stack of the workspace: its file and its stage. They replace those of the command, so that `plan
 * --all` can plan each stack like a stack of its own. Without a stage the option of the command stays.
 */
export const stackFlagsOf = (
  { file }: Pick<WorkspaceEntry, 'file'>,
  stage: string | undefined,
): { file: string[]; stage?: string } => ({ file: [file], ...(stage === undefined ? {} : { stage }) });

/**
 * Returns problems for stages that the workspace file names for a stack but its configuration does not have,
 * because they are probably misspelled. None if the configuration could not be read: then its stages are
 * unknown.
 */
export function findUnknownStages(
  { path, stages = [], at }: WorkspaceEntry,
  configuration: Configuration,
): Diagnostic[] {
  const declared = configuration.stages;
  if (hasErrors(configuration.diagnostics) && declared.length === 0) return [];
  const hint =
    declared.length === 0
      ? 'its configuration has no `stages`'
      : `its stages are ${declared.map((name) => `\`${name}\``).join(', ')}`;
  return stages
    .filter((stage) => !declared.includes(stage))
    .map((stage) =>
      problem('stage/unknown', `the stack \`${path}\` has no stage \`${stage}\``, { at, hint }),
    );
}

/**
 * Returns the ids that a stack needs of another entry of the workspace, so that they are applied before it: the stack of the same stage if
 * both have that stage, or else all stacks of the entry (`neededStacks`).
 */
export function neededIdsOf({ stage }: WorkspaceStack, neededStacks: WorkspaceStack[]): string[] {
  const ofSameStage = neededStacks.filter((needed) => needed.stage !== undefined && needed.stage === stage);
  return (ofSameStage.length > 0 ? ofSameStage : neededStacks).map(({ id }) => id);
}

/**
 * Returns problems for stacks of a workspace with the same name (`stack:`). They would share a ledger, so
 * that an apply of one would delete the objects of the other.
 */
export function findSharedNames(stacks: WorkspaceStack[]): Diagnostic[] {
  const byName = new Map<string, WorkspaceStack>();
  return stacks.flatMap((stack) => {
    const { stack: name } = stack.configuration.desired;
    const firstStack = byName.get(name);
    if (name === '' || !firstStack) {
      byName.set(name, stack);
      return [];
    }
    return [
      problem('workspace/same-name', `${firstStack.id} and ${stack.id} are both named \`${name}\``, {
        at: stack.entry.at,
        hint: 'they would share a ledger: give each its own `stack:` name',
      }),
    ];
  });
}

/**
 * Returns the stacks of a workspace in an order in which each comes after those that it needs (`needs`), for
 * `plan --all` and other commands that go through them. A needed stack comes directly before the first that
 * needs it; otherwise the order of the workspace file stays. There are no cycles, because reading the
 * workspace reports them.
 */
export function sortByNeeds(stacks: WorkspaceStack[]): WorkspaceStack[] {
  const byId = new Map(stacks.map((stack) => [stack.id, stack]));
  return orderDespiteCycles(stacks, ({ needs }) => needs.map((id) => byId.get(id)!));
}

/**
 * Returns, for each of the chosen stacks, the chosen ones that have to be applied before it: those that it
 * needs, directly or through stacks that are not chosen. So `apply --changed-since` keeps the order of two
 * stacks although the one between them did not change. `all`: every stack of the workspace with the stacks
 * that it needs or, for `undo --all`, with those that need it.
 */
export function findPredecessors(
  chosenIds: ReadonlySet<string>,
  all: readonly Pick<WorkspaceStack, 'id' | 'needs'>[],
): Map<string, string[]> {
  const needsById = new Map(all.map(({ id, needs }) => [id, needs]));
  const predecessorsOf = (chosenId: string) => {
    const visited = new Set<string>();
    const visit = (id: string) => {
      for (const needed of needsById.get(id)!) {
        if (visited.has(needed)) continue;
        visited.add(needed);
        if (!chosenIds.has(needed)) visit(needed);
      }
    };
    visit(chosenId);
    return [...visited].filter((id) => chosenIds.has(id));
  };
  return new Map([...chosenIds].map((id) => [id, predecessorsOf(id)]));
}

/** The stacks that a command is about, in an order in which each stack comes after those that it needs. */
export interface ChosenStacks {
  /** The folder where paths of stacks and ledgers start: that of the workspace, or the working directory if `--workspace` is given. */
  folder: string;
  /** All stacks of the workspace. */
  all: WorkspaceStack[];
  /** The stacks that the options select. */
  chosen: WorkspaceStack[];
}
