import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { git, gitEnv, repository } from '../support/ledger-places.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(7);

const yaml = (ledger = '') => `stack: demo\n${ledger}platform: { team: acme }\nprojects: { web: {} }\n`;
const apply = ['apply', '--auto-approve'];

/** The folders' files that a run can create, by the place that decides. */
const files = {
  flag: 'flag.json',
  variable: 'variable.json',
  header: 'infra/header.json',
  none: '.trueup/ledger/demo.json',
};

/** How `ledger list` names what decides. */
const deciders = {
  flag: '--ledger',
  variable: 'TRUEUP_LEDGER',
  header: '`ledger:` in trueup.yaml:2',
  none: 'default, since nothing names a place',
};

oneRowIn(4)<[decides: keyof typeof files, args: string[], env: Record<string, string>, header: string]>([
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
  const listed = await shell.run(['ledger', 'list', ...args]);
  expect(listed.stderr).toContain(`Place decided by: ${deciders[decides]}.`);
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

test('a place that nobody has allowed is a note of validate, unless the operator names one', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml('ledger: s3://ledgers/demo\n') });
  const { status, all } = await shell.run(['validate']);
  expect([status, all]).toEqual([0, expect.stringContaining('Note: the ledger cannot be kept there')]);
  shell.env.TRUEUP_LEDGER = 's3://ledgers/demo';
  expect((await shell.run(['validate'])).all).not.toContain('Note:');
});

test('TRUEUP_LEDGER wins over the YAML, and a plan warns if they differ', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml('ledger: ./a.json\n') });
  await shell.withTwin();
  shell.env.TRUEUP_LEDGER = 'b.json';
  expect((await shell.run(['plan'])).all).toContain('TRUEUP_LEDGER decides where the ledger is');
  shell.env.TRUEUP_LEDGER = 'a.json';
  expect((await shell.run(['plan'])).all).not.toContain('TRUEUP_LEDGER');
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

/** Two people with a clone each of one repository, and one account. */
async function twoPeople(header = '') {
  const { bare, clone } = repository();
  const people = [new Shell(clone()), new Shell(clone())] as const;
  const twin = await people[0].withTwin();
  for (const person of people) {
    person.env = {
      ...gitEnv,
      TRUEUP_BASE_URL: twin.url,
      TRUEUP_TOKEN: 'token-for-tests',
      TRUEUP_LEDGER_KEY: keyText(),
    };
    await person.write({ 'trueup.yaml': yaml(header) });
  }
  return { bare, ada: people[0], bob: people[1] };
}

const nothingToDo = 'No changes. The account matches the configuration.';

story('a colleague’s clone uses the ledger that the header names', async () => {
  const { ada, bob } = await twoPeople('ledger: git\n');
  expect((await ada.run(apply)).status).toBe(0);
  const { status, all } = await bob.run(['plan']);
  expect([status, all]).toEqual([0, expect.stringContaining(nothingToDo)]);
  expect(all).toContain('Ledger: refs/trueup/demo at origin, generation');
});

story(
  'a clone without any setting finds the ledger at origin, says so, and uses it for every command',
  async () => {
    const { ada, bob } = await twoPeople();
    ada.env.TRUEUP_LEDGER = 'git';
    expect((await ada.run(apply)).status).toBe(0);
    const planned = await bob.run(['plan']);
    expect([planned.status, planned.all]).toEqual([0, expect.stringContaining(nothingToDo)]);
    expect(planned.stderr).toContain(
      'Ledger found at origin: refs/trueup/demo. Write `ledger: git` into trueup.yaml',
    );
    for (const command of [['log'], ['ledger', 'list'], ['blame', 'projects/web']]) {
      const { status, all } = await bob.run(command);
      expect([command, status, all]).toEqual([command, 0, expect.stringContaining('Ledger found at origin')]);
    }
    expect((await bob.run(apply)).all).toContain(nothingToDo);
    await bob.write({ 'new/trueup.yaml': yaml().replace('demo', 'new') });
    // The stacks could not see each other's objects. A plan warns of it, and an apply stops.
    const apart =
      'new has no ledger yet and would get one in a file, but other stacks of this repository have theirs at origin';
    expect((await bob.run(['plan', '-f', 'new'])).all).toContain(`Warning: ${apart}`);
    const stopped = await bob.run([...apply, '-f', 'new']);
    expect([stopped.status, stopped.all]).toEqual([1, expect.stringContaining(`Error: ${apart}`)]);
    expect(existsSync(join(bob.folder, '.trueup'))).toBe(false);
  },
);

story('a ledger at origin that was copied into a file is no second ledger', async () => {
  const { ada } = await twoPeople();
  ada.env.TRUEUP_LEDGER = 'git';
  expect((await ada.run(apply)).status).toBe(0);
  expect((await ada.run(['ledger', 'copy', 'git', '.trueup/ledger/demo.json'])).status).toBe(0);
  delete ada.env.TRUEUP_LEDGER;
  const { status, all } = await ada.run(apply);
  expect([status, all]).toEqual([0, expect.stringContaining(nothingToDo)]);
});

