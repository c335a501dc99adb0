import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { load } from '../../src/config/load.ts';
import { resolveSecrets } from '../../src/config/resolve-secrets.ts';
import { type AllowOptions, readAllowances } from '../../src/config/sources/allowances.ts';
import { openPermissionMemory } from '../../src/config/sources/memory.ts';
import { openSources, type SourcesOptions } from '../../src/config/sources/sources.ts';
import { openTracking } from '../../src/git/tracking.ts';
import { kinds } from '../config/kinds.ts';
import { initRepository } from '../support/init-repository.ts';

const env = { PATH: process.env.PATH, HOME: process.env.HOME };

/** A folder, removed after the test. */
function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'trueup-sources-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A repository with these files, of which git tracks all but those in `untracked`. */
function repository(files: Record<string, string> = {}, untracked: Record<string, string> = {}): string {
  const root = folder();
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
  initRepository(root);
  write(root, files);
  git('add', '-f', '.');
  write(root, untracked);
  return root;
}

function write(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

type Run = AllowOptions &
  Partial<SourcesOptions> & { fromEnv?: string; paths?: string[]; varFiles?: string[] };

/** Loads a configuration with these secrets, each used, and reads them. */
async function read(
  cwd: string,
  header: string,
  { fromEnv, paths, varFiles, ...options }: Run = {},
): Promise<{ values: Record<string, string>; codes: string[]; said: string; shown: string }> {
  const allowances = readAllowances(options, { TRUEUP_ALLOW_ENV: fromEnv });
  if (Array.isArray(allowances)) throw new Error(JSON.stringify(allowances));
  const given = { ...env, ...options.env };
  const sources = openSources({ cwd, allowances, tracking: openTracking(env), ...options, env: given });
  if (!paths) write(cwd, { 'trueup.yaml': header });
  const configuration = await load({
    kinds,
    cwd,
    env: given,
    sources,
    varFiles,
    ...(paths ? { paths } : {}),
  });
  const { values, diagnostics } = await resolveSecrets(configuration, { env: given, cwd, sources });
  const all = [...configuration.diagnostics, ...configuration.notAllowed, ...diagnostics];
  return {
    values: Object.fromEntries([...values].map(([name, value]) => [name, value.reveal()])),
    codes: all.map(({ code }) => code),
    said: JSON.stringify(all),
    shown: JSON.stringify([...configuration.desired.resources]),
  };
}

const secrets = (...origins: string[]) =>
  `stack: x\nsecrets:\n${origins.map((origin, at) => `  s${at}: ${origin}\n`).join('')}sites: { web: { tags: [${origins.map((_, at) => `"\${secret.s${at}}"`).join(', ')}] } }\n`;
const file = (path: string) => `{ file: ${JSON.stringify(path)} }`;

test('A configuration reads only files that git tracks in its repository, and those that the operator allows.', async () => {
  const root = repository({ 'a/tracked.txt': 'yes' }, { 'untracked.txt': 'canary' });
  const found = await read(root, secrets(file('a/tracked.txt'), file('untracked.txt')));
  expect(found).toMatchObject({ values: { s0: 'yes' }, codes: ['source/file'] });
  expect(found.said).toContain('--allow-files untracked.txt');
  const allowed = await read(root, secrets(file('untracked.txt')), { allowFiles: ['untracked.txt'] });
  expect(allowed.values).toEqual({ s0: 'canary' });
});

test('a link to a file of the configuration or of variables decides nothing either', async () => {
  const root = repository(
    {
      'conf/a.yaml':
        'stack: x\nvariables: { v: { default: none } }\nsites: { web: { tags: ["${var.v}"] } }\n',
    },
    { 'ignored.yaml': 'v: canary', '.trueup/x.yaml': 'v: canary', 'more.yaml': 'sites: { canary: {} }' },
  );
  const link = (target: string, name: string) => {
    rmSync(join(root, name), { force: true });
    symlinkSync(target, join(root, name));
  };
  const options = { paths: ['conf'], varFiles: ['prod.yaml'] };
  for (const [target, allowFiles] of [
    ['ignored.yaml', undefined],
    ['.trueup/x.yaml', ['.trueup/*']],
  ] as const) {
    link(target, 'prod.yaml');
    const { codes, said, shown } = await read(root, '', { ...options, allowFiles: allowFiles?.slice() });
    expect([codes, `${said}${shown}`]).toEqual([['source/file'], expect.not.stringContaining('canary')]);
  }
  link('ignored.yaml', 'prod.yaml');
  const allowed = await read(root, '', { ...options, allowFiles: ['ignored.yaml'] });
  expect([allowed.codes, allowed.shown]).toEqual([[], expect.stringContaining('canary')]);
  link('../more.yaml', 'conf/b.yaml');
  for (const paths of [['conf'], ['conf/b.yaml']]) {
    const { codes, said, shown } = await read(root, '', { paths });
    expect([codes[0], `${said}${shown}`]).toEqual(['source/file', expect.not.stringContaining('canary')]);
  }
});

test('A source of several secrets that can be read in two ways is not read at all, and no message quotes it.', async () => {
  const ambiguous = [
    ['dotenv', 'K="{"canary":1}"'],
    ['dotenv', 'K="{\\"canary\\":1}"'],
    ['dotenv', 'K=canary#1'],
    ['dotenv', 'K=canary\nK=canary'],
    ['dotenv', "K='canary\nL=x"],
    ['dotenv', 'canary\nK=1'],
    ['json', '{"K": "canary", "K": "canary"}'],
    ['json', '{"K": "canary",}'],
    ['json', "{'K': 'canary'}"],
    ['json', '{"K": canary}'],
  ] as const;
  for (const [format, text] of ambiguous) {
    const root = repository({ 'canary-free': text });
    const yaml = `stack: x\nsecrets: { s: { ${format}: canary-free } }\nsites: { web: { tags: ["\${secret.s[K]}"] } }\n`;
    const { values, codes, said } = await read(root, yaml);
    expect([text, values, codes]).toEqual([text, {}, ['secret/syntax']]);
    expect(said.replaceAll('canary-free', ''), text).not.toContain('canary');
  }
});

test('without git no file is free', async () => {
  const root = folder();
  write(root, { 'a.txt': 'canary' });
  expect(await read(root, secrets(file('a.txt')))).toMatchObject({ values: {}, codes: ['source/file'] });
  const none = { workTreeOf: async () => undefined, tracked: async () => new Set<string>() };
  const tracked = repository({ 'a.txt': 'canary' });
  expect((await read(tracked, secrets(file('a.txt')), { tracking: none })).values).toEqual({});
});

test('paths are relative to the file that names them, wherever trueup was started', async () => {
  const root = repository({
    'deep/secret.txt': 'deep',
    'secret.txt': 'top',
    'deep/c.yaml': secrets(file('secret.txt')),
  });
  const elsewhere = folder();
  for (const cwd of [root, join(root, 'deep'), elsewhere])
    expect((await read(cwd, '', { paths: [join(root, 'deep/c.yaml')] })).values).toEqual({ s0: 'deep' });
});

test("No permission lets a configuration read git's own files, `.trueup`, the token, the key, ledgers, journals or plans.", async () => {
  const plan = JSON.stringify({ format: 'trueup plan', formatVersion: 1 });
  const ledger = JSON.stringify({ formatVersion: 2, stack: 'other', generation: 3, entries: {} }, null, 2);
  const journal = `${JSON.stringify({ journal: 1, stack: 'x', generation: 3 })}\n{"set":{}}\n`;
  const root = repository(
    {
      '.trueup/key': 'canary',
      'token.txt': 'canary',
      'state/l.json': '{}',
      'a.json': plan,
      'b.json': ledger,
      'c.jsonl': journal,
    },
    {
      'state/l.json.journal': 'canary',
      'state/l.json.lock': 'canary',
      'approved.plan': 'canary',
      '.TRUEUP/key': 'canary',
    },
  );
  symlinkSync('.git', join(root, 'linked'));
  symlinkSync('.trueup/key', join(root, 'key-link'));
  symlinkSync('token.txt', join(root, 'token-link'));
  linkSync(join(root, 'token.txt'), join(root, 'token-hard'));
  execFileSync('git', ['-C', root, 'add', '-f', 'linked', 'key-link', 'token-link', 'token-hard']);
  const paths = [
    '.git/config',
    './a/../.git/config',
    'linked/config',
    '.GIT/config',
    join(root, '.git/config'),
    '.trueup/key',
    '.TRUEUP/key',
    'key-link',
    '.trueup/../.trueup/key',
    'token.txt',
    'TOKEN.TXT',
    'token-link',
    'token-hard',
    `../${root.split('/').at(-1)}/token.txt`,
    'state/l.json',
    'state/l.json.journal',
    'state/l.json.lock',
    'approved.plan',
    'a.json',
    'b.json',
    'c.jsonl',
    '/proc/self/environ',
    '/proc/self/fd/0',
    '/dev/zero',
    '/dev/stdin',
    '/sys/kernel/notes',
  ];
  const found = await read(root, secrets(...paths.map(file)), {
    env: { SECRET_OF_THE_PROCESS: 'canary' },
    reserved: ['token.txt', 'state/l.json', 'approved.plan'],
    allowFiles: [`${root}/**`, `${root}/.trueup/**`, `${root}/.git/**`, '/proc/**', '/dev/**', '/sys/**'],
  });
  expect(found.values).toEqual({});
  expect(found.codes).toEqual(paths.map(() => expect.stringMatching(/^(source|secret)\/file$/)));
  expect(found.said).not.toContain('canary');
});

test('a link decides nothing: what it leads to does', async () => {
  const outside = folder();
  write(outside, { 'secret.txt': 'canary' });
  const root = repository({ 'real.txt': 'fine' }, { 'ignored.txt': 'canary' });
  symlinkSync(join(outside, 'secret.txt'), join(root, 'out'));
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync('real.txt', join(root, 'in'));
  symlinkSync('ignored.txt', join(root, 'to-ignored'));
  execFileSync('git', ['-C', root, 'add', 'out', 'folder', 'in', 'to-ignored']);
  const paths = [
    'out',
    'folder/secret.txt',
    'to-ignored',
    join(outside, 'secret.txt'),
    `../${outside.split('/').at(-1)}/secret.txt`,
  ];
  const found = await read(root, secrets(...paths.map(file), file('in')));
  expect(found.values).toEqual({ s5: 'fine' });
  expect(found.codes).toEqual(paths.map(() => 'source/file'));
  // The allowance is for what is read, by any name.
  const allowed = await read(root, secrets(file('out'), file('to-ignored')), {
    allowFiles: [`${outside}/*.txt`],
  });
  expect(allowed.values).toEqual({ s0: 'canary' });
});

test('pipes, devices, folders and files without end are no secrets, and nobody waits for them', async () => {
  const root = repository();
  execFileSync('mkfifo', [join(root, 'pipe')]);
  mkdirSync(join(root, 'dir'));
  write(root, { huge: '' });
  truncateSync(join(root, 'huge'), 2 ** 40);
  const found = await read(root, secrets(...['pipe', 'dir', 'huge'].map(file)), {
    allowFiles: ['pipe', 'dir', 'huge'],
  });
  expect(found).toMatchObject({ values: {}, codes: ['secret/file', 'secret/file', 'secret/file'] });
});

test('A configuration is read from regular files of bounded size, and links never lead out of its repository.', async () => {
  const outside = folder();
  write(outside, { 'their.yaml': 'stack: canary-outside\n', 'conf/x.yaml': 'stack: canary-outside\n' });
  const root = repository({ 'conf/a.yaml': 'stack: x\n' });
  const codes = async (...paths: string[]) => (await read(root, '', { paths })).codes;
  expect(await codes('conf')).toEqual([]);
  symlinkSync(join(outside, 'their.yaml'), join(root, 'link.yaml'));
  symlinkSync(join(outside, 'conf'), join(root, 'way'));
  for (const path of ['link.yaml', 'way', 'way/x.yaml']) {
    const found = await read(root, '', { paths: [path] });
    expect([path, found.codes[0]]).toEqual([path, 'file/outside']);
    expect(found.said).not.toContain('canary');
  }
  for (const [name, target] of [
    ['conf/b.yaml', join(outside, 'their.yaml')],
    ['conf/c', outside],
  ]) {
    symlinkSync(target!, join(root, name!));
    expect(await codes('conf')).toEqual(['file/outside']);
    rmSync(join(root, name!));
  }
  execFileSync('mkfifo', [join(root, 'conf/pipe.yaml')]);
  write(root, { 'conf/huge.yaml': '' });
  truncateSync(join(root, 'conf/huge.yaml'), 2 ** 40);
  symlinkSync('/dev/zero', join(root, 'zero.yaml'));
  expect((await codes('conf')).sort()).toEqual(['file/special', 'file/too-large']);
  expect(await codes('conf/pipe.yaml')).toEqual(['file/special']);
  expect(await codes('/dev/zero')).toEqual(['file/special']);
  expect(await codes('zero.yaml')).toEqual(['file/outside']);
  // What the operator names is read, wherever it is.
  expect(await codes(join(outside, 'their.yaml'))).toEqual([]);
});

test('no link tells which files and folders of the machine exist', async () => {
  const outside = folder();
  write(outside, { 'there/x.yaml': '' });
  const root = repository({ 'conf/a.yaml': 'stack: x\n', 'inside.yaml': 'projects: {}\n' });
  const up = `../../${outside.split('/').at(-1)}`;
  const back = `../${root.split('/').at(-1)}/inside.yaml`;
  symlinkSync(join(outside, 'there'), join(root, 'way'));
  const pairs = [
    [join(outside, 'there/x.yaml'), join(outside, 'none/x.yaml')],
    [join(outside, 'there'), join(outside, 'none')],
    [`${outside}/there/../${back}`, `${outside}/none/../${back}`],
    [`${up}/there/../${back}`, `${up}/none/../${back}`],
    [`${root}/way/../there/x.yaml`, `${root}/way/../none.yaml`],
  ];
  for (const target of pairs.flat())
    for (const name of ['conf/link.yaml', 'conf/link']) {
      symlinkSync(target, join(root, name));
      execFileSync('git', ['-C', root, 'add', '-A']);
      const searched = await read(root, '', { paths: ['conf'] });
      expect([target, name, searched.codes]).toEqual([target, name, ['file/outside']]);
      const included = await read(root, `include: [${name}]\n`);
      expect([target, name, included.codes]).toEqual([target, name, ['file/outside']]);
      const source = await read(root, secrets(file(name)));
      expect([target, name, source.codes]).toEqual([target, name, ['source/file']]);
      expect(source.said).toContain('is outside the repository');
      rmSync(join(root, name));
    }
  // A file that the repository could have is only missing.
  write(root, { 'conf/a.yaml': secrets(file('../none.txt')) });
  expect((await read(root, '', { paths: ['conf'] })).said).toContain('there is no such file');
});

/** Names of what people keep in the environment of a CI job or a desk. */
const credentials = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AZURE_CLIENT_SECRET',
  'ARM_CLIENT_SECRET',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'CLOUDSDK_AUTH_ACCESS_TOKEN',
  'VAULT_TOKEN',
  'OP_SERVICE_ACCOUNT_TOKEN',
  'OP_SESSION_my',
  'BW_SESSION',
  'DOPPLER_TOKEN',
  'GIT_CONFIG_VALUE_0',
  'GIT_CONFIG_PARAMETERS',
  'npm_config_//registry.example/:_authToken',
  'NPM_CONFIG__AUTH',
  'SSH_PRIVATE_KEY',
  'SSH_AUTH_SOCK',
  'GPG_PASSPHRASE',
  'DOCKER_AUTH_CONFIG',
  'DOCKER_PASSWORD',
  'GITHUB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'CI_JOB_TOKEN',
  'CI_REPOSITORY_URL',
  'SENTRY_AUTH_TOKEN',
  'SLACK_BOT_TOKEN',
  'STRIPE_SECRET_KEY',
  'PGPASSWORD',
  'KUBECONFIG',
  'VERCEL_TOKEN',
  'PULUMI_ACCESS_TOKEN',
];

