import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { systemText } from '../model/system-error.ts';
import { type Host, pathOn } from './host.ts';

/** The folder with what the tool keeps beside a configuration. */
export const home = '.trueup';

/** A ledger is signed byte by byte: git neither changes its line ends nor merges two of them. */
const attributes = 'ledger/** -text -merge';

const ignored = `# The key, the twin's account and leases stay on this machine; the ledger may be committed. The editor schema is half a
# megabyte and changes with each version: recreate it in a clone with \`trueup schema --out .trueup/schema.json\`.
key
key.*
schema.json
twin/
journal/
ledger/*.lock
ledger/*.plan
ledger/*.journal
ledger/*.writing*
`;

/**
 * Makes the folder where there is none, with what keeps its secrets out of git and git's hands off the ledger; a `.gitignore` that is
 * there stays as it is.
 * Throws `Problems` where that cannot be done.
 */
export async function makeHome(host: Host): Promise<void> {
  const folder = pathOn(host, home);
  const ignoring = join(folder, '.gitignore');
  try {
    await mkdir(folder, { recursive: true });
    if (!(await stat(ignoring).catch(() => undefined))) await writeFile(ignoring, ignored);
    const attributing = join(folder, '.gitattributes');
    const had = await readFile(attributing, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    if (!had.split(/\r?\n/).includes(attributes))
      await appendFile(attributing, `${had === '' || had.endsWith('\n') ? '' : '\n'}${attributes}\n`);
  } catch (error) {
    throw new Problems([
      problem('home/unwritable', `cannot create the folder ${home}: ${systemText(error as Error)}`, {
        hint: 'run this in a writable folder; the key and the ledger are kept there',
      }),
    ]);
  }
}
