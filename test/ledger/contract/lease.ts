import { expect } from 'vitest';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { createLedgerStore } from '../../../src/ledger/ledger-store.ts';
import { ledgerKeyFrom } from '../../../src/model/digest.ts';
import type { Place } from '../../support/ledger-places.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { tinyLedger } from '../../support/tiny.ts';
import { holder, problemOf, watched } from '../leases.ts';
import type { Scenario } from './contract.ts';

/** One run at a time; ../lease.test.ts has the rest, which knows nothing of a place but what is tried here and of documents. */
export function leaseContract(newPlace: () => Place, scenario: Scenario): void {
  scenario(
    'one run has it; what it writes beside a heartbeat is no conflict; the next one waits for its release',
    async () => {
      const place = newPlace();
      const clock = manualClock();
      const documents = place.open();
      const lease = await acquireLease(documents, { holder: holder('ada'), clock });
      const refused = await problemOf(acquireLease(place.open(), { holder: holder('bob'), clock }));
      expect(refused).toMatchObject({ code: 'lease/held', message: expect.stringContaining('ada@here') });
      expect(refused.message).toContain(documents.place);
      const store = createLedgerStore(documents, { key: ledgerKeyFrom('a key for tests, long enough') });
      const held = await store.write(tinyLedger({ 'boxes/a': {} }));
      clock.advance(61_000);
      await Promise.all([lease.confirm(), store.write({ ...held, entries: {} })]);
      await lease.release();
      const next = await acquireLease(place.open(), { holder: holder('bob'), clock });
      await next.release();
    },
  );

  scenario('a lease that nobody renews goes to whoever watched it, and the first one notices', async () => {
    const place = newPlace();
    // Nobody moves it: its holder sleeps.
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock: manualClock() });
    const clock = manualClock(Date.UTC(2026, 0, 1, 1));
    const taken = await watched(place.open(), 'bob', clock);
    const found = (await place.open().read('lease'))!;
    expect(found.text).toContain('bob');
    await lease.release();
    // What was taken over is not its own to give back.
    expect(await place.open().read('lease')).toEqual(found);
    await taken.release();
    expect(await place.open().read('lease')).toBeUndefined();
  });

  scenario(
    'what one saw of a lease that stands still the next one need not see again; a holder that lives writes over that',
    async () => {
      const place = newPlace();
      const own = manualClock();
      const lease = await acquireLease(place.open(), { holder: holder('ada'), clock: own });
      const clock = manualClock();
      const leaves = (user: string) => problemOf(watched(place.open(), user, clock, 40_000));
      expect(await leaves('bob')).toMatchObject({ code: 'lease/held' });
      const noted = async () => JSON.parse((await place.open().read('lease'))!.text).watched;
      expect(await noted()).toBeGreaterThanOrEqual(30_000);
      own.advance(61_000);
      await lease.confirm();
      expect(await noted()).toBeUndefined();
      expect(await leaves('bob')).toMatchObject({ code: 'lease/held' });
      const taken = await watched(place.open(), 'carol', clock, 40_000);
      await lease.release();
      await taken.confirm();
      await taken.release();
      expect(await place.open().read('lease')).toBeUndefined();
    },
  );
}
