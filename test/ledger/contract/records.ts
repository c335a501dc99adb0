import { expect } from 'vitest';
import { Conflict } from '../../../src/ledger/documents.ts';
import type { Place } from '../../support/ledger-places.ts';
import type { Scenario } from './contract.ts';

const historyUpdateOf = (records: [string, string | undefined][]) => ({
  records: new Map(records),
  message: 'Record it',
});

/** The records of a stack's runs, which go with a write of its ledger. */
export function recordsContract(newPlace: () => Place, scenario: Scenario): void {
  scenario(
    'records are kept with the write that they go with, listed in order, and replaced or removed by name',
    async () => {
      const place = newPlace();
      const [one, two] = [place.open(), place.open()];
      expect(await one.history.names()).toEqual([]);
      const first = await one.write('ledger', 'one', {
        expected: undefined,
        historyUpdate: historyUpdateOf([
          ['000002.json', 'second'],
          ['000001.json', 'ünïcode\n'],
        ]),
      });
      await two.read('ledger');
      expect(await two.history.names()).toEqual(['000001.json', '000002.json']);
      expect(await two.history.read(['000002.json', '000001.json', '000009.json'])).toEqual(
        new Map([
          ['000002.json', 'second'],
          ['000001.json', 'ünïcode\n'],
        ]),
      );
      const second = await two.write('ledger', 'two', {
        expected: first,
        historyUpdate: historyUpdateOf([
          ['000001.json', undefined],
          ['000002.json', 'second, with its end'],
          ['000003.json', 'third'],
        ]),
      });
      await one.read('ledger');
      expect(await one.history.names()).toEqual(['000002.json', '000003.json']);
      expect((await one.history.read(['000002.json'])).get('000002.json')).toBe('second, with its end');
      await one.remove('ledger', {
        expected: second,
        historyUpdate: historyUpdateOf([
          ['000002.json', undefined],
          ['000003.json', undefined],
        ]),
      });
      expect(await place.open().read('ledger')).toBeUndefined();
      expect(await place.open().history.names()).toEqual([]);
    },
  );

  scenario('a record goes with the lease as with the ledger, and another stack has its own', async () => {
    const place = newPlace();
    await place.open().write('lease', 'mine', {
      expected: undefined,
      historyUpdate: historyUpdateOf([['000001.json', 'begun']]),
    });
    const other = place.open('other');
    await other.write('ledger', 'other', {
      expected: undefined,
      historyUpdate: historyUpdateOf([['000001.json', 'another']]),
    });
    expect([...(await place.open().history.read(['000001.json'])).values()]).toEqual(['begun']);
    expect([...(await place.open('other').history.read(['000001.json'])).values()]).toEqual(['another']);
  });
}

/** The same where one step decides: what files cannot promise. */
export function atomicContract(newPlace: () => Place, scenario: Scenario): void {
  scenario('a write that is refused leaves the records as they were', async () => {
    const place = newPlace();
    const [one, two] = [place.open(), place.open()];
    const version = await one.write('ledger', 'one', {
      expected: undefined,
      historyUpdate: historyUpdateOf([['000001.json', 'mine']]),
    });
    await two.read('ledger');
    await one.write('ledger', 'two', { expected: version });
    const late = two.write('ledger', 'late', {
      expected: version,
      historyUpdate: historyUpdateOf([
        ['000001.json', 'late'],
        ['000002.json', 'late'],
      ]),
    });
    await expect(late).rejects.toBeInstanceOf(Conflict);
    const looked = place.open();
    await looked.read('ledger');
    expect(await looked.history.read(['000001.json', '000002.json'])).toEqual(
      new Map([['000001.json', 'mine']]),
    );
  });
}
