import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/model/diagnostic.ts';
import { git, gitEnv, gitIn, repository, temporary } from '../support/ledger-places.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

async function problemOf(work: Promise<unknown>) {
  const error = await work.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Problems);
  return (error as Problems).diagnostics[0]!;
}

function hook(repository: string, name: string, script: string): void {
  const path = join(repository, 'hooks', name);
  mkdirSync(join(repository, 'hooks'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** All that a person would see of a checkout. Read from files where that says the same, because each git costs. */
const state = (checkout: string) => ({
  status: git(checkout, 'status', '--porcelain', '--branch'),
  refs: git(checkout, 'for-each-ref'),
  head: readFileSync(join(checkout, '.git/HEAD'), 'utf8'),
  shallow: existsSync(join(checkout, '.git/shallow')),
  config: readFileSync(join(checkout, '.git/config'), 'utf8'),
  fetched: existsSync(join(checkout, '.git/FETCH_HEAD')),
});

describe('the ref of a ledger', () => {
  story('is no branch, and its history has each write, on top of the one before', async () => {
    const { bare, clone } = repository();
    const documents = gitIn(clone());
    let version = await documents.write('ledger', 'one', { expected: undefined });
    await documents.write('lease', 'mine', { expected: undefined });
    version = await documents.write('ledger', 'two', { expected: version });
    expect(documents.place).toBe('refs/trueup/demo at origin');
    expect(git(bare, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/trueup/demo');
    expect(git(bare, 'log', '--format=%an: %s', 'refs/trueup/demo')).toBe(
      ['trueup: Write ledger.json', 'trueup: Write lease.json', 'trueup: Write ledger.json'].join('\n'),
    );
    expect(git(bare, 'ls-tree', '--name-only', 'refs/trueup/demo')).toBe('lease.json\nledger.json');
    expect(git(bare, 'show', 'refs/trueup/demo~2:ledger.json')).toBe('one');
  });

  oneRowIn(2)(['sha1', 'sha256'])('has objects that git accepts as its own: %s', async (format) => {
    const folder = temporary();
    git(folder, 'init', '--quiet', '--bare', '--template=', `--object-format=${format}`, 'remote.git');
    const bare = join(folder, 'remote.git');
    git(bare, 'config', 'receive.fsckObjects', 'true');
    git(folder, 'init', '--quiet', '--template=', `--object-format=${format}`, 'clone');
    git(join(folder, 'clone'), 'remote', 'add', 'origin', bare);
    const env = { ...gitEnv, GIT_AUTHOR_NAME: 'Ada <Lovelace>', GIT_COMMITTER_EMAIL: 'ci@example.com' };
    const open = () => gitIn(join(folder, 'clone'), { env });
    const records = new Map([['000001.json', 'a record']]);
    const expected = await open().write('ledger', 'größer\n'.repeat(1000), {
      expected: undefined,
      historyUpdate: { records, message: 'Äpfel' },
    });
    expect((await open().read('ledger'))!.text).toBe('größer\n'.repeat(1000));
    expect(await open().history.read(['000001.json'])).toEqual(records);
    const commits = git(bare, 'log', '--format=%an|%ae|%cn|%ce|%s', 'refs/trueup/demo');
    expect(commits).toBe('Ada Lovelace|trueup@localhost|trueup|ci@example.com|Äpfel');
    const removed = new Map([['000001.json', undefined]]);
    await open().remove('ledger', { expected, historyUpdate: { records: removed, message: 'm' } });
    expect(git(bare, 'ls-tree', 'refs/trueup/demo')).toBe('');
    expect(git(bare, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  story('has a name of its own for each stack, whatever git makes of names', async () => {
    const { bare, clone } = repository();
    const checkout = clone();
    const stacks = ['a', 'a.lock', 'a..b', 'a.', 'A-b'];
    for (const stack of stacks)
      await gitIn(checkout, { stack }).write('ledger', stack, { expected: undefined });
    for (const stack of stacks) expect((await gitIn(checkout, { stack }).read('ledger'))!.text).toBe(stack);
    expect(git(bare, 'for-each-ref', 'refs/trueup').split('\n')).toHaveLength(stacks.length);
  });

  story('keeps files that a later version has put there', async () => {
    const { bare, clone } = repository();
    const documents = gitIn(clone());
    const version = await documents.write('ledger', 'one', { expected: undefined });
    const checkout = clone();
    git(checkout, 'fetch', '--quiet', 'origin', 'refs/trueup/demo');
    git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
    writeFileSync(join(checkout, 'note.txt'), 'of a later version');
    // Git sorts a folder as if its name ended with a slash: `history.md`, `history`, `note.txt`.
    writeFileSync(join(checkout, 'history.md'), 'of a later version');
    git(checkout, 'add', '.');
    git(checkout, 'commit', '--quiet', '-m', 'later');
    git(checkout, 'push', '--quiet', 'origin', 'HEAD:refs/trueup/demo');
    git(bare, 'config', 'receive.fsckObjects', 'true');
    const historyUpdate = { records: new Map([['000001.json', 'a record']]), message: 'm' };
    await documents.write('ledger', 'two', { expected: version, historyUpdate });
    expect(git(bare, 'show', 'refs/trueup/demo:note.txt')).toBe('of a later version');
  });

  story('takes pushes only forward, so a repository that refuses others will do', async () => {
    const { bare, clone } = repository();
    git(bare, 'config', 'receive.denyNonFastForwards', 'true');
    git(bare, 'config', 'receive.denyDeletes', 'true');
    const [one, two] = [gitIn(clone()), gitIn(clone())];
    const version = await one.write('lease', 'one', { expected: undefined });
    await two.write('ledger', 'two', { expected: undefined });
    await one.remove('lease', { expected: version });
    expect(await two.read('lease')).toBeUndefined();
  });
});

describe('the checkout', () => {
  oneRowIn(5)([
    ['whole', []],
    ['shallow', ['--depth=1']],
    ['of one branch', ['--single-branch']],
    ['without blobs', ['--filter=blob:none']],
    ['a mirror of all refs', ['--config', 'remote.origin.fetch=+refs/*:refs/copies/*']],
  ])('%s: reads and writes the ledger, and is as it was', async (_, options) => {
    const { bare, clone } = repository();
    git(bare, 'config', 'uploadpack.allowFilter', 'true');
    const other = gitIn(clone());
    const first = await other.write('ledger', 'one', { expected: undefined });
    const checkout = clone(...options);
    git(checkout, 'checkout', '--quiet', '--detach');
    writeFileSync(join(checkout, 'one'), 'changed');
    writeFileSync(join(checkout, 'new'), 'new');
    git(checkout, 'add', 'new');
    const before = state(checkout);
    const documents = gitIn(checkout);
    expect(await documents.read('ledger')).toEqual({ text: 'one', version: first });
    expect(state(checkout)).toEqual(before);
    await documents.write('ledger', 'two', { expected: first });
    expect((await other.read('ledger'))!.text).toBe('two');
    // Git itself notes where a mirror's refs are after a push.
    const { refs, ...rest } = state(checkout);
    const { refs: refsBefore, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    const others = (text: string) => text.split('\n').filter((line) => !line.includes('refs/copies/trueup'));
    expect(others(refs)).toEqual(others(refsBefore));
  });

  it('has hooks, and settings of its own: they are not for these commits', async () => {
    const { clone } = repository();
    const checkout = clone();
    for (const name of ['pre-push', 'reference-transaction', 'pre-commit', 'commit-msg'])
      hook(join(checkout, '.git'), name, 'echo ran >> "$GIT_DIR/ran"; exit 1');
    for (const setting of [
      'commit.gpgSign=true',
      'push.gpgSign=true',
      'user.useConfigOnly=true',
      'push.followTags=true',
    ])
      git(checkout, 'config', ...(setting.split('=') as [string, string]));
    const documents = gitIn(checkout);
    await documents.write('ledger', 'one', { expected: undefined });
    expect((await documents.read('ledger'))!.text).toBe('one');
    expect(existsSync(join(checkout, '.git/ran'))).toBe(false);
  });

  story('is found from a folder in it, and from a worktree', async () => {
    const { clone } = repository();
    const checkout = clone();
    mkdirSync(join(checkout, 'deep/er'), { recursive: true });
    await gitIn(join(checkout, 'deep/er')).write('ledger', 'one', { expected: undefined });
    const tree = join(temporary(), 'tree');
    git(checkout, 'worktree', 'add', '--quiet', '--detach', tree);
    expect((await gitIn(tree).read('ledger'))!.text).toBe('one');
  });

  it('gets none of our own settings, and none of them reaches a program that git runs', async () => {
    const { clone } = repository();
    const checkout = clone();
    const seen = join(temporary(), 'seen');
    git(checkout, 'config', 'core.sshCommand', `sh -c 'env > ${seen}; exit 1'`);
    git(checkout, 'remote', 'set-url', 'origin', 'ssh://git.invalid/x.git');
    const env = { ...gitEnv, TRUEUP_TOKEN: 'canary-token', TRUEUP_LEDGER_KEY: 'canary-key' };
    await problemOf(gitIn(checkout, { env }).read('ledger'));
    expect(readFileSync(seen, 'utf8')).toContain('PATH=');
    expect(readFileSync(seen, 'utf8')).not.toContain('canary');
  });
});

describe('a push', () => {
  story('that a hook declines is a problem that says what the hook says, and changes nothing', async () => {
    const { bare, clone } = repository();
    const documents = gitIn(clone());
    await documents.write('ledger', 'one', { expected: undefined });
    hook(bare, 'pre-receive', `echo >> ${bare}/asked; echo "not on a Friday" >&2; exit 1`);
    const found = await documents.read('ledger');
    const refused = await problemOf(documents.write('ledger', 'two', { expected: found!.version }));
    expect(refused).toMatchObject({
      code: 'ledger/git-rejected',
      message: expect.stringContaining('not on a Friday'),
    });
    expect(readFileSync(join(bare, 'asked'), 'utf8')).toBe('\n');
    expect(await documents.read('ledger')).toEqual(found);
    rmSync(join(bare, 'hooks/pre-receive'));
    await documents.write('ledger', 'two', { expected: found!.version });
  });

  story('that arrived although git says that it failed is no conflict, and is not repeated', async () => {
    const { bare, clone } = repository();
    const bin = temporary();
    const real = git(bin, '--exec-path');
    // The first push is done, and then the line is cut.
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh\n"${join(real, 'git')}" "$@"; code=$?\ncase " $* " in *" push "*) if [ ! -e ${bin}/cut ]; then touch ${bin}/cut; echo "fatal: the remote end hung up unexpectedly" >&2; exit 128; fi ;; esac\nexit $code\n`,
    );
    chmodSync(join(bin, 'git'), 0o755);
    const documents = gitIn(clone(), { env: { ...gitEnv, PATH: `${bin}:${gitEnv.PATH}` } });
    const version = await documents.write('ledger', 'one', { expected: undefined });
    expect(existsSync(join(bin, 'cut'))).toBe(true);
    expect(await documents.read('ledger')).toEqual({ text: 'one', version });
    expect(git(bare, 'rev-list', '--count', 'refs/trueup/demo')).toBe('1');
    await documents.write('ledger', 'two', { expected: version });
  });
});

describe('what cannot be read is never an empty ledger', () => {
  const kept = async () => {
    const { bare, clone } = repository();
    const checkout = clone();
    await gitIn(clone()).write('ledger', 'one', { expected: undefined });
    return { bare, checkout };
  };

  it('a remote that is gone', async () => {
    const { bare, checkout } = await kept();
    rmSync(bare, { recursive: true });
    expect((await problemOf(gitIn(checkout).read('ledger'))).code).toBe('ledger/unreachable');
  });

  it('a remote that does not answer, whose address has credentials in it', async () => {
    const { checkout } = await kept();
    git(checkout, 'remote', 'set-url', 'origin', 'http://canary-user:canary-p%40ss@127.0.0.1:1/x.git');
    for (const work of [
      () => gitIn(checkout).read('ledger'),
      () => gitIn(checkout).write('ledger', 'two', { expected: undefined }),
    ]) {
      const refused = await problemOf(work());
      expect(refused.code).toBe('ledger/unreachable');
      expect(JSON.stringify(refused)).toContain('127.0.0.1:1');
      expect(JSON.stringify(refused)).not.toMatch(/canary|p%40ss/);
    }
  });

  it('a fetch that fails after the ref was seen', async () => {
    const { bare, checkout } = await kept();
    const tip = git(bare, 'rev-parse', 'refs/trueup/demo');
    // The commit is named, and is not there.
    rmSync(join(bare, 'objects', tip.slice(0, 2), tip.slice(2)));
    const refused = await problemOf(gitIn(checkout).read('ledger'));
    expect(refused.code).toMatch(/^ledger\/(git-|unreachable|store-failed)/);
  });

  it('a folder that is no checkout', async () => {
    expect((await problemOf(gitIn(temporary()).read('ledger'))).code).toBe('ledger/git-repository');
  });

  it('a remote that there is not, with those that there are', async () => {
    const { checkout } = await kept();
    const refused = await problemOf(gitIn(checkout, { remote: 'upstream' }).read('ledger'));
    expect(refused).toMatchObject({
      code: 'ledger/git-remote',
      message: expect.stringContaining('there is origin'),
    });
  });

  it('a machine without git', async () => {
    const { checkout } = await kept();
    const env = { ...gitEnv, PATH: temporary() };
    expect((await problemOf(gitIn(checkout, { env }).read('ledger'))).code).toBe('ledger/git-program');
  });

  it('no ref at all: that is an empty one', async () => {
    const { clone } = repository();
    const checkout = clone();
    // Neither is one whose name only ends like it.
    git(checkout, 'push', '--quiet', 'origin', 'HEAD:refs/other/refs/trueup/demo');
    expect(await gitIn(checkout).read('ledger')).toBeUndefined();
    expect(readdirSync(checkout)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
  });
});
