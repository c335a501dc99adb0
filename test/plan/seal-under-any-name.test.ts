import { expect, it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { emptyLedger, type LedgerEntry } from '../../src/model/ledger.ts';
import { emptyLive, type LiveResource } from '../../src/model/resource.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { createAddressFinder } from '../../src/plan/seal-under-any-name.ts';

const object = (kind: string, address: string, id: string, parent?: string): LiveResource => ({
  ...{ address, kind, id, ids: [id], fields: {}, index: 0 },
  ...(parent === undefined ? {} : { parent }),
});

const entry = (kind: string, id: string): LedgerEntry => ({
  ...{ kind, ids: [id], origin: 'created', salt: 'salt', form: 1, fields: {}, secrets: {} },
});

/** Returns the addresses that an account and a ledger, with projects of the same ids, give an object of the account. */
function addressesOf(address: string, live: LiveResource[], entries: Record<string, LedgerEntry>): string[] {
  const account = emptyLive();
  for (const resource of live) account.resources.set(resource.address, resource);
  const input = {
    desired: { stack: 'demo', resources: new Map(), removed: new Map() },
    live: account,
    ledger: { ...emptyLedger('https://api.example.com', 'team', 'demo'), entries },
    kinds: kindsOf(allKinds),
    secrets: new Map(),
    key: ledgerKeyFrom('a key for tests, long enough'),
  } as unknown as PlanInput;
  return [...createAddressFinder(input)(account.resources.get(address)!)].sort();
}

const project = (name: string, id: string) => object('project', `projects/${name}`, id);
const redirect = (name: string) =>
  object('bulkRedirects', `projects/${name}/bulkRedirects/%2Fold`, '/old', `projects/${name}`);

it('an object has the addresses that the ledger has for its id, also in another parent', () => {
  const variable = object('projectEnvVar', 'projects/new/env/A@production', 'e1', 'projects/new');
  const entries = { 'projects/old/env/A@production': entry('projectEnvVar', 'e1') };
  expect(addressesOf(variable.address, [project('new', 'p1'), variable], entries)).toEqual([
    'projects/new/env/A@production',
    'projects/old/env/A@production',
  ]);
});

it('an id that is only a name in its parent does not give it the addresses in other parents', () => {
  const live = ['a', 'b', 'c'].flatMap((name) => [project(name, `id-${name}`), redirect(name)]);
  const recorded = ['b', 'c'].map((name) => [redirect(name).address, entry('bulkRedirects', '/old')]);
  for (const name of ['a', 'b', 'c'])
    expect(addressesOf(redirect(name).address, live, Object.fromEntries(recorded))).toEqual([
      redirect(name).address,
    ]);
});

it('a renamed parent is recognized by its id', () => {
  const live = ['a', 'renamed'].flatMap((name) => [project(name, `id-${name}`), redirect(name)]);
  const entries = Object.fromEntries(
    ['a', 'b'].flatMap((name) => [
      [`projects/${name}`, entry('project', name === 'b' ? 'id-renamed' : 'id-a')],
      [redirect(name).address, entry('bulkRedirects', '/old')],
    ]),
  );
  expect(addressesOf(redirect('renamed').address, live, entries)).toEqual(
    [redirect('renamed'), redirect('b')].map(({ address }) => address).sort(),
  );
});
