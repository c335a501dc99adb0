import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '../../providers/hosting/twin/account.ts';
import { saveAccount } from '../../providers/hosting/twin/state-file.ts';
import { emptyAccount } from '../../providers/hosting/twin/tables.ts';
import { deliverSecret } from '../../src/config/deliver-secret.ts';
import { formatFile } from '../../src/config/format/format-files.ts';
import { replaceFile } from '../../src/files/replace-file.ts';
import { Sealed } from '../../src/model/sealed.ts';

/** The module as CommonJS packages see it. */
const fs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');
const longText = 'a line of text\n'.repeat(1000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trueup-short-'));
  // A full disk takes only a part of what one call of the system writes, without an error.
  const { write, writeSync } = fs;
  const half = (text: unknown) => (typeof text === 'string' ? text.slice(0, text.length / 2) : text);
  vi.spyOn(fs, 'write').mockImplementation(((fd: number, text: unknown, ...others: unknown[]) =>
    (write as (...args: unknown[]) => void)(fd, half(text), ...others)) as typeof fs.write);
  vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, text: unknown, ...others: unknown[]) =>
    (writeSync as (...args: unknown[]) => number)(fd, half(text), ...others)) as typeof fs.writeSync);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

test('a file is written as a whole although the system takes a part of it at a time', async () => {
  const path = join(folder, 'file');
  await replaceFile(path, longText);
  expect(readFileSync(path, 'utf8')).toBe(longText);
});

test('a file that fmt writes is not cut', async () => {
  const path = join(folder, 'trueup.yaml');
  writeFileSync(path, `stack:   x\n${'# a line of text\n'.repeat(1000)}`);
  await formatFile({ path, name: 'trueup.yaml' }, false);
  expect(readFileSync(path, 'utf8')).toBe(`stack: x\n${'# a line of text\n'.repeat(1000)}`);
});

test('a delivered secret is not cut', async () => {
  await deliverSecret({ file: 'secret' }, new Sealed(longText), {
    cwd: folder,
  } as Parameters<typeof deliverSecret>[2]);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${longText}\n`);
});

test('the saved state of a twin is not cut', () => {
  const path = join(folder, 'state.json');
  saveAccount(path, { ...emptyAccount(), lastTime: 7 } as Account);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ lastTime: 7 });
});