test.each(credentials)('%s: shown by no variable, read by no secret, meant by no pattern', async (name) => {
  const given = { [name]: 'canary-credential' };
  const yaml = `stack: x\nvariables: { v: { env: ${JSON.stringify(name)}, default: d } }\nsites: { web: { note: "\${var.v}" } }\n`;
  const shown = await read(folder(), yaml, {
    env: given,
    allowEnv: [`${name.slice(0, 2)}*`, name],
    fromEnv: name,
  });
  expect(shown.codes).toEqual(['source/env']);
  expect(shown.said + shown.shown).not.toContain('canary');
  const secret = secrets(`{ env: ${JSON.stringify(name)} }`);
  const wide = {
    env: given,
    allowEnv: [`${name.slice(0, 2)}*`, `*${name.slice(-4)}`],
    fromEnv: `${name[0]}*`,
  };
  expect(await read(folder(), secret, wide)).toMatchObject({ values: {}, codes: ['source/env'] });
  expect((await read(folder(), secret, { env: given, fromEnv: name })).values).toEqual({
    s0: 'canary-credential',
  });
});

describe('A pattern of --allow-env', () => {
  const permission = (pattern: string, name: string) => {
    const allowances = readAllowances({ allowEnv: [pattern] });
    return 'env' in allowances ? allowances.env(name).allowed : 'refused';
  };

  test.each([
    // A pattern that names the family of a service opens it.
    ['STRIPE_*', 'STRIPE_DE', true],
    ['stripe_*', 'stripe_de', true],
    ['STRIPE_D*', 'STRIPE_DE', true],
    ['SENTRY_*_TOKEN', 'SENTRY_WEB_TOKEN', true],
    ['ACME_*', 'ACME_TOKEN', true],
    // A pattern that matches more than the family opens nothing in it.
    ['STR*', 'STRIPE_DE', false],
    ['*_DE', 'STRIPE_DE', false],
    ['STRIPE*', 'STRIPE_DE', false],
    ['*TOKEN', 'GITHUB_TOKEN', false],
    ['G*', 'GITHUB_TOKEN', false],
    // A pattern inside the family of a cloud, vault, CI system or registry matches nothing that it may open.
    ['AWS_*', 'AWS_SECRET_ACCESS_KEY', 'refused'],
    ['VAULT_T*', 'VAULT_TOKEN', 'refused'],
    ['github_*', 'github_token', 'refused'],
    ['NPM_CONFIG_*', 'NPM_CONFIG__AUTH', 'refused'],
    ['PGPASSWORD*', 'PGPASSWORD', 'refused'],
  ])('%s, for %s: %s', (pattern, name, expected) => {
    expect(permission(pattern, name)).toBe(expected);
  });

  test('never opens a credential of a cloud, vault, CI system or registry', () => {
    const pattern = fc
      .tuple(fc.constantFrom(...credentials), fc.nat({ max: 12 }), fc.nat({ max: 12 }))
      .map(([name, start, end]) => `${name.slice(0, start)}*${end === 0 ? '' : name.slice(-end)}`);
    const reserved = credentials.filter((name) => !/^(SENTRY|SLACK|STRIPE)_/.test(name));
    fc.assert(
      fc.property(pattern, fc.constantFrom(...reserved), (glob, name) => {
        expect(permission(glob, name)).not.toBe(true);
      }),
    );
  });

  test('says why it does not open a name that it matches', async () => {
    const messages = async (pattern: string, name: string) =>
      (await read(folder(), secrets(`{ env: ${name} }`), { env: { [name]: 'x' }, allowEnv: [pattern] })).said;
    expect(await messages('*_DE', 'STRIPE_DE')).toContain(
      'the pattern *_DE does not open STRIPE_*, only a pattern that starts with STRIPE_ does',
    );
    expect(await messages('*_TOKEN', 'GITHUB_TOKEN')).toContain(
      'no pattern (*_TOKEN) opens names of clouds, vaults, CI systems and registries',
    );
  });
});

