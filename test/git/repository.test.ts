import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/repository.ts';
import { workTreeOf } from '../../src/git/work-tree.ts';
import type { Problems } from '../../src/model/diagnostic.ts';
import { allDone, baited, codeOf, marking, useAll } from '../support/bait.ts';
import { below, checkouts, git, gitEnv, gitIn, repository, temporary } from '../support/ledger-places.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(5);

describe('a repository that a branch brings along runs nothing, and is not taken', () => {
  const start = () => {
    const { bare, clone } = repository();
    const mark = join(temporary(), 'mark');
    return { bare, checkout: clone(), mark };
  };
  const ledgers = (bare: string) => git(bare, 'for-each-ref', '--format=%(refname)', 'refs/trueup');

  it('the bait works where git is called as one usually does', () => {
    const folder = temporary();
    const mark = join(temporary(), 'mark');
    baited(folder, mark);
    expect(() => git(folder, 'ls-remote', 'origin')).toThrow();
    expect(existsSync(mark)).toBe(true);
  });

  oneRowIn(2)([
    ['beside the configuration', 'infra'],
    ['in a folder above it', '..'],
  ])('a bare one %s: the ledger is that of the work tree around it', async (_, where) => {
    const { bare, checkout, mark } = start();
    const folder = join(checkout, 'infra');
    mkdirSync(join(folder, 'deep'), { recursive: true });
    baited(folder, mark);
    expect(await useAll(where === '..' ? join(folder, 'deep') : folder)).toEqual(allDone);
    expect(existsSync(mark)).toBe(false);
    expect(ledgers(bare)).toBe('refs/trueup/demo');
  });

  it('a bare one in no work tree at all', async () => {
    const folder = temporary();
    const mark = join(temporary(), 'mark');
    baited(folder, mark);
    const code = 'ledger/git-repository';
    expect(await useAll(folder)).toEqual([code, code, code, 'outside']);
    expect(existsSync(mark)).toBe(false);
  });

  oneRowIn(3)(['evil', './evil', '../site/evil'])(
    'one that `.git` names, among the files beside it: %s',
    async (name) => {
      const site = join(temporary(), 'site');
      const mark = join(temporary(), 'mark');
      mkdirSync(join(site, 'evil'), { recursive: true });
      baited(join(site, 'evil'), mark);
      git(join(site, 'evil'), '--git-dir=.', 'config', 'core.worktree', site);
      writeFileSync(join(site, '.git'), `gitdir: ${name}\n`);
      const code = 'ledger/git-embedded';
      expect(await useAll(below(site))).toEqual([code, code, code, 'embedded']);
      expect(existsSync(mark)).toBe(false);
    },
  );

  it('settings, attributes, modules and hooks that lie in the work tree', async () => {
    const { checkout, mark } = start();
    const folder = below(checkout);
    const program = marking(checkout, 'program', mark);
    const another = temporary();
    git(another, 'init', '--quiet');
    const hooks = readdirSync(join(another, '.git/hooks')).map((name) => name.replace('.sample', ''));
    expect(hooks).toContain('pre-push');
    for (const at of [checkout, folder]) {
      writeFileSync(join(at, '.gitattributes'), '* filter=x diff=x merge=x -text\n');
      writeFileSync(join(at, '.gitconfig'), `[core]\n\tsshCommand = ${program}\n\tfsmonitor = ${program}\n`);
      writeFileSync(
        join(at, '.gitmodules'),
        `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n\tupdate = !${program}\n`,
      );
      for (const name of hooks) marking(join(at, 'hooks'), name, mark);
    }
    expect(await useAll(folder)).toEqual(allDone);
    expect(existsSync(mark)).toBe(false);
  });

  it('programs that npm, or an empty part of PATH, would put in front: not as git, and not for what git starts', async () => {
    const { checkout, mark } = start();
    const folder = below(checkout);
    const outside = join(temporary(), 'node_modules', '.bin');
    const inside = [join(folder, 'node_modules/.bin'), join(checkout, 'bin'), checkout, folder];
    for (const place of [...inside, outside])
      for (const name of ['git', 'ssh', 'git-remote-https', 'git-upload-pack']) marking(place, name, mark);
    const first = [...inside, outside, '', '.', 'bin', './node_modules/.bin'].join(delimiter);
    const env = { ...gitEnv, PATH: `${first}${delimiter}${gitEnv.PATH}` };
    expect(await useAll(folder, env)).toEqual(allDone);
    git(checkout, 'remote', 'set-url', 'origin', 'ssh://git.invalid/x.git');
    expect((await useAll(folder, env))[0]).toMatch(/^ledger\/(git-|unreachable|store-failed)/);
    expect(existsSync(mark)).toBe(false);
    // With nothing else on it there is no git.
    const code = 'ledger/git-program';
    expect(await useAll(folder, { ...gitEnv, PATH: first })).toEqual([code, code, code, 'missing']);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('the environment names no other repository', () => {
  const names = [
    'GIT_CONFIG',
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_COMMON_DIR',
    'GIT_OBJECT_DIRECTORY',
    'GIT_ALTERNATE_OBJECT_DIRECTORIES',
    'GIT_NAMESPACE',
    'GIT_PREFIX',
    'GIT_SHALLOW_FILE',
    'GIT_QUARANTINE_PATH',
    'GIT_LITERAL_PATHSPECS',
    'GIT_GLOB_PATHSPECS',
    'GIT_NOGLOB_PATHSPECS',
    'GIT_ICASE_PATHSPECS',
  ];

  it('whichever of its variables are set, git gets none of them', async () => {
    const { bare, clone } = repository();
    const folder = below(clone());
    const [evil, bin] = [temporary(), temporary()];
    const mark = join(bin, 'mark');
    baited(evil, mark);
    const real = join(git(bin, '--exec-path'), 'git');
    writeFileSync(join(bin, 'git'), `#!/bin/sh\nenv >> "${bin}/seen"\nexec "${real}" "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    const before = readdirSync(evil, { recursive: true });
    const set = Object.fromEntries(
      names.map((name) => [name, name === 'GIT_NAMESPACE' ? 'elsewhere' : evil]),
    );
    expect(await useAll(folder, { ...gitEnv, ...set, PATH: `${bin}:${gitEnv.PATH}` })).toEqual(allDone);
    const seen = readFileSync(join(bin, 'seen'), 'utf8').split('\n');
    expect(seen).toContain('GIT_NO_REPLACE_OBJECTS=1');
    for (const name of names) expect(seen.filter((line) => line.startsWith(`${name}=`))).toEqual([]);
    expect(existsSync(mark)).toBe(false);
    expect(readdirSync(evil, { recursive: true })).toEqual(before);
    expect(git(bare, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/trueup/demo');
  });

  it('but what it says of settings and credentials counts, unless that would let a bare repository in', async () => {
    const { clone } = repository();
    const folder = clone();
    const more = {
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'safe.bareRepository',
      GIT_CONFIG_VALUE_0: 'all',
      GIT_CONFIG_KEY_1: 'remote.upstream.url',
      GIT_CONFIG_VALUE_1: git(folder, 'remote', 'get-url', 'origin'),
    };
    const env = { ...gitEnv, ...more };
    expect(await gitIn(folder, { env, remote: 'upstream' }).read('ledger')).toBeUndefined();
    const { git: run } = await openRepository(folder, env);
    expect((await run(['config', 'safe.bareRepository'])).trim()).toBe('explicit');
  });

  it('objects that something else is put in place of, in this checkout, are what they were', async () => {
    const { clone } = repository();
    const checkout = clone();
    const version = await gitIn(checkout).write('ledger', 'true', { expected: undefined });
    writeFileSync(join(checkout, 'forged'), 'forged');
    git(checkout, 'replace', version, git(checkout, 'hash-object', '-w', 'forged'));
    expect(git(checkout, 'cat-file', 'blob', version)).toBe('forged');
    expect((await gitIn(checkout).read('ledger'))!.text).toBe('true');
  });
});

describe('a git that will not do', () => {
  oneRowIn(5)([
    ['git version 2.37.7', 'ledger/git-program'],
    ['git version 1.99.0', 'ledger/git-program'],
    ['nothing of the kind', 'ledger/git-program'],
    ['git version 2.38.0', undefined],
    ['git version 2.100.1 (Apple Git-154)', undefined],
    ['git version 3.0.rc1.windows.1', undefined],
  ])('%s: %s', async (says, code) => {
    const { clone } = repository();
    const bin = temporary();
    const real = join(git(bin, '--exec-path'), 'git');
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh\ncase " $* " in *" --version "*) echo "${says}" ;; *) exec "${real}" "$@" ;; esac\n`,
    );
    chmodSync(join(bin, 'git'), 0o755);
    const env = { ...gitEnv, PATH: `${bin}:${gitEnv.PATH}` };
    const folder = clone();
    expect(await codeOf(gitIn(folder, { env }).read('ledger'))).toBe(code);
  });

  it('says what it is and what it takes', async () => {
    const { clone } = repository();
    const bin = temporary();
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.2\n');
    chmodSync(join(bin, 'git'), 0o755);
    const refused = await gitIn(clone(), { env: { ...gitEnv, PATH: bin } })
      .read('ledger')
      .catch((error: Problems) => error.diagnostics[0]!);
    expect(refused).toMatchObject({
      message: expect.stringContaining('git version 2.30.2'),
      hint: expect.stringContaining('2.38'),
    });
  });

  it("a checkout of another user's is refused by git itself, and told so", async () => {
    const { clone } = repository();
    const folder = below(clone());
    const env = { ...gitEnv, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
    expect(await codeOf(gitIn(folder, { env }).read('ledger'))).toBe('ledger/git-owner');
  });
});

describe('every form of a checkout', () => {
  it.each(sampled(Object.entries(checkouts), 1))(
    '%s: the ledger is read and written, and is one with the others',
    async (_, make) => {
      const { bare, clone } = repository();
      git(bare, 'config', 'uploadpack.allowFilter', 'true');
      const other = gitIn(clone());
      const ledger = await other.write('ledger', 'one', { expected: undefined });
      const folder = make(clone);
      const here = gitIn(folder);
      // The lease first: what was not read is kept all the same.
      const lease = await here.write('lease', 'mine', { expected: undefined });
      expect(await here.read('ledger')).toEqual({ text: 'one', version: ledger });
      const second = await here.write('ledger', 'two', { expected: ledger });
      expect(await other.read('lease')).toEqual({ text: 'mine', version: lease });
      await here.remove('lease', { expected: lease });
      expect(await other.read('ledger')).toEqual({ text: 'two', version: second });
      expect(await other.read('lease')).toBeUndefined();
      expect(await here.journalPath()).toMatch(/\/trueup\/demo\.journal$/);
      expect(await gitIn(join(folder, '..', '..')).journalPath()).toBe(await here.journalPath());
      expect(git(folder, 'status', '--porcelain')).toBe('');
    },
  );

  story('worktrees of one repository share the journal', async () => {
    const { clone } = repository();
    const checkout = clone();
    const tree = join(temporary(), 'tree');
    git(checkout, 'worktree', 'add', '--quiet', '--detach', tree);
    expect(await gitIn(tree).journalPath()).toBe(await gitIn(checkout).journalPath());
  });

  story('a `.git` that is no repository is passed over, like one that cannot be', async () => {
    const { clone } = repository();
    const checkout = clone();
    mkdirSync(join(checkout, 'sub/.git'), { recursive: true });
    expect(workTreeOf(join(checkout, 'sub'))).toBe(checkout);
    expect(await useAll(join(checkout, 'sub'))).toEqual(allDone);
    const copy = join(temporary(), 'copy');
    cpSync(checkout, copy, { recursive: true });
    renameSync(join(copy, '.git'), join(copy, 'not-git'));
    expect(workTreeOf(copy)).toBeUndefined();
  });
});
