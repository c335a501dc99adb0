import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { formatAnnotations } from '../../src/github/actions.ts';
import type { CommandHost, OutputStream } from '../../src/terminal/command-run.ts';
import { withoutWorkflowCommands } from '../../src/terminal/command-run.ts';
import { harOf } from '../doctor/recording.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, repository } from '../support/ledger-places.ts';
import { codes, newWorld } from '../support/scene.ts';

const canary = 'canary-0f3a-secret-of-the-run';
const secrets = (more = '') => `stack: demo
platform: { team: acme }
secrets: { s: {} }
projects:
  web:
    env:
      OPEN: { value: open, type: plain, target: [production] }
      SEALED: { value: "x-\${secret.s}", type: sensitive, target: [production] }
    protectionBypass: { ci: { secret: "\${secret.s}" } }
${more}`;
const value = 'canary0f3asecretoftherun00000000';
const apply = ['apply', '--auto-approve', '--settle', '0'];

/** All that stands in a folder, but for what the test has put there. */
const written = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(trueup|more)\.yaml$|^key$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

async function stack() {
  const shell = await new Shell().write({ 'trueup.yaml': secrets() });
  const twin = await shell.withTwin();
  const account = { ...shell.env, TRUEUP_TOKEN: canary };
  shell.env = { ...account, TRUEUP_LEDGER_KEY: keyText(), TRUEUP_SECRET_s: value };
  const writes = () => twin.requests.filter(({ method }) => method !== 'GET').length;
  return { shell, twin, account, writes };
}

const people = [
  { uid: 'user_1', email: 'grace@example.com', role: 'MEMBER' as const },
  { uid: 'user_2', email: 'alan@example.com', role: 'OWNER' as const },
];
const members = (given: Record<string, string>) =>
  `members: { ${Object.entries(given).map(([email, role]) => `${email}: { role: ${role} }`)} }`;

it('No token, key or secret of the configuration appears in a plan, a plan file, a ledger, a comment, a page or a log.', async () => {
  const { shell, twin } = await stack();
  const said: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect([args, ran.status]).toEqual([args, 0]);
    said.push(ran.all);
  };
  for (const format of ['text', 'json', 'terraform', 'html', 'markdown'])
    await run('plan', '--requests', '--format', format);
  await run('plan', '--out', 'plan.json', '--verbose');
  await run('show', 'plan.json', '--requests');
  await run('apply', 'plan.json', '--settle', '0', '--json-stream');
  await run('ledger', 'show', 'projects/web/env/SEALED@production');
  await run('export', '--out', 'exported.yml');
  const shown = said.join('\n') + written(shell.folder);
  for (const secret of [canary, value, keyText()]) expect(shown).not.toContain(secret);
  // It did arrive.
  expect(JSON.stringify(twin.account.projects)).toContain(`x-${value}`);
});

it('A plan writes nothing, neither to the account nor to the ledger.', async () => {
  const { clone, bare } = repository();
  const { shell, writes } = await stack();
  Object.assign(shell, { folder: clone() });
  await shell.write({ 'trueup.yaml': secrets() });
  shell.env = { ...gitEnv, ...shell.env, TRUEUP_LEDGER: 'git' };
  expect((await shell.run(apply)).status).toBe(0);
  const before = [writes(), git(bare, 'for-each-ref')];
  await shell.write({ 'trueup.yaml': secrets().replace('value: open', 'value: other') });
  for (const args of [[], ['--out', 'plan.json'], ['--json']])
    expect((await shell.run(['plan', ...args])).all).toMatch(/update|delete/);
  expect([writes(), git(bare, 'for-each-ref')]).toEqual(before);
});

it('Without the key nothing is applied, and objects that only the key can compare are never treated as created or deleted.', async () => {
  const { shell, account, writes } = await stack();
  expect((await shell.run(apply)).status).toBe(0);
  const before = writes();
  shell.env = { ...account, CI: 'true', TRUEUP_LEDGER: '.trueup/ledger/demo.json' };
  const plan = await shell.run(['plan', '--json']);
  expect([plan.status, JSON.parse(plan.stdout).summary]).toMatchObject([
    0,
    { create: 0, update: 0, delete: 0, replace: 0 },
  ]);
  expect((await shell.run(['plan'])).all).toContain('not compared');
  expect((await shell.run([...apply, '--send-unverified', '**'])).status).toBe(1);
  expect(writes()).toBe(before);
});

