import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { gitIn } from './repository.ts';

const story = oneStoryIn(3);

const files = {
  'trueup.yaml': `stack: shop
platform: { personal: true }
variables: { sites: { file: sites.csv }, node: {}, build: {} }
projects:
  site-\${each.key}:
    $each: "\${var.sites}"
    env: { LEVEL: "\${each.value.level}" }
  web: { nodeVersion: "\${var.node}", buildCommand: "\${var.build}" }
`,
  'sites.csv': '\ufeffcode,level,note\r\nat,quiet-one,ours\r\ngb,quiet-two,theirs\r\n',
  'tracked.yaml': 'node: 22.x\n',
  'local.yaml': 'build: one\n',
};

/** A stack whose projects come from the rows of a file that several stacks read. */
const stackOf = (name: string, field: string, column: string): string => `stack: ${name}
platform: { personal: true }
variables: { sites: { file: ../sites.csv } }
projects:
  ${name}-\${each.key}: { $each: "\${var.sites}", ${field}: "\${each.value.${column}}" }
`;

it('data that git tracks is written; a value that may be a secret is hidden in the difference, also in its cell', async () => {
  const shell = await new Shell().write(files);
  const { folder } = shell;
  initRepository(folder);
  gitIn(folder, 'add', 'trueup.yaml', 'sites.csv', 'tracked.yaml');
  const twin = await shell.withTwin();
  const given = ['--var-file', 'tracked.yaml', '--var-file', 'local.yaml'];
  const done = await shell.run(['apply', '--auto-approve', ...given]);
  expect(done, done.all).toMatchObject({ status: 0 });
  for (const project of twin.account.projects) {
    if (project.name === 'site-at') project.env[0]!.value = 'loud, "new"';
    if (project.name === 'web') Object.assign(project, { nodeVersion: '20.x', buildCommand: 'two' });
  }
  const ran = await shell.run(['accept', '--all', '--auto-approve', '--values', '**', ...given]);
  expect(ran, ran.all).toMatchObject({ status: 0 });
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(text('sites.csv')).toBe(files['sites.csv'].replace('quiet-one', '"loud, ""new"""'));
  expect(text('tracked.yaml')).toBe('node: 20.x\n');
  expect(text('local.yaml')).toBe(files['local.yaml']);
  expect(text('trueup.yaml')).toBe(
    `${files['trueup.yaml']}\npatches:\n  - $at: projects/web\n    buildCommand: two\n`,
  );
  expect(ran.stderr).toContain(
    'projects/web: `buildCommand` is not written at local.yaml:1, because git does not track it',
  );
  expect(ran.all).not.toContain('loud');
  expect(ran.stdout).toContain('+at,(secret),ours');
  expect(ran.stdout).not.toContain('LEVEL: (secret)');
  const plan = await shell.run(['plan', '--detailed-exitcode', ...given]);
  expect(plan, plan.all).toMatchObject({ status: 0 });
});

it('data that decides about objects of another stack stays as it is', async () => {
  const shell = await new Shell().write({
    'trueup.workspace.yaml': 'stacks: [one, two]\n',
    'one/trueup.yaml': stackOf('one', 'nodeVersion', 'node'),
    'two/trueup.yaml': stackOf('two', 'nodeVersion', 'node'),
    'three/trueup.yaml': stackOf('three', 'buildCommand', 'build'),
    'sites.csv': 'code,node,build\nat,22.x,make\n',
  });
  initRepository(shell.folder);
  gitIn(shell.folder, 'add', '--all');
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--all', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  const change = (fields: object) => {
    for (const project of twin.account.projects)
      if (project.name === 'one-at') Object.assign(project, fields);
  };
  change({ nodeVersion: '20.x' });
  const ran = await shell.run(['accept', '--all', '--auto-approve', '-f', 'one']);
  expect(ran, ran.all).toMatchObject({ status: 0 });
  expect(ran.stderr).toContain(
    'projects/one-at: `nodeVersion` is not written at sites.csv:2, because the stack two uses it: projects/two-at would also change: `nodeVersion`',
  );
  expect(ran.stdout).toContain('+    nodeVersion: 20.x');
  await shell.write({
    'trueup.workspace.yaml': 'stacks: [one, three]\n',
    'one/trueup.yaml': stackOf('one', 'nodeVersion', 'node'),
  });
  const again = await shell.run(['accept', '--all', '--auto-approve', '-f', 'one']);
  expect(again, again.all).toMatchObject({ status: 0 });
  expect(again.stdout).toContain('+at,20.x,make');
});

story(
  'an object whose row has to stay is left out, and notes about one field of many objects are one line',
  async () => {
    const codes = ['aa', 'bb', 'cc', 'dd', 'ee'];
    const shell = await new Shell().write({
      'trueup.yaml': `stack: shop
platform: { personal: true }
variables: { sites: { file: sites.csv } }
projects:
  site-\${each.key}: { $each: "\${var.sites}", nodeVersion: "\${each.value.node}", buildCommand: "make \${each.key}" }
domains: { example.com: { records: [{ $each: "\${var.sites}", type: A, name: "\${each.key}", value: 192.0.2.1 }] } }
`,
      'sites.csv': `code,node\n${codes.map((code) => `${code},22.x\n`).join('')}`,
    });
    initRepository(shell.folder);
    gitIn(shell.folder, 'add', '--all');
    const twin = await shell.withTwin();
    const done = await shell.run(['apply', '--auto-approve']);
    expect(done, done.all).toMatchObject({ status: 0 });
    const { projects } = twin.account;
    projects.splice(
      projects.findIndex(({ name }) => name === 'site-aa'),
      1,
    );
    const reason =
      'projects/site-aa: it no longer exists, but sites.csv:2 is not removed, because it also makes domains/example.com/records/aa/A';
    const alone = await shell.run(['accept', '--all', '--auto-approve']);
    expect(alone, alone.all).toMatchObject({ status: 1 });
    expect(alone.stderr).toContain(`${reason} [accept/unplaced]`);
    for (const project of projects) Object.assign(project, { nodeVersion: '20.x', buildCommand: 'make all' });
    const ran = await shell.run(['accept', '--all', '--auto-approve']);
    expect(ran, ran.all).toMatchObject({ status: 0 });
    expect(ran.stderr).toContain(`${reason}: edit it by hand`);
    expect(ran.stderr).toContain(
      'projects/site-bb, projects/site-cc, projects/site-dd and 1 more: `buildCommand` is not written at sites.csv, because 3 values come from there',
    );
    expect(readFileSync(join(shell.folder, 'sites.csv'), 'utf8')).toBe(
      `code,node\n${codes.map((code) => `${code},${code === 'aa' ? '22.x' : '20.x'}\n`).join('')}`,
    );
  },
);

it('the last row of a data file is removed although it has one character and no line end', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: shop
platform: { personal: true }
variables: { sites: { file: sites.csv } }
projects: { "\${each.key}": { $each: "\${var.sites}" } }
`,
    'sites.csv': 'code\na\nb',
  });
  initRepository(shell.folder);
  gitIn(shell.folder, 'add', '--all');
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  twin.account.projects = twin.account.projects.filter(({ name }) => name !== 'b');
  const ran = await shell.run(['accept', '--all', '--auto-approve']);
  expect(ran, ran.all).toMatchObject({ status: 0 });
  expect(readFileSync(join(shell.folder, 'sites.csv'), 'utf8')).toBe('code\na\n');
});
