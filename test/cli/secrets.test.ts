import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { temporary } from '../support/ledger-places.ts';

/** A folder with a program that counts its runs in the file `runs`, and then does this. */
function program(script: string): { words: string; runs(): number } {
  const folder = temporary();
  const runs = join(folder, 'runs');
  const path = join(folder, 'vault');
  writeFileSync(path, `#!/bin/sh\necho run >> '${runs}'\n${script}\n`);
  chmodSync(path, 0o755);
  return {
    words: path,
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n').length : 0),
  };
}

const stack = (secrets: string, env: string, name = 'demo') => `stack: ${name}
platform: { team: acme }
secrets: { ${secrets} }
projects: { ${name}: { env: { ${env} } } }
`;
const used = (name: string, secret: string) => `${name}: "\${secret.${secret}}"`;

it('lists names, sources, who needs them and which are missing, and no value', async () => {
  const vault = program('echo \'{"at":"value-of-at"}\'');
  const yaml = stack(
    `db: {}, other: { env: OTHER }, idle: {}, fam: { command: ['${vault.words}'], format: json }`,
    [used('A', 'db'), used('B', 'db'), used('C', 'other'), used('D', 'fam[at]'), used('E', 'fam[fi]')].join(
      ', ',
    ),
  );
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  shell.env = { TRUEUP_SECRET_db: 'value-of-db', OTHER: 'value-of-other' };
  const allow = ['--allow-command', vault.words];
  const ran = await shell.run(['secrets', ...allow]);
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout.replaceAll(vault.words, 'vault')).toMatchInlineSnapshot(`
    "db       available  env TRUEUP_SECRET_db
      needed by projects/demo/env/A and projects/demo/env/B
    fam[at]  available  command vault, key at
      needed by projects/demo/env/D
    fam[fi]  missing  command vault, key fi
      needed by projects/demo/env/E
      its source has no key fi
      -> add fi to it
    idle     not needed  env TRUEUP_SECRET_idle
    other    missing  env OTHER
      needed by projects/demo/env/C
      OTHER may not be read
      -> write \`other: {}\` and set TRUEUP_SECRET_other, or allow it with --allow-env OTHER; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_ENV: OTHER\`

    5 secrets, 2 missing.
    "
  `);
  expect(vault.runs()).toBe(1);
  const json = await shell.run(['secrets', '--json', ...allow]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    formatVersion: '1.0',
    stack: 'demo',
    secrets: [
      {
        name: 'db',
        source: 'env TRUEUP_SECRET_db',
        state: 'there',
        neededBy: ['projects/demo/env/A', 'projects/demo/env/B'],
      },
      { name: 'fam[at]', source: `command ${vault.words}, key at`, state: 'there' },
      {
        name: 'fam[fi]',
        state: 'missing',
        why: 'its source has no key fi',
        hint: 'add fi to it',
      },
      { name: 'idle', state: 'not needed', neededBy: [] },
      {
        name: 'other',
        state: 'missing',
        why: 'OTHER may not be read',
        hint: expect.stringContaining('--allow-env OTHER'),
      },
    ],
  });
  for (const { all } of [ran, json]) expect(all).not.toContain('value-of');
});

it('lists the members of a family in one state once', async () => {
  const keys = ['at', 'be', 'ch', 'de'];
  const env = keys.map((key) => used(key.toUpperCase(), `db[${key}]`)).join(', ');
  const shell = await new Shell().write({ 'trueup.yaml': stack('db: {}', env) });
  shell.env = { TRUEUP_SECRET_db_ch: 'value-of-ch' };
  expect((await shell.run(['secrets'])).stdout).toMatchInlineSnapshot(`
    "db      3 of 4 members missing  env TRUEUP_SECRET_db_at, TRUEUP_SECRET_db_be, TRUEUP_SECRET_db_de
      needed by projects/demo/env/AT, projects/demo/env/BE and projects/demo/env/DE
      TRUEUP_SECRET_db_at is not set
      -> set TRUEUP_SECRET_db_at in the environment; likewise for the others
    db[ch]  available  env TRUEUP_SECRET_db_ch
      needed by projects/demo/env/CH

    4 secrets, 3 missing.
    "
  `);
  expect(JSON.parse((await shell.run(['secrets', '--json'])).stdout).secrets).toHaveLength(4);
});

it('--check fails where one is missing that something needs, and only then', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': stack('db: {}, idle: {}', used('A', 'db')) });
  const check = async () => (await shell.run(['secrets', '--check'])).status;
  expect(await check()).toBe(1);
  expect((await shell.run(['secrets'])).status).toBe(0);
  shell.env = { TRUEUP_SECRET_db: 'x' };
  expect(await check()).toBe(0);
});

