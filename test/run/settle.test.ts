import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { settle } from '../../src/run/verify.ts';
import { jumpingClock } from '../http/serve.ts';
import { Shell } from '../support/cli.ts';
import { manualClock } from '../support/manual-clock.ts';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(5);

const never = new AbortController().signal;

/** Settles what is so from the `at`th look on; how often it looked, how long it slept, and how often it said so. */
async function settled(at: number, within: number) {
  const clock = jumpingClock();
  let [looks, told] = [0, 0];
  const onWait = () => {
    told += 1;
  };
  const seen = await settle(
    async () => ++looks,
    (look) => look >= at,
    { clock, within, onWait, stop: never },
  );
  return { seen, slept: clock.slept.map((one) => one / 1000), told };
}

describe('settling', () => {
  it('looks once where that is enough', async () => {
    expect(await settled(1, 60_000)).toEqual({ seen: 1, slept: [], told: 0 });
  });

  it('looks again after growing pauses, and says so once', async () => {
    expect(await settled(4, 60_000)).toEqual({ seen: 4, slept: [1, 2, 4], told: 1 });
  });

  it('ends with the time that it has, and looks a last time then', async () => {
    const end = Number.POSITIVE_INFINITY;
    expect(await settled(end, 60_000)).toEqual({ seen: 7, slept: [1, 2, 4, 8, 15, 30], told: 1 });
    expect(await settled(end, 5000)).toEqual({ seen: 4, slept: [1, 2, 2], told: 1 });
    expect((await settled(end, 100_000)).slept).toEqual([1, 2, 4, 8, 15, 30, 30, 10]);
    expect(await settled(end, 0)).toEqual({ seen: 1, slept: [], told: 0 });
  });

  it.each(['asleep', 'looking'])('is stopped while it is %s', async (when) => {
    const clock = manualClock();
    const stop = new AbortController();
    let looks = 0;
    const look = async () => {
      looks += 1;
      return when === 'looking' && looks > 1 ? new Promise<number>(() => {}) : looks;
    };
    const seen = settle(look, () => false, { clock, within: 60_000, onWait: () => {}, stop: stop.signal });
    await until(() => clock.sleeping() === 1);
    if (when === 'looking') {
      clock.advance(1000);
      await until(() => looks === 2);
    }
    stop.abort();
    expect(await seen).toBe(1);
    expect(clock.sleeping()).toBe(0);
  });

  it('an error while looking is one', async () => {
    const fail = async () => Promise.reject(new Error('unreachable'));
    const options = { clock: jumpingClock(), within: 60_000, onWait: () => {}, stop: never };
    await expect(settle(fail, () => false, options)).rejects.toThrow('unreachable');
  });

  oneRowIn(2)([false, true])('sees what is shown late (reads by id: %s)', async (byId) => {
    const yaml = 'projects: { web: { env: { A: { value: a, target: [production] } } } }';
    const clock = jumpingClock();
    const world = await newWorld({ now: clock.now });
    world.twin.setFaults({
      faults: [{ at: { operation: 'createProjectEnv' }, do: { type: 'stale', ms: 5000, byId } }],
    });
    await world.apply(await world.plan('projects: { web: {} }'));
    await world.apply(await world.plan(yaml));
    const left: string[][] = [];
    const look = async () => {
      left.push(actions((await world.plan(yaml)).plan));
      return left.at(-1)!;
    };
    await settle(look, (found) => found.length === 0, {
      clock,
      within: 60_000,
      onWait: () => {},
      stop: never,
    });
    const missing = ['create projects/web/env/A@production'];
    expect(left).toEqual(byId ? [missing, missing, missing, []] : [[]]);
    expect(clock.slept).toEqual(byId ? [1000, 2000, 4000] : []);
  });
});

const yaml = 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n';
const lateAfter = (operation: string) => ({
  faults: [{ at: { operation }, do: { type: 'stale', ms: 3_600_000, byId: true } as const }],
});