test('Variables show only `TRUEUP_VAR_*` of the environment, and variables that the operator allowed by their exact names.', async () => {
  const names = fc.oneof(
    fc.constantFrom(
      ...credentials,
      'TRUEUP_TOKEN',
      'TRUEUP_LEDGER_KEY',
      'trueup_token',
      ' TRUEUP_TOKEN',
      'TRUEUP_SECRET_a',
      'PATH',
      'toString',
      '__proto__',
    ),
    fc.string({ minLength: 1, maxLength: 12 }),
  );
  let read = 0;
  await fc.assert(
    fc.asyncProperty(names, fc.array(names, { maxLength: 3 }), fc.boolean(), async (name, others, hasOwn) => {
      const given = {
        ...Object.fromEntries([...others, name].map((one) => [one, `canary ${one}`])),
        ...(hasOwn ? { TRUEUP_VAR_v: 'own' } : {}),
      };
      const shown = others.filter(
        (one) => one.trim() !== '' && !/[*]|^\s*trueup_/i.test(one) && /[^?\s]/.test(one),
      );
      const allowances = readAllowances({ allowEnvShown: shown, allowEnv: shown });
      if (Array.isArray(allowances)) throw new Error(JSON.stringify(allowances));
      const text = `stack: x\nvariables: { v: { env: ${JSON.stringify(name)}, default: d } }\nsites: { web: { note: "\${var.v}" } }\n`;
      const sources = openSources({ env: given, cwd: '/', allowances });
      const configuration = await load({ kinds, cwd: '/', env: given, text, sources });
      const seen = JSON.stringify([
        [...configuration.desired.resources],
        configuration.diagnostics,
        configuration.notAllowed,
      ]);
      if (seen.includes('canary')) {
        read++;
        expect(shown).toContain(name);
        expect(hasOwn).toBe(false);
      }
    }),
    { numRuns: 400 },
  );
  expect(read).toBeGreaterThan(0);
});

