import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openTracking } from '../git/tracking.ts';
import { raise } from '../model/diagnostic.ts';
import { isInside, pathFrom } from '../paths.ts';

/** The folders in `.trueup` that runs write to, as paths in it. The first is `.trueup` itself. */
const writtenFolders = ['', 'ledger', 'journal', 'ci', 'twin'];

/**
 * Throws `Problems` if `.trueup` or a folder in it is a symbolic link that git tracks. A pull request can contain such a link, and the key
 * and the ledger would be written to wherever it leads. `homeFolder`: the path of `.trueup`. A link that the user made, such as one for
 * several work trees, is allowed. git is asked only if there is a link. `ledgerFile`: a ledger whose files and folders are checked, too.
 */
export async function refuseTrackedLinks(
  homeFolder: string,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
  ledgerFile?: string,
): Promise<void> {
  const homePaths = writtenFolders.map((name) => join(homeFolder, name));
  const paths = [...new Set([...homePaths, ...(ledgerFile === undefined ? [] : pathsOfLedger(ledgerFile))])];
  const states = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  const links = paths.filter((_, index) => states[index]?.isSymbolicLink());
  if (links.length === 0) return;
  const tracking = openTracking(env);
  const workTree = await tracking.workTreeOf(cwd);
  if (workTree === undefined) return;
  const names = links.filter((path) => isInside(path, workTree)).map((path) => pathFrom(workTree, path));
  const [tracked] = await tracking.tracked(workTree, names);
  if (tracked === undefined) return;
  raise(
    'home/unwritable',
    `${tracked} is a symbolic link in the repository, so nothing is written through it`,
    {
      hint: 'remove the link from the repository; trueup then creates a folder',
    },
  );
}

/** Returns the files of a ledger and all folders around them, because the working directory may be below the root of the repository. */
function pathsOfLedger(ledgerFile: string): string[] {
  const base = ledgerFile.replace(/\.json$/, '');
  const files = [ledgerFile, ...['.lock', '.plan', '.journal', '.history'].map((ending) => base + ending)];
  const folders: string[] = [];
  for (let folder = dirname(ledgerFile); folder !== dirname(folder); folder = dirname(folder))
    folders.push(folder);
  return [...files, ...folders];
}
