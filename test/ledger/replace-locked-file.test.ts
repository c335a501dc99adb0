import { mkdir, readdir, readFile, readlink, symlink, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceLockedFile } from '../../src/ledger/file-documents.ts';
import { here } from '../support/here.ts';
import { temporary } from '../support/ledger-places.ts';

const fine = async () => {};

it.each([
  ['nothing', undefined],
  // Numbers of processes end below 2^22.
  ['an entry of a process that is gone', `4194999.abc.${hostname()}`],
])('goes on where a killed writer left %s', async (_, entry) => {
  const folder = temporary();
  const path = join(folder, 'it');
  await mkdir(`${path}.writing`);
  if (entry) await writeFile(join(`${path}.writing`, entry), 'never written');
  await replaceLockedFile(path, 'new', fine, here.processes);
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readdir(folder)).toEqual(['it']);
});

it('removes what a killed writer had prepared, for this file or one beside it, and leaves that of others', async () => {
  const folder = temporary();
  const path = join(folder, 'it');
  const prepared = (pid: number, file = path) => `${file}.writing-${pid}.abc.${hostname()}`;
  const gone = [prepared(4194999), prepared(4194999, join(folder, 'other')), join(folder, 'lock.writing')];
  const others = [prepared(process.pid), join(folder, 'another.writing')];
  for (const one of [...gone, ...others]) await mkdir(one);
  await writeFile(join(gone[2]!, `4194999.abc.${hostname()}`), 'never written');
  await writeFile(join(others[1]!, `${process.pid}.abc.${hostname()}`), 'being written');
  await writeFile(join(prepared(4194999), `4194999.abc.${hostname()}`), 'never written');
  await replaceLockedFile(path, 'new', fine, here.processes);
  expect((await readdir(folder)).sort()).toEqual(['it', ...others.map((one) => basename(one))].sort());
});

it('waits for a writer that is there', async () => {
  const folder = temporary();
  const path = join(folder, 'it');
  const order: string[] = [];
  const work = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push('first');
  };
  const first = replaceLockedFile(path, 'first', work, here.processes);
  while (!(await readdir(folder)).includes('it.writing')) await new Promise(setImmediate);
  await Promise.all([
    first,
    replaceLockedFile(path, 'second', async () => void order.push('second'), here.processes),
  ]);
  expect(order).toEqual(['first', 'second']);
  expect(await readFile(path, 'utf8')).toBe('second');
});

it.each([['new'], [undefined]])(
  'who was taken for gone meanwhile changes nothing, and looks again (%s)',
  async (text) => {
    const folder = temporary();
    const path = join(folder, 'it');
    await writeFile(path, 'old');
    const seen: string[] = [];
    const look = async () => {
      seen.push(await readFile(path, 'utf8'));
      if (seen.length > 1) return;
      // What another one does that has waited for long.
      const [entry] = await readdir(`${path}.writing`);
      await replaceAs(entry!);
    };
    await replaceLockedFile(path, text, look, here.processes);
    expect(seen).toEqual(['old', 'of another']);
    expect(await readdir(folder)).toEqual(text === undefined ? [] : ['it']);

    async function replaceAs(entry: string) {
      await unlink(join(`${path}.writing`, entry));
      await replaceLockedFile(path, 'of another', fine, here.processes);
    }
  },
);

it('leaves all as it was where the check fails, and a link a link', async () => {
  const folder = temporary();
  const path = join(folder, 'link');
  await writeFile(join(folder, 'it'), 'old');
  await symlink('it', path);
  const check = async () => {
    throw new Error('not this one');
  };
  const refused = replaceLockedFile(path, 'new', check, here.processes);
  await expect(refused).rejects.toThrow('not this one');
  expect(await readFile(path, 'utf8')).toBe('old');
  await replaceLockedFile(path, 'new', fine, here.processes);
  expect(await readlink(path)).toBe('it');
  expect(await readFile(join(folder, 'it'), 'utf8')).toBe('new');
  expect((await readdir(folder)).sort()).toEqual(['it', 'link']);
});
