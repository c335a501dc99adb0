import { expect, it } from 'vitest';
import { outcomeCode } from '../../src/cli/exit-codes.ts';
import type { Outcome } from '../../src/model/event.ts';
import { jumpingClock } from '../http/serve.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const hour = 3_600_000;
const zone = { domains: [{ name: 'example.com' }] };
const records = (count: number) =>
  Array.from({ length: count }, (_, i) => `{ type: A, name: r${i}, value: 192.0.2.1 }`);
const yaml = (count: number, rest = '') =>
  `${rest}\ndomains: { example.com: { $existing: true, records: [${records(count)}] } }`;
const createsOf = (writes: string[]) => writes.filter((line) => /^POST .*\/records$/.test(line));

story('does what there is room for, leaves the rest, and the next run goes on', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ seed: zone, rateLimits: 'real', now: clock.now }, { clock });
  const all = yaml(105, 'projects: { web: {} }');
  const { outcome, events } = await world.apply(await world.plan(all));
  expect(outcome).toMatchObject({ failed: [], skipped: [], interrupted: false });
  expect(outcome.done).toHaveLength(101);
  expect(outcome.postponed).toHaveLength(5);
  const [{ rateLimit }] = outcome.postponed as [Outcome['postponed'][number]];
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

story('waits where that is allowed', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ seed: zone, rateLimits: 'real', now: clock.now }, { clock, maxWait: hour });
  await world.converge(yaml(105));
  expect(clock.slept.length).toBeGreaterThan(0);
});

oneRowIn(3)([
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
  expect(outcome.postponed).toHaveLength(4);
  expect(outcome.done).toEqual(expect.arrayContaining(['projects/web', 'projects/web/env/A@production']));
  expect(createsOf(world.writes())).toHaveLength(1);
  expect(clock.slept).toEqual([]);
});

