import { chmod, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../src/config/load.ts';
import { configure, folderWith, told } from './configure.ts';
import { kinds } from './kinds.ts';

const loadIn = (cwd: string, paths?: string[]) => load({ kinds, cwd, env: {}, paths });

test('folders are read recursively by name; hidden ones and node_modules are not', async () => {
  const cwd = await folderWith({
    'conf/b.yml': 'sites: { b: {} }',
    'conf/a/z.yaml': 'stack: x',
    'conf/.git/c.yaml': '!',
    'conf/.hidden.yaml': '!',
    'conf/node_modules/d.yaml': '!',
    'conf/e.json': '!',
  });
  const configuration = await loadIn(cwd, ['conf']);
  expect(told(configuration)).toEqual([]);
  expect(configuration.desired.inputs).toEqual(['a/z.yaml', 'b.yml']);
  expect(configuration.desired.folders).toEqual(['.']);
});

test('the SOPS file of a secret is no part of the configuration, and any other file is', async () => {
  const encrypted =
    'password: ENC[AES256_GCM,data:x]\nsops: { mac: "ENC[AES256_GCM,data:y]", version: 3.10.2 }\n';
  const read = async (declared: string, more: Record<string, string>) => {
    const header = `stack: x\nsecrets: { db: { sops: ${declared} } }\nsites: { a: { note: "\${secret.db[password]}" } }\n`;
    const configuration = await loadIn(await folderWith({ 'conf/a.yaml': header, ...more }), ['conf']);
    return { codes: told(configuration), inputs: configuration.desired.inputs };
  };
  const inputs = ['a.yaml'];
  expect(await read('keys/db.yaml', { 'conf/keys/db.yaml': encrypted })).toEqual({ codes: [], inputs });
  // Nothing says that it is not meant to be read.
  const unnamed = await read('other.yaml', { 'conf/db.yaml': encrypted });
  expect(unnamed.codes.map((code) => code.split(' ')[0])).toEqual([
    'config/unknown-key',
    'config/unknown-key',
  ]);
  expect(unnamed.inputs).toEqual(['a.yaml', 'db.yaml']);
  const part = await read('b.yaml', { 'conf/b.yaml': 'sites: { b: {} }' });
  expect(part).toEqual({ codes: [], inputs: ['a.yaml', 'b.yaml'] });
});

test('links that lead back are followed once, and a file given twice is read once', async () => {
  const cwd = await folderWith({ 'conf/a.yaml': 'stack: x', 'conf/sub/readme.md': '' });
  await symlink('..', path.join(cwd, 'conf/sub/up'));
  await symlink('a.yaml', path.join(cwd, 'conf/b.yaml'));
  const configuration = await loadIn(cwd, ['conf', 'conf/a.yaml']);
  expect(told(configuration)).toEqual([]);
  expect(configuration.desired.inputs).toEqual(['a.yaml']);
  await symlink('loop.yaml', path.join(cwd, 'conf/loop.yaml'));
  expect(told(await loadIn(cwd, ['conf']))).toEqual(['file/unreadable']);
});

test('without -f it is trueup.yaml, trueup.yml or the folder trueup', async () => {
  for (const name of ['trueup.yaml', 'trueup.yml', 'trueup/any.yaml'])
    expect((await loadIn(await folderWith({ [name]: 'stack: x' }))).desired.inputs).toEqual([
      path.basename(name),
    ]);
  expect(told(await loadIn(await folderWith({})))).toEqual(['file/missing']);
  const hint = async (cwd: string) => (await loadIn(cwd)).diagnostics[0]?.hint;
  expect(await hint(await folderWith({}))).toContain('`trueup init`');
  const above = await folderWith({ 'trueup/any.yaml': 'stack: x', '.git/HEAD': '', 'a/b/c': '' });
  expect(await hint(path.join(above, 'a/b'))).toContain('-f ../../trueup');
  expect(told(await loadIn(await folderWith({ 'trueup.yaml': '', 'trueup/a.yaml': '' })))).toEqual([
    'file/ambiguous',
  ]);
});

test('files beside trueup.yaml that look like parts of the configuration and were not read are named', async () => {
  const files = {
    'trueup.yaml': 'stack: x',
    'sites.yaml': '# exported\nsites:\n  a: {}\n',
    'more.yml': 'sites: { b: {} }',
    'with-secrets.yaml': 'secrets: { s: {} }\nx-note: a\nsites: { b: {} }',
    'patches.yaml': 'patches: []\n',
    'shared.yaml': 'templates: {}\nvariables: {}\n',
    'other-stack.yaml': 'stack: other\nsites: { c: {} }',
    'compose.yaml': 'services:\n  web: {}\n',
    'list.yaml': '- sites: {}\n',
  };
  const cwd = await folderWith(files);
  expect((await loadIn(cwd)).diagnostics).toEqual([
    expect.objectContaining({
      severity: 'warning',
      code: 'file/not-read',
      message:
        'more.yml, patches.yaml, sites.yaml and 1 more look like parts of the configuration, but were not read',
      hint: 'to read all files of this folder, pass it: -f .',
    }),
  ]);
  // Whoever names the files has chosen.
  expect(told(await loadIn(cwd, ['trueup.yaml']))).toEqual([]);
});

test('asks whether an undeclared name is declared in a file that was not read', async () => {
  const files = {
    'trueup.yaml': 'stack: s\nsites: { a: { $dependsOn: [sites/b] } }\n',
    'more.yaml': 'sites: { b: {} }\n',
  };
  const cwd = await folderWith(files);
  const error = (await loadIn(cwd)).diagnostics.find(({ severity }) => severity === 'error');
  expect(error).toMatchObject({
    hint: expect.stringMatching(/^is it declared in a file that was not read\? Then pass -f \. Otherwise: ./),
  });
});

describe('what a ledger remembers of the files', () => {
  const files = {
    'repo/.git/HEAD': '',
    'repo/infra/trueup.yaml': 'stack: x',
    'repo/infra/parts/a.yaml': 'sites: { a: {} }',
    'repo/shared.yaml': 'sites: { b: {} }',
    'loose/one/a.yaml': 'sites: { c: {} }',
    'loose/b.yaml': 'sites: { d: {} }',
  };

  test.each([
    ['.', ['repo/infra/trueup.yaml', 'repo/infra/parts', 'repo/shared.yaml']],
    ['repo', ['infra/trueup.yaml', 'infra/parts', 'shared.yaml']],
    ['repo/infra', ['trueup.yaml', 'parts', '../shared.yaml']],
    ['loose/one', ['../../repo/infra/parts', '../../repo/shared.yaml', '../../repo/infra/trueup.yaml']],
  ])('does not depend on where the run is started: in %s', async (start, paths) => {
    const cwd = path.join(await folderWith(files), start);
    const { desired } = await loadIn(cwd, paths);
    expect(desired.inputs).toEqual(['/infra/parts/a.yaml', '/infra/trueup.yaml', '/shared.yaml']);
    expect(desired.folders).toEqual(['/infra/parts']);
  });

  test('starts at the top of a linked worktree or a submodule, too, and at the real place behind a link', async () => {
    const cwd = await folderWith({ ...files, 'repo/modules/site/.git': 'gitdir: ../../.git/modules/site' });
    await writeFile(path.join(cwd, 'repo/modules/site/trueup.yaml'), 'stack: x');
    await symlink('repo/modules/site', path.join(cwd, 'link'));
    const { desired } = await loadIn(cwd, ['link/trueup.yaml']);
    expect(desired.inputs).toEqual(['/trueup.yaml']);
  });

  test.each([
    ['.', ['loose']],
    ['loose', ['.']],
    ['loose/one', ['..']],
    ['repo', ['../loose/one', '../loose/b.yaml']],
  ])('outside of a repository it is from the folder that they share: in %s', async (start, paths) => {
    const cwd = path.join(await folderWith(files), start);
    const { desired } = await loadIn(cwd, paths);
    expect(desired.inputs).toEqual(['b.yaml', 'one/a.yaml']);
  });
});

test('files that are missing, empty, no text, or without YAML', async () => {
  const cwd = await folderWith({
    'empty.yaml': '',
    'comment.yaml': '# nothing\n',
    'binary.yaml': new Uint8Array([97, 10, 0, 98]),
    'latin.yaml': new Uint8Array([97, 58, 32, 0xe9]),
    'none/readme.md': '',
    'ok.yaml': 'stack: x',
  });
  const codes = async (name: string) => told(await loadIn(cwd, ['ok.yaml', name]));
  expect(await codes('missing.yaml')).toEqual(['file/missing']);
  expect(await codes('empty.yaml')).toEqual(['file/empty empty.yaml:1:1']);
  expect(await codes('comment.yaml')).toEqual(['file/empty comment.yaml:1:1']);
  expect(await codes('binary.yaml')).toEqual(['file/not-text binary.yaml:2:1']);
  expect(await codes('latin.yaml')).toEqual(['file/not-text latin.yaml:1:1']);
  expect(await codes('none')).toEqual(['file/no-yaml']);
  if (process.getuid?.() === 0) return;
  await chmod(path.join(cwd, 'ok.yaml'), 0);
  expect(await codes('empty.yaml')).toContain('file/unreadable');
});

test.each(['', '# nothing\n', '---\n---\n', 'null\n'])(
  'an empty configuration is one problem: %j',
  async (text) => {
    const one = await loadIn(await folderWith({ 'trueup.yaml': text }));
    expect(one.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'config/stack',
        message: 'trueup.yaml is empty, so the stack has no name',
        at: { file: 'trueup.yaml', line: 1, column: 1 },
      },
    ]);
    const two = await loadIn(await folderWith({ 'trueup/a.yaml': text, 'trueup/b.yaml': text }));
    expect(two.diagnostics.map(({ message }) => message)).toEqual([
      'all 2 files of the configuration are empty, so the stack has no name',
    ]);
  },
);

