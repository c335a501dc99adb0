import { expect, it } from 'vitest';
import type { Git } from '../../src/git/git.ts';
import { openRepository, type Repository } from '../../src/git/repository.ts';
import { GitRemote } from '../../src/ledger/git-remote.ts';
import { readLedgersBesideRef } from '../../src/ledger/other-ledgers.ts';
import { git, gitEnv, pushLedger, repository } from '../support/ledger-places.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

story('the ledgers of many stacks take as many git processes as those of one', async () => {
  const { clone } = repository();
  const [desk, checkout] = [clone(), clone()];
  const opened = await openRepository(checkout, gitEnv);
  const refs = new Map<string, string>();
  const read = async () => {
    const asked: string[] = [];
    const counting: Git = (args, ...more) => {
      asked.push(args[0]!);
      return opened.git(args, ...more);
    };
    const found = await readLedgersBesideRef({ ...opened, git: counting }, 'origin', async () => refs);
    return { asked, texts: found.map(({ text }) => text) };
  };
  const add = (stack: string) => refs.set(`refs/trueup/${stack}`, pushLedger(desk, stack, `of ${stack}`));
  add('a');
  expect(await read()).toEqual({
    asked: ['cat-file', 'fetch', 'cat-file', 'cat-file'],
    texts: ['of a'],
  });
  for (const stack of ['b', 'c', 'd']) add(stack);
  const many = await read();
  expect(many.asked).toEqual(['cat-file', 'fetch', 'cat-file', 'cat-file']);
  expect(many.texts).toEqual(['of a', 'of b', 'of c', 'of d']);
  // What is here already is not fetched.
  expect((await read()).asked).toEqual(['cat-file', 'cat-file']);
  // A ref without a ledger has none to tell of.
  refs.set('refs/trueup/e', git(checkout, 'rev-parse', 'HEAD'));
  expect((await read()).texts).toHaveLength(4);
});

it('ledgers that are too large for one answer of git are read in several', async () => {
  const portions: number[] = [];
  const large: Git = async ([, mode], input = '') => {
    const names = String(input).trim().split('\n');
    if (mode === '--batch-check') return names.map((name) => `${idOf(name)} blob 50000000\n`).join('');
    portions.push(names.length);
    return names.map((name) => `${name} blob 2\n{}\n`).join('');
  };
  const idOf = (name: string) => Buffer.from(name).toString('hex');
  const stacks = ['a', 'b', 'c', 'd', 'e'].map((name) => [`refs/trueup/${name}`, name] as const);
  const found = await readLedgersBesideRef(
    { git: large, isShallow: false } as Repository,
    'origin',
    async () => new Map(stacks),
  );
  expect(found.map(({ text }) => text)).toEqual(stacks.map(() => '{}'));
  expect(portions).toEqual([2, 2, 1]);
});

story('a write takes two git processes, and reads only the commits of other runs', async () => {
  const { bare, clone } = repository();
  const asked: string[] = [];
  const remoteIn = async (checkout: string) => {
    const opened = await openRepository(checkout, gitEnv);
    const counting: Git = (args, ...more) => {
      asked.push(args[0]!);
      return opened.git(args, ...more);
    };
    const counted = { ...opened, git: counting };
    return new GitRemote({
      open: async () => counted,
      name: 'origin',
      ref: 'refs/trueup/demo',
      env: gitEnv,
    });
  };
  const write = async (remote: GitRemote, name: string) => {
    const base = await remote.readSnapshot();
    const record = await remote.createBlob(name);
    const next = await remote.commit(base, new Map([[`history/${name}`, record]]), name);
    await remote.push(next, base.tip);
  };
  const [remote, otherRemote] = [await remoteIn(clone()), await remoteIn(clone())];
  await write(remote, '1');
  asked.splice(0);
  await write(remote, '2');
  expect(asked.splice(0)).toEqual(['ls-remote', 'unpack-objects', 'push']);
  await write(otherRemote, '3');
  await write(remote, '4');
  expect(git(bare, 'ls-tree', '--name-only', 'refs/trueup/demo:history').split('\n')).toEqual([
    '1',
    '2',
    '3',
    '4',
  ]);
});
