import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Shell } from '../support/cli.ts';
import { gateTo } from '../support/gate.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startProcess } from '../support/process.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const story = oneStoryIn(4);

const yaml = `stack: demo
platform: { team: acme }
projects:
  web: { env: { A: { value: one, type: plain } } }
  shop: {}
`;
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** A folder with a configuration, and an account that holds the first request of this method until the gate is opened. */
async function held(method: string) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  const gate = await gateTo(twin.url, (asked) => asked === method);
  shell.env = { ...shell.env, TRUEUP_BASE_URL: gate.url };
  return { shell, twin, gate };
}

/** What runs keep only while they work. */
const leftBehind = (shell: Shell) =>
  readdirSync(join(shell.folder, '.trueup/ledger')).filter(
    (name) => !['demo.json', 'demo.history'].includes(name),
  );

oneRowIn(3)(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s waits 5 s for what is in flight, takes it for not known then, and the next run goes on',
  async (name) => {
    const { shell, twin, gate } = await held('POST');
    const clock = manualClock(Date.now());
    shell.clock = clock;
    const run = shell.start([...apply, '--parallelism', '1']);
    await gate.firstHeld;
    run.signal(name);
    await until(() => run.said().includes('Stopping: running requests have 5 s to finish'));
    clock.advance(4999);
    clock.advance(1);
    const { status, stderr } = await run.ended;
    expect(status).toBe(130);
    expect(stderr).toContain('the run was stopped before the response arrived');
    expect(leftBehind(shell)).toEqual([]);

    gate.open();
    await until(() => twin.account.projects.length === 1);
    const { all } = await shell.run(apply);
    expect(all).toContain('Verified: the account matches the configuration');
    expect(twin.account.projects.map(({ name }) => name).sort()).toEqual(['shop', 'web']);
  },
);

story('what is in flight may finish in these 5 s', async () => {
  const { shell, twin, gate } = await held('POST');
  const run = shell.start([...apply, '--parallelism', '1']);
  await gate.firstHeld;
  run.signal('SIGTERM');
  await until(() => run.said().includes('Stopping'));
  gate.open();
  const { status, stdout } = await run.ended;
  expect([status, twin.account.projects.length]).toEqual([130, 1]);
  expect(stdout).toMatch(/Apply stopped after [\d.]+s: 1 done, 0 failed, 2 not tried\./);
  expect(leftBehind(shell)).toEqual([]);
});

story('a second signal writes what is known, gives the lease back, and ends the process', async () => {
  const { shell, gate } = await held('POST');
  const run = startProcess([...apply, '--parallelism', '1'], { cwd: shell.folder, env: shell.env });
  await gate.firstHeld;
  run.child.kill('SIGTERM');
  await until(() => run.said().includes('Stopping'));
  run.child.kill('SIGINT');
  expect((await run.ended).status).toBe(130);
  expect(existsSync(join(shell.folder, '.trueup/ledger/demo.lock'))).toBe(false);
});

story(
  'what a run left behind that was killed goes with the next one, though that has nothing to do',
  async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    await shell.withTwin();
    expect((await shell.run(apply)).status).toBe(0);
    const gone = `4194999.abc.${hostname().replace(/[^\w.-]/g, '_')}`;
    await shell.write({
      // Of the generation before the last one: all of it was written.
      '.trueup/ledger/demo.journal': '',
      [`.trueup/ledger/demo.json.writing-${gone}/${gone}`]: '{',
      [`.trueup/ledger/demo.json.writing/${gone}`]: '{',
    });
    expect((await shell.run(apply)).all).toContain('No changes');
    expect(leftBehind(shell)).toEqual([]);
  },
);
