import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { allDone, baited, codeOf, marking, useAll } from '../support/bait.ts';
import { below, git, gitEnv, gitIn, repository, temporary } from '../support/ledger-places.ts';

/** A checkout, and where a program leaves a mark that should not run. */
function start() {
  const { bare, clone } = repository();
  const mark = join(temporary(), 'mark');
  return { bare, checkout: clone(), mark };
}

/** A folder for PATH with a git that does this before it is git. */
function gitWith(script: string): string {
  const bin = temporary();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\nexec "${git(bin, '--exec-path')}/git" "$@"\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return bin;
}

it('A git repository that a branch contains as files is never used, and nothing in its settings or hooks runs.', async () => {
  const { bare, checkout, mark } = start();
  const folder = join(checkout, 'infra');
  mkdirSync(folder);
  baited(folder, mark);
  expect(() => git(folder, '--git-dir=.', 'ls-remote', 'origin')).toThrow();
  expect(existsSync(mark)).toBe(true);
  const other = join(temporary(), 'mark');
  baited(folder, other);
  expect(await useAll(folder)).toEqual(allDone);
  expect(existsSync(other)).toBe(false);
  expect(git(bare, 'for-each-ref', '--format=%(refname)', 'refs/trueup')).toBe('refs/trueup/demo');
});

it('Git settings, attributes, submodules and hooks in the work tree are not followed, and no filter runs that an attribute names.', async () => {
  const { checkout, mark } = start();
  const program = marking(checkout, 'program', mark);
  writeFileSync(join(checkout, '.gitattributes'), '* filter=x diff=x merge=x\n');
  writeFileSync(
    join(checkout, '.gitconfig'),
    `[core]\n\tsshCommand = ${program}\n\tfsmonitor = ${program}\n`,
  );
  writeFileSync(
    join(checkout, '.gitmodules'),
    `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n\tupdate = !${program}\n`,
  );
  for (const name of ['pre-push', 'reference-transaction', 'post-checkout'])
    for (const place of ['hooks', '.githooks', '.git/hooks']) marking(join(checkout, place), name, mark);
  expect(await useAll(below(checkout))).toEqual(allDone);
  expect(existsSync(mark)).toBe(false);
});

it('git, and the programs it starts, come from outside the repository.', async () => {
  const { checkout, mark } = start();
  const places = [join(checkout, 'bin'), join(checkout, 'node_modules/.bin'), checkout];
  for (const place of places)
    for (const name of ['git', 'ssh', 'git-upload-pack', 'git-remote-https']) marking(place, name, mark);
  const env = { ...gitEnv, PATH: [...places, '', '.', gitEnv.PATH].join(delimiter) };
  expect(await useAll(checkout, env)).toEqual(allDone);
  git(checkout, 'remote', 'set-url', 'origin', 'ssh://git.invalid/x.git');
  expect((await useAll(checkout, env))[0]).toMatch(/^ledger\/(git-|unreachable|store-failed)/);
  expect(existsSync(mark)).toBe(false);
});

it('No environment variable points git to another repository or to other objects.', async () => {
  const { bare, checkout, mark } = start();
  const evil = temporary();
  baited(evil, mark);
  const names =
    'DIR WORK_TREE INDEX_FILE COMMON_DIR OBJECT_DIRECTORY ALTERNATE_OBJECT_DIRECTORIES NAMESPACE PREFIX';
  const set = Object.fromEntries(names.split(' ').map((name) => [`GIT_${name}`, evil]));
  expect(await useAll(checkout, { ...gitEnv, ...set })).toEqual(allDone);
  expect(existsSync(mark)).toBe(false);
  expect(git(bare, 'for-each-ref', '--format=%(refname)', 'refs/trueup')).toBe('refs/trueup/demo');
});

it('git older than 2.38, and checkouts of another user, are rejected.', async () => {
  const { checkout } = start();
  const old = gitWith('case " $* " in *" --version "*) echo git version 2.37.9; exit ;; esac');
  const read = (env: Record<string, string>) =>
    codeOf(gitIn(checkout, { env: { ...gitEnv, ...env } }).read('ledger'));
  expect(await read({ PATH: `${old}:${gitEnv.PATH}` })).toBe('ledger/git-program');
  expect(await read({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })).toBe('ledger/git-owner');
  expect(await read({})).toBeUndefined();
});

it('Programs that git runs receive no setting of trueup, and so no token or key.', async () => {
  const { checkout } = start();
  const seen = join(temporary(), 'seen');
  const bin = gitWith(`env >> '${seen}'`);
  const own = { TRUEUP_TOKEN: 'canary-token', TRUEUP_LEDGER_KEY: 'canary-key', TRUEUP_SECRET_x: 'canary' };
  expect(await useAll(checkout, { ...gitEnv, ...own, PATH: `${bin}:${gitEnv.PATH}` })).toEqual(allDone);
  expect(readFileSync(seen, 'utf8')).toContain('GIT_TERMINAL_PROMPT=0');
  expect(readFileSync(seen, 'utf8')).not.toMatch(/TRUEUP_|canary/);
});
