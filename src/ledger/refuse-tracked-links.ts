import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findTrackedLink } from '../git/find-tracked-link.ts';
import { raise } from '../model/diagnostic.ts';

/** The folders and files in `.trueup` that runs write to, as paths in it. The first is `.trueup` itself. */
const writtenPaths = [
  '',
  '.gitignore',
  '.gitattributes',
  'ledger',
  'journal',
  'ci',
  'twin',
  'twin/account.json',
];

/**
 * Throws `Problems` if git tracks a symbolic link on the way to `.trueup`, to something in it, or to a ledger (see `findTrackedLink`). A
 * pull request can contain such a link, and the key and the ledger would be written to wherever it leads. `homeFolder`: the absolute path
 * of `.trueup`. `ledgerFile`: a ledger whose files are checked, too.
 */
export async function refuseTrackedLinks(
  homeFolder: string,
  { env }: { env: Record<string, string | undefined> },
  ledgerFile?: string,
): Promise<void> {
  const journals = await readdir(join(homeFolder, 'journal')).catch(() => []);
  const homePaths = [...writtenPaths, ...journals.map((name) => join('journal', name))];
  const ledgerPaths = ledgerFile === undefined ? [] : filesOfLedger(ledgerFile);
  const link = await findTrackedLink(
    [...homePaths.map((path) => join(homeFolder, path)), ...ledgerPaths],
    env,
  );
  if (link === undefined) return;
  raise('home/unwritable', `${link} is a symbolic link in the repository, so nothing is written through it`, {
    hint: 'remove the link from the repository; trueup then creates a file or folder',
  });
}

/** Returns the files and folders that a ledger in a file consists of. */
function filesOfLedger(ledgerFile: string): string[] {
  const base = ledgerFile.replace(/\.json$/, '');
  return [ledgerFile, ...['.lock', '.plan', '.journal', '.history'].map((ending) => base + ending)];
}
