import { describe, expect, it } from 'vitest';
import { Conflict, type Documents } from '../../src/ledger/documents.ts';
import { acquireLease, removeLease } from '../../src/ledger/lease.ts';
import { parseLease } from '../../src/ledger/lease-record.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { places } from '../support/ledger-places.ts';
import { manualClock } from '../support/manual-clock.ts';
import { first, oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { tinyLedger } from '../support/tiny.ts';
import { until } from '../support/until.ts';
import { holder, problemOf, watched } from './leases.ts';

const story = oneStoryIn(3);

const key = ledgerKeyFrom('a key for tests, long enough');

// A lease knows nothing of its place but what each place's documents are tested for.
describe.each(first(Object.entries(places), 1))('a lease in a place of the kind %s', (_, newPlace) => {
  const expires = async (documents: Documents) => {
    const found = await documents.read('lease');
    return found ? Date.parse(parseLease(found.text)!.expires) : undefined;
  };

  it('is held by one run, who is named to the others with times, and free again when it is released', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    clock.advance(5000);
    const refused = await problemOf(acquireLease(place.open(), { holder: holder('bob'), clock }));
    expect(refused.code).toBe('lease/held');
    expect(refused.message).toMatch(
      /ada@here \(process 7\) since 2026-01-01T00:00:00Z; it expires at 2026-01-01T00:01:00Z, in 55 s/,
    );
    await lease.confirm();
    await lease.release();
    expect((await problemOf(lease.confirm())).code).toBe('lease/released');
    const next = await acquireLease(place.open(), { holder: holder('bob'), clock });
    await next.release();
    expect(clock.sleeping()).toBe(0);
  });

  it('is renewed as long as its holder lives', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    const start = clock.now();
    for (let beat = 1; beat <= 8; beat++) {
      await until(() => clock.sleeping() === 1);
      clock.advance(10_000);
      await until(async () => (await expires(place.open())) === start + beat * 10_000 + 60_000);
    }
    // Long after it would have expired.
    expect((await problemOf(acquireLease(place.open(), { holder: holder('bob'), clock }))).code).toBe(
      'lease/held',
    );
    await lease.release();
  });

  it('can be waited for', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    const told: string[] = [];
    const waiting = acquireLease(place.open(), {
      holder: holder('bob'),
      clock,
      wait: 30_000,
      onWait: (text) => told.push(text),
    });
    await until(() => clock.sleeping() === 2);
    clock.advance(2000);
    await until(() => clock.sleeping() === 2);
    await lease.release();
    clock.advance(2000);
    await (await waiting).release();
    expect(told).toEqual([expect.stringContaining('ada@here')]);
  });

  it('is not waited for longer than was said', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    const waiting = problemOf(acquireLease(place.open(), { holder: holder('bob'), clock, wait: 3000 }));
    for (const sleeping of [2, 2]) {
      await until(() => clock.sleeping() === sleeping);
      clock.advance(2000);
    }
    expect((await waiting).code).toBe('lease/held');
    await lease.release();
  });

  story(
    'that does not change is taken over; the first holder stops, says to whom, and its ledger does not count',
    async () => {
      const place = newPlace();
      const clock = manualClock();
      const documents = place.open();
      // The clock of a machine that sleeps.
      const slow = manualClock();
      const lease = await acquireLease(documents, { holder: holder('ada'), clock: slow });
      const ada = createLedgerStore(documents, { key });
      const held = await ada.write(tinyLedger({ 'boxes/a': {} }));
      clock.advance(61_000);
      const other = place.open();
      const taken = await watched(other, 'bob', clock);
      const bob = createLedgerStore(other, { key });
      await bob.write((await bob.read())!);

      slow.advance(123_000);
      const lost = await problemOf(lease.confirm());
      expect(lost).toMatchObject({ code: 'lease/lost', message: expect.stringContaining('bob@here') });
      expect(lease.lost.aborted).toBe(true);
      const moved = await problemOf(ada.write(held));
      expect(moved.code).toBe('ledger/moved');
      expect(moved.message).toMatch(/at generation 2 with 1 entries, but this run started from generation 1/);
      // What is not its own any more it does not give back.
      await lease.release();
      await taken.confirm();
      expect(parseLease((await other.read('lease'))!.text)!.user).toBe('bob');
      await taken.release();
    },
  );

  story(
    'need not be watched anew by whoever comes after one who watched and left; each sees a part of the minute',
    async () => {
      const place = newPlace();
      await acquireLease(place.open(), { holder: holder('ada'), clock: manualClock() });
      const clock = manualClock();
      const start = clock.now();
      // None of them stays for a minute.
      const leaving = ['bob', 'carol'].map((user) => ({ user, wait: 26_000 }));
      for (const { user, wait } of leaving) {
        const refused = await problemOf(watched(place.open(), user, clock, wait));
        expect(refused).toMatchObject({
          code: 'lease/held',
          message: expect.stringContaining('ada@here'),
        });
      }
      const lease = await watched(place.open(), 'dora', clock, 26_000);
      expect(clock.now() - start).toBeLessThan(80_000);
      expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
      await lease.confirm();
      expect(JSON.parse((await place.open().read('lease'))!.text)).not.toHaveProperty('watched');
      await lease.release();
    },
  );

  it.each(['a renewal', 'the release'])(
    'of a holder that lives stays its own, whatever others note in it: %s',
    async (what) => {
      const place = newPlace();
      const clock = manualClock();
      const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
      const note = async () => {
        const found = (await place.open().read('lease'))!;
        const noted = JSON.stringify({ ...JSON.parse(found.text), watched: 50_000 });
        await place.open().write('lease', noted, { expected: found.version });
      };
      await note();
      if (what === 'a renewal') {
        clock.advance(10_000);
        await until(async () => !(await place.open().read('lease'))!.text.includes('watched'));
        // What was noted before does not count any more.
        const refused = await problemOf(watched(place.open(), 'bob', clock, 8000));
        expect(refused.code).toBe('lease/held');
        await note();
      }
      await lease.release();
      expect(await place.open().read('lease')).toBeUndefined();
    },
  );

  it('is taken away as it was seen, whatever others noted since, and not once its holder renewed it', async () => {
    const documents = newPlace().open();
    const clock = manualClock();
    const lease = await acquireLease(documents, { holder: holder('ada'), clock });
    const seen = (await documents.read('lease'))!;
    clock.advance(10_000);
    await until(async () => (await documents.read('lease'))!.version !== seen.version);
    await expect(removeLease(documents, seen)).rejects.toBeInstanceOf(Conflict);
    const renewed = (await documents.read('lease'))!;
    const noted = JSON.stringify({ ...JSON.parse(renewed.text), watched: 20_000 });
    await documents.write('lease', noted, { expected: renewed.version });
    await removeLease(documents, renewed);
    expect(await documents.read('lease')).toBeUndefined();
    await expect(removeLease(documents, renewed)).rejects.toBeInstanceOf(Conflict);
    await lease.release();
  });

  it('that was taken away is noticed at the next heartbeat', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    await place.open().remove('lease', { expected: (await place.open().read('lease'))!.version });
    const lost = new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
    clock.advance(10_000);
    await lost;
    expect((await problemOf(lease.confirm())).message).toContain('`trueup ledger unlock`');
    await lease.release();
    expect(await place.open().read('lease')).toBeUndefined();
  });

  it('that was taken away is noticed before the next write, if it was seen more than a moment ago', async () => {
    const place = newPlace();
    const clock = manualClock();
    const lease = await acquireLease(place.open(), { holder: holder('ada'), clock });
    clock.advance(2000);
    await lease.confirm();
    await place.open().remove('lease', { expected: (await place.open().read('lease'))!.version });
    const bob = await acquireLease(place.open(), { holder: holder('bob'), clock });
    clock.advance(2000);
    const confirmed = await Promise.all([lease.confirm(), lease.confirm()].map(problemOf));
    for (const lost of confirmed)
      expect(lost).toMatchObject({ code: 'lease/lost', message: expect.stringContaining('bob@here') });
    await lease.release();
    await bob.confirm();
    await bob.release();
  });

  it('is not lost because nobody can say for a while whose it is', async () => {
    const documents = newPlace().open();
    const clock = manualClock();
    let isReachable = true;
    const read: Documents['read'] = async (name) => {
      if (!isReachable) throw new Problems([]);
      return documents.read(name);
    };
    const lease = await acquireLease({ ...documents, read }, { holder: holder('ada'), clock });
    isReachable = false;
    clock.advance(5000);
    await lease.confirm();
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
  });

  oneRowIn(3)([
    ['2999', Date.UTC(2999, 0, 1)],
    ['a day ahead', Date.UTC(2026, 0, 2)],
    ['a day ago', Date.UTC(2025, 11, 31)],
  ])(
    'that says %s is judged by the clock of whoever reads it: over once it did not change for a minute',
    async (_, date) => {
      const place = newPlace();
      const clock = manualClock();
      const text = JSON.stringify({
        formatVersion: 1,
        ...holder('mallory'),
        since: new Date(date).toISOString(),
        expires: new Date(date + 60_000).toISOString(),
      });
      await place.open().write('lease', text, { expected: undefined });
      const start = clock.now();
      const lease = await watched(place.open(), 'bob', clock);
      expect(clock.now() - start).toBe(60_000);
      await lease.confirm();
      await lease.release();
    },
  );

  it.each([86_400_000, -86_400_000])(
    'whose holder lives is held, with a clock that is %i ms from ours',
    async (offset) => {
      const place = newPlace();
      const [clock, other] = [manualClock(), manualClock(Date.UTC(2026, 0, 1) + offset)];
      const lease = await acquireLease(place.open(), { holder: holder('ada'), clock: other });
      const advance = clock.advance;
      // Both go on alike; ada's heartbeat comes each ten seconds.
      clock.advance = (milliseconds) => {
        other.advance(milliseconds);
        advance(milliseconds);
      };
      const refused = await problemOf(watched(place.open(), 'bob', clock));
      expect(refused).toMatchObject({
        code: 'lease/held',
        message: expect.stringMatching(/ada@here .*; by its own clock it expire[sd] at 202\d-/),
      });
      await lease.confirm();
      await lease.release();
    },
  );

  it('that has an unknown format is nobody’s to take', async () => {
    const place = newPlace();
    const clock = manualClock();
    for (const torn of ['', '{"formatVersion": 1, "run"', '{"formatVersion":2}', 'null']) {
      const version = await place.open().write('lease', torn, { expected: undefined });
      const refused = await problemOf(acquireLease(place.open(), { holder: holder('ada'), clock }));
      expect(refused).toMatchObject({ code: 'lease/corrupt', hint: expect.stringContaining('unlock') });
      await place.open().remove('lease', { expected: version });
    }
  });
});

