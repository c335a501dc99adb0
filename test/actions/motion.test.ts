import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { send } from '../twin/client.ts';

const story = oneStoryIn(4);

/*
 * What actions begin moves by the twin's clock: `--wait` ends as it does, 0, 1 or 75, and nobody waits for a real second. Without a
 * configuration, since the lease of a ledger puts such a clock forward, too.
 */

/** A clock that is put forward by whoever sleeps. */
let time = Date.parse('2026-01-01T00:00:00Z');
const clock = {
  now: () => time,
  monotonic: () => time,
  sleep: async (milliseconds: number) => {
    time += milliseconds;
    await new Promise((done) => setImmediate(done));
  },
};

const production = { target: 'production' };
const stages = [
  { targetPercentage: 10, duration: 1 },
  { targetPercentage: 50, duration: 2 },
];
const seed = {
  team: { id: 'team_1', slug: 'acme' },
  ciInvocations: [{ id: 'inv_1' }],
  projects: [
    {
      name: 'web',
      deployments: [{ id: 'dpl_live', ...production }],
      domains: [{ name: 'www.example.com', verified: false }],
      checks: [{ id: 'check_1', name: 'e2e' }],
    },
    {
      name: 'auto',
      rollingRelease: {
        advancementType: 'automatic' as const,
        stages: [...stages, { targetPercentage: 100 }],
      },
      deployments: [
        { id: 'dpl_old', ...production },
        { id: 'dpl_auto', ...production },
      ],
    },
    {
      name: 'manual',
      rollingRelease: {
        advancementType: 'manual-approval' as const,
        stages: [{ targetPercentage: 10 }, { targetPercentage: 50 }, { targetPercentage: 100 }],
      },
      deployments: [
        { id: 'dpl_before', ...production },
        { id: 'dpl_after', ...production },
      ],
    },
  ],
};

let shell: Shell;
let twin: Twin;
beforeAll(async () => {
  shell = await new Shell().write({ 'trueup.yaml': 'stack: demo\nplatform: { team: acme }\n' });
  shell.clock = clock;
  twin = await shell.withTwin(seed, { now: clock.now });
});
beforeEach(() => {
  twin.account.paces = {};
  for (const project of twin.account.projects) {
    delete project.rollout;
    delete project.serving;
  }
});

/** Runs an action and waits; the exit code, what it said of what moves, and how many seconds it took. */
async function waited(...args: string[]) {
  const begin = time;
  const done = await shell.run(['run', ...args, ...['--team', 'acme', '--auto-approve', '--wait']]);
  const seen = done.stderr
    .split('\n')
    .filter((line) => /^(deployment|rollout|checkRun|verification|ciAttempt)\b/.test(line));
  return {
    status: done.status,
    states: seen.map((line) => line.split(': ').at(-1)),
    seconds: (time - begin) / 1000,
    all: done.all,
  };
}
const serving = async (name: string) =>
  (await send(twin, 'GET', `/v9/projects/${name}`)).body.targets.production.id;
const canary = (id: string) => ['--input', `canaryDeploymentId=${id}`];

story(
  'a redeploy waits until it is built; one whose build fails ends with 1, one that takes too long with 75',
  async () => {
    twin.add({ builds: { seconds: 30 } });
    const built = await waited('redeploy', 'web');
    expect([built.status, built.states], built.all).toEqual([0, ['QUEUED', 'BUILDING', 'READY']]);
    expect(built.seconds).toBeGreaterThanOrEqual(30);
    // The next one alone.
    twin.add({ builds: { seconds: 30, fails: 1 } });
    const failed = await waited('redeploy', 'web');
    expect([failed.status, failed.states], failed.all).toEqual([1, ['QUEUED', 'BUILDING', 'ERROR']]);
    expect(
      (await shell.run(['get', 'deployment', '--where', 'state=ERROR', '--fields', 'error'])).stdout,
    ).toContain('The build failed.');
    expect((await waited('redeploy', 'web')).status).toBe(0);
    twin.add({ builds: { seconds: 300 } });
    const long = await waited('redeploy', 'web', '--timeout', '20');
    expect([long.status, long.states, long.seconds], long.all).toEqual([75, ['QUEUED'], 20]);
  },
);

story('a check waits, runs, and passes or fails; once more, it may pass', async () => {
  twin.add({ checkRuns: { seconds: 9, fails: 1 } });
  const start = ['startCheckRun', '--input', 'deployment=dpl_live', '--input', 'checkId=check_1'];
  const failed = await waited(...start);
  expect([failed.status, failed.states.at(-1)], failed.all).toEqual([1, 'failed']);
  const passed = await waited(...start);
  expect([passed.status, passed.states.at(-1)], passed.all).toEqual([0, 'succeeded']);
  expect(passed.seconds).toBeGreaterThanOrEqual(9);
  expect((await waited(...start, '--timeout', '4')).status).toBe(75);
  const runs = await shell.run(['get', 'checkRun', '--where', 'deployment=dpl_live', '--json']);
  expect(runs.stdout.match(/"status": ?"completed"/g), runs.all).toHaveLength(2);
});

