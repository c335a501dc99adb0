import { afterAll, beforeAll, expect } from 'vitest';
import type { Documents } from '../../../src/ledger/documents.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import { type Place, storeProcess } from '../../support/ledger-places.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { all, runs, sampled } from '../../support/sweep.ts';
import { holder, problemOf, watched } from '../leases.ts';
import type { Scenario } from './contract.ts';

/** Races of processes of their own, and what one leaves behind that is killed. */
export function processesContract(newPlace: () => Place, scenario: Scenario): void {
  let processes: Awaited<ReturnType<typeof storeProcess>>;
  beforeAll(async () => {
    processes = await storeProcess();
  });
  afterAll(() => processes.remove());

  scenario('of several processes that count, none loses a number and none is counted twice', async () => {
    for (const count of sampled([2, 4], 1)) {
      const place = newPlace();
      // Each git costs.
      const times = place.isQuick ? runs(100) : all ? 4 : 2;
      const started = Array.from({ length: count }, () =>
        processes.start([...place.words(), 'count', `${times}`], place.env),
      );
      expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => 0));
      const numbers = started.flatMap(({ lines }) => lines.map(Number)).sort((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: count * times }, (_, at) => at + 1));
      expect(Number.parseInt((await place.open().read('ledger'))!.text, 10)).toBe(count * times);
      console.log(`${place.words()[0]}: ${numbers.length} generations by ${count} processes, each won once`);
    }
  });

  scenario('of several processes only one has the lease at a time', async () => {
    for (const count of sampled([2, 4], 1)) {
      const place = newPlace();
      const times = place.isQuick ? runs(30) : all ? 2 : 1;
      const started = Array.from({ length: count }, () =>
        processes.start([...place.words(), 'turns', `${times}`], place.env),
      );
      expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => 0));
      expect(started.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: count * times }, () => '0'));
      expect(await place.open().read('lease')).toBeUndefined();
    }
  });

  scenario('a writer that is killed leaves never a torn text, and the next one can write', async () => {
    const place = newPlace();
    const rounds = place.isQuick ? runs(8) : 1;
    for (let round = 0; round < rounds; round++) {
      const writer = processes.start([...place.words(), 'write'], place.env);
      await writer.printed(2);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      writer.child.kill('SIGKILL');
      await writer.ended;
      // Where the place itself has a lock, that may be left: it is told whose it was, and taken away.
      const left = await place.open().findHeldLock?.();
      expect(left?.holder ?? 'ada@here').toContain('ada@here');
      await left?.take();
      const found = (await place.open().read('ledger'))!;
      const [pid, number] = found.text.split(' ');
      expect(found.text).toBe(`${pid} ${number} `.repeat(20_000));
      // A git that the killed writer started goes on: its push can arrive between this read and this write.
      const writeRound = () => write(place.open(), `round ${round}`);
      expect(await writeRound().catch(writeRound)).toBe(true);
    }
  });

  scenario('a lease of a process that is killed is kept until it was watched for a minute', async () => {
    const place = newPlace();
    const one = processes.start([...place.words(), 'hold'], place.env);
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
}

async function write(documents: Documents, text: string): Promise<boolean> {
  const found = await documents.read('ledger');
  await documents.write('ledger', text, { expected: found?.version });
  return true;
}