it('a store that shows no lease but refuses each new one ends the run after some pauses', async () => {
  let writeCount = 0;
  const slept: number[] = [];
  const clock = { ...manualClock(), sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  const documents: Documents = {
    ...places.file!().open(),
    read: async () => undefined,
    write: async () => {
      if (++writeCount > 100) throw new Error('tried without end');
      throw new Conflict(undefined);
    },
  };
  const problem = await problemOf(acquireLease(documents, { holder: holder('ada'), clock }));
  expect(problem).toMatchObject({
    code: 'ledger/contended',
    message: expect.stringContaining('the store refused its lease 10 times in a row'),
  });
  // The first refusal is an ordinary race, so the lease of the faster run is read at once.
  expect([writeCount, slept.length]).toEqual([10, 8]);
});

describe('what arrived although nothing said so', () => {
  /** Documents whose next write is done, and then fails. */
  const flaky = (inner: Documents) => {
    let broken = 0;
    return {
      ...inner,
      breakNext: () => {
        broken++;
      },
      write: async (...args: Parameters<Documents['write']>) => {
        const version = await inner.write(...args);
        if (broken === 0) return version;
        broken--;
        throw new Problems([]);
      },
    };
  };

  it('of the ledger is gone on from', async () => {
    const documents = flaky(places.file!().open());
    const store = createLedgerStore(documents, { key });
    const held = await store.write(tinyLedger({ 'boxes/a': {} }));
    documents.breakNext();
    const next = { ...held, entries: {} };
    await expect(store.write(next)).rejects.toBeInstanceOf(Problems);
    expect((await store.write(next)).generation).toBe(3);
    expect((await store.read())!.entries).toEqual({});
  });

  it('of the lease is no loss of it', async () => {
    const documents = flaky(places.file!().open());
    const clock = manualClock();
    const lease = await acquireLease(documents, { holder: holder('ada'), clock });
    documents.breakNext();
    clock.advance(10_000);
    await until(() => clock.sleeping() === 1);
    clock.advance(61_000);
    await lease.confirm();
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
    expect(await documents.read('lease')).toBeUndefined();
  });
});