it('A plan names every source that is new or changed since the last apply.', async () => {
  const { shell } = await stack();
  const plan = async () => (await shell.run(['plan', '--allow-env', 'OTHER'])).stdout;
  expect(await plan()).toContain('secret s: env TRUEUP_SECRET_s (new)');
  expect((await shell.run(apply)).status).toBe(0);
  expect(await plan()).not.toContain('secret s');
  await shell.write({ 'trueup.yaml': secrets().replace('s: {}', 's: { env: OTHER }') });
  shell.env = { ...shell.env, OTHER: value };
  expect(await plan()).toContain('secret s: env OTHER (was env TRUEUP_SECRET_s)');
});

it('An approved plan is applied exactly, or not at all: if the configuration, the account or a secret has changed, nothing is sent.', async () => {
  const { shell, twin, writes } = await stack();
  expect((await shell.run(apply)).status).toBe(0);
  const approved = secrets().replace('value: open', 'value: approved');
  await shell.write({ 'trueup.yaml': approved });
  expect((await shell.run(['plan', '--out', 'plan.json'])).status).toBe(0);
  const { env } = shell;
  const project = twin.account.projects[0]!;
  const open = project.env.find(({ key }) => key === 'OPEN')!;
  const done = () => shell.run(['apply', 'plan.json', '--settle', '0']);
  const before = writes();
  const changes: [string, () => unknown, () => unknown][] = [
    [
      'configuration',
      () => shell.write({ 'trueup.yaml': `${approved}  api: {}\n` }),
      () => shell.write({ 'trueup.yaml': approved }),
    ],
    [
      'account',
      () => Object.assign(open, { value: 'foreign' }),
      () => Object.assign(open, { value: 'open' }),
    ],
    [
      'secret',
      () => Object.assign(shell, { env: { ...env, TRUEUP_SECRET_s: `${value.slice(0, -1)}1` } }),
      () => Object.assign(shell, { env }),
    ],
  ];
  for (const [name, change, back] of changes) {
    await change();
    expect([name, (await done()).status]).toEqual([name, 1]);
    await back();
  }
  expect(writes()).toBe(before);
  expect((await done()).status).toBe(0);
  expect(open.value).toBe('approved');
});

it('A missing ledger never causes a deletion.', async () => {
  const { shell, twin } = await stack();
  expect((await shell.run(apply)).status).toBe(0);
  rmSync(join(shell.folder, '.trueup/ledger'), { recursive: true });
  await shell.write({ 'trueup.yaml': secrets().replace(/ {6}OPEN: .*\n/, '') });
  expect((await shell.run(apply)).status).toBe(0);
  expect(twin.account.projects[0]!.env.map(({ key }) => key).sort()).toEqual(['OPEN', 'SEALED']);
});

it('Objects that a stack has neither created nor adopted are not deleted or replaced, unless `$exclusive` requests it.', async () => {
  const { shell, twin } = await stack();
  const checks = [{ name: 'theirs' }, { name: 'e2e', source: { kind: 'webhook' as const } }];
  twin.add({ projects: [{ name: 'api', checks }] });
  const here = () => twin.account.projects.find(({ name }) => name === 'api')?.checks.map(({ id }) => id);
  const was = here();
  const write = (meta: string, check: string) =>
    shell.write({ 'trueup.yaml': secrets(`  api: { ${meta} checks: { e2e: { ${check} } } }\n`) });
  const other = 'source: { kind: git-provider, provider: github, externalCheckName: ci }, $replace: allow';
  await write('', other);
  expect((await shell.run(apply)).status).not.toBe(0);
  expect(here()).toEqual(was);
  await write('$exclusive: [checks],', other);
  const ran = await shell.run([...apply]);
  expect([ran.status, ran.stderr]).toEqual([0, expect.anything()]);
  expect(here()).toHaveLength(1);
  expect(was).not.toContain(here()![0]);
});