test("No configuration reads trueup's own settings, and no variable shows an environment variable that a secret reads.", async () => {
  const given = {
    TRUEUP_TOKEN: 'canary',
    TRUEUP_LEDGER_KEY: 'canary',
    TRUEUP_SECRET_s0: 'mine',
    SHARED: 'canary',
  };
  for (const name of ['TRUEUP_TOKEN', 'TRUEUP_LEDGER_KEY', 'TRUEUP_VAR_x', 'Trueup_Token']) {
    expect((await read(folder(), secrets(`{ env: ${name} }`), { env: given })).codes).toContain(
      'env/refused',
    );
    expect(readAllowances({ allowEnv: [name] })).toMatchObject([{ code: 'allow/env' }]);
    expect(readAllowances({}, { TRUEUP_ALLOW_ENV: name })).toMatchObject([{ code: 'allow/env' }]);
  }
  expect((await read(folder(), secrets('{}'), { env: given })).values).toEqual({ s0: 'mine' });
  const both = `stack: x\nsecrets: { s: { env: SHARED } }\nvariables: { v: { env: shared }, w: { env: SHARED } }\nsites: { web: { note: "\${var.v}\${var.w}" } }\n`;
  const found = await read(folder(), both, {
    env: given,
    allowEnv: ['SHARED'],
    allowEnvShown: ['SHARED', 'shared'],
  });
  expect(found.codes).toEqual(['env/secret', 'env/secret']);
  expect(found.said + found.shown).not.toContain('canary');
});

