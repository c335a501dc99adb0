import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, resolvePath } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';

/** The folder beside a configuration in which trueup keeps its files: the key, ledgers and the account of the twin. */
export const homeFolder = '.trueup';

/** A ledger is signed byte by byte: git neither changes its line ends nor merges two of them. */
const gitAttributes = 'ledger/** -text -merge';

/** The lines of `.gitignore`: files that stay on this machine. */
const ignoredFiles = [
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

const gitignoreComment = `# The key, the twin's account and leases stay on this machine; the ledger may be committed. The editor schema is half a
# megabyte and changes with each version: recreate it in a clone with \`trueup schema --out .trueup/schema.json\`.
`;

/**
 * Creates the folder `.trueup`, with the git files that keep secrets out of commits and the ledger unchanged. Called before a run writes there.
 * Adds lines that are missing in existing git files, unless they have the opposite line, such as `!schema.json`. Throws `Problems` if the folder
 * cannot be written.
 */
export async function createHomeFolder(host: Host): Promise<void> {
  const folder = resolvePath(host, homeFolder);
  try {
    await mkdir(folder, { recursive: true });
    await addMissingLines(join(folder, '.gitignore'), ignoredFiles, gitignoreComment);
    await addMissingLines(join(folder, '.gitattributes'), [gitAttributes]);
  } catch (error) {
    raise(
      'home/unwritable',
      `cannot create the folder ${homeFolder}: ${describeSystemError(error as Error)}`,
      {
        hint: 'run this in a writable folder; the key and the ledger are kept there',
      },
    );
  }
}

/**
 * Appends lines to a git file such as `.gitignore` that does not have them, so that git never adds the key or the journal in `.trueup`. A
 * line `*` in the file covers all lines. `header`: the first text of a file that does not exist yet.
 */
async function addMissingLines(file: string, lines: string[], header = ''): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const existing = new Set((text ?? '').split(/\r?\n/));
  const isCovered = (line: string) => existing.has(line) || existing.has(`!${line}`);
  const missing = existing.has('*') ? [] : lines.filter((line) => !isCovered(line));
  if (missing.length === 0) return;
  const lineEnd = !text || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, `${text === undefined ? header : lineEnd}${missing.join('\n')}\n`);
}
