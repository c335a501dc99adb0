import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problems } from '../../model/diagnostic.ts';
import { describeSystemError } from '../../model/system-error.ts';
import { type Host, pathOn } from '../host.ts';

/** The folder in which trueup keeps its files, beside a configuration. */
export const homeFolder = '.trueup';

/** A ledger is signed byte by byte: git neither changes its line ends nor merges two of them. */
const attributes = 'ledger/** -text -merge';

const ignored = [
  'key',
  'key.*',
  'schema.json',
  'twin/',
  'journal/',
  'ledger/*.lock',
  'ledger/*.plan',
  'ledger/*.journal',
  'ledger/*.writing*',
];

const ignoredWhy = `# The key, the twin's account and leases stay on this machine; the ledger may be committed. The editor schema is half a
# megabyte and changes with each version: recreate it in a clone with \`trueup schema --out .trueup/schema.json\`.
`;

/**
 * Makes the folder where there is none, with what keeps its secrets out of git and git's hands off the ledger. Files that are there get
 * the lines that an earlier version did not write yet; `!schema.json` keeps that one out.
 * Throws `Problems` where that cannot be done.
 */
export async function createHomeFolder(host: Host): Promise<void> {
  const folder = pathOn(host, homeFolder);
  try {
    await mkdir(folder, { recursive: true });
    await haveLines(join(folder, '.gitignore'), ignored, ignoredWhy);
    await haveLines(join(folder, '.gitattributes'), [attributes]);
  } catch (error) {
    throw new Problems(
      'home/unwritable',
      `cannot create the folder ${homeFolder}: ${describeSystemError(error as Error)}`,
      {
        hint: 'run this in a writable folder; the key and the ledger are kept there',
      },
    );
  }
}

/**
 * A line `*` has all of them.
 * @param head of a file that is not there yet
 */
async function haveLines(file: string, lines: string[], head = ''): Promise<void> {
  const had = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const there = new Set((had ?? '').split(/\r?\n/));
  const lacking = there.has('*') ? [] : lines.filter((line) => !there.has(line) && !there.has(`!${line}`));
  if (lacking.length === 0) return;
  const start = had === undefined ? head : had === '' || had.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${start}${lacking.join('\n')}\n`);
}
