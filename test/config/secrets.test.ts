import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { load } from '../../src/config/load.ts';
import { environmentSecrets } from '../../src/config/read-secret-values.ts';
import { resolveSecrets } from '../../src/config/resolve-secrets.ts';
import { type Allowances, nothingAllowed } from '../../src/config/sources/allowances.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { revealed } from '../../src/model/sealed.ts';
import { configure, folderWith, told } from './configure.ts';
import { kinds } from './kinds.ts';

test.each([
  '{ env: MANY }',
  '{ json: { env: MANY } }',
  '{ dotenv: { env: MANY } }',
  '{ env: MANY, format: dotenv }',
])(
  'no variable reads the environment variable of the secret %s, even if nothing uses the secret',
  async (source) => {
    const yaml = `variables: { v: { env: MANY } }\nsecrets: { s: ${source} }`;
    expect(told(await configure(yaml))).toEqual(['env/secret 1:24']);
  },
);

test('each secret in a variable with several is a secret of the environment', () => {
  const env = {
    TRUEUP_TOKEN: 'token',
    TRUEUP_SECRET_json: '{"a": "one", "pin": 0012, "n": 12345678901234567890, "is": true, "in": {"x": "y"}}',
    TRUEUP_SECRET_exact: '{"a": "one", "n": 12345678901234567890, "is": true, "in": {"x": "y"}}',
    TRUEUP_SECRET_lines: 'A=first # the first\nB="second"\n',
    TRUEUP_SECRET_plain: 'hunter2',
    OTHER: '{"a": "no"}',
  };
  expect(environmentSecrets({ env }).map((secret) => secret.reveal())).toEqual([
    env.TRUEUP_TOKEN,
    env.TRUEUP_SECRET_json,
    env.TRUEUP_SECRET_exact,
    ...['one', '12345678901234567890'],
    env.TRUEUP_SECRET_lines,
    ...['first', 'second'],
    env.TRUEUP_SECRET_plain,
  ]);
});

test('two secrets are not read from one environment variable, however their names come about', async () => {
  const yaml = `
secrets: { db: {}, db_eu: {}, x: {}, x_y: {} }
sites:
  a: { password: "\${secret.db[eu]}" }
  b: { password: "\${secret.db_eu}" }
  c: { password: "\${secret.x[y-z]}" }
  d: { password: "\${secret.x_y[z]}" }
  e: { password: "\${secret.x[z]}" }
`;
  expect(told(await configure(yaml)).map((line) => line.split(':')[0])).toEqual([
    'env/ambiguous 4',
    'env/ambiguous 7',
  ]);
});

test('no secret literal shows in any problem, position or printed resource, whatever else is wrong', async () => {
  const configuration = await configure(`
variables: { p: { default: canary-variable } }
secrets: { s: { env: S } }
x-p: &p canary-anchor
sites:
  a: { password: canary-one, prot: 1, port: x }
  b: { password: [canary-two], port: x }
  c: { password: "canary-$\{three}", port: x }
  d: { password: "canary-four-\${secret.s}-canary-five", note: "canary-six-\${secret.s}", port: x }
  e: { password: *p, port: x }
  f: { password: "\${var.p}", build: { key: canary-seven, port: x } }
  g:
    password: |
      canary-eight
      canary-nine \${nothing.x}
    port: x
  h: { pasword: canary-ten, note: { secret: ok } }
  i: { env: { A: canary-eleven, B: { value: canary-twelve, type: plian }, C: [canary-13, { value: canary-14, typ: x }], D: [[canary-15]] } }
  j: { env: { A: { valeu: canary-16 }, B: { value: 4711, type: x }, c: canary-17 } }
  k: { build: { command: a, key: { x: canary-18 }, kye: canary-19 } }
  l: { version: "v-\${sites.a.password}", note: "\${sites.a.password", password: canary-20 }
  "m": { <<: { password: canary-21 }, port: x }
`);
  expect(configuration.diagnostics.length).toBeGreaterThan(15);
  for (const text of [
    JSON.stringify(configuration.diagnostics),
    inspect(configuration, { depth: 20 }),
    JSON.stringify([...configuration.desired.resources]),
  ]) {
    expect(text).not.toContain('canary');
    expect(text).not.toContain('4711');
  }
});

test('a secret where none belongs does not show either', async () => {
  const yaml = `
stack: x
platform: { team: a, token: canary-1 }
token: canary-2
secrets:
  a: canary-3
  b: { value: canary-4 }
  c: { command: canary-5 }
variables: { v: canary-6 }
sites:
  a: { $existing: canary-7, $foo: canary-8, $was: [canary-9] }
  b: { "\${secret.d}": canary-10 }
  "\${var.w}": { password: canary-11 }
  c: { env: [canary-12], build: { kye: canary-13 } }
`;
  const { diagnostics } = await configure(yaml);
  expect(diagnostics.length).toBeGreaterThan(12);
  expect(JSON.stringify(diagnostics)).not.toContain('canary');
});

test('secrets stay secret over several references', async () => {
  const { desired, diagnostics } = await configure(
    'sites: { a: { password: "x-${sites.b.password}" }, b: { password: "${sites.c.password}" }, c: { password: canary } }',
  );
  expect(diagnostics).toEqual([]);
  expect(inspect(desired, { depth: 20 }) + JSON.stringify([...desired.resources])).not.toContain('canary');
  const reveal = (value: unknown) => revealed((value as { $join?: unknown[] }).$join ?? [value]);
  expect(reveal(desired.resources.get('sites/a')!.fields.password)).toEqual(['x-', 'canary']);
  expect(reveal(desired.resources.get('sites/b')!.fields.password)).toEqual(['canary']);
});