describe('an apply whose result does not show', () => {
  story('says so where it looks once', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin();
    twin.setFaults(lateAfter('createProject'));
    const ran = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain(
      'Applied, but not verified: the account still differs from the configuration.',
    );
    expect(ran.stdout).toContain('created at the last apply, but the account does not show it');
    expect(ran.stderr).not.toContain('checking again');
  });

  story('waits, until Ctrl-C', async () => {
    // More than may be deleted at once, and what is gone counts alike: but nothing is going to be created again.
    const many = Array.from({ length: 12 }, (_, index) => `V${index}: { value: a, target: [production] }`);
    const shell = await new Shell().write({
      'trueup.yaml': yaml.replace('{ web: {} }', `{ web: { env: { ${many.join(', ')} } } }`),
    });
    const twin = await shell.withTwin();
    twin.setFaults(lateAfter('createProjectEnv'));
    const { signal, said, ended } = shell.start(['apply', '--auto-approve']);
    const waits = 'The account does not show everything yet; checking again for up to 60 s.';
    await until(() => said().includes(waits));
    signal('SIGINT');
    expect((await ended).status).toBe(130);
    expect(said()).toContain('Applied, but not verified: the account still differs');
    expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
    expect(existsSync(join(shell.folder, '.trueup/ledger/demo.lock'))).toBe(false);
  });
});

story('an apply reads the items of a global config again until they show its write', async () => {
  const items = (list: string) =>
    `stack: demo\nplatform: { team: acme }\nglobalConfigs: { store: { items: { ${list} } } }\n`;
  const shell = await new Shell().write({ 'trueup.yaml': items('kept: 1, changed: 1, gone: 1') });
  const { clock } = shell;
  const jumping = jumpingClock(0);
  const now = () => clock.now() + jumping.now();
  shell.clock = {
    ...{ ...clock, now },
    // The lease is renewed less often than the account is read.
    sleep: (ms, signal) => (ms < 10_000 ? jumping.sleep(ms) : clock.sleep(ms, signal)),
  };
  const twin = await shell.withTwin({}, { now, switches: { globalConfigReadSeconds: 10 } });
  const writes = () =>
    twin.requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/items'));
  for (const [list, count] of [
    ['kept: 1, changed: 1, gone: 1', 1],
    ['kept: 1, changed: 2, created: 1', 2],
  ] as const) {
    await shell.write({ 'trueup.yaml': items(list) });
    const ran = await shell.run(['apply', '--auto-approve']);
    expect([ran.status, writes().length], ran.all).toEqual([0, count]);
    expect(ran.stderr).toContain('The account does not show everything yet; checking again for up to 60 s.');
    expect(ran.stdout).toContain('Verified: the account matches the configuration.\n');
  }
});

story('what somebody else changes meanwhile is told, and the run is a success', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yaml.replace('web: {}', 'web: { framework: vite }'),
  });
  const twin = await shell.withTwin({ projects: [{ name: 'web' }] });
  const theirs = {
    type: 'foreignWrite',
    method: 'PATCH',
    path: '/v9/projects/web',
    body: { buildCommand: 'make' },
  } as const;
  twin.setFaults({ faults: [{ at: { operation: 'updateProject', nth: 1 }, do: theirs }] });
  const ran = await shell.run(['apply', '--auto-approve']);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toContain(`Also changed, by the platform or by somebody else:
  projects/web: buildCommand: null → make
Verified: the account matches the configuration. 1 other difference appeared in the meantime: see above.
`);
});

story(
  'what a runner with a clock that is ahead wrote is waited for no longer than anything else',
  async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin();
    twin.setFaults(lateAfter('createProject'));
    const { clock } = shell;
    shell.clock = { ...clock, now: () => clock.now() + 3_600_000 };
    expect((await shell.run(['apply', '--auto-approve', '--settle', '0'])).status).toBe(1);
    const jumping = jumpingClock(0);
    shell.clock = {
      ...clock,
      now: () => clock.now() + jumping.now(),
      sleep: async (milliseconds, signal) => {
        // The lease is renewed more often.
        if (milliseconds <= 10_000) return clock.sleep(milliseconds, signal);
        twin.setFaults({ faults: [] });
        await jumping.sleep(milliseconds);
      },
    };
    const ran = await shell.run(['apply', '--auto-approve']);
    expect([ran.status, jumping.slept.length], ran.all).toEqual([0, 1]);
    expect(jumping.now()).toBeLessThanOrEqual(60_001);
    expect(ran.stderr).toMatch(/Waiting \d\d s: the account may not show what the last run created yet\./);
    expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
  },
);

test.each([
  [3_600_000, '60 min ahead of'],
  [-3_600_000, '60 min behind'],
  [20_000, undefined],
  [400 * 86_400_000, undefined],
])('a clock that is %i ms from the platform’s: %s', async (off, said) => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  await shell.withTwin();
  const { clock } = shell;
  shell.clock = { ...clock, now: () => clock.now() + off };
  const { status, stderr } = await shell.run(['plan']);
  expect([status, stderr.includes('The clock of this machine is')], stderr).toEqual([0, said !== undefined]);
  if (said !== undefined) expect(stderr).toContain(`The clock of this machine is ${said} the platform's.`);
});