test('an allowance that opens everything is none', () => {
  for (const name of ['*', '**', '?', '', '  ', '* *', 'STRIPE_{DE,FR}*', 'STRIPE_[A-Z]*', 'STRIPE_?*'])
    expect(readAllowances({ allowEnv: [name] })).toMatchObject([{ code: 'allow/env' }]);
  for (const glob of ['**', '*', '/**', '*.*', '../**', ''])
    expect(readAllowances({ allowFiles: [glob] })).toMatchObject([{ code: 'allow/files' }]);
  for (const words of [
    '',
    '*',
    'op* read',
    'sh *',
    'node -e *',
    '/bin/bash -c *',
    'python3.12 -c *',
    "op 'read",
    'op re*ad x',
    'env *',
    'npx *',
  ])
    expect(readAllowances({ allowCommand: [words] })).toMatchObject([{ code: 'allow/command' }]);
  expect(readAllowances({ allowEnvShown: ['DEPLOY_*'] })).toMatchObject([{ code: 'allow/env' }]);
});

test('A command runs only in the form that the operator has allowed.', async () => {
  const root = repository();
  const bin = folder();
  write(bin, { op: '#!/bin/sh\necho "$@"\n', alias: '' });
  chmodSync(join(bin, 'op'), 0o755);
  rmSync(join(bin, 'alias'));
  symlinkSync('/bin/sh', join(bin, 'alias'));
  const command = (...words: string[]) => `{ command: ${JSON.stringify(words)} }`;
  const run = async (allowCommand: string[], ...words: string[]) =>
    read(root, secrets(command(...words)), { allowCommand, env: { PATH: `${bin}:${env.PATH}` } });
  const ran = async (allowed: string, ...words: string[]) => (await run([allowed], ...words)).values.s0;
  expect(await ran('op read op://deploy/*', 'op', 'read', 'op://deploy/db')).toBe('read op://deploy/db');
  expect(await ran('op read *', 'op', 'read', 'a', '--b')).toBe('read a --b');
  expect(await ran('op "two words"', 'op', 'two words')).toBe('two words');
  expect(await ran("sh -c 'echo exact'", 'sh', '-c', 'echo exact')).toBe('exact');
  const refused: [string, ...string[]][] = [
    ['op read op://deploy/*', 'op', 'read', 'op://other/db'],
    ['op read op://deploy/*', 'op', 'read', 'op://deploy/../other/db'],
    ['op read op://deploy/.*', 'op', 'read', 'op://deploy/../other/db'],
    ['op read op://deploy/*', 'op', 'read', 'op://deploy/db', '--out-file', '/tmp/x'],
    ['op read op://deploy/*', 'op', 'read'],
    ['op read op://deploy/*', 'OP', 'read', 'op://deploy/db'],
    ['op * op://deploy/*', 'op', '--config=evil', 'op://deploy/db'],
    ['op read', 'op', 'read', 'op://deploy/db'],
    ["sh -c 'echo exact'", 'sh', '-c', 'echo exact', 'more'],
    ['alias *', 'alias', '-c', 'echo pwned'],
    [`${bin}/op read *`, './op', 'read', 'x'],
  ];
  for (const [allowed, ...words] of refused) {
    const found = await run([allowed], ...words);
    expect([words, found.values, found.codes]).toEqual([words, {}, ['source/command']]);
  }
  const asked = await run([], 'op', 'read', "it's");
  expect(asked.said).toContain('--allow-command');
});