it('The last owner of a team and the owner of the current token are never removed or demoted.', async () => {
  const world = await newWorld({ seed: { team: { members: people } } });
  const own = world.twin.account.user.email;
  const both = { [own]: 'OWNER', 'alan@example.com': 'OWNER' };
  await world.converge(members(both));
  expect(codes((await world.plan(members({ ...both, [own]: 'MEMBER' }))).plan)).toEqual(['member/yourself']);
  expect(codes((await world.plan(members({ 'alan@example.com': 'OWNER' }))).plan)).toEqual([
    'member/yourself',
  ]);
  expect(codes((await world.plan(members({ ...both, 'alan@example.com': 'MEMBER' }))).plan)).toEqual([]);
  const { teamMembers } = world.twin.account;
  Object.assign(teamMembers.find(({ uid }) => uid === 'user_1')!, { role: 'MEMBER' });
  teamMembers.push({ ...teamMembers[0]!, uid: world.twin.account.user.id, email: own, role: 'MEMBER' });
  const last = { [own]: 'MEMBER', 'alan@example.com': 'MEMBER' };
  expect(codes((await world.plan(members(last))).plan)).toEqual(['member/last-owner']);
  expect(codes((await world.plan(members({ [own]: 'MEMBER' }))).plan)).toEqual(['member/last-owner']);
});

it('A run on fewer files deletes nothing, regardless of the folder it is started in.', async () => {
  const shell = await new Shell().write({
    'infra/trueup.yaml':
      'stack: demo\nplatform: { team: acme }\nprojects: { web: { env: { A: { value: a, type: plain } } } }\n',
    'infra/more.yaml': 'projects: { api: { env: { B: { value: b, type: plain } } } }\n',
  });
  const twin = await shell.withTwin();
  git(shell.folder, 'init', '--quiet');
  shell.env = {
    ...shell.env,
    TRUEUP_LEDGER: join(shell.folder, 'ledger.json'),
    TRUEUP_LEDGER_KEY: keyText(),
  };
  expect((await shell.run([...apply, '-f', 'infra/trueup.yaml', '-f', 'infra/more.yaml'])).status).toBe(0);
  const top = shell.folder;
  for (const [from, file] of [
    ['.', 'infra/trueup.yaml'],
    ['infra', 'trueup.yaml'],
  ] as const) {
    Object.assign(shell, { folder: join(top, from) });
    expect((await shell.run([...apply, '-f', file])).all).toContain('fewer');
  }
  Object.assign(shell, { folder: top });
  expect(twin.account.projects.flatMap(({ env }) => env.map(({ key }) => key)).sort()).toEqual(['A', 'B']);
});

it('In GitHub Actions, plan and apply have the runner mask secrets from files and commands before they print anything else.', async () => {
  const { shell } = await stack();
  shell.env = {
    ...shell.env,
    GITHUB_ACTIONS: 'true',
    TRUEUP_LEDGER: 'ledger.json',
    TRUEUP_LEDGER_KEY: keyText(),
  };
  await shell.write({
    'trueup.yaml': secrets().replace('s: {}', 's: { file: secret.txt }'),
    'secret.txt': value,
  });
  for (const args of [['plan'], apply]) {
    const ran = await shell.run([...args, '--allow-files', 'secret.txt']);
    const [first, ...rest] = ran.stderr.split('\n');
    expect([ran.status, first]).toEqual([0, `::add-mask::${value}`]);
    expect(rest.join('\n') + ran.stdout).not.toContain(value);
  }
});

