import { expect } from 'vitest';
import { Conflict } from '../../../src/ledger/documents.ts';
import type { Place } from '../../support/ledger-places.ts';
import { all } from '../../support/sweep.ts';
import type { Scenario } from './contract.ts';

/** Compare-and-set over the documents of one stack. */
export function documentsContract(newPlace: () => Place, scenario: Scenario): void {
  scenario('documents have nothing at first, then what was written, document by document', async () => {
    const place = newPlace();
    const [one, two] = [place.open(), place.open()];
    expect(await one.read('ledger')).toBeUndefined();
    const version = await one.write('ledger', 'first\n', { expected: undefined });
    expect(await two.read('ledger')).toEqual({ text: 'first\n', version });
    expect(await two.read('lease')).toBeUndefined();
    await two.write('lease', 'ünïcode, and no line feed', { expected: undefined });
    expect((await one.read('lease'))!.text).toBe('ünïcode, and no line feed');
    const long = 'x'.repeat(2_000_000);
    await two.write('ledger', long, { expected: version });
    expect((await one.read('ledger'))!.text).toBe(long);
    expect(await two.read('plan')).toBeUndefined();
    const plan = await one.write('plan', 'a plan', { expected: undefined });
    expect(await two.read('plan')).toEqual({ text: 'a plan', version: plan });
    await two.remove('plan', { expected: plan });
    expect(await one.read('plan')).toBeUndefined();
    expect((await one.read('ledger'))!.text).toBe(long);
    expect((await one.read('lease'))!.text).toBe('ünïcode, and no line feed');
  });

  scenario(
    'documents are replaced and removed only as the version that was expected; otherwise it says what is there',
    async () => {
      const place = newPlace();
      const [one, two] = [place.open(), place.open()];
      const first = await one.write('lease', 'a', { expected: undefined });
      const conflicts = [
        () => two.write('lease', 'b', { expected: undefined }),
        () => two.write('lease', 'b', { expected: 'another' }),
        () => two.remove('lease', { expected: 'another' }),
      ];
      for (const work of conflicts) {
        const error = await work().catch((error) => error);
        expect(error).toBeInstanceOf(Conflict);
        expect((error as Conflict).stored).toEqual({ text: 'a', version: first });
      }
      const second = await two.write('lease', 'b', { expected: first });
      await expect(one.remove('lease', { expected: first })).rejects.toBeInstanceOf(Conflict);
      await one.remove('lease', { expected: second });
      expect(await two.read('lease')).toBeUndefined();
      await expect(two.remove('lease', { expected: second })).rejects.toMatchObject({ stored: undefined });
      await expect(two.write('lease', 'c', { expected: second })).rejects.toMatchObject({
        stored: undefined,
      });
      await two.write('lease', 'c', { expected: undefined });
    },
  );

  scenario(
    'documents do not stand in each other’s way: another document that changed is no conflict',
    async () => {
      const place = newPlace();
      const [one, two] = [place.open(), place.open()];
      let [ledger, lease]: (string | undefined)[] = [];
      for (const round of [1, 2, 3]) {
        ledger = await one.write('ledger', `ledger ${round}`, { expected: ledger });
        lease = await two.write('lease', `lease ${round}`, { expected: lease });
      }
      expect((await one.read('lease'))!.text).toBe('lease 3');
      expect((await two.read('ledger'))!.text).toBe('ledger 3');
      // Of one run, at the same time.
      const written = await Promise.all([
        one.write('ledger', 'ledger 4', { expected: ledger }),
        one.write('lease', 'lease 4', { expected: lease }),
      ]);
      expect(new Set(written).size).toBe(2);
    },
  );

  scenario('of several writers at once exactly one wins each version', async () => {
    const place = newPlace();
    const writers = [place.open(), place.open(), place.open(), place.open()];
    let expected: string | undefined;
    for (let round = 0; round < (all ? 5 : 2); round++) {
      const results = await Promise.allSettled(
        writers.map((one, at) => one.write('ledger', `${round} by ${at}`, { expected })),
      );
      const won = results.filter((result) => result.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Conflict);
      expected = won[0]!.value;
    }
  });
}
