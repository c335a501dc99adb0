import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = (ledger = '') => `stack: demo\n${ledger}platform: { team: acme }\nprojects: { web: {} }\n`;
const apply = ['apply', '--auto-approve'];

/** The folders' files that a run can create, by the place that decides. */
const files = {
  flag: 'flag.json',
  variable: 'variable.json',
  header: 'infra/header.json',
  none: '.trueup/ledger/demo.json',
};

test.each<[decides: keyof typeof files, args: string[], env: Record<string, string>, header: string]>([
  ['none', [], {}, ''],
  ['header', [], {}, 'ledger: ./infra/header.json\n'],
  ['variable', [], { TRUEUP_LEDGER: 'variable.json' }, 'ledger: infra/header.json\n'],
  ['flag', ['--ledger', 'flag.json'], { TRUEUP_LEDGER: 'variable.json' }, 'ledger: infra/header.json\n'],
])('%s decides where the ledger is', async (decides, args, env, header) => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(header) });
  await shell.withTwin();
  Object.assign(shell.env, env);
  const applied = await shell.run([...apply, ...args]);
  expect([applied.status, applied.stderr]).toEqual([0, expect.any(String)]);
  const written = Object.entries(files).filter(([, file]) => existsSync(join(shell.folder, file)));
  expect(written.map(([name]) => name)).toEqual([decides]);
});

test.each([
  ['ledger: [git]', '`ledger` must be the place of the ledger, not a list'],
  ['ledger: "${var.place}"', '`ledger` takes no expressions'],
  ['ledger: "git:https://example.com/x.git"', '`git:` must be followed by the name of a remote'],
  ['ledger: postgres://ada@db.example.com/x', 'contains a user, a password or another credential'],
  ['ledger: postgres://ada:hush-hush@db.example.com/x', 'contains a user, a password or another credential'],
  [
    'ledger: https://x.example.com/{stack}?sig=hush-hush',
    'contains a user, a password or another credential',
  ],
  [
    'ledger: postgres://db.example.com/x?password=hush-hush',
    'contains a user, a password or another credential',
  ],
  ['ledger: x.json\nstages: { a: {}, b: {} }', 'one file cannot be the ledger of several stacks or stages'],
])('%s is an error at its place', async (header, message) => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(`${header}\n`) });
  const { status, all } = await shell.run(['validate']);
  expect([status, all]).toEqual([1, expect.stringContaining(message)]);
  expect(all).toContain('trueup.yaml:2:9');
  expect(all).not.toContain('hush-hush');
});

test('a workspace names the place for all of its stacks, and the header of a stack another one', async () => {
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [a, b]\nledger: git\n',
    'a/trueup.yaml': 'stack: a\nplatform: { team: acme }\nprojects: { web: {} }\n',
    'b/trueup.yaml': 'stack: b\nledger: b.json\nplatform: { team: acme }\nprojects: { shop: {} }\n',
  });
  const { stdout, stderr } = await shell.run(['stacks']);
  expect(stdout + stderr).toContain(
    'a  stack a; ledger refs/trueup/a at origin\nb  stack b; ledger b/b.json',
  );
});
