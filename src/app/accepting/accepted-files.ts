import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { ChangedFile } from '../../accept/accept.ts';
import { type NewOrder, reorderLists } from '../../accept/reorder-lists.ts';
import { applyTextEdits, type TextEdit } from '../../accept/yaml-file.ts';
import type { WrittenConfiguration } from '../../config/configuration.ts';
import type { Spot } from '../../config/yaml/source.ts';
import { Problems, problem } from '../../model/diagnostic.ts';
import { describeSystemError } from '../../model/system-error.ts';
import { textDiff } from '../../report/value-diff.ts';
import type { Session } from '../session/session.ts';

/** New texts, and the configuration that they are. */
export interface AcceptedFiles {
  files: ChangedFile[];
  configuration: WrittenConfiguration;
}

/** Reads the configuration with these texts in place of those of the files. */
type Reload = (texts: ReadonlyMap<string, string>) => Promise<WrittenConfiguration>;

/** The configuration of the new texts. Throws `Problems` where they cannot be read, or a list cannot be put in order. */
export async function rereadAccepted(
  { kinds }: Session,
  files: ChangedFile[],
  orders: NewOrder[],
  reload: Reload,
): Promise<AcceptedFiles> {
  const first = { files, configuration: await readChanged(files, reload) };
  if (orders.length === 0) return first;
  const { resources } = first.configuration.desired;
  const left = orders.map((order) => ({
    ...order,
    addresses: order.addresses.filter((address) => resources.has(address)),
  }));
  const { files: moved, refused } = reorderLists(left, first.configuration.written(), kinds);
  if (refused.length > 0)
    throw new Problems(
      refused.map(({ addresses }) => {
        const at = addresses.map((address) => {
          const { file, line } = resources.get(address)!.at;
          return `${address.slice(address.lastIndexOf('/') + 1)} (${file}:${line})`;
        });
        return problem(
          'accept/order',
          `the order of ${addresses[0]!.slice(0, addresses[0]!.lastIndexOf('/'))} cannot be written: its items come from places that have no order among themselves`,
          { hint: `edit it by hand so that the order is ${at.join(', ')}; nothing was written` },
        );
      }),
    );
  const all = new Map(files.map((file) => [file.path, file]));
  for (const file of moved)
    all.set(file.path, { ...file, before: all.get(file.path)?.before ?? file.before });
  return { files: [...all.values()], configuration: await readChanged([...all.values()], reload) };
}

/** The configuration of these texts. Throws `Problems` where it has errors. */
async function readChanged(files: ChangedFile[], reload: Reload): Promise<WrittenConfiguration> {
  const configuration = await reload(new Map(files.map(({ path, after }) => [path, after])));
  const { diagnostics, notAllowed } = configuration;
  const wrong = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === 'error');
  if (wrong.length > 0)
    throw unprovenProblems(
      wrong.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ''}`),
    );
  return configuration;
}

/** Nothing is written: the new texts do not say what they were to say. */
export const unprovenProblems = (wrong: string[]): Problems =>
  new Problems(
    wrong.map((message) =>
      problem('accept/unproven', message, {
        hint: 'nothing was written; accept something else, or edit it by hand',
      }),
    ),
  );

/**
 * The difference of files, without the secrets that stand in clear in them, or do from now on. `allowed`: the values that are written
 * although they may be secrets, as `ADDRESS FIELD`.
 */
export function diffAccepted(
  files: readonly ChangedFile[],
  before: WrittenConfiguration,
  after: WrittenConfiguration,
  allowed: ReadonlySet<string>,
): string {
  const [old, now] = [masksOf(before), masksOf(after, allowed)];
  const names = (name: string) => ({ from: name, to: name });
  return files
    .map((file) =>
      textDiff(
        applyTextEdits(file.before, old.get(file.name) ?? []),
        applyTextEdits(file.after, now.get(file.name) ?? []),
        names(file.name),
      ),
    )
    .join('\n');
}

/** The hidden parts of a configuration's texts, by file. */
function masksOf(
  configuration: WrittenConfiguration,
  allowed: ReadonlySet<string> = new Set(),
): Map<string, TextEdit[]> {
  const written = configuration.written();
  const found = new Map<string, [start: number, end: number][]>(
    written.files.map(({ source }) => [source.file, source.masked()]),
  );
  const add = ({ source, start, end }: Spot) => found.get(source.file)?.push([start, end]);
  // A nested value hides the whole field that it is in.
  const isAllowed = (field: string) =>
    [...allowed].some((name) => name === field || name.startsWith(`${field}.`));
  for (const { block, units } of written.blocks)
    for (const { key, value } of block.fieldEntries)
      if (units.some(({ address }) => isAllowed(`${address} ${key.text}`))) add(value.at);
  return new Map(
    [...found].map(([file, stretches]) => [
      file,
      separateStretches(stretches).map(([start, end]) => ({ start, end, text: '(secret)' })),
    ]),
  );
}

/** Stretches without those that lie in others. */
const separateStretches = (stretches: [start: number, end: number][]): [start: number, end: number][] =>
  stretches
    .sort(([a, b], [c, d]) => a - c || d - b)
    .reduce<[number, number][]>((kept, [start, end]) => {
      const last = kept.at(-1);
      if (!last || start >= last[1]) kept.push([start, end]);
      else last[1] = Math.max(last[1], end);
      return kept;
    }, []);

/** Puts a text or bytes in the place of a file, whole or not at all. */
type WriteFile = (path: string, content: string | Buffer) => Promise<void>;

const atomically: WriteFile = (path, content) => writeFileAtomic(path, content);

/** Writes all files or none; where one cannot be brought back either, it is named. Throws `Problems`. */
export async function writeAllOrNone(files: ChangedFile[], write: WriteFile = atomically): Promise<void> {
  const found = await Promise.all(files.map(async (file) => ({ ...file, bytes: await currentBytes(file) })));
  const written: typeof found = [];
  for (const file of found)
    try {
      await write(file.path, bytesOf(file.after, file.bytes));
      written.push(file);
    } catch (error) {
      const stuck: string[] = [];
      for (const { path, name, bytes } of written) await write(path, bytes).catch(() => stuck.push(name));
      throw new Problems(
        'accept/unwritable',
        `${file.name} cannot be written: ${describeSystemError(error as Error)}`,
        {
          hint:
            stuck.length === 0
              ? 'all files are as they were'
              : `${stuck.join(', ')} was already written and cannot be restored: \`git checkout\` it, or keep it`,
        },
      );
    }
}

/** The content on disk, which must be the one that was read. */
async function currentBytes({ path, name, before }: ChangedFile): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw unwritableFile(name, (error as Error).message);
  }
  // Whoever may do anything is asked not to, too: another file would take its place.
  if (((await stat(path)).mode & 0o222) === 0) throw unwritableFile(name, 'it is read-only');
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(bytesOf(before, bytes))))
    throw new Problems('accept/changed', `${name} changed in the meantime`, {
      hint: 'run it again; nothing was written',
    });
  return bytes;
}

const unwritableFile = (name: string, why: string): Problems =>
  new Problems('accept/unwritable', `${name} cannot be written: ${why}`, { hint: 'nothing was written' });

/** A text with the byte order mark that the file has. */
const bytesOf = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
