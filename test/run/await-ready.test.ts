import { describe, expect, it } from 'vitest';
import type { Wait, WaitEvent } from '../../src/model/event.ts';
import { awaitReady, type LookResult } from '../../src/run/await-ready.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const awaited = (address: string, minutes: number): Wait => ({ address, minutes, why: 'it is early' });
const short = ({ type, address, ...rest }: WaitEvent) =>
  [type, address, 'why' in rest ? rest.why : 'milliseconds' in rest ? rest.milliseconds / 1000 : '']
    .join(' ')
    .trim();

/** Waits with a clock that sleeping puts forward. `at` tells what a look finds of an address after so many seconds. */
async function waited(
  waiting: Wait[],
  at: (address: string, seconds: number) => LookResult | undefined,
  { slow = 0 } = {},
) {
  const clock = { time: 0, slept: [] as number[] };
  const events: string[] = [];
  const looks: string[][] = [];
  await awaitReady(waiting, {
    clock: {
      now: () => clock.time,
      sleep: async (milliseconds, signal) => {
        // What is longer than any pause is the limit of a look: it never comes here.
        if (milliseconds >= 60_000) {
          await new Promise<void>((_, reject) =>
            signal!.addEventListener('abort', () => reject(signal!.reason)),
          );
        }
        clock.time += milliseconds;
        clock.slept.push(milliseconds / 1000);
      },
    },
    stop: new AbortController().signal,
    look: async (addresses) => {
      looks.push([...addresses]);
      clock.time += slow * 1000;
      const seen = addresses.map((address) => [address, at(address, clock.time / 1000)] as const);
      return new Map(seen.flatMap(([address, found]) => (found === undefined ? [] : [[address, found]])));
    },
    onEvent: (event) => void events.push(short(event)),
  });
  return { events, looks, slept: clock.slept };
}

const early: LookResult = { reason: 'it is early' };

describe('waiting until objects are ready', () => {
  it('looks after growing pauses, and ends at once when all are ready', async () => {
    const { events, slept, looks } = await waited([awaited('a', 10), awaited('b', 10)], (address, seconds) =>
      seconds >= (address === 'a' ? 12 : 80) ? 'ready' : early,
    );
    expect(slept).toEqual([5, 7, 10, 15, 20, 30]);
    expect(events).toEqual(['waiting a it is early', 'waiting b it is early', 'ready a 12', 'ready b 87']);
    // What is ready is not looked for any more.
    expect(looks).toEqual([['a', 'b'], ['a', 'b'], ['b'], ['b'], ['b'], ['b']]);
  });

  it('says when it waits for something else', async () => {
    const { events } = await waited([awaited('a', 10)], (_, seconds) =>
      seconds > 40 ? 'ready' : seconds > 10 ? { reason: 'somebody has to accept it' } : early,
    );
    expect(events).toEqual(['waiting a it is early', 'waiting a somebody has to accept it', 'ready a 57']);
  });

  it('gives each its own time, and looks a last time then', async () => {
    const { events, slept } = await waited([awaited('a', 1), awaited('b', 2)], () => early);
    expect(slept).toEqual([5, 7, 10, 15, 20, 3, 30, 30]);
    expect(events.slice(2)).toEqual(['over a it is early', 'over b it is early']);
  });

  it('does not wait for what failed, or is gone', async () => {
    const { events } = await waited([awaited('a', 10), awaited('b', 10)], (address) =>
      address === 'a' ? { reason: 'it was rejected', failed: true } : 'gone',
    );
    expect(events.slice(2)).toEqual(['failed a it was rejected', 'gone b']);
  });

  it('a look that finds nothing out is no answer', async () => {
    const { events } = await waited([awaited('a', 1)], (_, seconds) => (seconds < 30 ? undefined : 'ready'));
    expect(events).toEqual(['waiting a it is early', 'ready a 37']);
  });

  it('the time that looks take counts', async () => {
    const { events, looks } = await waited([awaited('a', 1)], () => early, { slow: 50 });
    expect([events.at(-1), looks.length]).toEqual(['over a it is early', 2]);
  });

  it('has nothing to do where nothing waits', async () => {
    expect(await waited([], () => early)).toEqual({ events: [], looks: [], slept: [] });
  });

  it.each(['asleep', 'looking'])('is stopped at once while it is %s', async (when) => {
    const clock = manualClock();
    const stop = new AbortController();
    const events: string[] = [];
    let looks = 0;
    const look = () => {
      looks += 1;
      return new Promise<never>(() => {});
    };
    const onEvent = (event: WaitEvent) => void events.push(short(event));
    const end = awaitReady([awaited('a', 10)], { clock, stop: stop.signal, look, onEvent });
    await until(() => clock.sleeping() === 1);
    if (when === 'looking') {
      clock.advance(5000);
      await until(() => looks === 1);
    }
    stop.abort();
    await end;
    expect(events).toEqual(['waiting a it is early']);
    expect(clock.sleeping()).toBe(0);
  });

  it('a look that hangs takes no longer than there is time', async () => {
    const clock = manualClock();
    const events: string[] = [];
    let looks = 0;
    const look = () => {
      looks += 1;
      return new Promise<never>(() => {});
    };
    const end = awaitReady([awaited('a', 1)], {
      clock,
      stop: new AbortController().signal,
      look,
      onEvent: (event) => void events.push(short(event)),
    });
    await until(() => clock.sleeping() === 1);
    clock.advance(5000);
    await until(() => looks === 1);
    clock.advance(60_000);
    await end;
    expect([looks, events.at(-1)]).toEqual([1, 'over a it is early']);
  });
});
