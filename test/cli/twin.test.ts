import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { Shell } from '../support/cli.ts';
import { until } from '../support/until.ts';

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
  expect(applied.stderr).toContain('using placeholders for 2 secrets');
  expect(applied.stderr).toContain('missing and present');
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
  const running = shell.start(['twin', '--token-file', 'token']);
  const address = /^http:\S+$/m;
  await until(() => address.test(running.said()));
  const [url] = address.exec(running.said())!;
  const second = await shell.run(['twin', '--port', new URL(url).port]);
  expect(second.stderr).toContain('-> another program uses this port: leave out --port, or name another one');
  const asked = async (path: string, token: string) =>
    (await request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).statusCode;
  for (const path of ['/v2/user', '/__twin/requests']) {
    expect(await asked(path, 'token-of-a-file')).toBe(200);
    expect(await asked(path, 'another')).toBe(403);
  }
  running.signal('SIGTERM');
  expect((await running.ended).status).toBe(0);
});

test('nobody but its own run gets at the embedded twin', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const tokens: string[] = [];
  const refused: number[] = [];
  shell.provider = {
    ...hosting,
    startTwin: async (settings) => {
      const twin = await hosting.startTwin(settings);
      tokens.push(String(settings.token));
      for (const path of [
        '/v2/user',
        '/v10/projects',
        '/__twin/requests',
        '/__twin/faults',
        '/__twin/outside',
      ])
        for (const headers of [{}, { authorization: 'Bearer any' }, { host: 'evil.example' }])
          refused.push((await request(`${twin.url}${path}`, { headers })).statusCode);
      return twin;
    },
  };
  const printed: string[] = [];
  for (const args of [['apply', '--auto-approve'], ['plan', '--verbose', '--requests'], ['export']])
    printed.push((await shell.run([...args, '--twin'])).all);
  expect(tokens).toHaveLength(3);
  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  expect(new Set(refused)).toEqual(new Set([401, 403, 421]));
  const files = readdirSync(shell.folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const written = files.map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'));
  for (const token of tokens) expect([...printed, ...written].join()).not.toContain(token);
});