test('a missing name and an empty file beside it are two problems', async () => {
  const cwd = await folderWith({ 'trueup/a.yaml': 'sites: {}', 'trueup/b.yaml': '' });
  expect(told(await loadIn(cwd))).toEqual(['config/stack trueup/a.yaml:1:1', 'file/empty trueup/b.yaml:1:1']);
});

test('a folder with links to other files only is one without YAML', async () => {
  const cwd = await folderWith({ 'README.md': '', 'conf/.keep': '' });
  await symlink('../README.md', path.join(cwd, 'conf/README'));
  await symlink('/etc/hostname', path.join(cwd, 'conf/host'));
  expect(told(await loadIn(cwd, ['conf']))).toContain('file/no-yaml');
});

test('an included file is found in a working directory that is named through a link', async () => {
  const cwd = await folderWith({
    'real/trueup.yaml': 'stack: x\ninclude: shared.yaml\nsites: { a: { note: "${var.note}" } }',
    'real/shared.yaml': 'variables: { note: { default: hi } }',
  });
  await symlink('real', path.join(cwd, 'link'));
  expect(told(await loadIn(path.join(cwd, 'link')))).toEqual([]);
});

test('names are not undeclared if an included file that may declare them cannot be read', async () => {
  const yaml = (include: string) => `stack: x\ninclude: ${include}\nsites: { a: { note: "\${var.note}" } }`;
  const cwd = await folderWith({ 'shared/a.yaml': 'variables: {}' });
  await symlink('nothing.yaml', path.join(cwd, 'shared/b.yaml'));
  for (const [include, code] of [
    ['shared', 'file/missing'],
    ['[1]', 'config/type'],
    ['"${var.folder}"', 'include/expression'],
  ] as const) {
    await writeFile(path.join(cwd, 'trueup.yaml'), yaml(include));
    const codes = (await loadIn(cwd, ['trueup.yaml'])).diagnostics.map((diagnostic) => diagnostic.code);
    expect(codes).toEqual([code]);
  }
});