story('what depends on it is left as well; what was done of it is recorded', async () => {
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
  expect(outcome.postponed.map(({ address }) => address)).toEqual([
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
    outcomeCode({
      done: [],
      failed: [],
      postponed: [],
      skipped: [],
      overwritten: [],
      interrupted: false,
      ...outcome,
    });
  const left = [{ address, rateLimit: { bucket: 'x', until: 0 } }];
  const skipped = [{ address, reason: 'projects/api' }];
  expect(code({ done: [address] })).toBe(0);
  expect(code({ done: [address], postponed: left })).toBe(75);
  expect(code({ postponed: left, failed: [{ address, error: 'x' }] })).toBe(1);
  expect(code({ postponed: left, skipped })).toBe(1);
  expect(code({ postponed: left, skipped, interrupted: true })).toBe(130);
});

const cname = (name: string, value: string) => `{ type: CNAME, name: ${name}, value: ${value}.example.org }`;
const address = (name: string) => `{ type: A, name: ${name}, value: 192.0.2.1 }`;
const zoneOf = (...all: string[]) => `domains: { example.com: { $existing: true, records: [${all}] } }`;
const shown = (names: string[]) => names.map((name) => `domains/example.com/records/${name}`);

oneRowIn(2)([
  ['among others that wait', 'a', 8],
  ['behind others', 'z', 1],
])(
  'the last call of a window: what is deleted is made again, or not deleted (%s)',
  async (_, name, parallelism) => {
    const clock = jumpingClock();
    const world = await newWorld({ seed: zone, rateLimits: 'real', now: clock.now }, { clock });
    const old = Array.from({ length: 98 }, (__, i) => address(`old${i}`));
    await world.converge(zoneOf(...old, address(name)));
    world.parallelism = parallelism;
    const since = world.twin.requests.length;
    const others = ['m1', 'm2', 'm3'];
    const planned = await world.plan(zoneOf(...old, cname(name, 'x'), ...others.map(address)), {
      maxDeletions: 9,
    });
    const { outcome } = await world.apply(planned);
    const written = world.writes(since).map((line) => line.split(' ')[0]);
    const waiting = shown(others.map((other) => `${other}/A`));
    expect(outcome).toMatchObject({ failed: [], skipped: [] });
    if (name === 'a') {
      expect(written).toEqual(['DELETE', 'POST']);
      expect(outcome.done).toEqual(shown(['a/A', 'a/CNAME']));
      expect(outcome.postponed.map((one) => one.address)).toEqual(waiting);
    } else {
      expect(written).toEqual(['POST']);
      expect(outcome.postponed.map((one) => one.address).sort()).toEqual(
        [...waiting.slice(1), ...shown(['z/A', 'z/CNAME'])].sort(),
      );
    }
  },
);

story(
  'a creation that is held up in the meantime keeps what it is to replace from being deleted',
  async () => {
    const clock = jumpingClock();
    const world = await newWorld({ now: clock.now }, { clock });
    const env = (type: string, rest = '') =>
      `projects: { web: { env: { Z: { value: z, target: [production], type: ${type}, $replace: allow } } }${rest} }`;
    await world.converge(env('sensitive', ', api: {}'));
    const planned = await world.plan(env('encrypted', ', api: { env: { A: a } }'));
    world.parallelism = 1;
    const since = world.twin.requests.length;
    world.twin.setFaults({
      faults: [{ at: { operation: 'createProjectEnv' }, do: { type: 'rateLimit', retryAfter: 3600 } }],
    });
    const { outcome } = await world.apply(planned);
    expect(outcome.postponed.map((one) => one.address)).toContain('projects/web/env/Z@production');
    expect(world.writes(since).filter((line) => line.startsWith('DELETE'))).toEqual([]);
  },
);

it.each([
  ['succeeds', false],
  ['fails', true],
])('room is reserved before a deletion and given back after it, whether it %s', async (_, fails) => {
  const world = await newWorld({ seed: zone });
  await world.converge(zoneOf(address('a')));
  const log: string[] = [];
  const [gone, made] = shown(['a/A', 'a/CNAME']).map((at, index) => `${['delete', 'create'][index]} ${at}`);
  await world.apply(await world.plan(zoneOf(cname('a', 'x'))), {
    quota: {
      reserve: async (name, endpoints) => void log.push(`reserve ${endpoints} for ${name}`),
      release: (name) => void log.push(`release ${name}`),
    },
    send: async (request) => {
      const { endpoint, reserved } = request;
      log.push(`${endpoint}${reserved === undefined ? '' : ` with that for ${reserved}`}`);
      if (fails) throw new Error('refused');
      return world.connection.send(request);
    },
  });
  const post = 'POST /v2/domains/{domain}/records';
  expect(log).toEqual([
    `reserve ${post} for ${made}`,
    'DELETE /v2/domains/{domain}/records/{record}',
    `release ${gone}`,
    ...(fails ? [] : [`${post} with that for ${made}`]),
    `release ${made}`,
  ]);
});

it('what has to wait is looked at once more before it is sent: what others changed meanwhile is not overwritten', async () => {
  const clock = jumpingClock();
  const world = await newWorld({ now: clock.now }, { clock });
  world.now = clock.now;
  world.parallelism = 1;
  await world.converge('projects: { web: { framework: astro }, api: { framework: astro } }');
  const planned = await world.plan('projects: { web: { framework: nextjs }, api: { framework: nextjs } }');
  world.twin.setFaults({
    faults: [{ at: { operation: 'updateProject' }, do: { type: 'rateLimit', retryAfter: 60 } }],
  });
  const { sleep } = clock;
  clock.sleep = async (milliseconds) => {
    await sleep(milliseconds);
    world.twin.setFaults({ faults: [] });
    world.twin.account.projects.find(({ name }) => name === 'api')!.framework = 'vue';
  };
  const since = world.twin.requests.length;
  const { outcome } = await world.apply(planned);
  expect(clock.slept).toContain(60_000);
  expect(outcome.failed).toMatchObject([
    { address: 'projects/api', error: { message: expect.stringContaining('changed by somebody else') } },
  ]);
  expect(outcome.done).toEqual(['projects/web']);
  expect(world.writes(since).length).toBeLessThanOrEqual(3);
  expect(world.twin.account.projects.map(({ framework }) => framework).sort()).toEqual(['nextjs', 'vue']);
});
