import { expect, test } from 'vitest';
import { parseLimits, parseRetryAfter } from '../../src/http/bucket.ts';
import {
  type CallName,
  ConnectionCut,
  HttpError,
  NotJson,
  RateLimited,
  TimedOut,
  Unreachable,
} from '../../src/http/errors.ts';
import { type RetryOptions, retry } from '../../src/http/retry.ts';
import type { Method } from '../../src/model/request.ts';
import { call, failure, json, jumpingClock, serve } from './serve.ts';

const asked = (method: Method): CallName => ({ method, path: '/x' });
const http = (method: Method, status: number, retryAfter?: number) =>
  new HttpError(asked(method), { status, message: 'm', retryAfter });

/** Fails with each of `errors` in turn, then succeeds; tells how often it was tried and how long was slept. */
async function run(method: Method, errors: Error[], options: RetryOptions = {}) {
  const clock = jumpingClock();
  const waits: { seconds: number; reason: string }[] = [];
  let tries = 0;
  const result = await retry(
    method,
    async (attempt) => {
      tries += 1;
      expect(attempt).toBe(tries);
      const error = errors[attempt - 1];
      if (error) throw error;
      return 'done';
    },
    { clock, random: () => 0.5, onWait: (wait) => waits.push(wait), ...options },
  ).catch((error: Error) => error);
  return { result, tries, slept: clock.slept, waits };
}

test('a read is repeated after every fault that may pass, with growing waits', async () => {
  const errors = [
    http('GET', 500),
    http('GET', 503),
    new ConnectionCut(asked('GET'), 'cut'),
    new TimedOut(asked('GET'), 'late', { mayBeCarriedOut: true }),
  ];
  expect(await run('GET', errors)).toMatchObject({ result: 'done', tries: 5, slept: [250, 500, 1000, 2000] });
});

test('the wait is random from nothing to its bound', async () => {
  const { slept } = await run('GET', [http('GET', 500)], { random: () => 0.999 });
  expect(slept).toEqual([499.5]);
  expect((await run('GET', [http('GET', 500)], { random: () => 0 })).slept).toEqual([0]);
});

