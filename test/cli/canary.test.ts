import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const canaries = {
  sensitive: 'canary-sensitive-4f9d',
  meantSecret: 'canary-meant-secret-10aa',
  flag: 'canary-flag-82e0',
  environment: 'canary-environment-6d1f',
  named: 'canary-named-5b3c',
  varFile: 'canary-var-file-09e7',
  csv: 'canary-csv-77d2',
  json: 'canary-json-31b8',
  inMiddle: 'canary-in-the-middle-e0e0',
  besideSecret: 'canary-beside-a-secret-1f1f',
  secret: 'canary-secret-7b21',
  rotated: 'canary-rotated-0c3e',
  live: 'canary-live-5a88',
  dns: 'canary-dns-e1d7',
  token: 'canary-token-93aa',
};

const yaml = `stack: demo
platform: { team: acme }
secrets:
  database: {}
  verification: {}
variables:
  flag: {}
  environment: {}
  named: { env: NAMED }
  varFile: {}
  csv: { file: rows.csv }
  json: { file: data.json }
  written: { default: written-in-the-yaml }
templates:
  keyed: { $kind: project, $inputs: { key: {} }, env: { FROM_INPUT: "x-\${input.key}" } }
projects:
  web:
    $use: { keyed: { key: "\${var.flag}" } }
    env:
      LITERAL: literal-in-the-yaml
      WRITTEN: "a-\${var.written}"
      SENSITIVE: { value: ${canaries.sensitive}, type: sensitive, target: [production] }
      MEANT_SECRET: { value: ${canaries.meantSecret}, visibility: secret }
      FLAG: "\${var.flag}"
      ENVIRONMENT: "\${var.environment}"
      NAMED: "\${var.named | lower}"
      VAR_FILE: "\${var.varFile}"
      CSV: "\${var.csv.one.value}"
      JSON: "\${var.json}"
      IN_MIDDLE: "a \${var.flag} ${canaries.inMiddle} b"
      BESIDE_SECRET: "${canaries.besideSecret} \${secret.database}"
      REFERENCE: "\${projects.web.env['FLAG@production'].value}"
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
    .filter(
      (path) => !['trueup.yaml', 'team.yaml', 'rows.csv', 'data.json'].some((name) => path.endsWith(name)),
    )
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

test('no secret is in any output or file: not one of the YAML, nor a live one that the YAML never saw', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yaml,
    'team.yaml': `varFile: ${canaries.varFile}\n`,
    'rows.csv': `name,value\none,${canaries.csv}\n`,
    'data.json': JSON.stringify(canaries.json),
  });
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
    TRUEUP_SECRET_database: canaries.secret,
    TRUEUP_SECRET_verification: canaries.dns,
    TRUEUP_VAR_environment: canaries.environment,
    NAMED: canaries.named.toUpperCase(),
  };
  const printed: string[] = [];
  const values = [
    '--var',
    `flag=${canaries.flag}`,
    '--var-file',
    'team.yaml',
    '--allow-env-shown',
    'NAMED',
    '--allow-files',
    '*.{csv,json}',
  ];
  const run = async (...args: string[]) => {
    const isConfigured = ['validate', 'plan', 'apply'].includes(args[0]!);
    const ran = await shell.run(isConfigured ? [...args, ...values] : args);
    printed.push(ran.all);
    return ran;
  };
  await run('validate');
  const formats = ['markdown', 'html', 'terraform'].map((format) => ['--format', format]);
  for (const flags of [[], ['--json'], ['--requests', '--verbose'], ...formats]) {
    const { status, all } = await run('plan', ...flags);
    expect(status, all).toBe(0);
    if (!all.includes('terraform')) expect(all).toContain('literal-in-the-yaml');
  }
  expect((await run('plan', '--out', 'plan.json')).status).toBe(0);
  expect(readFileSync(join(shell.folder, 'plan.json'), 'utf8')).toContain('a-written-in-the-yaml');
  expect((await run('apply', '--auto-approve', '--verbose', '--requests')).status).toBe(0);
  shell.env = { ...shell.env, TRUEUP_SECRET_database: canaries.rotated };
  for (const flags of [['--json'], ['--requests', '--verbose']]) await run('plan', ...flags);
  expect((await run('apply', '--auto-approve', '--verbose')).status).toBe(0);
  // Drift of a secret, seen and repaired.
  const variable = twin.account.projects[0]!.env.find(({ key }) => key === 'DRIFTED')!;
  variable.value = canaries.live;
  for (const flags of [['--json'], ['--requests'], ...formats]) await run('plan', ...flags);
  await run('ledger', 'list');
  await run('ledger', 'show', 'projects/web/env/DATABASE@production');
  // A refusal that could quote what was sent.
  variable.type = 'sensitive';
  await run('apply', '--auto-approve', '--verbose', '--send-unverified', '**');
  await run('destroy', '--confirm', 'demo', '--verbose');
  // Why there is no plan, for a pull request and the summary of a step.
  shell.env = { ...shell.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary.md' };
  const failed = ['plan', '--format', 'markdown', '--out', 'trueup.yaml/plan.json'];
  await run(...failed);
  await run(...failed, '--base-url', 'http://127.0.0.1:1');
  await run(...failed, '--var', `unknown=${canaries.secret}`);
  const seen = `${printed.join('\n')}\n${everything(shell.folder)}`;
  for (const [name, canary] of Object.entries(canaries)) expect(seen.includes(canary), name).toBe(false);
  expect(seen).toContain('projects/web/env/DATABASE@production');
  expect(seen.match(/could not be planned/g)).toHaveLength(6);
});

const teamCanaries = {
  bypass: `canarybypass${'1'.repeat(20)}`,
  bypassRotated: `canarybypass${'2'.repeat(20)}`,
  bypassLive: `canarybypass${'3'.repeat(20)}`,
  header: 'canary-header-52d0',
  headerLive: 'canary-header-live-8e1b',
  signing: `canary-signing-${'4'.repeat(32)}`,
  signingLive: `canary-signing-${'5'.repeat(32)}`,
  shared: 'canary-shared-c6a9',
  sharedLive: 'canary-shared-live-2f40',
};

const teamYaml = (more = '') => `stack: demo
platform: { team: acme }
secrets:
  bypass: { env: BYPASS }
  header: { env: HEADER }
  signing: { env: SIGNING }
  shared: { env: SHARED }
