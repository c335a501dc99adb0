import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCheckoutCommit } from '../../src/git/checkout.ts';

it('names the commit, and is dirty where a file is not as the commit has it', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trueup-commit-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      stdio: 'pipe',
    }).toString();
  const write = (name: string, text = name) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const of = (files: string[], folders: string[] = []) =>
    readCheckoutCommit(
      root,
      { files: files.map((one) => join(root, one)), folders: folders.map((one) => join(root, one)) },
      process.env,
    );

  expect(await of(['a.yaml'])).toBe(undefined);
  git('init');
  write('a.yaml');
  expect(await of(['a.yaml'])).toBe(undefined);
  expect(await of([])).toBe(undefined);
  write('b/one.yaml');
  write('b/two.yaml');
  write('..b/three.yaml');
  write('.gitignore', 'out/\n*.local\n');
  git('add', '.');
  git('commit', '-m', 'first');
  const id = git('rev-parse', 'HEAD').trim();
  const clean = { id, dirty: false };
  const dirty = { id, dirty: true };
  expect(await of(['a.yaml', 'b/one.yaml'], ['b'])).toEqual(clean);
  expect(await of(['..b/three.yaml'], ['..b'])).toEqual(clean);

  // What lies beside it is nobody's business.
  write('b/notes.txt');
  write('out/log');
  expect(await of(['a.yaml', 'b/one.yaml'], ['b'])).toEqual(clean);
  expect(await of([])).toEqual(clean);
  expect(await of(['../elsewhere.yaml'])).toEqual(dirty);
  // New files, those that git is told to leave alone, and those outside of the work tree.
  write('new.yaml');
  write('mine.local');
  write('out/made.yaml');
  for (const name of ['new.yaml', 'mine.local', 'out/made.yaml', '../elsewhere.yaml'])
    expect([name, await of(['a.yaml', name])]).toEqual([name, dirty]);
  symlinkSync(process.cwd(), join(root, 'away'));
  expect(await of(['away/package.json'])).toEqual(dirty);

  write('a.yaml', 'edited');
  expect(await of(['a.yaml'])).toEqual(dirty);
  expect(await of(['b/one.yaml'], ['b'])).toEqual(clean);
  expect(await of([])).toEqual(clean);
  git('add', 'a.yaml');
  expect(await of(['a.yaml'])).toEqual(dirty);
  // A file that is gone is read no longer: only its folder tells.
  rmSync(join(root, 'b/two.yaml'));
  expect(await of(['b/one.yaml'], ['b'])).toEqual(dirty);
  expect(await of(['b/one.yaml'])).toEqual(clean);
});