test('attempts are bounded, and the last error is thrown', async () => {
  const errors = Array.from({ length: 9 }, (_, i) => new ConnectionCut(asked('GET'), String(i)));
  expect(await run('GET', errors)).toMatchObject({ result: errors[4], tries: 5 });
  expect(await run('GET', errors, { attempts: 2 })).toMatchObject({ result: errors[1], tries: 2 });
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  '%s is repeated only if it was surely not done',
  async (method) => {
    for (const error of [
      http(method, 500),
      http(method, 503, 1000),
      new ConnectionCut(asked(method), 'cut'),
      new TimedOut(asked(method), 'late', { mayBeCarriedOut: true }),
    ])
      expect(await run(method, [error])).toMatchObject({ result: error, tries: 1 });
    for (const error of [
      http(method, 429, 1000),
      new Unreachable(asked(method), 'refused', { isTransient: true }),
      new TimedOut(asked(method), 'no connection', { mayBeCarriedOut: false }),
    ])
      expect(await run(method, [error])).toMatchObject({ result: 'done', tries: 2 });
  },
);

test.each([400, 401, 402, 403, 404, 409, 410, 412, 422, 501])('%i is final', async (status) => {
  expect(await run('GET', [http('GET', status, 1000)])).toMatchObject({ tries: 1 });
});

test('what will not pass is final', async () => {
  for (const error of [
    new NotJson(asked('GET'), 200, 'html'),
    new Unreachable(asked('GET'), 'TLS', { isTransient: false }),
    new TypeError('a defect'),
  ])
    expect(await run('GET', [error])).toMatchObject({ result: error, tries: 1 });
});

test('rate limits have attempts of their own, and waits above a second are announced', async () => {
  const errors = [...Array.from({ length: 8 }, () => http('POST', 429, 2000)), http('POST', 429)];
  expect(await run('POST', errors)).toMatchObject({
    result: 'done',
    tries: 10,
    waits: Array.from({ length: 9 }, () => ({ reason: 'rate limit of POST /x' })),
  });
  expect((await run('GET', [http('GET', 429, 1000)])).waits).toEqual([]);
});

test('a storm of rate limits is waited out with longer waits, up to the bound', async () => {
  const storm = (length: number) => Array.from({ length }, () => http('POST', 429, 1));
  const survived = await run('POST', storm(30));
  expect(survived).toMatchObject({ result: 'done', tries: 31 });
  expect(survived.slept).toEqual([...Array(20).fill(1), ...Array(10).fill(15_000)]);
  const { result, slept } = await run('POST', storm(100), { maxWait: 100_000 });
  expect(result).toBeInstanceOf(RateLimited);
  expect(result).toMatchObject({ message: 'POST /x is rate limited for 106 s', mayBeCarriedOut: false });
  expect(slept.length).toBe(26);
  // Where the platform asks for more, that is waited.
  const asked = Array.from({ length: 25 }, () => http('POST', 429, 30_000));
  expect((await run('POST', asked)).slept).toEqual(Array(25).fill(30_000));
});

test('a wait beyond the bound is not waited for', async () => {
  const far = await run('POST', [http('POST', 429, 3_600_000)]);
  expect(far).toMatchObject({ tries: 1, slept: [] });
  expect(far.result).toBeInstanceOf(RateLimited);
  expect(far.result).toMatchObject({
    code: 'http/rate-limited',
    wait: 3_600_000,
    message: 'POST /x is rate limited for 3600 s',
    mayBeCarriedOut: false,
  });
  const many = Array.from({ length: 9 }, () => http('POST', 429, 400));
  expect(await run('POST', many, { maxWait: 1000 })).toMatchObject({ tries: 3, slept: [400, 400] });
  const down = http('GET', 503, 3_600_000);
  expect(await run('GET', [down])).toMatchObject({ result: down, tries: 1 });
});

const now = Date.parse('2026-11-21T06:00:00Z');

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
  [{ 'retry-after': 'Sat, 21 Nov 2026 06:00:30 GMT' }, 30_000],
  // A machine whose clock is an hour off waits no longer.
  [{ 'retry-after': 'Sat, 21 Nov 2026 07:00:30 GMT', date: 'Sat, 21 Nov 2026 07:00:00 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 05:00:00 GMT' }, 0],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('Retry-After: %j', (headers, wait) => {
  expect(parseRetryAfter(headers, now)).toBe(wait);
});

test('rate limit headers', () => {
  const reset = String(now / 1000 + 60);
  expect(
    parseLimits(
      { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': reset },
      now,
    ),
  ).toEqual({ limit: 100, remaining: 3, resetIn: 60_000, window: now / 1000 + 60 });
  expect(parseLimits({ 'x-ratelimit-reset': `${reset}000` }, now)).toMatchObject({ resetIn: 60_000 });
  expect(parseLimits({ 'content-type': 'x' }, now)).toBeUndefined();
});

test.each([
  ['seconds', { 'retry-after': '3' }, {}, 3000],
  ['a reset header', { 'x-ratelimit-reset': String(now / 1000 + 40) }, {}, 40_000],
  ['the registrar body', {}, { code: 'x', message: 'm', retryAfter: { value: 5, str: '5s' } }, 5000],
  [
    'the limit in the body',
    {},
    { error: { code: 'x', limit: { total: 1, remaining: 0, reset: now / 1000 + 9 } } },
    9000,
  ],
  ['nothing', {}, {}, undefined],
])('429 with %s', async (_, headers, body, retryAfter) => {
  const url = await serve((_, response) => {
    response.sendDate = false;
    json(response, 429, body, headers as Record<string, string>);
  });
  const clock = { now: () => now, sleep: async () => {} };
  const error = await failure(call(url, 'POST /x', { clock }), HttpError);
  expect(error).toMatchObject({ retryAfter, mayBeCarriedOut: false, isTransient: true });
  expect(error.limits).toMatchObject({ remaining: 0, resetIn: retryAfter });
});
