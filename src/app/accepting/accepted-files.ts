import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import type { ChangedFile } from '../../accept/accept.ts';
import { type NewOrder, reorderLists } from '../../accept/reorder-lists.ts';
import { applyTextEdits, type TextEdit } from '../../accept/yaml-file.ts';
import type { WrittenConfiguration } from '../../config/configuration.ts';
import type { Spot } from '../../config/yaml/source.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, Problems, problem } from '../../model/diagnostic.ts';
import type { Resource } from '../../model/resource.ts';
import { describeSystemError } from '../../model/system-error.ts';
import { textDiff } from '../../report/value-diff.ts';
import type { Session } from '../session/session.ts';

/** The changed files of an `accept`, and the configuration that they declare. */
export interface AcceptedFiles {
  files: ChangedFile[];
  configuration: WrittenConfiguration;
}

/** Loads the configuration with new texts of some files, by path. Nothing is written yet. */
type Reload = (texts: ReadonlyMap<string, string>) => Promise<WrittenConfiguration>;

/**
 * Loads the configuration with the new texts, and puts lists in their accepted order. Called before anything is written, to prove that the new texts
 * declare the accepted changes. Throws `Problems` if they have errors, or if the items of a list cannot be put in order.
 */
export async function rereadAccepted(
  { kinds }: Session,
  files: ChangedFile[],
  orders: NewOrder[],
  reload: Reload,
): Promise<AcceptedFiles> {
  const unordered = { files, configuration: await reloadWith(files, reload) };
  if (orders.length === 0) return unordered;
  const { resources } = unordered.configuration.desired;
  const declaredOrders = orders.map((order) => ({
    ...order,
    addresses: order.addresses.filter((address) => resources.has(address)),
  }));
  const { files: reordered, refused } = reorderLists(
    declaredOrders,
    unordered.configuration.written(),
    kinds,
  );
  if (refused.length > 0)
    throw new Problems(refused.map(({ addresses }) => unwritableOrderProblem(addresses, resources)));
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const file of reordered)
    byPath.set(file.path, { ...file, before: byPath.get(file.path)?.before ?? file.before });
  const changedFiles = [...byPath.values()];
  return { files: changedFiles, configuration: await reloadWith(changedFiles, reload) };
}

/** Returns the problem with a list whose items are declared in different places. The hint has the order that the user can write by hand. */
function unwritableOrderProblem(
  addresses: readonly Address[],
  resources: ReadonlyMap<Address, Resource>,
): Diagnostic {
  const list = addresses[0]!.slice(0, addresses[0]!.lastIndexOf('/'));
  const items = addresses.map((address) => {
    const { file, line } = resources.get(address)!.at;
    return `${address.slice(address.lastIndexOf('/') + 1)} (${file}:${line})`;
  });
  return problem(
    'accept/order',
    `the order of ${list} cannot be written: its items come from places that have no order among themselves`,
    { hint: `edit it by hand so that the order is ${items.join(', ')}; nothing was written` },
  );
}

/** Loads the configuration with the new texts of changed files. Throws `Problems` if it has errors. */
async function reloadWith(files: ChangedFile[], reload: Reload): Promise<WrittenConfiguration> {
  const configuration = await reload(new Map(files.map(({ path, after }) => [path, after])));
  const { diagnostics, notAllowed } = configuration;
  const errors = [...diagnostics, ...notAllowed].filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw unprovenProblems(
      errors.map(({ message, at }) => `${message}${at ? ` (${at.file}:${at.line})` : ''}`),
    );
  return configuration;
}

/** Returns the problems that the new texts do not declare the accepted changes, so that nothing is written. */
export const unprovenProblems = (messages: string[]): Problems =>
  new Problems(
    messages.map((message) =>
      problem('accept/unproven', message, {
        hint: 'nothing was written; accept something else, or edit it by hand',
      }),
    ),
  );

/**
 * Returns the difference of the changed files for the user, with all secrets hidden that the texts contain. `allowed`: the values that are now written
 * although they may be secrets, as `ADDRESS FIELD`. The difference hides them, too.
 */
