import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../../src/git/repository.ts';
import { codeOf } from '../support/bait.ts';
import { initBareRepository, initRepository } from '../support/init-repository.ts';
import { git, gitEnv, gitIn, repository, temporary } from '../support/ledger-places.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/** The properties of the repository of a folder, as git describes them. */
function describedByGit(folder: string) {
  const flags = ['--is-shallow-repository', '--show-object-format', '--git-common-dir'];
  const [isShallow, objectFormat, commonFolder] = git(
    folder,
    'rev-parse',
    '--path-format=absolute',
    ...flags,
  ).split('\n');
  return { isShallow: isShallow === 'true', objectFormat, commonFolder };
}

/** A new repository whose settings are followed by these lines. */
function repositoryWith(settings: string): string {
  const folder = temporary();
  initRepository(folder);
  appendFileSync(join(folder, '.git/config'), settings);
  return folder;
}

/** A folder in a repository, with a `.git` of its own in which a part is missing or another file, so that git passes over it. */
function withWrongPart(part: string, text?: string): string {
  const folder = join(repositoryWith(''), 'inner');
  mkdirSync(folder);
  initRepository(folder);
  writeFileSync(join(folder, '.git/shallow'), '');
  rmSync(join(folder, '.git', part), { recursive: true });
  if (text !== undefined) writeFileSync(join(folder, '.git', part), text);
  return folder;
}

const forms: [string, () => string][] = [
  ['a plain repository', () => repositoryWith('')],
  ['a clone', () => repository().clone()],
  ['a shallow clone', () => repository().clone('--depth=1')],
  [
    'a repository with the other hash function',
    () => {
      const folder = temporary();
      execFileSync('git', ['init', '--quiet', '--template=', '--object-format=sha256', folder]);
      return folder;
    },
  ],
  [
    'settings for each work tree',
    () => {
      const folder = repositoryWith('[extensions]\n\tworktreeConfig = true\n');
      writeFileSync(join(folder, '.git/config.worktree'), '[core]\n\tignoreCase = false\n');
      return folder;
    },
  ],
  [
    'a git folder that is a link',
    () => {
      const [folder, elsewhere] = [repositoryWith(''), temporary()];
      renameSync(join(folder, '.git'), join(elsewhere, 'real'));
      symlinkSync(join(elsewhere, 'real'), join(folder, '.git'));
      return folder;
    },
  ],
  [
    'a git folder that shares the files of another',
    () => {
      const [folder, shared] = [repositoryWith(''), temporary()];
      initBareRepository(shared);
      const config = join(shared, 'config');
      writeFileSync(config, readFileSync(config, 'utf8').replace('bare = true', 'bare = false'));
      writeFileSync(join(shared, 'shallow'), '');
      writeFileSync(join(folder, '.git/commondir'), `${shared}\n`);
      return folder;
    },
  ],
  ...['objects', 'refs'].flatMap((part): [string, () => string][] => [
    [`a git folder without ${part}, in another repository`, () => withWrongPart(part)],
    [`a git folder whose ${part} is a file, in another repository`, () => withWrongPart(part, '')],
  ]),
  ...['not a head\n', 'ref:\vrefs/heads/main\n', `ref:${' '.repeat(300)}refs/heads/main\n`].map(
    (head, index): [string, () => string] => [
      `a git folder with a wrong HEAD, in another repository (${index + 1})`,
      () => withWrongPart('HEAD', head),
    ],
  ),
];

oneRowIn(5)(forms)('%s has the properties that git names', async (_, make) => {
  const folder = make();
  const { git: _git, remotes: _remotes, ...form } = await openRepository(folder, gitEnv);
  expect(form).toEqual(describedByGit(folder));
});

it.each([
  ['that is bare', '[core]\n\tbare = true\n', 'outside'],
  ['that has its files elsewhere', `[core]\n\tworktree = ${temporary()}\n`, 'outside'],
  ['of a form that git does not know', '[core]\n\trepositoryformatversion = 7\n', 'failed'],
])('a repository %s is not used', async (_, settings, reason) => {
  expect(await codeOf(openRepository(repositoryWith(settings), gitEnv))).toBe(reason);
});

story('a clone is opened, and its remotes and filters are read, with one git process', async () => {
  const folder = repository().clone();
  appendFileSync(
    join(folder, '.git/config'),
    '[remote "a.b/c"]\n\turl = x\n\turl = y\n[remote "A"]\n\tvcs = x\n',
  );
  const bin = temporary();
  const calls = join(bin, 'calls');
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\necho "$*" >> "${calls}"\nexec "${git(bin, '--exec-path')}/git" "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const opened = await openRepository(folder, { ...gitEnv, PATH: `${bin}:${gitEnv.PATH}` });
  expect(opened.remotes).toEqual(['A', 'a.b/c', 'origin']);
  await opened.git(['status']);
  const commands = readFileSync(calls, 'utf8')
    .split('\n')
    .map((line) => /(--version|config|status|remote|rev-parse)( |$)/.exec(line)?.[1]);
  expect(commands).toEqual(['--version', 'config', 'status', undefined]);
});

it.each([
  ['has no address', 'prune = true'],
  ['has one for pushes only', 'pushurl = x'],
  ['has an empty one after another', 'url = x\n\turl ='],
])('a remote that %s is none, so that git takes no repository of a branch for it', async (_, settings) => {
  const folder = repositoryWith(`[remote "site"]\n\t${settings}\n[remote "other"]\n\turl = x\n`);
  mkdirSync(join(folder, 'site'));
  initBareRepository(join(folder, 'site'));
  const documents = gitIn(folder, { remote: 'site' });
  expect(await codeOf(documents.read('ledger'))).toBe('ledger/git-remote');
  await expect(documents.read('ledger')).rejects.toThrow('has no remote site; there is other');
});
