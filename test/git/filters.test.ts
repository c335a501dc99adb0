import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import {
  findChangedFiles,
  findDefaultBranch,
  findOriginPath,
  readCheckoutCommit,
} from '../../src/git/checkout.ts';
import { extractFiles } from '../../src/git/commits.ts';
import { openMirror } from '../../src/git/mirror.ts';
import { findObjects, readBlobs } from '../../src/git/objects.ts';
import { openRepository } from '../../src/git/repository.ts';
import { someChangeFolder } from '../../src/git/revert-commands.ts';
import { openTracking } from '../../src/git/tracking.ts';
import { marking } from '../support/bait.ts';
import { initRepository } from '../support/init-repository.ts';
import { git, headOf, temporary } from '../support/ledger-places.ts';
import { oneRowIn } from '../support/sweep.ts';

let root: string;
let env: Record<string, string>;
let mark: string;
let first: string;

/** Programs that the machine has, under names that the attributes of a branch can choose. */
const settings = (program: string) => `
${['evil', 'a.b=c', 'lfs'].map((name) => `[filter "${name}"]\n\tclean = ${program}\n\tsmudge = ${program}\n\trequired = true\n`).join('')}
[filter "process"]
\tprocess = ${program}
[diff]
\texternal = ${program}
[diff "evil"]
\tcommand = ${program}
\ttextconv = ${program}
[merge "evil"]
\tdriver = ${program}
[core]
\tfsmonitor = ${program}
\thooksPath = ${join(program, '..')}
\teditor = ${program}
\tpager = ${program}
[credential]
\thelper = ${program}
[gpg]
\tprogram = ${program}
[init]
\ttemplateDir = ${join(program, '..', 'template')}
[commit]
\tgpgSign = true
[status]
\tsubmoduleSummary = true
[submodule]
\trecurse = true
`;

const attributes = `* diff=evil merge=evil
a.yaml filter=evil
b.yaml filter=a.b=c
c.yaml filter=lfs
d.yaml filter=process
`;
const names = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml'];

/** Writes the same text again, so that git has to compare the content. */
const touch = () => {
  for (const name of [...names, '.gitattributes']) utimesSync(join(root, name), 1, 1);
};

/** A repository with two commits, made once and copied for each test, because each git process costs. */
const template = temporary();
beforeAll(() => {
  initRepository(template);
  for (const name of names) writeFileSync(join(template, name), `stack: ${name}\n`);
  writeFileSync(join(template, '.gitattributes'), attributes);
  git(template, 'add', '.');
  git(template, 'commit', '--quiet', '--message=one');
  first = headOf(template);
  writeFileSync(join(template, 'e.yaml'), 'stack: other\n');
  git(template, 'commit', '--quiet', '--all', '--message=two');
});

