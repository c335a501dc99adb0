import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { textIn } from './account.ts';
import { stateOf } from './state.ts';

const project = {
  type: 'vercel_project',
  name: 'web',
  attributes: { id: 'prj_1', name: 'web', team_id: 'team_a' },
};
const variable = (values: object) => ({
  type: 'vercel_project_environment_variable',
  name: 'one',
  attributes: {
    id: 'env_1',
    project_id: 'prj_1',
    key: 'A',
    value: 'canary',
    target: ['production'],
    ...values,
  },
});

async function takeOver(resources: Parameters<typeof stateOf>[0], edit = (state: string) => state) {
  const shell = await new Shell().write({ 'state.json': edit(stateOf(resources)) });
  const ran = await shell.run(['from', 'terraform', 'state.json', '--out-dir', 'out']);
  const out = join(shell.folder, 'out');
  return { ran, text: existsSync(out) ? textIn(out) : '' };
}

it('nothing in a state is an expression, begins a line of the output, or is the name of something else', async () => {
  const { ran, text } = await takeOver([
    { ...project, attributes: { ...project.attributes, build_command: '${secret.env[X]} ##[error]' } },
    variable({ key: 'A', comment: '${projects.web.id}\n::set-output name=x::y' }),
    { type: 'constructor', name: 'toString', attributes: { id: 'x' } },
    { type: 'vercel_alias', name: 'a\n::error::b', attributes: { id: 'y' } },
    {
      mode: 'data',
      type: 'vercel_project_domain',
      name: 'read',
      attributes: { project_id: 'prj_1', domain: 'x.example.com' },
    },
  ]);
  expect(ran.status, ran.all).toBe(0);
  expect(text).toContain('buildCommand: "$${secret.env[X]} ##[error]"');
  expect(text).toContain('$${projects.web.id}');
  expect(text).not.toContain('x.example.com');
  expect(ran.stderr).toContain('constructor.toString: there is no kind for it');
  expect(ran.all).not.toMatch(/^::/m);
});

it('what has a form that nobody knows is left, and takes nothing else along', async () => {
  const { ran, text } = await takeOver([
    project,
    variable({ id: null }),
    { type: 'vercel_project', name: 'nameless', attributes: { id: 'prj_2', name: null } },
    {
      type: 'vercel_project',
      name: 'sealed',
      attributes: { id: 'prj_3', name: 'canary' },
      sensitive: [['name']],
    },
    {
      type: 'vercel_firewall_config',
      name: 'odd',
      attributes: {
        project_id: 'prj_1',
        rules: { rule: [{ id: 'r', name: 'r', condition_group: 7, action: 'x' }] },
      },
    },
    { type: 'vercel_drain', name: 'odd', attributes: { id: 'd', name: 'd', schemas: 'log', delivery: [] } },
    { type: 'vercel_edge_config', name: 'odd', attributes: { id: 'ecfg_1', name: 'a b' } },
  ]);
  expect(ran.status, ran.all).toBe(0);
  expect(text).toContain('  web:\n    $id: prj_1');
  expect(text + ran.all).not.toContain('canary');
  expect(ran.stderr).toContain('vercel_project_environment_variable.one: the file does not contain its id');
  expect(ran.stderr).toContain('vercel_project.nameless: the file does not contain its name');
  expect(ran.stderr).toContain(
    'vercel_project.sealed: the file does not contain its name, or marks it as a secret',
  );
  expect(ran.stderr).toContain('vercel_edge_config.odd: a slug must have 1 to 64 letters');
  expect(ran.stderr).toContain('Read 7 resources, converted 1, left out 6.');
});

it('a number that would be rounded is left out with its resource, and does not matter elsewhere', async () => {
  const big = '123456789012345678';
  const resources = [
    project,
    { type: 'vercel_edge_config', name: 'one', attributes: { id: 'ecfg_1', name: 'one' } },
    {
      type: 'vercel_edge_config_item',
      name: 'big',
      attributes: { edge_config_id: 'ecfg_1', key: 'k', value_json: { limit: 4711 } },
    },
    {
      type: 'random_integer',
      name: 'it',
      provider: 'registry.terraform.io/hashicorp/random',
      attributes: { x: 4711 },
    },
  ];
  const { ran } = await takeOver(resources, (state) => state.replaceAll('4711', big));
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stderr).toContain(
    'vercel_edge_config_item.big: `value_json.limit` is a number with more digits than a configuration can hold',
  );
  expect(ran.stderr).toContain('Read 4 resources, converted 2, left out 2.');
});

it('what could be a secret although nobody says so is named', async () => {
  const header = { type: 'header', op: 'eq', key: 'authorization', value: 'Bearer internal-token' };
  const webhook = {
    id: 'hook_1',
    endpoint: 'https://hooks.example.com/T1?token=abcdefgh12345',
    events: ['deployment.succeeded'],
  };
  const { ran } = await takeOver([
    project,
    { type: 'vercel_webhook', name: 'chat', attributes: webhook },
    {
      type: 'vercel_firewall_config',
      name: 'it',
      attributes: {
        project_id: 'prj_1',
        enabled: true,
        rules: {
          rule: [
            { id: 'r', name: 'r', condition_group: [{ conditions: [header] }], action: { action: 'deny' } },
          ],
        },
      },
    },
  ]);
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stderr).toMatch(
    /Written as found: check them for secrets before you commit\.\n {2}projects\/web\/firewall\/rules\/r \(conditionGroup\)\n {2}webhooks\/chat \(url\)/,
  );
});

it('without a place it is printed, and standard input is a state as well', async () => {
  const shell = new Shell();
  const ran = await shell.run(['from', 'terraform', '-', '--stack', 'shop'], { input: stateOf([project]) });
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stdout).toBe(`stack: shop
platform: { team: team_a }
projects:
  web:
    $id: prj_1
`);
});