test('No program inside the repository is run.', async () => {
  const root = repository({
    'bin/op': '#!/bin/sh\necho pwned\n',
    'node_modules/.bin/op': '#!/bin/sh\necho pwned\n',
  });
  const elsewhere = folder();
  for (const name of ['bin/op', 'node_modules/.bin/op']) chmodSync(join(root, name), 0o755);
  symlinkSync(join(root, 'bin/op'), join(elsewhere, 'op'));
  symlinkSync('/bin/echo', join(root, 'bin/echo'));
  const paths = [join(root, 'bin'), join(root, 'node_modules/.bin'), elsewhere, '.', 'bin', ''].join(':');
  const options = { allowCommand: ['op *', 'echo *', `${root}/bin/op *`], env: { PATH: paths } };
  for (const program of ['op', join(root, 'bin/op'), './bin/op', 'bin/op', 'echo']) {
    const found = await read(root, secrets(`{ command: [${JSON.stringify(program)}, x] }`), options);
    expect([program, found.values]).toEqual([program, {}]);
  }
});

test('A confirmation at a terminal applies to that repository, stack and source only, and is stored outside the repository.', async () => {
  const state = folder();
  const memory = openPermissionMemory({ XDG_STATE_HOME: state });
  const root = repository({}, { 'a.txt': 'file', 'b.txt': 'other' });
  const asked: string[][] = [];
  const ask = (answer: boolean) => async (wanted: { asked: { name: string } }[]) => {
    asked.push(wanted.map((one) => one.asked.name));
    return answer;
  };
  const given = { env: { A: 'value', B: 'other' }, memory };
  const yaml = secrets('{ env: A }', file('a.txt'));
  expect((await read(root, yaml, { ...given, ask: ask(false) })).values).toEqual({});
  expect((await read(root, yaml, { ...given, ask: ask(true) })).values).toEqual({ s0: 'value', s1: 'file' });
  expect((await read(root, yaml, { ...given, ask: ask(false) })).values).toEqual({ s0: 'value', s1: 'file' });
  expect((await read(root, yaml, given)).values).toEqual({ s0: 'value', s1: 'file' });
  expect(asked).toEqual([
    ['s0', 's1'],
    ['s0', 's1'],
  ]);
  // Another source, stack or repository, or the same shown, is another question.
  expect((await read(root, secrets('{ env: B }', file('b.txt')), given)).values).toEqual({});
  expect((await read(root, yaml.replace('stack: x', 'stack: y'), given)).values).toEqual({});
  expect((await read(repository({}, { 'a.txt': 'file' }), yaml, given)).values).toEqual({});
  const shown = 'stack: x\nvariables: { v: { env: A } }\nsites: { web: { note: "${var.v}" } }\n';
  expect((await read(root, shown, given)).codes).toEqual(['source/env']);
});

test('a memory inside of the repository is none', async () => {
  const root = repository();
  const memory = openPermissionMemory({ XDG_STATE_HOME: join(root, 'state') });
  expect(await memory.remember(root, 'x', ['secret env A'])).toBeUndefined();
  expect(memory && [...(await memory.allowedSources(root, 'x'))]).toEqual([]);
  const state = folder();
  symlinkSync(root, join(state, 'trueup'));
  expect(
    await openPermissionMemory({ XDG_STATE_HOME: state }).remember(root, 'x', ['secret env A']),
  ).toBeUndefined();
});
