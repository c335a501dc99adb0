import { expect, it } from 'vitest';
import { exitCode } from '../../src/cli/exit-code.ts';
import type { Outcome } from '../../src/model/event.ts';
import { jumpingClock } from '../http/serve.ts';
import { newWorld } from '../support/scene.ts';

const hour = 3_600_000;
const zone = { domains: [{ name: 'example.com' }] };
const records = (count: number) =>
  Array.from({ length: count }, (_, i) => `{ type: A, name: r${i}, value: 192.0.2.1 }`);
const yaml = (count: number, rest = '') =>
  `${rest}\ndomains: { example.com: { $existing: true, records: [${records(count)}] } }`;
const createsOf = (writes: string[]) => writes.filter((line) => /^POST .*\/records$/.test(line));

it('does what there is room for, leaves the rest, and the next run goes on', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ seed: zone, rateLimits: 'real', now: clock.now }, { clock });
  const all = yaml(105, 'projects: { web: {} }');
  const { outcome, events } = await world.apply(await world.plan(all));
  expect(outcome).toMatchObject({ failed: [], skipped: [], interrupted: false });
  expect(outcome.done).toHaveLength(101);
  expect(outcome.left).toHaveLength(5);
  const [{ rateLimit }] = outcome.left as [Outcome['left'][number]];
  expect(rateLimit).toEqual({ bucket: 'POST /v2/domains/{domain}/records', until: clock.now() + hour });
  expect(events.filter(({ type }) => type === 'left')).toHaveLength(5);
  expect(createsOf(world.writes())).toHaveLength(100);
  expect(Object.keys(world.ledger.entries).filter((address) => address.includes('/records/'))).toHaveLength(
    100,
  );
  expect(clock.slept).toEqual([]);

  const since = world.twin.requests.length;
  await clock.sleep(hour);
  await world.converge(all);
  expect(createsOf(world.writes(since))).toHaveLength(5);
});

it('waits where that is allowed', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ seed: zone, rateLimits: 'real', now: clock.now }, { clock, maxWait: hour });
  await world.converge(yaml(105));
  expect(clock.slept.length).toBeGreaterThan(0);
});

it.each([
  ['Retry-After', { retryAfter: 3600 }, undefined],
  ['the reset of the bucket', { reset: 3600 }, undefined],
  ['a second, where no wait is allowed', { retryAfter: 1 }, 0],
])('after a 429 with %s nothing more is sent to the bucket, all else is', async (_, after, maxWait) => {
  const clock = jumpingClock();
  const world = await newWorld(
    { seed: zone, now: clock.now },
    { clock, ...(maxWait === undefined ? {} : { maxWait }) },
  );
  const planned = await world.plan(yaml(4, 'projects: { web: { env: { A: a } } }'));
  world.parallelism = 1;
  world.twin.setFaults({
    faults: [{ at: { operation: 'createRecord' }, do: { type: 'rateLimit', ...after } }],
  });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toEqual([]);
  expect(outcome.left).toHaveLength(4);
  expect(outcome.done).toEqual(expect.arrayContaining(['projects/web', 'projects/web/env/A@production']));
  expect(createsOf(world.writes())).toHaveLength(1);
  expect(clock.slept).toEqual([]);
});

it('what depends on it is left as well; what was done of it is recorded', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ now: clock.now }, { clock });
  const all =
    'projects: { web: { nodeVersion: 22.x, env: { A: { value: a, target: [production] } } }, api: {} }';
  const planned = await world.plan(all);
  // The second request of the project.
  world.twin.setFaults({
    faults: [{ at: { operation: 'updateProject' }, do: { type: 'rateLimit', reset: 3600 } }],
  });
  const { outcome } = await world.apply(planned);
  expect(outcome).toMatchObject({ done: ['projects/api'], failed: [], skipped: [] });
  expect(outcome.left.map(({ address }) => address)).toEqual([
    'projects/web',
    'projects/web/env/A@production',
  ]);
  expect(world.ledger.entries['projects/web']).toMatchObject({ origin: 'created' });

  world.twin.setFaults({ faults: [] });
  await clock.sleep(hour);
  const since = world.twin.requests.length;
  await world.converge(all);
  expect(world.writes(since)).toHaveLength(2);
});

it('an exit code of its own says that only a rate limit is in the way', () => {
  const address = 'projects/web';
  const code = (outcome: Partial<Outcome>) =>
    exitCode({ done: [], failed: [], left: [], skipped: [], interrupted: false, ...outcome });
  const left = [{ address, rateLimit: { bucket: 'x', until: 0 } }];
  const skipped = [{ address, because: 'projects/api' }];
  expect(code({ done: [address] })).toBe(0);
  expect(code({ done: [address], left })).toBe(75);
  expect(code({ left, failed: [{ address, error: 'x' }] })).toBe(1);
  expect(code({ left, skipped })).toBe(1);
  expect(code({ left, skipped, interrupted: true })).toBe(130);
});