story(
  'a ledger without a stack is named once, although several stacks have theirs in its folder',
  async () => {
    const header = (name: string) =>
      `stack: ${name}\nledger: ../state/${name}.json\nplatform: { team: acme }\nprojects: { ${name}: {} }\n`;
    const { ada: shell } = await twoPeople();
    await shell.write({
      'trueup.workspace.yaml': 'stacks: [a, b, c]\n',
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/trueup.yaml`, header(name)])),
    });
    const applied = await shell.run(['apply', '--all', '--auto-approve']);
    expect([applied.status, applied.all]).toEqual([0, expect.any(String)]);
    await shell.write({ 'trueup.workspace.yaml': 'stacks: [a, b]\n' });
    const { stderr } = await shell.run(['stacks']);
    expect(stderr.match(/is of the stack c, which is not in the workspace/g)).toHaveLength(1);
  },
);

story('two ledgers of one stack are an error that names both and the line to write', async () => {
  const { ada, bob } = await twoPeople();
  expect((await bob.run(apply)).status).toBe(0);
  ada.env.TRUEUP_LEDGER = 'git';
  expect((await ada.run(apply)).status).toBe(0);
  const { status, all } = await bob.run(apply);
  expect([status, all]).toEqual([
    1,
    expect.stringContaining('there are 2 ledgers of demo: .trueup/ledger/demo.json, git'),
  ]);
  expect(all).toContain('`ledger: .trueup/ledger/demo.json` or `ledger: git`');
  // The remedy does not need to be told which one counts.
  await bob.write({ 'trueup.yaml': yaml('ledger: s3://ledgers/demo\n') });
  const copied = await bob.run(['ledger', 'copy', '.trueup/ledger/demo.json', 'state/demo.json']);
  await bob.write({ 'trueup.yaml': yaml() });
  expect([copied.status, copied.all]).toEqual([0, expect.stringContaining('Copied: the ledger of demo')]);
  expect((await bob.run(['plan'])).all).toContain('Ledger found at origin');
  expect((await bob.run(['ledger', 'copy', 'state/demo.json', '.trueup/ledger/demo.json'])).status).toBe(0);
  // Also for a stack in a folder below the file of the repository.
  await bob.write({ 'infra/trueup.yaml': yaml() });
  const below = new Shell(join(bob.folder, 'infra'));
  below.env = bob.env;
  expect((await below.run(['plan'])).all).toContain('Ledger found: ../.trueup/ledger/demo.json. Write');
});

test('where origin does not answer, a plan says so, and an apply creates no second ledger', async () => {
  const { bare, bob } = await twoPeople();
  renameSync(bare, `${bare}.away`);
  const planned = await bob.run(['plan']);
  expect([planned.status, planned.all]).toEqual([
    0,
    expect.stringContaining('no ledger of demo is here, and origin could not be asked for one'),
  ]);
  const applied = await bob.run(apply);
  expect([applied.status, applied.all]).toEqual([
    1,
    expect.stringContaining('start a ledger with `--ledger .trueup/ledger/demo.json` or `ledger:`'),
  ]);
  expect((await bob.run([...apply, '--ledger', '.trueup/ledger/demo.json'])).status).toBe(0);
});

test('a ledger that the YAML moves does not silently become an empty one', async () => {
  const { ada } = await twoPeople('ledger: git\n');
  expect((await ada.run(apply)).status).toBe(0);
  await ada.write({ 'trueup.yaml': yaml('ledger: state/demo.json\n') });
  const { status, all } = await ada.run(['plan']);
  expect([status, all]).toEqual([
    1,
    expect.stringContaining(
      'there is no ledger of demo at state/demo.json, but one with 1 object at refs/trueup/demo',
    ),
  ]);
  expect(all).toContain('trueup ledger copy git state/demo.json');
  expect((await ada.run(['ledger', 'copy', 'git', 'state/demo.json'])).status).toBe(0);
  expect((await ada.run(['plan'])).all).toContain(nothingToDo);
});

test('a new key for CI is printed with the key that already signs the ledgers', async () => {
  const shell = new Shell();
  expect((await shell.run(['ledger', 'key', '--print'])).stderr).toBe('');
  await shell.run(['ledger', 'key']);
  const { stdout, stderr } = await shell.run(['ledger', 'key', '--print']);
  expect(stdout.trim()).toMatch(/^[\w+/=-]{20,}$/);
  expect(stderr).toMatch(/^There is already a key, \w+: \.trueup\/key\. CI needs that one/);
});

test('writes nothing through a link in .trueup that the repository has', async () => {
  for (const name of ['.trueup', '.trueup/ledger']) {
    const outside = new Shell();
    const { clone } = repository();
    const shell = await new Shell(clone()).write({ 'trueup.yaml': yaml() });
    await shell.withTwin();
    mkdirSync(dirname(join(shell.folder, name)), { recursive: true });
    symlinkSync(outside.folder, join(shell.folder, name));
    git(shell.folder, 'add', '-f', name);
    const { status, all } = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect([status, all]).toEqual([1, expect.stringContaining(`${name} is a symbolic link`)]);
    expect(readdirSync(outside.folder)).toEqual([]);
    // A link of the user is allowed.
    git(shell.folder, 'rm', '--quiet', '--cached', name);
    const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect([applied.status, applied.all]).toEqual([0, expect.anything()]);
  }
});

test('in the folder of one stack, the key at the top of the repository signs its ledger, and no other is made', async () => {
  const top = await new Shell().write({ 'a/trueup.yaml': yaml() });
  git(top.folder, 'init', '--quiet');
  await top.withTwin();
  await top.run([...apply, '--file', 'a/trueup.yaml']);
  const below = new Shell(join(top.folder, 'a'));
  Object.assign(below.env, top.env);
  below.provider = top.provider;
  expect((await below.run(['plan'])).stderr).toContain('signed by the key');
  expect((await below.run(['ledger', 'key'])).stdout).toContain('There is already a key');
  await below.write({ 'trueup.yaml': `${yaml()}  api: {}\n`.replace('{ web: {} }', '\n  web: {}') });
  expect(await below.run(apply)).toMatchObject({ status: 0 });
  expect(existsSync(join(below.folder, '.trueup', 'key'))).toBe(false);
});
