import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { workplace } from './workplace.ts';

const write = ({ method }: { method: string }) => method !== 'GET';

it('killed at any write, and run again, all is as declared, and nothing is made twice', async () => {
  const { shell, twin } = await workplace();
  const { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } = shell.env as Record<string, string>;
  const env = { TRUEUP_TOKEN, TRUEUP_BASE_URL, TRUEUP_LEDGER_KEY } as Record<string, string>;
  for (const most of [1, 3]) {
    const before = twin.requests.filter(write).length;
    const { child, ended } = startProcess(['apply', '--all', '--auto-approve', '--settle', '0'], {
      cwd: shell.folder,
      env,
    });
    await until(() => twin.requests.filter(write).length >= before + most);
    child.kill('SIGKILL');
    expect((await ended).status).toBe(null);
    // A person has looked: that run is gone.
    const ledgers = join(shell.folder, '.trueup/ledger');
    for (const name of readdirSync(ledgers)) if (name.endsWith('.lock')) rmSync(join(ledgers, name));
  }
  const again = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
  expect([again.status, again.stderr]).toEqual([
    0,
    expect.stringContaining('4 of 4 stacks are as they should be.'),
  ]);
  const names = twin.account.projects.map(({ name }) => name);
  expect(names.sort()).toEqual([
    'hub',
    'intranet',
    'production-red',
    'shop-production',
    'shop-staging',
    'staging-red',
  ]);
  expect((await shell.run(['plan', '--all', '--detailed-exitcode'])).status).toBe(0);
});