it('each source is read once for all stacks, by secrets and by a plan', async () => {
  const vault = program('echo a-value-from-the-vault');
  const source = `db: { command: ['${vault.words}'] }`;
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [a, b, c]\n',
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`${name}/trueup.yaml`, stack(source, used('A', 'db'), name)]),
    ),
  });
  await shell.withTwin();
  const allow = ['--all', '--allow-command', vault.words];
  const listed = await shell.run(['secrets', '--json', ...allow]);
  expect(
    JSON.parse(listed.stdout).stacks.map(({ id, stack: name, secrets }: Record<string, unknown[]>) => [
      id,
      name,
      secrets!.length,
    ]),
  ).toEqual([
    ['a', 'a', 1],
    ['b', 'b', 1],
    ['c', 'c', 1],
  ]);
  expect(vault.runs()).toBe(1);
  const planned = await shell.run(['plan', ...allow]);
  expect(planned.status, planned.all).toBe(0);
  expect(vault.runs()).toBe(2);
});

it('a missing secret is one warning that names who needs it', async () => {
  const names = Array.from({ length: 12 }, (_, at) => used(`V${String(at).padStart(2, '0')}`, 'db'));
  const shell = await new Shell().write({ 'trueup.yaml': stack('db: {}', names.join(', ')) });
  await shell.withTwin();
  const { stdout } = await shell.run(['plan', '--json']);
  const unset = JSON.parse(stdout).diagnostics.filter(
    ({ code }: { code: string }) => code === 'secret/unset',
  );
  const ten = Array.from({ length: 10 }, (_, at) => `projects/demo/env/V0${at}`).join(', ');
  expect(unset).toEqual([
    expect.objectContaining({
      message: `the secret \`db\` is not available: TRUEUP_SECRET_db is not set; needed by ${ten} and 2 more`,
    }),
  ]);
});

it('values of files are sent as they are written, empty ones too', async () => {
  const shell = await new Shell().write({
    'a.json': '{"ID": 123456789012345678, "VERSION": 1.10, "NONE": "", "ON": true}',
    'a.env': `EMPTY=\nJSON='{"type":"service_account"}'\n`,
    'trueup.yaml': stack(
      'j: { json: a.json }, d: { dotenv: a.env }',
      [...['ID', 'VERSION', 'NONE', 'ON'].map((name) => used(name, `j[${name}]`))]
        .concat(['EMPTY', 'JSON'].map((name) => used(name, `d[${name}]`)))
        .join(', '),
    ),
  });
  const twin = await shell.withTwin();
  const allow = ['--allow-files', 'a.*'];
  const applied = await shell.run(['apply', '--auto-approve', ...allow]);
  expect(applied.status, applied.all).toBe(0);
  const again = await shell.run(['plan', '--detailed-exitcode', ...allow]);
  expect(again.status, again.all).toBe(0);
  const values = twin.account.projects[0]!.env.map(({ key, value }) => [key, value]);
  expect(Object.fromEntries(values)).toEqual({
    ID: '123456789012345678',
    VERSION: '1.10',
    NONE: '',
    ON: 'true',
    EMPTY: '',
    JSON: '{"type":"service_account"}',
  });
});

it.each([
  ['{ dotenv: a }', 'x=1\nkey="{"canary":1}"', 'a:2:8: there is text after the closing quote'],
  ['{ dotenv: a }', 'key=canary\nkey=canary', 'a:2:1: this name is already on line 1'],
  ['{ json: a }', '{"key": "canary",\n"key": 1}', 'a:2:1: this key is already on line 1'],
  ['{ json: a }', "{'key': 'canary'}", 'a:1:2: text in JSON needs double quotes'],
  ['{ json: a }', '["canary"]', 'a is not a JSON object'],
  ['{ json: a }', '{"key": null}', 'its source has null under the key key'],
  ['{ json: { env: MANY } }', '{"key": 1 2}', 'env MANY:1:11: a `,` is missing here'],
])('a mistake in %s is named with its place and never quoted', async (source, content, message) => {
  const shell = await new Shell().write({
    'trueup.yaml': stack(`db: ${source}`, used('A', 'db[key]')),
    a: content,
  });
  shell.env = { MANY: content };
  const { status, all } = await shell.run([
    'secrets',
    '--check',
    '--allow-files',
    'a',
    '--allow-env',
    'MANY',
  ]);
  expect([status, all]).toEqual([1, expect.stringContaining(message)]);
  expect(all).not.toContain('canary');
});

