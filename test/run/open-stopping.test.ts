import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import type { Send } from '../../src/model/request.ts';
import { openStopping } from '../../src/run/open-stopping.ts';
import { json, manualClock as manualHttpClock, serve } from '../http/serve.ts';
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

const usedUpLimit = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' };

test.each([
  ['in the queue of its rate limit', 200],
  ['for another attempt after a refusal', 429],
])('when the time of a stopped run is over, a write that waits %s is never sent', async (_, status) => {
  const runClock = manualClock();
  const limitClock = manualHttpClock();
  let writeCount = 0;
  const waits: unknown[] = [];
  const reset = String((limitClock.now() + 60_000) / 1000);
  const baseUrl = await serve((incoming, response) => {
    if (incoming.method === 'GET') return json(response, 200, { user: { id: 'u1', username: 'me' } });
    writeCount++;
    json(response, status, {}, { ...usedUpLimit, 'x-ratelimit-reset': reset, 'retry-after': '60' });
  });
  const connection = connect(
    { baseUrl, token: 'tok-1234567890', scope: { personal: true }, onWait: (wait) => waits.push(wait) },
    { clock: limitClock },
  );
  onTestFinished(() => connection.close());
  const stop = new AbortController();
  const stopping = openStopping({
    clock: runClock,
    stop: stop.signal,
    lost: new AbortController().signal,
    flush: async () => {},
    say: () => {},
  });
  const send = stopping.wrap(connection.send);
  const write = () => send({ endpoint: 'POST /v1/env', body: {} }, async () => {});
  if (status === 200) await write();
  const waiting = write();
  waiting.catch(() => {});
  await expect.poll(() => waits.length).toBe(1);
  stop.abort();
  runClock.advance(5000);
  await expect(waiting).rejects.toThrow('it was not sent, because the run was stopped');
  // Room for the call, but too late.
  for (let i = 0; i < 20; i++) await limitClock.advance(10_000);
  expect(writeCount).toBe(1);
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