export function diffAccepted(
  files: readonly ChangedFile[],
  before: WrittenConfiguration,
  after: WrittenConfiguration,
  allowed: ReadonlySet<string>,
): string {
  const masksBefore = createMasks(before, new Set());
  const masksAfter = createMasks(after, allowed);
  return files
    .map(({ name, ...texts }) =>
      textDiff(
        applyTextEdits(texts.before, masksBefore.get(name) ?? []),
        applyTextEdits(texts.after, masksAfter.get(name) ?? []),
        { from: name, to: name },
      ),
    )
    .join('\n');
}

/** Returns, for each file of a configuration, the edits that replace secrets by `(secret)`. `allowed`: see `diffAccepted`. */
function createMasks(
  configuration: WrittenConfiguration,
  allowed: ReadonlySet<string>,
): Map<string, TextEdit[]> {
  const written = configuration.written();
  const hiddenByFile = new Map<string, [start: number, end: number][]>(
    written.files.map(({ source }) => [source.file, source.masked()]),
  );
  const hide = ({ source, start, end }: Spot) => hiddenByFile.get(source.file)?.push([start, end]);
  // If a value inside of a field is hidden, the whole field is.
  const isHidden = (field: string) =>
    [...allowed].some((name) => name === field || name.startsWith(`${field}.`));
  for (const { block, units } of written.blocks)
    for (const { key, value } of block.fieldEntries)
      if (units.some(({ address }) => isHidden(`${address} ${key.text}`))) hide(value.at);
  return new Map(
    [...hiddenByFile].map(([file, ranges]) => [
      file,
      mergeRanges(ranges).map(([start, end]) => ({ start, end, text: '(secret)' })),
    ]),
  );
}

/** Sorts ranges of a text and merges those that overlap. */
const mergeRanges = (ranges: [start: number, end: number][]): [start: number, end: number][] =>
  ranges
    .sort(([startA, endA], [startB, endB]) => startA - startB || endB - endA)
    .reduce<[number, number][]>((merged, [start, end]) => {
      const last = merged.at(-1);
      if (!last || start >= last[1]) merged.push([start, end]);
      else last[1] = Math.max(last[1], end);
      return merged;
    }, []);

/** Replaces the content of a file, completely or not at all. */
type WriteFile = (path: string, content: string | Buffer) => Promise<void>;

const writeAtomically: WriteFile = (path, content) => writeFileAtomic(path, content);

/**
 * Writes all files or none: if one cannot be written, the others are restored. Throws `Problems` that name the files that could not be restored
 * either, and if a file has changed since it was read.
 */
export async function writeAllOrNone(
  files: ChangedFile[],
  write: WriteFile = writeAtomically,
): Promise<void> {
  const filesWithBytes = await Promise.all(
    files.map(async (file) => ({ ...file, bytes: await readUnchanged(file) })),
  );
  const written: typeof filesWithBytes = [];
  for (const file of filesWithBytes)
    try {
      await write(file.path, withByteOrderMark(file.after, file.bytes));
      written.push(file);
    } catch (error) {
      const notRestored: string[] = [];
      for (const { path, name, bytes } of written)
        await write(path, bytes).catch(() => notRestored.push(name));
      throw new Problems(
        'file/unwritable',
        `${file.name} cannot be written: ${describeSystemError(error as Error)}`,
        {
          hint:
            notRestored.length === 0
              ? 'all files are as they were'
              : `${notRestored.join(', ')} was already written and cannot be restored: \`git checkout\` it, or keep it`,
        },
      );
    }
}

/** Reads a file that is about to be replaced. Throws `Problems` if it is read-only, or differs from the text that was read before. */
async function readUnchanged({ path, name, before }: ChangedFile): Promise<Buffer> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw unwritableFile(name, (error as Error).message);
  }
  // A privileged user may write a read-only file, but a new file would replace it and lose that protection.
  if (((await stat(path)).mode & 0o222) === 0) throw unwritableFile(name, 'it is read-only');
  const bytes = await readFile(path);
  if (!bytes.equals(Buffer.from(withByteOrderMark(before, bytes))))
    throw new Problems('accept/changed', `${name} changed in the meantime`, {
      hint: 'run it again; nothing was written',
    });
  return bytes;
}

const unwritableFile = (name: string, reason: string): Problems =>
  new Problems('file/unwritable', `${name} cannot be written: ${reason}`, { hint: 'nothing was written' });

/** Returns a text with a byte order mark if the current content of its file (`bytes`) has one. */
const withByteOrderMark = (text: string, bytes: Buffer): string =>
  bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? `\ufeff${text}` : text;
