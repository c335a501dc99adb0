/*
 * git stores the objects of a small fetch one by one: first the commit, then its folder, then its files. A process that reads the same checkout meanwhile,
 * or after the fetch was killed, finds the commit without the ledger in it. Such a ledger must not count as missing: its stack owns objects.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { openRepository } from '../../src/git/repository.ts';
import type { Documents } from '../../src/ledger/documents.ts';
import { readLedgersBesideRef } from '../../src/ledger/other-ledgers.ts';
import { git, gitEnv, gitIn, pushLedger, repository } from '../support/ledger-places.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/** Removes an object from a checkout that has fetched it, as if the fetch had not stored it yet. */
function removeObject(checkout: string, name: string): void {
  const id = git(checkout, 'rev-parse', name);
  rmSync(join(checkout, '.git/objects', id.slice(0, 2), id.slice(2)));
}

const textsOf = (ledgers: { text: string | undefined }[]) => ledgers.map(({ text }) => text);

describe.each([
  ['its ledger', (tip: string) => [`${tip}:ledger.json`]],
  ['its folder and its ledger', (tip: string) => [`${tip}:ledger.json`, `${tip}^{tree}`]],
])('a checkout that has a commit without %s', (_, missingIn) => {
  story('fetches the ledger of another stack', async () => {
    const { clone } = repository();
    const checkout = clone();
    const tip = pushLedger(clone(), 'other', 'of other');
    git(checkout, 'fetch', '--quiet', 'origin', 'refs/trueup/other');
    for (const name of missingIn(tip)) removeObject(checkout, name);
    expect(textsOf(await gitIn(checkout).readOtherLedgers())).toEqual(['of other']);
  });

  story('fetches the own ledger', async () => {
    const { clone } = repository();
    const checkout = clone();
    const tip = pushLedger(clone(), 'demo', 'of demo');
    git(checkout, 'fetch', '--quiet', 'origin', 'refs/trueup/demo');
    for (const name of missingIn(tip)) removeObject(checkout, name);
    expect(await gitIn(checkout).read('ledger')).toMatchObject({ text: 'of demo' });
  });
});

story('a shallow checkout reads the ledger of a ref that moved after it was listed', async () => {
  const { clone } = repository();
  const [desk, checkout] = [clone(), clone('--depth=1')];
  const tips = ['of other', 'of other, later'].map((text) => pushLedger(desk, 'other', text));
  const listings = tips.map((tip) => new Map([['refs/trueup/other', tip]]));
  const opened = await openRepository(checkout, gitEnv);
  const ledgers = await readLedgersBesideRef(opened, 'origin', async () => listings.shift()!);
  expect(ledgers).toMatchObject([{ text: 'of other, later', tip: tips[1] }]);
});

/** Writes what `write` writes from one checkout, and returns another one that has fetched the ref without the object `missing` of its commit. */
async function fetchWithout(
  missing: string,
  ref: string,
  write: (documents: Documents) => Promise<unknown>,
): Promise<Documents> {
  const { clone } = repository();
  const checkout = clone();
  await write(gitIn(clone()));
  git(checkout, 'fetch', '--quiet', 'origin', ref);
  removeObject(checkout, `FETCH_HEAD${missing}`);
  return gitIn(checkout);
}

story('a checkout without a shard of the ownership index fetches the shard', async () => {
  const { ownership } = await fetchWithout(':key-0.json', 'refs/trueup/_ownership', ({ ownership }) =>
    ownership!.writeShards('key', [{ name: '0', text: 'a shard', expected: undefined }]),
  );
  const shards = await ownership!.readShards('key', ['0']);
  expect(shards.get('0')).toMatchObject({ text: 'a shard' });
});

const writeWithRecord = (documents: Documents) =>
  documents.write('ledger', 'of demo', {
    expected: undefined,
    historyUpdate: { message: 'Write', records: new Map([['000001.json', 'a record']]) },
  });

oneRowIn(3)([':ledger.json', ':history', ':history/000001.json'])(
  'a checkout without %s of a ref fetches it, even if the commit was read for another document',
  async (missing) => {
    const documents = await fetchWithout(missing, 'refs/trueup/demo', writeWithRecord);
    expect(await documents.read('lease')).toBeUndefined();
    expect(await documents.read('ledger')).toMatchObject({ text: 'of demo' });
    const names = await documents.history.names();
    expect(await documents.history.read(names)).toEqual(new Map([['000001.json', 'a record']]));
  },
);
