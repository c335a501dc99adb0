import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { refusal, send } from './client.ts';

let twin: Twin;
let time = 1_000_000;
const seed = { domains: [{ name: 'example.com' }] };
beforeEach(async () => {
  twin = await startTwin({ seed, rateLimits: 'real', now: () => time });
});
afterEach(() => twin.close());

const create = (i: number) =>
  send(twin, 'POST', '/v2/domains/example.com/records', { type: 'TXT', name: `t${i}`, value: 'x' });

it('lets a hundred DNS records be created in an hour', async () => {
  const first = await create(0);
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': String((time + 3_600_000) / 1000),
  });
  for (let i = 1; i < 100; i++) expect((await create(i)).status).toBe(200);
  time += 1_800_000;
  const refused = await create(100);
  expect(refusal(refused)).toEqual([429, 'rate_limited']);
  expect(refused.headers['retry-after']).toBe('1800');
  expect(refused.body.error.limit).toMatchObject({ total: 100, remaining: 0 });
  expect(twin.account.domains[0]?.records).toHaveLength(100);
  // Updates have a bucket of their own, reads have none.
  const id = twin.account.domains[0]!.records[0]!.id;
  expect((await send(twin, 'PATCH', `/v1/domains/records/${id}`, { ttl: 90 })).headers).toMatchObject({
    'x-ratelimit-limit': '50',
  });
  const list = await send(twin, 'GET', '/v5/domains/example.com/records');
  expect(list.headers['x-ratelimit-limit']).toBeUndefined();
  time += 1_800_000;
  expect((await create(100)).status).toBe(200);
});
