import { expect, it } from 'vitest';
import type { WorkspaceStack } from '../../src/config/workspace-stacks.ts';
import { createJobs } from '../../src/fleet/choose-jobs.ts';
import {
  decideNextStep,
  digestPlans,
  isSignedJob,
  isSignedOutcome,
  type Job,
  type JobOutcome,
  parseJob,
  parseOutcome,
  signJob,
  signOutcome,
} from '../../src/fleet/job.ts';
import type { Queue } from '../../src/fleet/queue.ts';
import { readFleetReport } from '../../src/fleet/read-fleet-report.ts';
import { findRefusal, findUnmetNeed, matchesStack } from '../../src/fleet/refusal.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { onceWhileItLasts } from '../../src/queue/postgres-queue.ts';

const [key, other] = [1, 2].map((seed) => ledgerKeyFrom(Buffer.alloc(32, seed)));
const [id, batch, need] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const plan: Job = {
  ...{ format: 1, action: 'plan', id, batch, repository: 'acme/shop', folder: '', by: 'ada' },
  ...{ commit: 'a'.repeat(40), stack: 'shop@staging', ledger: 'shop-staging', needs: [need], pull: 7 },
};
const apply: Job = { ...plan, action: 'apply', plan: 'digest' };
const round: Job = {
  format: 1,
  action: 'round',
  id,
  batch,
  repository: 'acme/shop',
  folder: '',
  stacks: '**',
};

it('a job is signed as a whole: whatever is changed, the MAC is not of it any more', () => {
  for (const job of [plan, apply, round]) {
    const signed = signJob(job, key!);
    expect(parseJob(JSON.parse(JSON.stringify(signed)))).toEqual(signed);
    expect(isSignedJob(signed, key!)).toBe(true);
    expect(isSignedJob(signed, other!)).toBe(false);
    expect(isSignedJob(signed, undefined)).toBe(false);
    expect(isSignedJob(job, key!)).toBe(false);
    // Under the previous key, while it is replaced.
    expect(isSignedJob(signed, { ...other!, previous: key! })).toBe(true);
    for (const name of Object.keys(signed)) {
      const without = Object.fromEntries(Object.entries(signed).filter(([member]) => member !== name));
      expect(isSignedJob(without as unknown as Job, key!), name).toBe(false);
      expect(isSignedJob({ ...signed, [name]: 'x' } as unknown as Job, key!), name).toBe(false);
    }
    expect(isSignedJob({ ...signed, more: 1 } as unknown as Job, key!)).toBe(false);
    expect(isSignedJob({ ...signed, key: other!.id }, { ...other!, previous: key! })).toBe(false);
  }
});

it('what is no job is none', () => {
  const no: Record<string, unknown>[] = [
    { repository: 'https://evil.example/shop.git' },
    { repository: '../shop' },
    { repository: '/srv/shop' },
    { repository: '--upload-pack=x' },
    { folder: '../elsewhere' },
    { folder: '/etc' },
    { commit: 'main' },
    { commit: '--force' },
    { stack: '' },
    { needs: ['x'] },
    { pull: -1 },
    { action: 'destroy' },
    { command: 'rm' },
    { format: 2 },
  ];
  expect(parseJob({ ...plan, canary: false })).toEqual({ ...plan, canary: false });
  expect(parseJob({ ...apply, canary: false })).toBeUndefined();
  for (const change of no) expect(parseJob({ ...plan, ...change }), JSON.stringify(change)).toBeUndefined();
  const { plan: _, ...withoutDigest } = apply as Job & { plan: string };
  for (const text of [withoutDigest, null, 'job', [plan], { ...round, commit: 'a'.repeat(40) }])
    expect(parseJob(text)).toBeUndefined();
  expect(parseJob({ ...plan, folder: 'teams/..hidden/x' })).toBeDefined();
});

const outcome: JobOutcome = { job: id, state: 'done', exit: 0, worker: 'ada@host', seconds: 1.5 };

