import { expect, test } from 'vitest';
import type { Send } from '../../src/model/request.ts';
import { openStopping } from '../../src/run/open-stopping.ts';
import { manualClock } from '../support/manual-clock.ts';

const request = { method: 'POST', path: '/v11/projects' } as unknown as Parameters<Send>[0];

test('when the time of a stopped run is over, requests in flight fail and no further one is sent', async () => {
  const clock = manualClock();
  const stop = new AbortController();
  const stopping = openStopping({
    clock,
    stop: stop.signal,
    lost: new AbortController().signal,
    flush: async () => {},
    say: () => {},
  });
  let sentCount = 0;
  const send = stopping.wrap(() => {
    sentCount++;
    return new Promise(() => {});
  });
  const inFlight = send(request);
  stop.abort();
  clock.advance(5000);
  await expect(inFlight).rejects.toThrow('it was sent, but the run was stopped');
  await expect(send(request)).rejects.toThrow('it was not sent, because the run was stopped');
  expect(sentCount).toBe(1);
  stopping.done();
});

test('a lease that was lost before the watch began stops the run, too', () => {
  const said: string[] = [];
  const { signal, done } = openStopping({
    clock: manualClock(),
    lost: AbortSignal.abort(),
    flush: async () => {},
    say: (text) => said.push(text),
  });
  expect([signal.aborted, said.length]).toEqual([true, 1]);
  done();
});
