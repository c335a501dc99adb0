import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Shell } from '../support/cli.ts';
import { gateTo } from '../support/gate.ts';
import { oneRowIn, sampled } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const yaml = `stack: demo
platform: { team: acme }
projects: { web: {}, shop: {} }
`;

const stopped = [['to npm alone, as a container is stopped', 'SIGTERM', (pid: number) => pid]] as const;
const ended = [
  ['to all of the job, as a terminal that is closed does', 'SIGHUP', (pid: number) => -pid],
  ['to all of the job, as Ctrl-C and the runners of CI do', 'SIGINT', (pid: number) => -pid],
  ['to all of the job, as a runner cancels', 'SIGTERM', (pid: number) => -pid],
] as const;

oneRowIn(2)([...stopped, ...sampled([...ended], 1)])(
  'a signal %s (%s): what is in flight is finished, and the lease given back',
  async (_, name, to) => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml, 'package.json': '{}' });
    const twin = await shell.withTwin();
    const gate = await gateTo(twin.url, (method) => method === 'POST');
    // As an installation has it.
    mkdirSync(join(shell.folder, 'node_modules/.bin'), { recursive: true });
    chmodSync(resolve('dist/trueup.cjs'), 0o755);
    symlinkSync(resolve('dist/trueup.cjs'), join(shell.folder, 'node_modules/.bin/trueup'));
    const args = ['exec', '--no', '--', 'trueup', 'apply', '--auto-approve', '--parallelism', '1'];
    const npm = spawn('npm', args, {
      cwd: shell.folder,
      env: { PATH: process.env.PATH, HOME: shell.folder, ...shell.env, TRUEUP_BASE_URL: gate.url },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    const ended = once(npm, 'close');
    onTestFinished(() => {
      if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL');
    });
    let said = '';
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await gate.firstHeld;
    process.kill(to(npm.pid!), name);
    await until(() => said.includes('Stopping: running requests have 5 s to finish'));
    gate.open();
    await ended;
    expect(twin.account.projects).toHaveLength(1);
    expect(readdirSync(join(shell.folder, '.trueup/ledger'))).toEqual(['demo.history', 'demo.json']);
  },
);
