import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import type { LeaseClock } from '../../src/ledger/lease.ts';
import { startProcess } from '../support/process.ts';
import { sampled, sweepOnly } from '../support/sweep.ts';
import { until } from '../support/until.ts';
import { workplace } from './workplace.ts';

const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
const writes = (twin: Twin) => twin.requests.filter(({ method }) => method !== 'GET').length;

/** A clock that runs fast: whoever waits for a minute waits for a second. */
function fastClock(): LeaseClock {
  const [start, times] = [Date.now(), 60];
  const now = () => start + (Date.now() - start) * times;
  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    setTimeout(milliseconds / times, undefined, signal ? { signal } : {});
  return { now, monotonic: now, sleep };
}

/** All that is in the account, without what differs from run to run. */
const madeIn = ({ account }: Twin): string[] =>
  account.projects
    .flatMap(({ name, framework, env }) => [
      `${name} ${framework}`,
      ...env.map(({ key, value, target }) => `${name} ${key} ${value.replace(/^prj_\w+$/, 'id')} ${target}`),
    ])
    .sort();

sweepOnly('here a run of one stack is killed, and one of several ends in the middle')(
  'killed at any write, and run again, all is as declared, and nothing is made twice',
  async () => {
    const whole = await workplace();
    expect((await whole.shell.run(apply)).status).toBe(0);
    const points = Array.from({ length: writes(whole.twin) }, (_, at) => at + 1);
    expect(points.length).toBeGreaterThan(5);
    for (const point of sampled(points, 1)) {
      const { shell, twin } = await workplace();
      const { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } = shell.env as Record<string, string>;
      const env = { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } as Record<string, string>;
      const { child, ended } = startProcess(apply, { cwd: shell.folder, env });
      await until(() => writes(twin) >= point);
      child.kill('SIGKILL');
      expect((await ended).status).toBe(null);
      // As CI does: it waits until the leases of the run that is gone are over, and nobody has to look.
      shell.clock = fastClock();
      const again = await shell.run([...apply, '--lock-wait', '300']);
      expect([point, again.status, again.stderr]).toEqual([
        point,
        0,
        expect.stringContaining('4 of 4 stacks are up to date.'),
      ]);
      expect([point, madeIn(twin)]).toEqual([point, madeIn(whole.twin)]);
      expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
    }
  },
);

it('a dozen stacks at once are applied without a warning of the engine', async () => {
  const { shell } = await workplace();
  const names = Array.from({ length: 12 }, (_, at) => `stack-${at}`);
  for (const name of names)
    await shell.write({
      [`${name}/trueup.yaml`]: `stack: ${name}\nplatform: { team: acme }\nprojects: { ${name}: {} }\n`,
    });
  await shell.write({ 'trueup.workspace.yaml': `stacks: [${names.join(', ')}]\n` });
  const { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } = shell.env as Record<string, string>;
  const env = { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } as Record<string, string>;
  const { status, stderr } = await startProcess(apply, { cwd: shell.folder, env }).ended;
  expect([status, stderr]).toEqual([0, expect.stringContaining('12 of 12 stacks are up to date.')]);
  expect(stderr).not.toContain('Warning');
});
