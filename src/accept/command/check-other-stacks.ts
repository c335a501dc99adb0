import type { Run } from '../../app/port.ts';
import { findWorkspaceAround } from '../../app/session/find-siblings.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import type { Configuration, FileTexts } from '../../config/configuration.ts';
import type { ChosenStacks } from '../../config/workspace-stacks.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { type ChangedFile, newTextsOf } from '../changed-files.ts';
import { findOtherDifferences } from '../find-defects.ts';

/** Returns how new texts would change another stack, as the end of a sentence with "because"; undefined if they do not. */
export type CheckOtherStacks = (files: readonly ChangedFile[]) => Promise<string | undefined>;

/**
 * Creates the check that data which `accept` changes is not used by another stack of the workspace: its objects would change as well, and
 * the plan of this stack does not show them. The check gets the changed files, and returns the first reason against them for the end of a
 * sentence with "because"; undefined if there is none. The other stacks are read at the first call, and only those that read a changed file
 * are compared with their reading of the new texts.
 */
export function createCheckOfOtherStacks(
  { desired, files: ownFiles }: Configuration,
  provider: Provider,
  options: StackOptions,
  run: Run,
): CheckOtherStacks {
  const workspace = findWorkspaceAround(ownFiles, run);
  if (workspace === undefined) return async () => undefined;
  const { stage: _, ...optionsForAll } = options;
  const readStacks = async (texts?: FileTexts): Promise<ChosenStacks['all']> => {
    const { readWorkspaceStacks } = await import('../../app/planning/workspace-stacks.ts');
    const { all } = await readWorkspaceStacks(provider, { ...optionsForAll, workspace }, { run, texts });
    return all.filter(({ configuration }) => configuration.desired.stack !== desired.stack);
  };
  let stacks: Promise<ChosenStacks['all']> | undefined;
  return async (files) => {
    stacks ??= readStacks();
    const changedPaths = new Set(files.map(({ path }) => path));
    const readsChangedFile = ({ configuration }: ChosenStacks['all'][number]) =>
      configuration.fileDependencies.some((path) => changedPaths.has(path));
    const before = (await stacks).filter(readsChangedFile);
    if (before.length === 0) return undefined;
    const after = await readStacks(newTextsOf(files));
    for (const { id, configuration } of before) {
      const changed = after.find((stack) => stack.id === id)?.configuration;
      const difference = findStackDifference(configuration, changed);
      if (difference !== undefined) return `the stack ${id} uses it: ${difference}`;
    }
    return undefined;
  };
}

/** Returns how new texts change another stack, or break it; undefined if they do neither. `after`: undefined if it is gone with them. */
function findStackDifference(before: Configuration, after: Configuration | undefined): string | undefined {
  if (!after) return 'the stack would be gone';
  const [difference] = findOtherDifferences(before.desired, after.desired, new Map());
  if (difference !== undefined) return difference;
  const hasNewErrors = hasErrors(after.diagnostics) && !hasErrors(before.diagnostics);
  return hasNewErrors ? 'its configuration would be wrong' : undefined;
}