it('an outcome is signed as a whole, and never stands for a job', () => {
  const signed = signOutcome(outcome, key!);
  expect(parseOutcome(JSON.parse(JSON.stringify(signed)))).toEqual(signed);
  expect(isSignedOutcome(signed, key!)).toBe(true);
  expect(isSignedOutcome(signed, other!)).toBe(false);
  expect(isSignedOutcome({ ...signed, state: 'failed' }, key!)).toBe(false);
  expect(isSignedOutcome({ ...signed, job: batch }, key!)).toBe(false);
  expect(isSignedOutcome(signJob(plan, key!) as unknown as JobOutcome, key!)).toBe(false);
  expect(isSignedJob(signed as unknown as Job, key!)).toBe(false);
  expect(signOutcome(outcome, undefined)).toEqual(outcome);
});

it('a job waits for those of its batch whose stacks it needs, also through stacks without a job', () => {
  const needs = { last: [], left: ['last'], right: ['last', 'left'], first: ['left', 'right'] };
  const all = Object.entries(needs).map(
    ([id, ids]) =>
      ({ id, needs: ids, configuration: { desired: { stack: id } } }) as unknown as WorkspaceStack,
  );
  const waitsOf = (...names: string[]) => {
    const stacks = all.filter(({ id }) => names.includes(id));
    const common = { format: 1, batch, repository: 'acme/shop', commit: '', folder: '' } as const;
    const jobs = createJobs({ stacks, all, common }, () => ({ action: 'plan' }));
    const nameOf = new Map(jobs.map((job) => [job.id, job.stack]));
    return jobs.map((job) => [job.stack, ...job.needs.map((needed) => nameOf.get(needed))]);
  };
  expect(waitsOf('last', 'first')).toEqual([['last'], ['first', 'last']]);
  expect(waitsOf('left', 'first')).toEqual([['left'], ['first', 'left']]);
  expect(waitsOf('last', 'right', 'first').at(-1)?.sort()).toEqual(['first', 'last', 'right']);
  expect(waitsOf('right', 'first')).toEqual([['right'], ['first', 'right']]);
  expect(waitsOf('first')).toEqual([['first']]);
});

it('what is needed counts as done only by an outcome of that job that the key verifies', () => {
  const of = (one: Partial<JobOutcome>, signer = key) =>
    new Map([[need, signOutcome({ ...outcome, job: need, ...one }, signer)]]);
  expect(findUnmetNeed([need], of({}), key!)).toBeUndefined();
  expect(findUnmetNeed([], new Map(), key!)).toBeUndefined();
  expect(findUnmetNeed([need], new Map(), key!)).toEqual({ job: need, why: 'not known' });
  expect(findUnmetNeed([need], of({ job: id }), key!)).toEqual({ job: need, why: 'not known' });
  expect(findUnmetNeed([need], of({}, other), key!)).toEqual({ job: need, why: 'not known' });
  expect(findUnmetNeed([need], of({ state: 'failed' }), key!)).toEqual({ job: need, why: 'not done' });
  const unsigned = new Map([[need, { ...outcome, job: need }]]);
  expect(findUnmetNeed([need], unsigned, key!)).toEqual({ job: need, why: 'not known' });
  expect(findUnmetNeed([need], unsigned, undefined)).toBeUndefined();
});

const repositories = new Map([
  ['acme/shop', { url: '/srv/shop', branch: 'main', stacks: ['shop', 'sites/*'] }],
]);

it('a worker does what it is for, and nothing else', () => {
  const keyed = { key: key!, repositories };
  const keyless = { key: undefined, repositories };
  const refused = (job: Job, standing = keyed as { key: typeof key; repositories: typeof repositories }) =>
    findRefusal(job, standing as Parameters<typeof findRefusal>[1]);
  for (const job of [plan, apply, round]) {
    expect(refused(signJob(job, key!))).toBeUndefined();
    expect(refused(job)).toMatch(/has no MAC/);
    expect(refused(signJob(job, other!))).toMatch(/MAC was not made with the key/);
  }
  expect(findRefusal(plan, keyless)).toBeUndefined();
  expect(findRefusal(round, keyless)).toBeUndefined();
  for (const job of [apply, signJob(apply, key!)]) expect(findRefusal(job, keyless)).toMatch(/only plans/);
  expect(findRefusal({ ...plan, repository: 'acme/other' }, keyless)).toMatch(/does not list the repository/);
  expect(findRefusal({ ...plan, stack: 'dns' }, keyless)).toMatch(/does not allow the stack/);
  expect(findRefusal({ ...plan, stack: 'sites/a@production' }, keyless)).toBeUndefined();
  expect(findRefusal({ ...plan, stack: 'sites/a/b' }, keyless)).toMatch(/does not allow the stack/);
});