test('a plain value may show, a secret one of the same section not', async () => {
  const { diagnostics } = await configure(
    'sites: { web: { env: { A: { value: visible, type: plain, x: 1 }, B: { value: canary, type: encrypted, x: 1 } } } }',
  );
  expect(diagnostics).toMatchObject([{ folded: { length: 2 } }]);
  expect(JSON.stringify(diagnostics)).toContain('visible');
  expect(JSON.stringify(diagnostics)).not.toContain('canary');
});

const env = { A: 'from-env', EMPTY: '', TRUEUP_TOKEN: 'canary' };

async function resolve(sources: string, options: { allowed?: Partial<Allowances>; cwd?: string } = {}) {
  const cwd = options.cwd ?? (await folderWith({}));
  const names = [...sources.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  const uses = names.map((name) => `"\${secret.${name}}"`).join(', ');
  await writeFile(
    path.join(cwd, 'trueup.yaml'),
    `stack: x\nsecrets:\n${sources}\n  unused: { env: NOT_SET }\nsites: { web: { tags: [${uses}] } }\n`,
  );
  const withPath = { ...env, PATH: process.env.PATH };
  const opened = openSources({
    env: withPath,
    cwd,
    allowances: { ...nothingAllowed, env: () => ({ allowed: true }), ...options.allowed },
  });
  const configuration = await load({ kinds, cwd, env, sources: opened });
  expect(told(configuration)).toEqual([]);
  const { values, diagnostics } = await resolveSecrets(configuration, {
    env: withPath,
    cwd,
    sources: opened,
  });
  return {
    values: Object.fromEntries([...values].map(([name, value]) => [name, value.reveal()])),
    told: told({ diagnostics }),
    diagnostics,
  };
}

test('secrets come from the environment, files and commands; those that are not used are left alone', async () => {
  const cwd = await folderWith({ 'secrets/db.txt': 'from-file\n\n' });
  const sources = '  a: { env: A }\n  b: { file: secrets/db.txt }\n  c: { command: [printf, "%s\\n", "$A"] }';
  const commands = [{ words: ['printf', '%s\n'], isOpen: true }];
  expect(await resolve(sources, { cwd, allowed: { files: ['secrets/*'], commands } })).toMatchObject({
    values: { a: 'from-env', b: 'from-file\n', c: '$A' },
    told: [],
  });
  expect(await resolve(sources, { cwd })).toMatchObject({
    values: { a: 'from-env' },
    told: ['source/file 4:3', 'source/command 5:3'],
  });
});

test('what is not available is told, without a word of the secret', async () => {
  const outside = await folderWith({ 'secret.txt': 'canary' });
  const cwd = await folderWith({
    'large.txt': 'x'.repeat(1024 * 1024 + 1),
    'latin.txt': new Uint8Array([0xe9]),
    'empty.txt': '\n',
  });
  await symlink(path.join(outside, 'secret.txt'), path.join(cwd, 'link.txt'));
  await symlink(outside, path.join(cwd, 'folder'));
  await mkdir(path.join(cwd, 'dir'));
  const sources = `
  s01: { env: NOT_SET }
  s02: { env: EMPTY }
  s03: { file: none.txt }
  s04: { file: ${path.relative(cwd, outside)}/secret.txt }
  s05: { file: ${outside}/secret.txt }
  s06: { file: link.txt }
  s07: { file: folder/secret.txt }
  s08: { file: dir }
  s09: { file: large.txt }
  s10: { file: latin.txt }
  s11: { file: empty.txt }
  s12: { command: [sh, -c, "echo canary; echo canary >&2; exit 3"] }
  s13: { command: [no-such-program] }
  s14: { command: [sh, -c, 'printf %s "$TRUEUP_TOKEN"'] }`.slice(1);
  const script = (text: string) => ({ words: ['sh', '-c', text], isOpen: false });
  const commands = [
    script('echo canary; echo canary >&2; exit 3'),
    script('printf %s "$TRUEUP_TOKEN"'),
    { words: ['no-such-program'], isOpen: true },
  ];
  const result = await resolve(sources, { cwd, allowed: { files: ['*', 'dir'], commands } });
  expect(result.values).toEqual({});
  expect(result.told.map((line) => line.split(' ')[0])).toEqual([
    'secret/unset',
    'secret/unset',
    'secret/file',
    'source/file',
    'source/file',
    'source/file',
    'source/file',
    'secret/file',
    'secret/file',
    'secret/not-text',
    'secret/empty',
    'secret/command',
    'secret/command',
    'secret/empty',
  ]);
  expect(result.diagnostics[11]!.message).toContain('exit code 3');
  expect(result.diagnostics.map(({ message, hint }) => message + hint).join()).not.toContain('canary');
});

test('hides what looks like a secret in the long output of a failed command although its start is cut off', async () => {
  const script = "printf 'password: hunter2 %1992s' x >&2; exit 3";
  const commands = [{ words: ['sh', '-c', script], isOpen: false }];
  const { diagnostics } = await resolve(`  a: { command: [sh, -c, "${script}"] }`, { allowed: { commands } });
  expect(diagnostics[0]!.message).toContain('exit code 3');
  expect(diagnostics[0]!.message).not.toContain('hunter2');
});
