import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { type Host, pathOn } from './host.ts';

/** The folder with what the tool keeps beside a configuration. */
export const home = '.trueup';

const ignored = `# The key, the twin's account and who is at work stay on this machine; the ledger and the editor's schema may be committed.
key
twin/
ledger/*.lock
ledger/*.journal
ledger/*.writing*
`;

/**
 * Makes the folder where there is none, with what keeps its secrets out of git; a `.gitignore` that is there stays as it is.
 * Throws `Problems` where that cannot be done.
 */
export async function makeHome(host: Host): Promise<void> {
  const folder = pathOn(host, home);
  const ignoring = join(folder, '.gitignore');
  try {
    await mkdir(folder, { recursive: true });
    if (!(await stat(ignoring).catch(() => undefined))) await writeFile(ignoring, ignored);
  } catch (error) {
    throw new Problems([
      problem('home/unwritable', `the folder ${home} cannot be made: ${(error as Error).message}`, {
        hint: 'run this where you may write; the key and the ledger are kept there',
      }),
    ]);
  }
}
