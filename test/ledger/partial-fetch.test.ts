/*
 * git stores the objects of a small fetch one by one: first the commit, then its folder, then its files. A process that reads the same checkout meanwhile,
 * or after the fetch was killed, finds the commit without the ledger in it. Such a ledger must not count as missing: its stack owns objects.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/repository.ts';
import { readLedgersBesideRef } from '../../src/ledger/other-ledgers.ts';
import { git, gitEnv, gitIn, pushLedger, repository } from '../support/ledger-places.ts';

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
  it('fetches the ledger of another stack', async () => {
    const { clone } = repository();
    const checkout = clone();
    const tip = pushLedger(clone(), 'other', 'of other');
    git(checkout, 'fetch', '--quiet', 'origin', 'refs/trueup/other');
    for (const name of missingIn(tip)) removeObject(checkout, name);
    expect(textsOf(await gitIn(checkout).readOtherLedgers())).toEqual(['of other']);
  });

  it('fetches the own ledger', async () => {
    const { clone } = repository();
    const checkout = clone();
    const tip = pushLedger(clone(), 'demo', 'of demo');
    git(checkout, 'fetch', '--quiet', 'origin', 'refs/trueup/demo');
    for (const name of missingIn(tip)) removeObject(checkout, name);
    expect(await gitIn(checkout).read('ledger')).toMatchObject({ text: 'of demo' });
  });
});

it('a shallow checkout reads the ledger of a ref that moved after it was listed', async () => {
  const { clone } = repository();
  const [desk, checkout] = [clone(), clone('--depth=1')];
  const tips = ['of other', 'of other, later'].map((text) => pushLedger(desk, 'other', text));
  const listings = tips.map((tip) => new Map([['refs/trueup/other', tip]]));
  const opened = await openRepository(checkout, gitEnv);
  const ledgers = await readLedgersBesideRef(opened, 'origin', async () => listings.shift()!);
  expect(ledgers).toMatchObject([{ text: 'of other, later', tip: tips[1] }]);
});
