import { expect } from 'vitest';
import { Conflict } from '../../../src/ledger/documents.ts';
import { createLedgerStore } from '../../../src/ledger/ledger-store.ts';
import { openOwnershipIndex } from '../../../src/ledger/open-ownership-index.ts';
import { rebuildOwnershipIndex, updateOwnershipIndex } from '../../../src/ledger/write-ownership-index.ts';
import { ledgerKeyFrom } from '../../../src/model/digest.ts';
import type { Ledger } from '../../../src/model/ledger.ts';
import { summarizeClaims } from '../../../src/plan/summarize-claims.ts';
import type { Place } from '../../support/ledger-places.ts';
import { tinyKinds, tinyLedger } from '../../support/tiny.ts';
import type { Scenario } from './contract.ts';

const key = ledgerKeyFrom('a key for tests, long enough');
const summarize = (entries: Ledger['entries']) => summarizeClaims(entries, tinyKinds);

/** What the ownership index of a store says of the ledgers in it. */
export function ownershipContract(newPlace: () => Place, scenario: Scenario): void {
  scenario('an ownership index covers a ledger as long as its record was made from it', async () => {
    const place = newPlace();
    const stacks = ['demo', 'shop@production', 'a.b_c-d'];
    /** Writes a ledger as a version of trueup does that knows no index; with a new content each time. */
    const write = async (stack: string) => {
      const store = createLedgerStore(place.open(stack), { key });
      const before = await store.read();
      await store.write({ ...(before ?? tinyLedger({ [`boxes/of-${stack.length}`]: {} })), stack });
    };
    const update = (stack: string) => updateOwnershipIndex(place.open(stack).ownership!, summarize, key);
    const open = async (stack: string, account: Partial<Ledger> = {}) => {
      const documents = place.open(stack);
      const own = { ...tinyLedger({}), stack, ...account };
      // As a session does it, which reads its own ledger first.
      await documents.read('ledger');
      return openOwnershipIndex(documents.ownership!, own, key);
    };
    for (const stack of stacks) await write(stack);
    await update('demo');
    expect(await open('demo')).toBeUndefined();
    const { ownership } = place.open();
    // A run that had to read many ledgers begins the index itself, except among files.
    await updateOwnershipIndex(ownership!, summarize, key, { ledgersRead: 99 });
    expect(await open('demo')).toBeUndefined();
    await updateOwnershipIndex(ownership!, summarize, key, { ledgersRead: 100 });
    expect((await open('demo'))?.coveredCount).toBe(ownership!.mayBegin ? 2 : undefined);
    expect(await rebuildOwnershipIndex(ownership!, summarize, key)).toMatchObject({
      covered: { count: 3 },
      uncovered: [],
    });

    const index = (await open('demo'))!;
    expect(index).toMatchObject({ coveredCount: 2, uncovered: [] });
    const nameOf = (stack: string) => place.open(stack).ownership!.ownName;
    expect([...index.find({ names: ['box of-7'], ids: [] })]).toEqual([nameOf('a.b_c-d')]);
    const [id = ''] = tinyLedger({ 'boxes/of-15': {} }).entries['boxes/of-15']!.ids;
    expect([...index.find({ names: [], ids: [id] })]).toEqual([nameOf('shop@production')]);
    expect(index.isOwned(`box ${id}`, new Set())).toBe(true);
    expect(index.isOwned(`box ${id}`, new Set([nameOf('shop@production')]))).toBe(false);
    expect(index.isOwned(`item ${id}`, new Set())).toBe(false);
    expect(await open('demo', { owner: 'another' })).toMatchObject({ coveredCount: 0, uncovered: [] });
    // No other key knows it, and no stack takes it for a ledger.
    const otherKey = ledgerKeyFrom('another key for tests, long enough');
    expect(
      await openOwnershipIndex(ownership!, { ...tinyLedger({}), stack: 'demo' }, otherKey),
    ).toBeUndefined();
    expect(await place.open().readOtherLedgers()).toHaveLength(2);

    await write('a.b_c-d');
    expect(await open('demo')).toMatchObject({ coveredCount: 1, uncovered: [nameOf('a.b_c-d')] });
    await update('a.b_c-d');
    expect(await open('demo')).toMatchObject({ coveredCount: 2, uncovered: [] });
    await write('new');
    expect(await open('demo')).toMatchObject({ coveredCount: 2, uncovered: [nameOf('new')] });

    // Several runs at once lose no record.
    for (const stack of [...stacks, 'new']) await write(stack);
    await Promise.all([...stacks, 'new'].map(update));
    expect(await open('demo')).toMatchObject({ coveredCount: 3, uncovered: [] });
    const documents = place.open('new');
    await documents.remove('ledger', { expected: (await documents.read('ledger'))!.version });
    expect(await open('demo')).toMatchObject({ coveredCount: 2 });

    const shard = (await ownership!.readShards(key.id, ['0'])).get('0')!;
    for (const expected of ['another', undefined]) {
      const write = ownership!.writeShards(key.id, [{ name: '0', text: 'x', expected }]);
      await expect(write).rejects.toBeInstanceOf(Conflict);
    }
    expect((await ownership!.readShards(key.id, ['0'])).get('0')).toEqual(shard);
  });
}
