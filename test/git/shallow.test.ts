import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGit } from '../../src/git/git.ts';
import { git, gitEnv, repository, temporary } from '../support/ledger-places.ts';
import { pushHead, writeRef } from '../support/push-head.ts';

it('several fetch into one shallow checkout at once, as the stacks of a workspace do', async () => {
  const { bare, clone } = repository();
  const desk = clone();
  const names = Array.from({ length: 12 }, (_, at) => `refs/trueup/s${at}`);
  for (const name of names) {
    git(desk, 'commit', '--quiet', '--allow-empty', '-m', name);
    writeRef(bare, name, pushHead(desk, bare, 'ledgers'));
  }
  const checkout = join(temporary(), 'shallow');
  git(bare, 'clone', '--quiet', '--depth=1', `file://${bare}`, checkout);
  const { git: own } = createGit(checkout, gitEnv);
  const fetched = await Promise.allSettled(
    names.map((name) => own(['fetch', '--quiet', '--depth=1', 'origin', name])),
  );
  expect(fetched.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
});
