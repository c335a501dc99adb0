import path from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { findWorkspaceFolder } from '../../config/find-workspace.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Ledger } from '../../model/ledger.ts';
import type { SiblingStack } from '../../plan/input.ts';
import { hasTakeOvers } from '../../plan/take-over.ts';
import { pathOn, type Run } from '../host.ts';
import type { StackOptions, StacksOptions } from '../stack-options.ts';

/**
 * Reads the other stacks of the workspace that a configuration belongs to, as this checkout has them: they may take over what this one
 * drops, or drop what this one takes over (`$from`), whichever is applied first. The workspace is only read if something may change hands.
 * `isEnd`: all that the stack has is dropped.
 */
export async function findSiblings(
  { desired, files }: Pick<Configuration, 'desired' | 'files'>,
  ledger: Ledger,
  isEnd: boolean,
  provider: Provider,
  options: StackOptions & Partial<StacksOptions>,
  run: Run,
): Promise<readonly SiblingStack[]> {
  const drops = Object.keys(ledger.entries).some((address) => isEnd || !desired.resources.has(address));
  if (!drops && !hasTakeOvers(desired, ledger)) return [];
  const workspace = options.workspace ?? (await workspaceOf(files, run));
  if (workspace === undefined) return [];
  const { readWorkspaceStacks } = await import('../planning/workspace-stacks.ts');
  const { changedSince: _, ...rest } = options;
  const { all } = await readWorkspaceStacks(provider, { ...rest, workspace }, run);
  return all.flatMap(({ configuration }) =>
    configuration.desired.stack === desired.stack
      ? []
      : [
          {
            desired: configuration.desired,
            isBroken: hasErrors(configuration.diagnostics) || configuration.notAllowed.length > 0,
          },
        ],
  );
}

/** The workspace around the files of a configuration: another checkout may lie in the current folder. */
async function workspaceOf(files: readonly string[], { host }: Run): Promise<string | undefined> {
  const [file] = files;
  return findWorkspaceFolder(file === undefined ? host.cwd : path.dirname(pathOn(host, file)));
}