projects:
  web:
    protectionBypass:
      e2e: { secret: "\${secret.bypass}", isEnvVar: true }
      made: { note: by the platform }
sharedEnv:
  TOKEN: { value: "\${secret.shared}", target: [production, preview] }
drains:
  logs:
    schemas: { log: {} }
    delivery:
      type: http
      endpoint: https://logs.example.com
      encoding: json
      headers: { authorization: "Bearer \${secret.header}" }
      secret: "\${secret.signing}"
webhooks:
  deploys:
    url: https://hooks.example.com
    events: [deployment.error]
    $secretTo: { file: kept/webhook }
globalConfigs:
  shop:
    tokens: { web: { $secretTo: { command: [sh, -c, "cat > /dev/null${more}"] } } }
`;

test('no secret of what belongs to the team is in any output or file but where it was to go', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': teamYaml('; exit 1') });
  const twin = await shell.withTwin({
    projects: [{ name: 'web', protectionBypasses: [{ secret: teamCanaries.bypassLive, note: 'theirs' }] }],
    sharedEnv: [{ key: 'FOREIGN', value: teamCanaries.sharedLive }],
  });
  const { bypass, header, signing, shared } = teamCanaries;
  shell.env = {
    ...shell.env,
    BYPASS: bypass,
    HEADER: header,
    SIGNING: signing,
    SHARED: shared,
    TRUEUP_ALLOW_ENV: 'BYPASS,HEADER,SIGNING,SHARED',
  };
  const printed: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run([...args, '--verbose']);
    printed.push(ran.all);
    return ran.status;
  };
  const shown = new Set<string>();
  const note = () => {
    for (const { secret } of twin.account.webhooks) shown.add(secret);
    for (const { token } of twin.account.globalConfigs[0]!.tokens) shown.add(token);
    for (const one of Object.keys(twin.account.projects[0]!.protectionBypass!)) shown.add(one);
  };
  const allowed = ['; exit 1', ''].flatMap((more) => ['--allow-command', `sh -c 'cat > /dev/null${more}'`]);
  const apply = ['apply', '--auto-approve', ...allowed, '--requests'];
  for (const flags of ['--json', '--requests']) expect(await run('plan', flags)).toBe(0);
  // The token does not arrive at first, and is replaced.
  expect(await run(...apply)).toBe(1);
  note();
  await shell.write({ 'trueup.yaml': teamYaml() });
  expect(await run('plan', '--json')).toBe(0);
  expect(await run(...apply)).toBe(0);
  note();

  // Drift of all that can be read, and another bypass.
  shell.env = { ...shell.env, BYPASS: teamCanaries.bypassRotated };
  const [drain] = twin.account.drains;
  Object.assign(drain!.delivery, {
    headers: { authorization: teamCanaries.headerLive },
    secret: teamCanaries.signingLive,
  });
  twin.account.sharedEnv.find(({ key }) => key === 'TOKEN')!.value = teamCanaries.sharedLive;
  for (const flags of ['--json', '--requests']) expect(await run('plan', flags)).toBe(0);
  expect(await run(...apply)).toBe(0);
  note();
  printed.push((await shell.run(['ledger', 'list'])).all);
  printed.push((await shell.run(['ledger', 'show', 'projects/web/protectionBypass/e2e'])).all);
  expect(await run('export')).toBe(0);
  await run('destroy', '--confirm', 'demo');

  const kept = readFileSync(join(shell.folder, 'kept/webhook'), 'utf8');
  expect(shown).toContain(kept.trim());
  rmSync(join(shell.folder, 'kept'), { recursive: true });
  const seen = `${printed.join('\n')}\n${everything(shell.folder)}`;
  for (const [name, canary] of Object.entries(teamCanaries)) expect(seen.includes(canary), name).toBe(false);
  expect(shown.size).toBeGreaterThanOrEqual(7);
  for (const secret of shown) expect(seen.includes(secret)).toBe(false);
  for (const address of ['drains/logs', 'webhooks/deploys', 'projects/web/protectionBypass/e2e'])
    expect(seen).toContain(address);
});

test('a secret cannot be part of a name, and the refusal does not say it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
secrets: { office: {} }
projects:
  web:
    firewall:
      ips: [{ hostname: example.com, ip: "\${secret.office}", action: bypass }]
`,
  });
  await shell.withTwin();
  shell.env = { ...shell.env, TRUEUP_SECRET_office: '192.0.2.77' };
  const ran = await shell.run(['plan']);
  expect(ran.status).toBe(1);
  expect(ran.all).not.toContain('192.0.2.77');
});
