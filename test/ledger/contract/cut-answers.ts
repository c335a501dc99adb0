import { expect, it } from 'vitest';
import { Conflict, type Documents } from '../../../src/ledger/documents.ts';
import { createLedgerStore } from '../../../src/ledger/ledger-store.ts';
import { Problems } from '../../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../../src/model/digest.ts';
import type { CuttingProxy } from '../../support/cutting-proxy.ts';
import type { Place } from '../../support/ledger-places.ts';
import { all, sampled } from '../../support/sweep.ts';
import { tinyLedger } from '../../support/tiny.ts';

/** A place that is also reached through a proxy which cuts answers. */
export interface CutPlace {
  place: Place;
  through(): Documents;
  proxy: CuttingProxy;
}

const key = ledgerKeyFrom('a key for tests, long enough');

/** What becomes of answers that end too early, wherever they end. */
export function cutAnswersContract(newPlace: () => CutPlace): void {
  it('an answer that was cut, wherever, is an error: never an empty ledger, a lost write or two of them', async () => {
    const { place, through, proxy } = newPlace();
    const direct = () => createLedgerStore(place.open(), { key });
    await direct().write(tinyLedger({ 'boxes/a': {} }));
    // One round that is not cut says how many bytes there are.
    await proxy.cutAfter(Number.POSITIVE_INFINITY);
    const whole = createLedgerStore(through(), { key });
    await whole.write((await whole.read())!);
    const length = proxy.passed();
    const points = Array.from({ length: Math.ceil(length / 7) }, (_, at) => at * 7);
    let [refused, arrived] = [0, 0];
    // The last bytes are those that say that it was written.
    const last = [1, 8, 20].map((bytes) => length - bytes);
    for (const point of [...sampled(points, 2, 60), ...last]) {
      const before = (await direct().read())!;
      await proxy.cutAfter(point);
      const cut = createLedgerStore(through(), { key });
      const done = await cut
        .read()
        .then((ledger) => cut.write(ledger!))
        .catch((error: unknown) => {
          expect(error).toBeInstanceOf(Problems);
          expect(error).not.toBeInstanceOf(Conflict);
          return undefined;
        });
      const after = (await direct().read())!;
      expect([before.generation, before.generation + 1]).toContain(after.generation);
      if (!done) refused++;
      if (done) expect(after.generation).toBe(done.generation);
      else if (after.generation > before.generation) arrived++;
      // The same run goes on once the network is back, whatever had arrived.
      await proxy.cutAfter(Number.POSITIVE_INFINITY);
      if (!done) {
        const again = await cut.write(before);
        expect(again.entries).toEqual(before.entries);
      }
    }
    console.log(`${place.open().place}: ${refused} answers were cut; of those writes ${arrived} arrived`);
    expect(refused).toBeGreaterThan(0);
    if (all) expect(arrived).toBeGreaterThan(0);
    await proxy.cutAfter(Number.POSITIVE_INFINITY);
  });
}
