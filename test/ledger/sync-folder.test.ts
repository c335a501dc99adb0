import { existsSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { replaceLockedFile } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { here } from '../support/here.ts';
import { temporary } from '../support/ledger-places.ts';
import { tinyLedger } from '../support/tiny.ts';

/** Records the content of a file, each time that its folder is flushed to the disk. `error`: fails each flush of a folder. */
async function watchFlushes(folder: string, path: string, error?: Error) {
  const flushed: (string | undefined)[] = [];
  const handle = await open(folder);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const flush = prototype.sync;
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const isFolder = fstatSync(this.fd).ino === statSync(folder).ino;
    if (isFolder) flushed.push(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    if (isFolder && error) throw error;
    return flush.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return flushed;
}

it('a replaced file, and a removed one, survive a power loss: their folder is flushed after the change', async () => {
  const folder = temporary();
  const path = join(folder, 'it');
  const flushed = await watchFlushes(folder, path);
  for (const text of ['old', 'new', undefined])
    await replaceLockedFile(path, text, async () => {}, here.processes);
  expect(flushed).toEqual(['old', 'new', undefined]);
});

it('a new journal survives a power loss: its folder is flushed once, after its first line', async () => {
  const folder = temporary();
  const path = join(folder, 'it');
  const flushed = await watchFlushes(folder, path);
  const journal = openJournal(path, ledgerKeyFrom('a key for tests, long enough'));
  await journal.start(tinyLedger({}));
  await journal.start(tinyLedger({}));
  await journal.close();
  expect(flushed).toEqual([expect.stringContaining('"generation"')]);
});

it.each([
  ['EINVAL', 'works where the file system cannot flush a folder'],
  ['EIO', 'fails if the disk refuses'],
])('a write, at %s, %s', async (code) => {
  const folder = temporary();
  const path = join(folder, 'it');
  await watchFlushes(folder, path, Object.assign(new Error(code), { code }));
  const writing = replaceLockedFile(path, 'new', async () => {}, here.processes);
  if (code === 'EIO') await expect(writing).rejects.toThrow('EIO');
  else await writing;
});
