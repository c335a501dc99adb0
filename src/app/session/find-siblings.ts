import path from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import { resolvePath } from '../../host.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import { isInside } from '../../paths.ts';
import type { SiblingStack } from '../../plan/input.ts';
import { hasTakeOvers } from '../../plan/take-over.ts';
import type { Run } from '../port.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';

/**
 * Reads the other stacks of the workspace, as this checkout declares them. A plan needs them if an object may change its stack: another
 * stack may take over an object that this one no longer declares, or the other way round (`$from`). Returns none if no object can change
 * its stack, or if there is no workspace. `isBroken`: a stack cannot be read without errors, so it may declare more. Throws `Problems` if
 * the workspace file is wrong. `isEnd`: the stack is destroyed, so it no longer declares any object.
 */
export async function findSiblings(
  { desired, files }: Pick<Configuration, 'desired' | 'files'>,
  ledger: Ledger,
  { isEnd }: { isEnd: boolean },
  provider: Provider,
  options: StackOptions & Partial<StacksOptions>,
  run: Run,
): Promise<readonly SiblingStack[]> {
  const hasDropped = Object.keys(ledger.entries).some((address) => isEnd || !desired.resources.has(address));
  if (!hasDropped && !hasTakeOvers(desired, ledger)) return [];
  const workspace = options.workspace ?? findWorkspaceAround(files, run);
  if (workspace === undefined) return [];
  const { readWorkspaceStacks } = await import('../planning/workspace-stacks.ts');
  // A stage belongs to the stack of the run: others have none of this name, or choose theirs in the workspace.
  const { changedSince: _, stage: __, ...optionsForAll } = options;
  const stacks = await readWorkspaceStacks(provider, { ...optionsForAll, workspace }, { run });
  const siblings = stacks.all.filter(({ configuration }) => configuration.desired.stack !== desired.stack);
  return siblings.map(({ configuration }) => ({
    desired: configuration.desired,
    isBroken: hasErrors(configuration.diagnostics) || configuration.notAllowed.length > 0,
  }));
}

/**
 * Finds the workspace folder around the files of a configuration, to read the other stacks there. The files may be in another checkout than
 * the current folder. `findWorkspaceFolder` searches the folders above only up to the top of a checkout. For files outside of any checkout
 * the current folder is tried too, if they are in it: otherwise the plans of `--all` would not know each other there, and a stack would
 * release an object that another one takes over.
 */
export function findWorkspaceAround(files: readonly string[], { host }: Run): string | undefined {
  const [file] = files;
  if (file === undefined) return findWorkspaceFolder(host.cwd);
  const folder = path.dirname(resolvePath(host, file));
  const isOutsideCheckouts = workTreeOf(folder) === undefined;
  const maySearchCwd = isOutsideCheckouts && isInside(folder, host.cwd);
  return findWorkspaceFolder(folder) ?? (maySearchCwd ? findWorkspaceFolder(host.cwd) : undefined);
}