it('a file with mistakes is one problem for all its secrets, and names each mistake', async () => {
  const shell = await new Shell().write({
    'a.env': 'A="x"y\nB=1\nB=2\nC=3\n',
    'trueup.yaml': stack(
      'd: { dotenv: a.env }',
      ['A', 'B', 'C'].map((name) => used(name, `d[${name}]`)).join(),
    ),
  });
  await shell.withTwin();
  const { stderr } = await shell.run(['plan', '--allow-files', 'a.env']);
  expect(stderr).toContain(
    '3 secrets are not available, since a.env:1:6: there is text after the closing quote',
  );
  expect(stderr).toContain('this name is already on line 2: a.env:3:1');
  await shell.write({
    'a.json': '["canary"]',
    'trueup.yaml': stack('d: { json: a.json }', ['A', 'B'].map((name) => used(name, `d[${name}]`)).join()),
  });
  const other = await shell.run(['plan', '--allow-files', 'a.json']);
  expect(other.stderr).toContain(
    '2 secrets are not available, since a.json is not a JSON object: d[A] and d[B]',
  );
});

it('says which flags match nothing', async () => {
  const shell = await new Shell().write({
    'a.env': 'X=1',
    'trueup.yaml': stack('d: { dotenv: a.env }', used('A', 'd[X]')),
  });
  await shell.withTwin();
  const flags = ['--allow-files', 'a.env', '--allow-files', 'b.env', '--allow-env', 'NONE_*'];
  const ran = await shell.run(['plan', ...flags, '--send-unverified', 'projects/none/**']);
  expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining('[allow/unused]')]);
  expect(ran.stderr).toContain('--allow-env NONE_* and --allow-files b.env allow nothing that the');
  expect(ran.stderr).toContain('no address matches projects/none/** [target/nothing]');
  const { stderr } = await shell.run(['plan', '--allow-files', 'a.env']);
  expect(stderr).not.toContain('allow/unused');
});

it('a reference is available only if nothing but the configuration decides about it', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo
platform: { team: acme }
projects:
  other: { $existing: true, env: { KEY: { $existing: true } } }
  api: { protectionBypass: { OWN: { note: own } } }
  web:
    env:
      A: { value: '\${projects.other.env["KEY@production"].value}', type: sensitive, target: [production] }
      B: { value: '\${projects.api.protectionBypass.OWN.secret}', type: sensitive, target: [production] }
`,
  });
  const listed = async (...args: string[]) => {
    const { status, stdout } = await shell.run(['secrets', '--json', ...args]);
    expect(status).toBe(0);
    return JSON.parse(stdout).secrets.map(({ name, state, why }: Record<string, string>) => [
      name,
      state,
      why,
    ]);
  };
  const live = 'field value of projects/other/env/KEY@production';
  const own = 'field secret of projects/api/protectionBypass/OWN';
  const [refused, open] = (await listed()).sort();
  expect(refused).toEqual([own, 'not checked', expect.stringContaining('whether this stack owns')]);
  expect(open).toEqual([live, 'not checked', expect.stringContaining('--allow-live')]);
  const allowed = await listed('--allow-live', 'projects/other/env/KEY@production');
  expect(allowed).toContainEqual([live, 'there', undefined]);
  expect((await shell.run(['secrets'])).stdout).toContain('not checked');
});

it('an empty secret in a field that cannot be empty is found by the plan', async () => {
  const drain = `{ schemas: { log: {} }, delivery: { type: http, endpoint: "https://logs.example.com", encoding: json, headers: {}, secret: "\${secret.j[KEY]}" } }`;
  const shell = await new Shell().write({
    'a.json': '{"KEY": "", "VALUE": ""}',
    'trueup.yaml': `${stack('j: { json: a.json }', used('A', 'j[VALUE]'))}drains: { d: ${drain} }\n`,
  });
  await shell.withTwin();
  const { status, all } = await shell.run(['plan', '--allow-files', 'a.json']);
  expect(all).toContain('the secret `j[KEY]` is empty, which its field in drains/d cannot be');
  expect(all).not.toContain('`j[VALUE]` is empty');
  expect(status).toBe(1);
});

it('`format` stands beside one source, and says json or dotenv', async () => {
  for (const [source, message] of [
    ['{ command: [x], format: yaml }', 'this `format` does not support several secrets'],
    ['{ format: json }', 'use `format` with one of'],
    ['{ sops: x, format: json }', 'use `format` with one of'],
    ['{ env: A, file: b, format: json }', 'use `format` with one of'],
  ]) {
    const shell = await new Shell().write({ 'trueup.yaml': stack(`db: ${source}`, 'A: x') });
    const { status, stderr } = await shell.run(['validate']);
    expect([source, status, stderr]).toEqual([source, 1, expect.stringContaining(message!)]);
  }
});