test('a mark at the beginning and Windows line ends are no problem', async () => {
  const configuration = await configure('\uFEFFstack: x\r\nsites:\r\n  web:\r\n    prot: 1\r\n');
  expect(told(configuration)).toEqual(['config/unknown-key 4:5']);
  expect(configuration.diagnostics[0]!.at!.text).toBe('    prot: 1');
});

test('the header stands once, in whichever file', async () => {
  const { diagnostics } = await configure({
    'a.yaml': 'stack: x\nvariables: {}\n',
    'b.yaml': 'sites: {}\nstack: y\nvariables: {}\n',
  });
  expect(told({ diagnostics })).toEqual(['config/duplicate b.yaml:2:1']);
  expect(diagnostics[0]!.related![0]!.at).toMatchObject({ file: 'a.yaml', line: 1 });
});

test('a second header is one problem, however many keys it has', async () => {
  const header = (name: string) =>
    `stack: x\nplatform: { personal: true }\nowns: ["**"]\nsites: { ${name}: {} }\n`;
  const { diagnostics } = await configure({
    'a.yaml': header('a'),
    'b.yaml': header('b'),
    'c.yaml': 'stack: x\n',
  });
  expect(diagnostics).toMatchObject([
    {
      code: 'config/duplicate',
      message: 'duplicate keys `stack`, `platform`, `owns`',
      at: { file: 'b.yaml', line: 1 },
      hint: 'they can appear only once across all files',
      related: [
        { message: 'the first `stack`', at: { file: 'a.yaml', line: 1 } },
        { message: 'the first `platform`', at: { file: 'a.yaml', line: 2 } },
        { message: 'the first `owns`', at: { file: 'a.yaml', line: 3 } },
      ],
    },
    {
      message: 'duplicate key `stack`',
      at: { file: 'c.yaml', line: 1 },
      related: [{ message: 'the first one', at: { file: 'a.yaml', line: 1 } }],
    },
  ]);
});

