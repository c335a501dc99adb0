/** Decides whether the ledger may be kept at the place that `ledger:` of the YAML names. */
import path from 'node:path';
import { shellWord } from '../../model/diagnostic.ts';
import { isGitPlace, isStoreUrl } from '../../model/ledger-place.ts';
import { isInside } from '../../paths.ts';
import { realFolderOf } from './memory.ts';
import type { SourceVerdict } from './verdict.ts';

/**
 * Decides on a place of the ledger that a file in `folder` names. The file may come from a pull request, so without the operator it may
 * only name places that the checkout has anyway: a remote that git knows by name, and a file in the repository that belongs neither to git
 * nor to trueup. A URL would send credentials and the names of objects to a host of its choice, so the operator has to allow it.
 */
export async function judgeLedgerPlace(
  place: string,
  folder: string,
  repository: string,
): Promise<SourceVerdict> {
  // `git`, or `git:` with the name of a remote: `readLedgerPlace` has refused a URL there.
  if (isGitPlace(place)) return { allowed: true };
  if (isStoreUrl(place)) return refuse(place, `nobody has allowed ${place} on this machine`, place);
  // Links may lead anywhere, so the real path decides. The file itself may not exist yet.
  const real = await realFolderOf(path.resolve(folder, place));
  if (!isInside(real, repository)) return refuse(real, 'its file is outside the repository', real);
  if (!isLedgerFileName(path.relative(repository, real)))
    return {
      allowed: false,
      never: true,
      message: 'a ledger is a `.json` file that belongs to nothing else',
    };
  return { allowed: true, path: real };
}

/** Returns the refusal of a place that the operator can allow with `--ledger`. `key`: the text under which consent is remembered. */
const refuse = (place: string, message: string, key: string): SourceVerdict => ({
  allowed: false,
  message,
  key,
  flag: `--ledger ${shellWord(place)}`,
});

/**
 * The folder of git in lower case, as file systems may spell it: Windows ignores dots and spaces at the end of a name, and `git~1` is its
 * short name there.
 */
const gitFolder = /^(\.git|git~\d+)[ .]*$/;

/** The folder of trueup in lower case. Windows ignores dots and spaces at its end, too. */
const trueupFolder = /^\.trueup[ .]*$/;

/**
 * True if a path in the repository may be that of a ledger: a `.json` file, not one of git's own, and in `.trueup` only directly in
 * `.trueup/ledger`. The path comes from the YAML of a pull request, so it must not make a run overwrite files of git or of trueup. `file`:
 * the path from the top of the repository.
 */
function isLedgerFileName(file: string): boolean {
  // File systems may ignore case.
  const parts = file.toLowerCase().split(path.sep);
  if (!file.endsWith('.json') || parts.some((part) => gitFolder.test(part))) return false;
  const start = parts.findIndex((part) => trueupFolder.test(part));
  if (start < 0) return true;
  // Another spelling, such as `.trueup.`, may mean the same folder, and is refused.
  const [home, folder, ...fileParts] = parts.slice(start);
  return home === '.trueup' && folder === 'ledger' && fileParts.length === 1;
}
