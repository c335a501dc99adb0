import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const missing = '$' + '{secret.missing}';
const present = '$' + '{secret.present}';
const canary = 'canary-of-a-real-secret';

const yaml = `stack: demo
platform: { team: acme }
secrets: { missing: { file: no-such-file }, present: { env: PRESENT } }
projects:
  web:
    env:
      MISSING: { value: "postgres://u:${missing}@db", type: sensitive, target: [production] }
      PRESENT: "${present}"
    protectionBypass: { ci: { secret: "${present}", isEnvVar: true } }
`;

test('the embedded twin needs no secret, and gets none that is there', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.env = { PRESENT: canary, TRUEUP_TOKEN: canary };
  const applied = await shell.run(['apply', '--twin', '--auto-approve']);
  expect(applied.status, applied.all).toBe(0);
  expect(applied.stderr).toContain('stand-ins are used for 2 secrets');
  expect(applied.stderr).toContain('missing, present');
  const account = readFileSync(join(shell.folder, '.trueup', 'twin', 'account.json'), 'utf8');
  expect(account).toContain('postgres://u:stand-in-for-missing-');
  expect(account).not.toContain('canary');
  const again = await shell.run(['plan', '--twin', '--detailed-exitcode']);
  expect(again.status, again.all).toBe(0);
});

test('the server takes its token from a file, and none from its arguments', async () => {
  const shell = await new Shell().write({ token: 'token-of-a-file\n' });
  const refused = await shell.run(['twin', '--token', canary]);
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('--token-file');
  expect(refused.all).not.toContain(canary);
  const { child } = shell.start(['twin', '--token-file', 'token']);
  onTestFinished(() => void child.kill());
  const [url] = await once(createInterface({ input: child.stdout! }), 'line');
  const asked = async (path: string, token: string) =>
    (await request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).statusCode;
  for (const path of ['/v2/user', '/__twin/requests']) {
    expect(await asked(path, 'token-of-a-file')).toBe(200);
    expect(await asked(path, 'another')).toBe(403);
  }
});