test.each([
  ['ledger', 'postgres://app:pa55word@db.example.com/ledger'],
  ['platform', '{ team: acme, token: pa55word }'],
])('no value of a repeated key `%s` is quoted', async (key, value) => {
  const { diagnostics } = await configure({
    'a.yaml': 'stack: x\nplatform: { personal: true }\nledger: git\n',
    'b.yaml': `${key}: ${value}\n`,
  });
  expect(diagnostics).toMatchObject([{ code: 'config/duplicate', at: { file: 'b.yaml', line: 1 } }]);
  expect(JSON.stringify(diagnostics)).not.toContain('pa55word');
});

test('a resource has one home; its child sections may stand elsewhere', async () => {
  const apart = await configure({
    'a.yaml': 'sites: { web: { env: { A: one } } }',
    'b.yaml': 'sites: { web: { port: 1 } }',
    'c.yaml': 'sites: { web: { wall: { rules: [] }, env: { B: two } } }',
    'd.yaml': 'sites: { web: { wall: { enabled: true } } }',
  });
  expect(told(apart)).toEqual([]);
  expect([...apart.desired.resources.keys()]).toEqual([
    'sites/web',
    'sites/web/env/A@live',
    'sites/web/env/A@test',
    'sites/web/env/B@live',
    'sites/web/env/B@test',
    'sites/web/wall',
  ]);
  expect(apart.desired.resources.get('sites/web')!.at.file).toBe('b.yaml');
  const twice = await configure({
    'a.yaml': 'sites: { web: { port: 1 } }',
    'b.yaml': 'sites: { web: { $protect: true } }',
  });
  expect(told(twice)).toEqual(['config/duplicate b.yaml:1:10']);
  expect(twice.diagnostics[0]!.related![0]!.at).toMatchObject({ file: 'a.yaml', line: 1, column: 10 });
});

test('an ordered list stands in one place', async () => {
  const rule = (name: string) =>
    `sites: { web: { wall: { rules: [{ name: ${name}, match: x, action: { type: deny } }] } } }`;
  expect(told(await configure({ 'a.yaml': rule('a'), 'b.yaml': rule('b') }))).toEqual([
    'config/split-order b.yaml:1:25',
  ]);
});
