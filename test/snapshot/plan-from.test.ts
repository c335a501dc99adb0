import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const configuration = (level: string) => `stack: shop
platform: { team: acme }
secrets: { db: { env: DATABASE_URL } }
projects:
  web:
    framework: nextjs
    env:
      LOG_LEVEL: ${level}
      DB: { value: '\${secret.db}', type: sensitive, target: [production, preview] }
      API: { value: 'https://api.example?key=\${secret.db}', type: encrypted }
`;

/** A stack that was applied, in an account in which somebody has changed a secret since. */
async function appliedStack(): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': configuration('info') });
  await shell.withTwin({ team: { slug: 'acme' } });
  shell.env = { ...shell.env, DATABASE_URL: 'postgres://first-canary', TRUEUP_ALLOW_ENV: 'DATABASE_URL' };
  const applied = await shell.run(['apply', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  return shell.write({ 'trueup.yaml': configuration('debug') });
}

/** The same folder on a machine without token, network and secrets. */
function elsewhere({
  folder,
  env: { TRUEUP_TOKEN: _, TRUEUP_BASE_URL: __, DATABASE_URL: ___, ...env },
}: Shell) {
  const other = new Shell(folder);
  other.env = { ...env, TRUEUP_BASE_URL: 'http://127.0.0.1:1' };
  return other;
}

describe('a plan from a snapshot', () => {
  oneRowIn(3)([
    ['text', []],
    ['JSON', ['--format', 'json']],
    ['requests', ['--requests']],
  ])('equals the plan from the account, as %s', async (_, flags) => {
    const shell = await appliedStack();
    shell.env.DATABASE_URL = 'postgres://second-canary';
    const planned = await shell.run(['plan', ...flags, '--snapshot', 'account.snapshot']);
    const again = await elsewhere(shell).run(['plan', ...flags, '--from', 'account.snapshot']);
    expect(again.stdout).toBe(planned.stdout);
    expect(again.status).toBe(planned.status);
    expect(planned.stdout).toContain('projects/web/env/DB');
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    expect(text).not.toContain('canary');
    expect(text).not.toContain(Buffer.from('postgres://second-canary').toString('base64').slice(0, -2));
  });

  story('equals a plan that was saved for an approval as well', async () => {
    const shell = await appliedStack();
    shell.env.DATABASE_URL = 'postgres://second-canary';
    const args = ['plan', '--json', '--out', 'plan.json', '--snapshot', 'account.snapshot'];
    const planned = await shell.run(args);
    expect(planned.status, planned.stdout).toBe(0);
    const again = await elsewhere(shell).run(['plan', '--json', '--from', 'account.snapshot']);
    expect(again.stdout).toBe(planned.stdout);
  });

  story('equals a plan that was rehearsed as well', async () => {
    const shell = await appliedStack();
    shell.env.DATABASE_URL = 'postgres://second-canary';
    const rehearse = ['plan', '--json', '--rehearse', '--crash-points', '1'];
    const planned = await shell.run([...rehearse, '--snapshot', 'account.snapshot']);
    expect(planned.status, planned.stdout).toBe(0);
    const again = await elsewhere(shell).run([...rehearse, '--from', 'account.snapshot']);
    expect(again.stdout).toBe(planned.stdout);
  });

  it('follows the configuration: a changed value is planned, an unknown secret is not compared', async () => {
    const shell = await appliedStack();
    await shell.run(['plan', '--snapshot', 'account.snapshot']);
    await shell.write({
      'trueup.yaml': configuration('trace')
        .replace('secrets: {', 'secrets: { db2: { env: OTHER }, ')
        .replace("'${secret.db}'", "'${secret.db2}'"),
    });
    const { stdout, stderr } = await elsewhere(shell).run(['plan', '--from', 'account.snapshot']);
    expect(stdout).toContain('value: info → trace');
    expect(stderr).toContain('the snapshot does not have the secret `db2`');
  });

  it('refuses a file that was changed, and one that is no snapshot', async () => {
    const shell = await appliedStack();
    await shell.run(['plan', '--snapshot', 'account.snapshot']);
    const text = gunzipSync(readFileSync(join(shell.folder, 'account.snapshot'))).toString();
    await shell.write({ changed: gzipSync(text.replace('"stack":"shop"', '"stack":"shap"')), text: 'hello' });
    expect((await shell.run(['plan', '--from', 'changed'])).stderr).toContain('[snapshot/altered]');
    expect((await shell.run(['plan', '--from', 'text'])).stderr).toContain('text is no snapshot');
    expect((await shell.run(['plan', '--from', 'account.snapshot', '--out', 'plan.json'])).stderr).toContain(
      '--from and --out cannot be combined',
    );
    expect((await shell.run(['plan', '--anonymous'])).stderr).toContain('--anonymous needs --snapshot');
  });
});