it('No text from the account or a pull request becomes a command of any CI system.', async () => {
  const at = { file: 'a\n::stop-commands::x', line: 1, column: 1 };
  const message = [
    'x\r',
    ...['::add-mask::a', '##[group]b', '::set-output name=x::y', 'a ##vso[task.setvariable variable=a]b'],
    ...["##teamcity[buildStop comment='x']", '--- a', '+++ a', '~~~ a', '^^^ +++', '\x1b]1338;url=x\x07'],
    'section_start:1:a\r\x1b[0Ka',
  ].join('\n');
  const lines = formatAnnotations(
    [{ severity: 'error', code: 'x', message, hint: message, at }],
    (file) => file,
  );
  expect(lines.join('\n').split('\n')).toEqual([expect.stringMatching(/^::error file=[^\n\r]*$/)]);
  const text = JSON.stringify(message);
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
variables: { v: { default: ${text} } }
projects:
  web: { buildCommand: ${text}, env: { A: { value: "\${var.v}", type: plain, comment: ${text} } } }
`,
    'wrong.yaml': `stack: demo\nplatform: { team: acme }\nprojects: { web: { ${text}: x } }\n`,
    'guards.yaml': `deny: [{ at: "**", message: ${text} }]\n`,
  });
  await shell.withTwin();
  const key = keyText();
  const { env } = shell;
  const said = async (system: Record<string, string>, args: string[]) => {
    shell.env = { ...env, ...system, TRUEUP_LEDGER: 'ledger.json', TRUEUP_LEDGER_KEY: key };
    const own = system.GITHUB_ACTIONS ? '(?!(error|warning|notice) [^:]*title=)' : '';
    const group = system.BUILDKITE ? '|^(---|\\+\\+\\+|~~~|\\^\\^\\^) ' : '';
    const obeyed = new RegExp(`^\\s*::${own}|##\\w*\\[|\\x1b|\\x07${group}`);
    const { all } = await shell.run(args);
    expect(all).not.toBe('');
    expect([args, all.split(/[\r\n]/).filter((line) => obeyed.test(line))]).toEqual([args, []]);
  };
  const systems: Record<string, string>[] = [
    {},
    { TF_BUILD: 'True' },
    { TEAMCITY_VERSION: '2026' },
    { BUILDKITE: 'true' },
  ];
  for (const system of systems) await said(system, ['plan']);
  for (const args of [
    ...[
      ['validate'],
      ['validate', '-f', 'wrong.yaml'],
      ['render'],
      ['graph'],
      ['plan', '--guards', 'guards.yaml'],
    ],
    ...['text', 'markdown', 'json', 'terraform', 'terraform-text'].map((format) => [
      'plan',
      '--format',
      format,
    ]),
    ...[
      ['plan', '--requests'],
      ['plan', '--json-stream'],
      apply,
      ['log', '--run', '1'],
      ['blame', 'projects/web'],
    ],
    ...['table', 'json', 'yaml'].map((format) => ['get', 'project', '--format', format]),
    ...[['export', '--out', 'exported'], [message], ['completion', message], ['plan', '--stage', message]],
  ])
    await said({ GITHUB_ACTIONS: 'true' }, args);
  for (const args of [
    ['render'],
    ['plan', '--json-stream'],
    ['blame', 'projects/web'],
    ['export', '--out', 'other'],
  ])
    await said({ BUILDKITE: 'true' }, args);
  // A later step of a job often prints a file that a command wrote.
  const fd = openSync(join(shell.folder, 'redirected'), 'w');
  for (const system of systems) {
    const host = { env: system } as unknown as CommandHost;
    const written = withoutWorkflowCommands({ fd } as OutputStream, host, '##vso[task.complete]');
    expect(written).toBe(
      Object.keys(system).length > 0 ? '\\u0023#vso[task.complete]' : '##vso[task.complete]',
    );
  }
  closeSync(fd);
});

