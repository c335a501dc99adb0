import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTracking } from '../../src/git/tracking.ts';

const names = [
  'top.yaml',
  ':(exclude)top.yaml',
  '*.yaml',
  'a/b.yaml',
  'a/b/c.yaml',
  'a b/[c]/d?.yaml',
  'a b/c/d?.yaml',
  ':!a/*/**.yaml',
  'back\\slash/e\\.yaml',
  'new\nline/"f".yaml',
  'ünï/ç.yaml',
  '-x/--y.yaml',
];

it('knows the tracked files of any folder, and no other ones', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trueup-tracking-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '.'], { cwd: folder });
  for (const name of names) writeFileSync(join(folder, `${name}x`), '');
  // A tracked name that is no text, and a file with the name as which it would be read.
  const notText = Buffer.concat([Buffer.from(join(folder, 'not-text-')), Buffer.from([0xff])]);
  writeFileSync(notText, '');
  execFileSync('git', ['add', 'not-text-*'], { cwd: folder });
  const tracking = openTracking(process.env);
  expect(await tracking.tracked(folder, names)).toEqual(new Set(names));
  expect(await openTracking(process.env).tracked(folder, ['not-text-\uFFFD'])).toEqual(new Set());
  const env = { ...process.env, GIT_LITERAL_PATHSPECS: '1', GIT_ICASE_PATHSPECS: '1' };
  expect(await openTracking(env).tracked(folder, names)).toEqual(new Set(names));
  for (const name of names) {
    expect(await openTracking(process.env).tracked(folder, [name]), name).toEqual(new Set([name]));
    expect(await openTracking(process.env).tracked(folder, [`${name}x`, `${name}/x`, `x${name}`])).toEqual(
      new Set(),
    );
  }
});
