import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const canaries = {
  literal: 'canary-literal-4f9d',
  secret: 'canary-secret-7b21',
  rotated: 'canary-rotated-0c3e',
  live: 'canary-live-5a88',
  dns: 'canary-dns-e1d7',
  token: 'canary-token-93aa',
};

const yaml = `stack: demo
platform: { team: acme }
secrets:
  database: { env: DATABASE }
  verification: { env: VERIFICATION }
projects:
  web:
    env:
      LITERAL: ${canaries.literal}
      DATABASE: { value: "postgres://u:\${secret.database}@db", type: sensitive, target: [production] }
      DRIFTED: mine
    firewall:
      rules:
        - name: bypass with a header
          active: true
          conditionGroup: [{ conditions: [{ type: header, op: eq, key: x-pass, value: "\${secret.database}" }] }]
          action: { mitigate: { action: bypass } }
domains:
  example.com:
    records:
      - { type: TXT, name: verify, value: "\${secret.verification}" }
`;

function everything(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith('trueup.yaml'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

test('no secret is in any output or file: not one of the YAML, nor a live one that the YAML never saw', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin({
    projects: [
      {
        name: 'web',
        env: [
          { key: 'DRIFTED', value: canaries.live, type: 'encrypted' },
          { key: 'FOREIGN', value: canaries.live },
        ],
      },
    ],
  });
  shell.env = {
    ...shell.env,
    TRUEUP_TOKEN: canaries.token,
    DATABASE: canaries.secret,
    VERIFICATION: canaries.dns,
  };
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    printed.push(ran.all);
    return ran;
  };
  await run('validate');
  for (const flags of [[], ['--json'], ['--requests', '--verbose']]) await run('plan', ...flags);
  expect((await run('apply', '--auto-approve', '--verbose', '--requests')).status).toBe(0);
  shell.env = { ...shell.env, DATABASE: canaries.rotated };
  for (const flags of [['--json'], ['--requests', '--verbose']]) await run('plan', ...flags);
  expect((await run('apply', '--auto-approve', '--verbose')).status).toBe(0);
  // Drift of a secret, seen and repaired.
  const variable = twin.account.projects[0]!.env.find(({ key }) => key === 'DRIFTED')!;
  variable.value = canaries.live;
  for (const flags of [['--json'], ['--requests']]) await run('plan', ...flags);
  await run('ledger', 'list');
  await run('ledger', 'show', 'projects/web/env/DATABASE@production');
  // A refusal that could quote what was sent.
  variable.type = 'sensitive';
  await run('apply', '--auto-approve', '--verbose', '--send-unverified', '**');
  await run('destroy', '--confirm', 'demo', '--verbose');
  const seen = `${printed.join('\n')}\n${everything(shell.folder)}`;
  for (const [name, canary] of Object.entries(canaries)) expect(seen.includes(canary), name).toBe(false);
  expect(seen).toContain('projects/web/env/DATABASE@production');
});

test('a secret cannot be part of a name, and the refusal does not say it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
secrets: { office: { env: OFFICE } }
projects:
  web:
    firewall:
      ips: [{ hostname: example.com, ip: "\${secret.office}", action: bypass }]
`,
  });
  await shell.withTwin();
  shell.env = { ...shell.env, OFFICE: '192.0.2.77' };
  const ran = await shell.run(['plan']);
  expect(ran.status).toBe(1);
  expect(ran.all).not.toContain('192.0.2.77');
});
