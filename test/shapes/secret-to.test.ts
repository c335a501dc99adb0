import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const webhook = (secretTo: unknown) => `stack: demo
platform: { team: acme }
webhooks:
  deploys:
    url: https://hooks.example.com/deploys
    events: [deployment.error]
    $secretTo: ${JSON.stringify(secretTo)}
`;

async function begin(secretTo: unknown) {
  const shell = await new Shell().write({ 'trueup.yaml': webhook(secretTo) });
  const twin = await shell.withTwin();
  const seen: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    seen.push(ran.all);
    return ran;
  };
  /** All that was printed, and every file but those named. */
  const leaks = (...but: string[]) => [
    ...seen,
    ...readdirSync(shell.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !but.includes(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  ];
  const secrets = () => twin.account.webhooks.map(({ secret }) => secret);
  return { shell, twin, run, leaks, secrets };
}

test('a secret goes into its file and appears nowhere else', async () => {
  const { shell, run, leaks, secrets } = await begin({ file: '.secrets/hook.txt' });
  await run('plan', '--requests', '--verbose');
  await run('plan', '--json');
  expect((await run('apply', '--auto-approve', '--verbose', '--requests')).status).toBe(0);
  const file = join(shell.folder, '.secrets/hook.txt');
  expect(readFileSync(file, 'utf8').trim()).toBe(secrets()[0]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((await run('plan', '--json', '--detailed-exitcode')).status).toBe(0);
  await run('ledger', 'show', 'webhooks/deploys');
  expect(leaks('hook.txt').filter((text) => text.includes(secrets()[0]!))).toEqual([]);
});

test('a place that takes no secret is refused before anything is sent', async () => {
  const { twin, run } = await begin({ command: ['sh', '-c', 'cat > got'] });
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, twin.account.webhooks]).toEqual([1, []]);
  expect(ran.stderr).toContain('webhooks/deploys: its secret could not be delivered: it goes to a command');
  expect(ran.stderr).toContain('--allow-commands');
});

test('a command that fails leaves a tainted object; the next run replaces it, says why, and is done', async () => {
  const { shell, run, leaks, secrets } = await begin({ command: ['sh', '-c', 'cat > got; exit 7'] });
  const failed = await run('apply', '--auto-approve', '--allow-commands', '--verbose');
  expect(failed.status).toBe(1);
  expect(failed.all).toContain('the secret could not be delivered: sh ended with exit code 7');
  const [lost] = secrets();

  await shell.write({ 'trueup.yaml': webhook({ command: ['sh', '-c', 'cat > got'] }) });
  const plan = await run('plan', '--detailed-exitcode');
  expect(plan.status).toBe(2);
  expect(plan.stdout).toContain('the secret that it showed when it was created did not arrive');
  expect((await run('apply', '--auto-approve', '--allow-commands')).status).toBe(0);
  expect(secrets()).toHaveLength(1);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
  for (const secret of [lost!, secrets()[0]!])
    expect(leaks('got').filter((text) => text.includes(secret))).toEqual([]);
});

test('a run that is killed before its secret arrived is known to the next one', async () => {
  const { shell, run, secrets } = await begin({ command: ['sh', '-c', 'kill -9 $PPID'] });
  expect((await run('apply', '--auto-approve', '--allow-commands')).status).toBeNull();
  expect(secrets()).toHaveLength(1);
  await shell.write({ 'trueup.yaml': webhook({ file: 'got' }) });
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('did not arrive')]);
  expect(secrets()).toHaveLength(1);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
});