it('a glob means stacks, and a path all stages of one', () => {
  expect(['shop', 'shop@staging'].map((stack) => matchesStack('shop', stack))).toEqual([true, true]);
  expect(
    ['shop', 'shop@staging', 'shop@production'].map((stack) => matchesStack('shop@staging', stack)),
  ).toEqual([false, true, false]);
  expect(matchesStack('**', 'teams/a/shop@staging')).toBe(true);
});

it('only what is safe is repeated', () => {
  const all = (action: Job['action'], exit: number) =>
    [0, 1, 2, 25].map((attempt) => decideNextStep({ action }, exit, attempt));
  expect(all('plan', 0)).toEqual(['done', 'done', 'done', 'done']);
  expect(all('drift', 2)).toEqual(['done', 'done', 'done', 'done']);
  expect(all('plan', 1)).toEqual(['later', 'later', 'failed', 'failed']);
  expect(all('apply', 1)).toEqual(['failed', 'failed', 'failed', 'failed']);
  expect(all('apply', 2)).toEqual(['failed', 'failed', 'failed', 'failed']);
  for (const exit of [75, 130]) expect(all('apply', exit)).toEqual(['later', 'later', 'later', 'later']);
});

it('one digest agrees to each plan of several, in any order', () => {
  const plans = [
    ['a', '1'],
    ['b', '2'],
  ] as const;
  const digest = digestPlans(new Map(plans));
  expect(digestPlans(new Map([...plans].reverse()))).toBe(digest);
  for (const others of [
    [['a', '1']],
    [
      ['a', '2'],
      ['b', '1'],
    ],
    [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ],
  ])
    expect(digestPlans(new Map(others as [string, string][]))).not.toBe(digest);
});

it('a queue that is away is told once, and once more when that comes again', () => {
  let now = 0;
  const told: string[] = [];
  const tell = onceWhileItLasts(
    (text) => told.push(text),
    () => now,
  );
  // An hour of it, met twice a second.
  for (; now < 3_600_000; now += 500) tell('away');
  tell('starting up');
  expect(told).toEqual(['away', 'starting up']);
  now += 61_000;
  tell('away');
  expect(told).toEqual(['away', 'starting up', 'away']);
});

it('the JSON of a fleet has these members, whatever they are called in the code', async () => {
  const outcome = parseOutcome({
    job: id,
    state: 'failed',
    said: 'why',
    worker: 'w',
    seconds: 3,
    drift: true,
  });
  const queue: Pick<Queue, 'jobs' | 'workers' | 'schedules'> = {
    jobs: async () => [{ job: plan, state: 'over', retries: 1, since: new Date(0), outcome }],
    workers: async () => [{ name: 'w', isAlive: true, running: 0 }],
    schedules: async () => [{ job: round, time: '0 7 * * *', zone: 'UTC' }],
  };
  expect(JSON.parse(JSON.stringify(await readFleetReport(queue as Queue, undefined)))).toEqual({
    batches: [
      {
        ...{ id: batch, repository: 'acme/shop', commit: 'a'.repeat(40), by: 'ada' },
        jobs: [
          {
            ...{ id, name: 'plan shop@staging', state: 'failed', retries: 1 },
            ...{ result: 'why', worker: 'w', seconds: 3, isDrift: true },
          },
        ],
      },
    ],
    workers: [{ name: 'w', isAlive: true, running: 0 }],
    schedules: [{ repository: 'acme/shop', stacks: '**', time: '0 7 * * *', zone: 'UTC' }],
  });
});

it('the state shows every job that a lost one keeps from starting, in whatever order the queue lists them', async () => {
  const ids = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000001${number}`);
  const [first, second, third] = ids.map((jobId, index) => ({
    job: { ...plan, id: jobId, needs: ids.slice(Math.max(index - 1, 0), index) },
    ...{ state: index === 0 ? 'lost' : 'blocked', retries: 0, since: new Date(0) },
  }));
  const queue = {
    jobs: async () => [third, second, first],
    workers: async () => [],
    schedules: async () => [],
  };
  const { batches } = await readFleetReport(queue as unknown as Queue, undefined);
  expect(batches[0]!.jobs.map(({ state }) => state)).toEqual(['lost', 'lost', 'lost']);
});
