import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettingsFromWorkspace, readWorkspace } from '../../src/config/workspace.ts';
import { type Diagnostic, Problems } from '../../src/model/diagnostic.ts';
import { Shell } from '../support/cli.ts';

const stack = (name: string) => `stack: ${name}\nplatform: { team: acme }\n`;

/** A folder with this workspace and stacks called `a`, `b`, `json`, `many/one`, `many/two` and `shop.yaml`. */
async function folder(text: string): Promise<string> {
  const shell = await new Shell().write({
    'trueup.workspace.yaml': text,
    'a/trueup.yaml': stack('a'),
    'b/trueup.yml': stack('b'),
    'many/one/trueup.yaml': stack('one'),
    'many/two/trueup/main.yaml': stack('two'),
    'many/none/README.md': 'nothing',
    'shop.yaml': stack('shop'),
    'json/trueup.json': '{ "stack": "json", "platform": { "team": "acme" } }',
  });
  return shell.folder;
}

const entries = async (text: string) => (await readWorkspace(await folder(text))).entries;

async function wrong(text: string): Promise<Pick<Diagnostic, 'code' | 'message'>[]> {
  const error = await entries(text).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(Problems);
  return (error as Problems).diagnostics.map(({ code, message }) => ({ code, message }));
}

describe('a workspace', () => {
  it('has one place of the ledgers, also in several documents', async () => {
    const second = (place: string) => `stacks: [a]\nledger: git\n---\nstacks: [b]\nledger: ${place}\n`;
    expect(await wrong(second('git'))).toEqual([
      { code: 'config/duplicate', message: 'duplicate key `ledger`' },
    ]);
    const place = 'postgres://app:pa55word@db.example.com/ledger';
    const error = await entries(second(place)).catch((failure: Problems) => failure);
    expect((error as Problems).diagnostics).toMatchObject([
      {
        code: 'config/duplicate',
        at: { line: 5 },
        related: [{ message: 'the first one', at: { line: 2 } }],
      },
      { code: 'config/ledger' },
    ]);
    expect(JSON.stringify((error as Problems).diagnostics)).not.toContain('pa55word');
  });

  it('names stacks by path, with stages and needs, and by globs', async () => {
    const found = await entries(
      'stacks:\n  - a\n  - { path: b/, stages: [x, y], needs: [a] }\n  - many/*\n  - "*.yaml"\nx-note: 1\n',
    );
    expect(found.map(({ path, file, stages, needs }) => ({ path, file, stages, needs }))).toEqual(
      [
        { path: 'a', file: 'a/trueup.yaml', needs: [] },
        { path: 'b', file: 'b/trueup.yml', stages: ['x', 'y'], needs: ['a'] },
        { path: 'many/one', file: 'many/one/trueup.yaml', needs: [] },
        { path: 'many/two', file: 'many/two/trueup', needs: [] },
        { path: 'shop.yaml', file: 'shop.yaml', needs: [] },
      ].map((one) => ({ stages: undefined, ...one })),
    );
  });

  it('what is written out wins over a glob', async () => {
    const found = await entries('stacks: [many/*, { path: many/two, needs: [many/one] }]');
    expect(found.map(({ path, needs }) => [path, needs])).toEqual([
      ['many/one', []],
      ['many/two', ['many/one']],
    ]);
  });

  it('may write out every stack that a glob matches', async () => {
    const found = await entries('stacks: [many/*, many/two, { path: many/one, needs: [many/two] }]');
    expect(found.map(({ path }) => path)).toEqual(['many/two', 'many/one']);
  });

  it('finds the default file of a stack in JSON, too', async () => {
    const top = await folder('stacks: [{ path: "j*", owns: ["projects/a"] }]');
    expect((await readWorkspace(top)).entries).toMatchObject([{ path: 'json', file: 'json/trueup.json' }]);
    await new Shell(top).write({
      'trueup.workspace.yaml': 'stacks: [{ path: json/trueup.json, owns: ["projects/b"] }]',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    expect(await readSettingsFromWorkspace(join(top, 'json'), undefined)).toMatchObject({
      owns: ['projects/b'],
    });
  });

  it('is found above, but not above the repository', async () => {
    const top = await folder('stacks: [a]');
    await expect(readWorkspace(join(top, 'a'))).rejects.toThrow('there is no trueup.workspace.yaml');
    await mkdir(join(top, '.git'));
    await new Shell(top).write({ '.git/HEAD': 'ref: refs/heads/main\n' });
    expect((await readWorkspace(join(top, 'a'))).folder).toBe(top);
    await new Shell(top).write({ 'a/.git/HEAD': 'ref: refs/heads/main\n' });
    await expect(readWorkspace(join(top, 'a'))).rejects.toThrow('there is no trueup.workspace.yaml');
  });

  it.each([
    ['stacks: [a, gone]', 'file/missing', 'there is no file or folder `gone`'],
    ['stacks: [a, a/]', 'config/duplicate', 'the stack `a` is listed twice'],
    ['stacks: [many/*, "many/o*"]', 'config/duplicate', 'the stack `many/one` is listed twice'],
    [
      'stacks: [a, nothing/*]',
      'workspace/no-match',
      '`nothing/*` matches no folder with a configuration in it',
    ],
    ['stacks: [a, "many/{one"]', 'glob/syntax', ''],
    ['stacks: [../a]', 'workspace/outside', '`../a` is outside the workspace'],
    ['stacks: [/etc]', 'workspace/outside', '`/etc` is outside the workspace'],
    [
      'stacks: [{ path: a, needs: [c] }]',
      'workspace/needs',
      '`c` in `needs` is not a stack of this workspace',
    ],
    ['stacks: [{ path: a, need: [b] }, b]', 'config/unknown-key', 'a stack has no `need`'],
    ['stacks: [a]\nstack: x', 'config/unknown-key', 'a workspace has no `stack`'],
    ['stacks: a', 'config/type', '`stacks` must be a list, not'],
    ['stacks: [{ stages: [x] }]', 'workspace/path', 'this stack has no `path`'],
    ['stacks: []', 'workspace/empty', 'trueup.workspace.yaml lists no stacks'],
    ['', 'workspace/empty', 'trueup.workspace.yaml lists no stacks'],
    [
      'stacks: [{ path: a, needs: [b] }, { path: b, needs: [a] }]',
      'config/cycle',
      'stacks depend on each other: `a` needs `b` needs `a`',
    ],
    ['stacks: [a\n', 'yaml/', ''],
  ])('says what is wrong: %s', async (text, code, message) => {
    const [first, ...others] = await wrong(text);
    expect(others).toEqual([]);
    expect(first!.code).toContain(code);
    expect(first!.message).toContain(message);
  });
});
