import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.ts';
import { writeOutputFile } from '../../src/files/write-files.ts';
import type { Host } from '../../src/host.ts';
import { temporary } from '../support/ledger-places.ts';

it('No link that a branch commits leads an output file out of the working directory.', async () => {
  const [outside, cwd] = [temporary(), temporary()];
  const victim = join(outside, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(cwd, 'plan.json'));
  symlinkSync(outside, join(cwd, 'reports'));
  mkdirSync(join(cwd, 'inside'));
  symlinkSync(join(cwd, 'inside'), join(cwd, 'also'));

  const host = { cwd } as Host;
  for (const path of ['plan.json', 'reports/plan.json', 'reports/new/plan.json', join(cwd, 'plan.json')])
    await expect(writeOutputFile(host, path, 'ours')).rejects.toMatchObject({
      diagnostics: [{ code: 'output/no-file', message: expect.stringContaining('link') }],
    });
  // Links to nothing: one is replaced, behind the other no folder is created.
  symlinkSync(join(outside, 'missing'), join(cwd, 'free.json'));
  symlinkSync(join(outside, 'missing'), join(cwd, 'absent'));
  await writeOutputFile(host, 'free.json', 'ours');
  await expect(writeOutputFile(host, 'absent/plan.json', 'ours')).rejects.toThrow();
  await writeOutputFile(host, 'also/plan.json', 'ours');
  // A path that the operator names outside is meant.
  await writeOutputFile(host, join(outside, 'other.json'), 'ours');

  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readdirSync(outside).sort()).toEqual(['other.json', 'victim']);
  for (const path of [join(cwd, 'free.json'), join(cwd, 'inside/plan.json'), join(outside, 'other.json')])
    expect(readFileSync(path, 'utf8')).toBe('ours');
});

it('nobody can foresee the name of a temporary file, to put a link there', async () => {
  const folder = temporary();
  const seen: string[] = [];
  function* content() {
    seen.push(...readdirSync(folder).filter((name) => name !== 'file'));
    yield 'ours';
  }
  await replaceFile(join(folder, 'file'), content());
  await replaceFile(join(folder, 'file'), content());
  expect(seen).toEqual([
    expect.stringMatching(/^file\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    expect.anything(),
  ]);
  expect(seen[0]).not.toBe(seen[1]);
  expect(readdirSync(folder)).toEqual(['file']);
});