story('an attempt of the CI is made once more, and waited for: it may fail, and then succeed', async () => {
  twin.add({ ciAttempts: { seconds: 30, fails: 1 } });
  const retry = ['retryCi', '--input', 'invocation=inv_1', '--input', 'attempt=1'];
  const failed = await waited(...retry);
  expect([failed.status, failed.states], failed.all).toEqual([1, ['queued', 'running', 'failed']]);
  const done = await waited(...retry);
  expect([done.status, done.states.at(-1)], done.all).toEqual([0, 'succeeded']);
  expect((await waited(...retry, '--timeout', '9')).status).toBe(75);
});

test('an automatic rollout goes through its stages by the clock, and then serves all', async () => {
  const done = await waited('startRollout', 'auto', ...canary('dpl_auto'));
  expect([done.status, done.states], done.all).toEqual([0, ['ACTIVE', 'COMPLETE']]);
  // One minute, and two.
  expect(done.seconds).toBeGreaterThanOrEqual(180);
  expect(done.seconds).toBeLessThan(200);
  expect(await serving('auto')).toBe('dpl_auto');
});

test('until it is complete the deployment before serves; one that is aborted ends with 1', async () => {
  twin.add({ rollouts: { seconds: 20, fails: 1 } });
  const started = await shell.run([
    'run',
    'startRollout',
    'auto',
    ...canary('dpl_auto'),
    '--auto-approve',
    '--team',
    'acme',
  ]);
  expect(started.status, started.all).toBe(0);
  expect(await serving('auto')).toBe('dpl_old');
  const wait = await shell.run(['wait', 'rollout', '--of', 'auto']);
  expect([wait.status, await serving('auto')], wait.all).toEqual([1, 'dpl_old']);
  expect(wait.all).toContain('ABORTED');
});

test('a manual rollout waits for approval of each stage; completing it gives it to all', async () => {
  const start = await waited('startRollout', 'manual', ...canary('dpl_after'), '--timeout', '30');
  expect([start.status, start.states], start.all).toEqual([75, ['ACTIVE']]);
  const approve = (stage: number) => [
    'approveStage',
    'manual',
    ...canary('dpl_after'),
    '--input',
    `nextStageIndex=${stage}`,
  ];
  const wrong = await waited(...approve(2));
  expect([wrong.status, wrong.all.includes('The next stage is 1, and not 2.')]).toEqual([1, true]);
  expect((await waited(...approve(1), '--timeout', '5')).status).toBe(75);
  expect((await shell.run(['get', 'rollout', '--of', 'manual', '--json'])).stdout).toMatch(
    /"currentCanaryPercentage": ?50/,
  );
  expect(await serving('manual')).toBe('dpl_before');
  const last = await waited(...approve(2));
  expect([last.status, last.states, await serving('manual')], last.all).toEqual([
    0,
    ['COMPLETE'],
    'dpl_after',
  ]);
});

test('a rollout is completed at once, or rolled back, which aborts it', async () => {
  const start = ['startRollout', 'manual', ...canary('dpl_after')];
  await waited(...start, '--timeout', '1');
  expect((await waited(...start)).all).toContain('A rolling release is under way already.');
  const whole = await waited('completeRollout', 'manual', ...canary('dpl_after'));
  expect([whole.status, whole.states, await serving('manual')], whole.all).toEqual([
    0,
    ['COMPLETE'],
    'dpl_after',
  ]);
  expect((await waited(...start.slice(0, 2), ...canary('dpl_before'), '--timeout', '1')).status).toBe(75);
  const back = await shell.run([
    'run',
    'rollback',
    'manual',
    '--input',
    'deployment=dpl_after',
    '--auto-approve',
    ...['--team', 'acme'],
  ]);
  expect(back.status, back.all).toBe(0);
  const wait = await shell.run(['wait', 'rollout', '--of', 'manual']);
  expect([wait.status, await serving('manual')], wait.all).toEqual([1, 'dpl_after']);
});

test('a promotion waits for nothing that is built; of one that is not, the platform says so', async () => {
  const promoted = await waited('promote', 'auto', '--input', 'deployment=dpl_old');
  expect([promoted.status, await serving('auto')], promoted.all).toEqual([0, 'dpl_old']);
});

test('a domain is verified in its time; one that is not stays under way', async () => {
  twin.add({ verifications: { seconds: 20, fails: 1 } });
  const verify = ['verify', 'projects/web/domains/www.example.com'];
  const not = await waited(...verify, '--timeout', '60');
  expect([not.status, not.states], not.all).toEqual([75, ['false']]);
  const verified = await waited(...verify);
  expect([verified.status, verified.states], verified.all).toEqual([0, ['false', 'true']]);
  expect(verified.seconds).toBeGreaterThanOrEqual(20);
});