beforeEach(() => {
  root = temporary();
  mark = join(temporary(), 'mark');
  const bin = temporary();
  const program = marking(bin, 'program', mark);
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
    marking(bin, hook, mark);
  marking(join(bin, 'template', 'hooks'), 'reference-transaction', mark);
  cpSync(template, root, { recursive: true });
  const config = join(temporary(), 'config');
  writeFileSync(config, settings(program));
  env = {
    PATH: process.env.PATH!,
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  touch();
});

const filesOf = () => names.map((name) => join(root, name));

oneRowIn(5)<[string, () => Promise<unknown>]>([
  ['readCheckoutCommit', () => readCheckoutCommit(root, { files: filesOf(), folders: [root] }, env)],
  [
    'readCheckoutCommit, with other settings for `git config` alone',
    () =>
      readCheckoutCommit(root, { files: filesOf(), folders: [root] }, { ...env, GIT_CONFIG: '/dev/null' }),
  ],
  ['readCheckoutCommit, without files', () => readCheckoutCommit(root, { files: [], folders: [] }, env)],
  ['someChangeFolder', () => someChangeFolder([{ id: 'HEAD', parent: first }], root, root, env)],
  ['findChangedFiles', async () => (await findChangedFiles(first, root, env))!.before(join(root, 'a.yaml'))],
  ['extractFiles', async () => (await extractFiles('HEAD', root, env)).remove()],
  [
    'findObjects and readBlobs',
    async () => {
      const repository = await openRepository(root, env);
      const found = await findObjects(['HEAD:a.yaml'], repository.git);
      await readBlobs([found.get('HEAD:a.yaml')!.id], repository.git);
    },
  ],
  ['findDefaultBranch', () => findDefaultBranch(root, env)],
  ['findOriginPath', () => findOriginPath(root, env)],
  ['tracking', () => openTracking(env).tracked(root, names)],
  [
    'a mirror',
    async () => {
      const [folder, checkouts] = [join(temporary(), 'mirror.git'), temporary()];
      const mirror = await openMirror({ folder, checkouts, url: root, env, now: Date.now });
      const checkout = await mirror.checkOut(await mirror.fetchHead('main'));
      expect(readFileSync(join(checkout.folder, 'a.yaml'), 'utf8')).toBe('stack: a.yaml\n');
      for (const name of names) utimesSync(join(checkout.folder, name), 1, 1);
      await checkout.giveBack();
      expect(existsSync(checkout.folder)).toBe(true);
    },
  ],
])('%s runs no program that attributes choose or settings name', async (_, work) => {
  await work();
  expect(existsSync(mark)).toBe(false);
});

it('a mirror runs no filter that was installed after its first checkout', async () => {
  const config = readFileSync(env.GIT_CONFIG_GLOBAL!, 'utf8');
  writeFileSync(env.GIT_CONFIG_GLOBAL!, '');
  const [folder, checkouts] = [join(temporary(), 'mirror.git'), temporary()];
  const mirror = await openMirror({ folder, checkouts, url: root, env, now: Date.now });
  await mirror.checkOut(first);
  writeFileSync(env.GIT_CONFIG_GLOBAL!, config);
  await mirror.checkOut(await mirror.fetchHead('main'));
  expect(existsSync(mark)).toBe(false);
});

it('the programs would run otherwise', () => {
  expect(() =>
    execFileSync('git', ['diff', '--name-only', 'HEAD'], { cwd: root, env, stdio: 'pipe' }),
  ).toThrow();
  expect(existsSync(mark)).toBe(true);
});

it('git looks into no submodule', async () => {
  const inner = join(root, 'inner');
  mkdirSync(inner);
  git(inner, 'init', '--quiet');
  writeFileSync(join(inner, 'a.yaml'), 'a: 1\n');
  writeFileSync(join(inner, '.gitattributes'), '* filter=own\n');
  git(inner, 'add', '.');
  git(inner, 'commit', '--quiet', '--message=inner');
  git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
  git(root, 'commit', '--quiet', '--message=three');
  git(inner, 'config', 'filter.own.clean', marking(temporary(), 'program', mark));
  utimesSync(join(inner, 'a.yaml'), 1, 1);
  await readCheckoutCommit(root, { files: filesOf(), folders: [root] }, env);
  await findChangedFiles(first, root, env);
  expect(existsSync(mark)).toBe(false);
});

it('a file with a filter is compared as it is in the repository, and line endings are converted', async () => {
  const isDirty = async (name: string) =>
    (await readCheckoutCommit(root, { files: [join(root, name)], folders: [] }, env))!.dirty;
  expect(await Promise.all(names.map(isDirty))).toEqual(names.map(() => false));
  writeFileSync(join(root, 'a.yaml'), 'as a filter has written it\n');
  expect(await isDirty('a.yaml')).toBe(true);
  git(root, 'config', 'core.autocrlf', 'true');
  rmSync(join(root, 'e.yaml'));
  git(root, 'checkout', '--', 'e.yaml');
  utimesSync(join(root, 'e.yaml'), 1, 1);
  expect([readFileSync(join(root, 'e.yaml'), 'utf8'), await isDirty('e.yaml')]).toEqual([
    'stack: other\r\n',
    false,
  ]);
  writeFileSync(join(root, 'e.yaml'), 'stack: others\r\n');
  expect(await isDirty('e.yaml')).toBe(true);
});