it('A test of `trueup test` asks no server, reads no secret, variable, key or ledger of the machine, and leaves nothing behind.', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop
platform: { team: acme }
secrets: { db: { env: DATABASE_URL }, other: { command: [touch, canary] }, third: { file: none } }
variables: { region: { env: REGION } }
projects:
  web: { env: { REGION: "\${var.region}", A: "\${secret.db}", B: "\${secret.other}", C: "\${secret.third}" } }
webhooks: { deploys: { url: https://a.example, events: [deployment.error], $secretTo: { file: shown } } }
`,
    'shop.test.yaml': `given: { variables: { region: fra1 } }
tests:
  - name: placeholders
    apply: true
    expect: { then: no changes, account: { projects/web/env/A: present } }
`,
  });
  shell.env = {
    ...{ DATABASE_URL: canary, REGION: canary, TRUEUP_VAR_region: canary, TRUEUP_TOKEN: canary },
    ...{ TRUEUP_LEDGER_KEY: canary, TRUEUP_BASE_URL: 'http://127.0.0.1:9', TRUEUP_LEDGER: 'git' },
  };
  const servers = new Set<string>();
  const sent: unknown[] = [];
  shell.provider = {
    ...hosting,
    connect: async (options) => {
      servers.add(new URL(options.baseUrl).hostname);
      return hosting.connect({ ...options, onExchange: ({ body }) => void sent.push(body) });
    },
  };
  expect(await shell.run(['test'])).toMatchObject({ status: 0 });
  expect([...servers]).toEqual(['127.0.0.1']);
  expect(JSON.stringify(sent)).not.toContain(canary);
  expect(readdirSync(shell.folder).sort()).toEqual(['shop.test.yaml', 'trueup.yaml']);
});

it('a test file names only files that git tracks in its repository, and none of trueup or git', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: shop\nplatform: { team: acme }\n',
    'seed.json': `{ "team": { "slug": "acme" }, "projects": [{ "name": "${canary}" }] }`,
  });
  await shell.write({
    'ignored.yaml': `stack: shop\n${canary}: 1\n`,
    'conf/ignored.yaml': `stack: shop\n${canary}: 1\n`,
    '.trueup/ledger/shop.json': `{ "${canary}": 1 }`,
    '.trueup/shop.yaml': `stack: shop\n${canary}: 1\n`,
  });
  const messages = {
    '{ seed: .trueup/ledger/shop.json }': 'its file belongs to trueup or git and is never read',
    '{ file: .trueup/shop.yaml }': 'its file belongs to trueup or git and is never read',
    '{ file: .trueup }': 'its file belongs to trueup or git and is never read',
  };
  const inRepository = {
    '{ file: .git/config }': 'its file belongs to trueup or git and is never read',
    '{ seed: seed.json }': 'add it to git: `git add seed.json`',
    '{ file: ignored.yaml }': 'git does not track its file',
    '{ file: conf }': 'git does not track its file',
    '{ file: [trueup.yaml, conf] }': 'git does not track its file',
  };
  const expectRefusals = async (refusals: Record<string, string>) => {
    for (const [given, message] of Object.entries(refusals)) {
      await shell.write({ 'a.test.yaml': `given: ${given}\ntests: [{ name: a, expect: no changes }]\n` });
      const ran = await shell.run(['test']);
      expect([given, ran.status, ran.all]).toEqual([given, 1, expect.stringContaining(message)]);
      expect(ran.all).not.toContain(canary);
    }
  };
  await expectRefusals(messages);
  initRepository(shell.folder);
  execFileSync('git', ['-C', shell.folder, 'add', 'trueup.yaml']);
  await expectRefusals({ ...messages, ...inRepository });
  execFileSync('git', ['-C', shell.folder, 'add', 'seed.json']);
  await shell.write({
    'a.test.yaml': 'given: { file: ., seed: seed.json }\ntests: [{ name: a, expect: no changes }]\n',
  });
  expect((await shell.run(['test'])).all).toContain('git does not track its file');
  rmSync(join(shell.folder, 'ignored.yaml'));
  await shell.write({ 'conf/ignored.yaml': 'domains: {}\n' });
  execFileSync('git', ['-C', shell.folder, 'add', 'conf']);
  await shell.write({
    'a.test.yaml': 'given: { file: [trueup.yaml, conf] }\ntests: [{ name: a, expect: no changes }]\n',
  });
  expect(await shell.run(['test'])).toMatchObject({ status: 0 });
});

it('The embedded twin accepts only requests of its own run, and gets placeholders instead of secrets.', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': secrets() });
  shell.env = { TRUEUP_TOKEN: canary, TRUEUP_SECRET_s: value };
  const answers: number[] = [];
  shell.provider = {
    ...hosting,
    startTwin: async (settings) => {
      const twin = await hosting.startTwin(settings);
      const tokens = [canary, 'twin-token'].map((token) => ({ authorization: `Bearer ${token}` }));
      for (const headers of [{}, ...tokens, { host: 'evil.example' }])
        for (const path of ['/v2/user', '/__twin/requests'])
          answers.push((await request(`${twin.url}${path}`, { headers })).statusCode);
      return twin;
    },
  };
  const ran = await shell.run([...apply, '--twin']);
  expect([ran.status, new Set(answers)]).toEqual([0, new Set([401, 403, 421])]);
  answers.length = 0;
  await shell.write({ 'recording.har': harOf([{ request: ['GET', '/v2/user'], status: 200, body: {} }]) });
  await shell.run(['doctor', '--calibrate', 'recording.har']);
  expect(new Set(answers)).toEqual(new Set([401, 403, 421]));
  const kept = ran.all + written(shell.folder);
  expect(kept).toContain('stand-in');
  for (const secret of [canary, value]) expect(kept).not.toContain(secret);
});

it('The package is text, and nothing in it runs when it is installed.', () => {
  const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const { name, parentPath } of files)
    expect([name, readFileSync(join(parentPath, name)).includes(0)]).toEqual([name, false]);
  const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(name);
  expect(dependencies).toBeUndefined();
});
