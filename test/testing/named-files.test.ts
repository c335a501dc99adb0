import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

/** A repository, or a plain folder, beside a folder that the test files must not learn anything about. */
async function openShell(isRepository: boolean) {
  const outer = new Shell();
  const shell = new Shell(join(outer.folder, 'here'));
  const files: Record<string, string> = { 'theirs/seed.json': '{}', 'here/sub/seed.json': '{}' };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outer.folder, name)), { recursive: true });
    writeFileSync(join(outer.folder, name), text);
  }
  const links: Record<string, string> = {
    folder: join(outer.folder, 'theirs'),
    there: '../theirs/seed.json',
    dangling: '../theirs/none.json',
    'dangling-absolute': join(outer.folder, 'theirs/none.json'),
    'dangling-inside': 'sub/none.json',
    'by-a-link': 'folder/none.json',
    'there-and-back': `${outer.folder}/theirs/../here/sub/seed.json`,
    'nowhere-and-back': `${outer.folder}/none/../here/sub/seed.json`,
    circle: 'circle',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(shell.folder, name));
  if (isRepository) execFileSync('git', ['init', '-q'], { cwd: shell.folder });
  return shell;
}

async function codeOf(shell: Shell, seed: string): Promise<string | undefined> {
  await shell.write({
    'trueup.yaml': 'stack: shop\nplatform: { team: acme }\nprojects: { web: {} }\n',
    'shop.test.yaml': `given: { seed: "${seed}" }\ntests: [{ name: x, expect: { create: 1 } }]\n`,
  });
  const { all } = await shell.run(['test']);
  return /\[((?:file|source)\/\w+)\]/.exec(all)?.[1];
}

describe.each([
  ['in a repository', true],
  ['without a repository', false],
])('a path in a test file %s', (_, isRepository) => {
  it('has the same message outside, whether there is a file or not', async () => {
    const shell = await openShell(isRepository);
    const paths = ['../theirs/seed.json', '../theirs/none.json', '/etc/passwd', '/etc/none'];
    const throughLinks = ['folder/seed.json', 'folder/none.json', 'there', 'dangling', 'dangling-absolute'];
    for (const path of [
      ...paths,
      ...throughLinks,
      'by-a-link',
      'there-and-back',
      'nowhere-and-back',
      'circle',
    ])
      expect([path, await codeOf(shell, path)]).toEqual([path, 'file/outside']);
    for (const path of ['none.json', 'sub/none.json', 'dangling-inside'])
      expect([path, await codeOf(shell, path)]).toEqual([path, 'file/missing']);
  });
});

it('a test file outside of a repository reads no ledger that the environment names', async () => {
  const shell = await openShell(false);
  await shell.write({ 'kept/ledger.json': '{}', 'kept/ledger.json.journal': '{}', 'kept/other.json': '{}' });
  shell.env = { ...shell.env, TRUEUP_LEDGER: 'kept/ledger.json' };
  expect(await codeOf(shell, 'kept/ledger.json')).toBe('source/file');
  expect(await codeOf(shell, 'kept/ledger.json.journal')).toBe('source/file');
  expect(await codeOf(shell, '.trueup/ledger/shop.json')).toBe('file/missing');
  expect(await codeOf(shell, 'kept/other.json')).toBeUndefined();
});
