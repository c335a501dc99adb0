import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conflict, type Documents } from '../../src/ledger/documents.ts';
import { acquireLease } from '../../src/ledger/lease.ts';
import { places, storeProcess } from '../support/ledger-places.ts';
import { manualClock } from '../support/manual-clock.ts';
import { all, runs } from '../support/sweep.ts';
import { holder, problemOf, watched } from './leases.ts';

let processes: Awaited<ReturnType<typeof storeProcess>>;
beforeAll(async () => {
  processes = await storeProcess();
});
afterAll(() => processes.remove());

describe.each(Object.entries(places))('documents in a place of the kind %s', (_, newPlace) => {
  it('have nothing at first, then what was written, document by document', async () => {
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
  });

  it('are replaced and removed only as the version that was expected; otherwise it says what is there', async () => {
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
      expect((error as Conflict).found).toEqual({ text: 'a', version: first });
    }
    const second = await two.write('lease', 'b', { expected: first });
    await expect(one.remove('lease', { expected: first })).rejects.toBeInstanceOf(Conflict);
    await one.remove('lease', { expected: second });
    expect(await two.read('lease')).toBeUndefined();
    await expect(two.remove('lease', { expected: second })).rejects.toMatchObject({ found: undefined });
    await expect(two.write('lease', 'c', { expected: second })).rejects.toMatchObject({ found: undefined });
    await two.write('lease', 'c', { expected: undefined });
  });

  it('do not stand in each other’s way: another document that changed is no conflict', async () => {
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
  });

  it('of several writers at once exactly one wins each version', async () => {
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

  it('of several processes that count, none loses a number and none is counted twice', async () => {
    const place = newPlace();
    const isFile = place.words()[0] === 'file';
    const times = isFile ? runs(100) : all ? 4 : 2;
    // Each git costs.
    const count = isFile || all ? 4 : 2;
    const started = Array.from({ length: count }, () =>
      processes.start([...place.words(), 'count', `${times}`]),
    );
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => 0));
    const numbers = started.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: count * times }, (_, at) => at + 1));
    expect(Number.parseInt((await place.open().read('ledger'))!.text, 10)).toBe(count * times);
    console.log(`${place.words()[0]}: ${numbers.length} generations by ${count} processes, each won once`);
  });

  it('of several processes only one has the lease at a time', async () => {
    const place = newPlace();
    const isFile = place.words()[0] === 'file';
    const times = isFile ? runs(30) : all ? 2 : 1;
    const count = isFile || all ? 3 : 2;
    const started = Array.from({ length: count }, () =>
      processes.start([...place.words(), 'turns', `${times}`]),
    );
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => 0));
    expect(started.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: count * times }, () => '0'));
    expect(await place.open().read('lease')).toBeUndefined();
  });

  it('survive a writer that is killed: never a torn text, and the next one can write', async () => {
    const place = newPlace();
    const rounds = place.words()[0] === 'file' ? runs(8) : 1;
    for (let round = 0; round < rounds; round++) {
      const writer = processes.start([...place.words(), 'write']);
      await writer.printed(2);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      writer.child.kill('SIGKILL');
      await writer.ended;
      const found = (await place.open().read('ledger'))!;
      const [pid, number] = found.text.split(' ');
      expect(found.text).toBe(`${pid} ${number} `.repeat(20_000));
      expect(await write(place.open(), `round ${round}`)).toBe(true);
    }
  });

  it('keep a lease of a process that is killed until it was watched for a minute', async () => {
    const place = newPlace();
    const one = processes.start([...place.words(), 'hold']);
    await one.printed(1);
    one.child.kill('SIGKILL');
    await one.ended;
    const clock = manualClock(Date.now());
    const taking = () => acquireLease(place.open(), { holder: holder('ada'), clock });
    const refused = await problemOf(taking());
    expect(refused).toMatchObject({ code: 'lease/held', hint: expect.stringContaining('ledger unlock') });
    expect(refused.message).toContain(`process ${one.child.pid}`);
    clock.advance(61_000);
    const lease = await watched(place.open(), 'ada', clock);
    await lease.confirm();
    await lease.release();
    expect(await place.open().read('lease')).toBeUndefined();
  });
});

async function write(documents: Documents, text: string): Promise<boolean> {
  const found = await documents.read('ledger');
  await documents.write('ledger', text, { expected: found?.version });
  return true;
}
