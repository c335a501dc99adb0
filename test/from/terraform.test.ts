import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { type Account, accountWith, textIn } from './account.ts';
import { shownStateOf, stateOf } from './state.ts';

const story = oneStoryIn(5);

let account: Account;
const team = 'team_acme';

beforeAll(async () => {
  account = await accountWith(`stack: acme
platform: { team: acme }
projects:
  web:
    framework: nextjs
    buildCommand: echo $\${HOME}
    env:
      LOG_LEVEL: info
      DATABASE_URL: { value: canary-of-the-account, target: [production], type: encrypted }
    customEnvironments: { qa: { description: testers } }
    domains: { www.example.com: {}, example.com: { redirect: www.example.com, redirectStatusCode: 308 } }
  site-de: { framework: astro, env: { COUNTRY: de }, domains: { de.example.com: {} } }
  site-fr: { framework: astro, env: { COUNTRY: fr }, domains: { fr.example.com: {} } }
domains:
  example.com: { records: [{ type: A, name: "@", value: 76.76.21.21, ttl: 300 }] }
webhooks:
  deploys: { url: https://hooks.example.com/deploys, events: [deployment.succeeded], $secretTo: discard }
`);
});

const site = (key: string) => ({
  id: account.id(`projects/site-${key}`),
  team_id: team,
  name: `site-${key}`,
  framework: 'astro',
  environment: null,
  git_fork_protection: true,
});

const variable = (project: string, key: string, target: string[], values: object = {}) => ({
  id: account.id(`projects/${project}/env/${key}@${target[0]}`),
  team_id: team,
  project_id: account.id(`projects/${project}`),
  key,
  value: 'canary-of-the-state',
  target,
  sensitive: false,
  ...values,
});

const everywhere = ['production', 'preview', 'development'];

const resources = () => [
  {
    type: 'vercel_project',
    name: 'web',
    attributes: {
      id: account.id('projects/web'),
      team_id: team,
      name: 'web',
      framework: 'nextjs',
      build_command: 'echo ${HOME}',
      dev_command: null,
    },
  },
  { type: 'vercel_project', name: 'site', instances: { de: site('de'), fr: site('fr') } },
  {
    type: 'vercel_project_environment_variable',
    name: 'country',
    instances: {
      de: variable('site-de', 'COUNTRY', everywhere),
      fr: variable('site-fr', 'COUNTRY', everywhere),
    },
    sensitive: [['value']],
  },
  {
    type: 'vercel_project_environment_variables',
    name: 'web',
    attributes: {
      project_id: account.id('projects/web'),
      variables: [variable('web', 'LOG_LEVEL', everywhere), variable('web', 'DATABASE_URL', ['production'])],
    },
    // As Terraform marks a set with something sensitive in it.
    sensitive: [['variables']],
  },
  {
    type: 'vercel_project_domain',
    name: 'site',
    instances: Object.fromEntries(
      ['de', 'fr'].map((key) => [
        key,
        {
          id: `${key}.example.com`,
          project_id: account.id(`projects/site-${key}`),
          domain: `${key}.example.com`,
        },
      ]),
    ),
  },
  {
    type: 'vercel_webhook',
    name: 'deploys',
    module: 'module.hooks',
    attributes: {
      id: account.id('webhooks/deploys'),
      endpoint: 'https://hooks.example.com/deploys',
      events: ['deployment.succeeded'],
      project_ids: null,
      secret: 'canary-of-the-webhook',
    },
  },
  {
    type: 'vercel_dns_record',
    name: 'apex',
    attributes: {
      id: 'rec_1',
      domain: 'example.com',
      name: '',
      type: 'A',
      value: '76.76.21.21',
      ttl: 300,
      srv: null,
    },
  },
  {
    type: 'vercel_alias',
    name: 'old',
    attributes: { id: 'als_1', alias: 'old.vercel.app', deployment_id: 'dpl_1' },
  },
  {
    type: 'aws_s3_bucket',
    name: 'logs',
    provider: 'registry.terraform.io/hashicorp/aws',
    attributes: { id: 'logs' },
  },
  { mode: 'data' as const, type: 'vercel_file', name: 'conf', attributes: { id: 'x' } },
];

const takeOver = async (text: string, ...more: string[]) => {
  const shell = await account.beside().write({ 'state.json': text });
  const ran = await shell.run([
    'from',
    'terraform',
    'state.json',
    '--out-dir',
    'out',
    '--team',
    'acme',
    ...more,
  ]);
  return { shell, ran, out: join(shell.folder, 'out') };
};

const withoutIds = (text: string) => text.replaceAll(/\b(prj|hook)_\w+/g, '$1_ID');

story('a state becomes a configuration whose plan sends nothing and creates nothing', async () => {
  const { shell, ran, out } = await takeOver(stateOf(resources()));
  expect(ran.status, ran.all).toBe(0);
  const text = textIn(out);
  await expect(withoutIds(`${text}\n--- told\n${ran.stderr}`)).toMatchFileSnapshot('golden/terraform.txt');
  expect(text + ran.all).not.toContain('canary');
  const planned = await shell.run(['plan', '-f', 'out', '--requests']);
  expect(planned.stdout).toMatch(/0 to create, 11 to adopt, 0 to update, 0 to delete\. 0 requests/);
  expect((await shell.run(['apply', '-f', 'out', '--auto-approve'])).status).toBe(0);
  expect((await shell.run(['plan', '-f', 'out', '--detailed-exitcode'])).status).toBe(0);
});

it('the values of public variables are written, unless something says that they are secrets', async () => {
  const key = (name: string, value: string, more: object = {}) => ({
    type: 'vercel_project_environment_variable',
    name: name.toLowerCase(),
    attributes: {
      id: `env_${name}`,
      project_id: account.id('projects/web'),
      key: name,
      value,
      target: everywhere,
      sensitive: false,
      ...more,
    },
    sensitive: [['value']],
  });
  const several = [
    { ...key('VITE_TITLE', 'Say ${hello}: 1').attributes },
    { ...key('VITE_TITLE', 'canary', { id: 'env_2', target: ['production'], sensitive: true }).attributes },
    { ...key('OTHER', 'canary').attributes },
  ];
  const { ran, out } = await takeOver(
    stateOf([
      resources()[0]!,
      key('NEXT_PUBLIC_SITE_URL', 'https://www.example.com'),
      key('NEXT_PUBLIC_FLAG', '1'),
      key('NEXT_PUBLIC_EMPTY', ''),
      key('NEXT_PUBLIC_API_SECRET', 'canary'),
      key('NEXT_PUBLIC_HIDDEN', 'canary', { sensitive: true, target: ['production'] }),
      key('PRIVATE_NEXT_PUBLIC_X', 'canary'),
      key('PUBLIC_TOKEN_OF_STORE', 'x canary-token x'),
      key('NEXT_PUBLIC_BACKEND', 'x canary-of-variable x'),
      key('BACKEND_PASSWORD', 'canary-of-variable'),
      key('NEXT_PUBLIC_SEARCH', 'canary-of-sensitive'),
      key('SEARCH', 'canary-of-sensitive', { sensitive: true, target: ['production'] }),
      // The provider marks this value as a secret, too, but nothing says that it is one.
      key('SITE_URL', 'https://www.example.com'),
      { type: 'vercel_edge_config', name: 'shop', attributes: { id: 'ecfg_1', name: 'shop' } },
      {
        type: 'vercel_edge_config_token',
        name: 'web',
        attributes: {
          id: 'tok_1',
          edge_config_id: 'ecfg_1',
          label: 'web',
          token: 'canary-token',
          connection_string: 'https://edge-config.example/ecfg_1?token=canary-token',
        },
      },
      {
        type: 'vercel_shared_environment_variable',
        name: 'shared',
        attributes: {
          id: 'env_shared',
          key: 'PUBLIC_REGION',
          value: 'fra1',
          target: everywhere,
          project_ids: [account.id('projects/web')],
        },
      },
      {
        type: 'vercel_project_environment_variables',
        name: 'several',
        attributes: { project_id: account.id('projects/web'), variables: several },
      },
    ]),
    '--no-plan',
  );
  expect(ran.status, ran.all).toBe(0);
  const text = textIn(out);
  expect(text + ran.all).not.toContain('canary');
  expect(text).toContain('NEXT_PUBLIC_SITE_URL: https://www.example.com');
  expect(text).toContain('NEXT_PUBLIC_FLAG: "1"');
  expect(text).toContain('Say $${hello}: 1');
  expect(text).toContain('value: fra1');
  expect(text).toMatch(/NEXT_PUBLIC_(EMPTY|API_SECRET): \{\}/);
  expect(ran.stderr).toContain(
    '4 values written as plain text, since frameworks compile variables with these names into the code for browsers:',
  );
  expect(ran.stderr).toContain('vercel_project_environment_variables.several: VITE_TITLE\n');
  expect(ran.stderr).toContain('vercel_project_environment_variables.several: VITE_TITLE, OTHER\n');
  expect(ran.stderr).toMatch(/\d+ secrets of the state are not written/);
  expect(ran.stderr).toContain('Read 17 resources, converted 17, left out 0.');
});

story('what `terraform show -json` prints comes to the same files', async () => {
  const [stored, shown] = [await takeOver(stateOf(resources())), await takeOver(shownStateOf(resources()))];
  expect(textIn(shown.out)).toBe(textIn(stored.out));
  expect(shown.ran.stderr).toBe(stored.ran.stderr);
});

it('instances that differ in their form are written out', async () => {
  const of = resources();
  Object.assign(of[1]!.instances!.fr!, { root_directory: 'apps/fr' });
  const { ran, out } = await takeOver(stateOf(of), '--no-plan');
  expect(ran.stderr).not.toContain('$each');
  expect(ran.stderr).toContain('To check that it plans to no changes: trueup plan -f out');
  expect(textIn(out)).toMatch(/site-de:.*site-fr:.*rootDirectory: apps\/fr/s);
});

story('what is no more as the state says is told, and a project that is gone is not made anew', async () => {
  const of = resources();
  Object.assign(of[0]!.attributes!, { framework: 'astro' });
  const drifted = await takeOver(stateOf(of));
  expect(drifted.ran.status).toBe(1);
  expect(drifted.ran.stdout).toContain('nextjs');
  expect(drifted.ran.stderr).toContain('its plan would send 1 request, and nothing is created');
  Object.assign(of[0]!.attributes!, { name: 'gone' });
  const gone = await takeOver(stateOf(of));
  expect(gone.ran.status).toBe(1);
  expect(gone.ran.all).toContain('but no object in the account has that name');
});

story('what stands in something that the state does not own exists, or is left', async () => {
  const data = {
    mode: 'data' as const,
    type: 'vercel_project',
    name: 'web',
    attributes: { id: account.id('projects/web'), name: 'web' },
  };
  const domain = (project_id: string, name: string) => ({
    type: 'vercel_project_domain',
    name,
    attributes: { project_id, domain: 'www.example.com' },
  });
  const { ran, out } = await takeOver(
    stateOf([data, domain(account.id('projects/web'), 'www'), domain('prj_other', 'other')]),
  );
  expect(ran.status, ran.all).toBe(0);
  expect(textIn(out)).toContain('  web:\n    $existing: true\n    domains:\n      www.example.com: {}');
  expect(ran.stderr).toContain(
    'vercel_project_domain.other: the project it is in, prj_other, is not in the file',
  );
});

story('files that are there stay, and of several teams one is taken', async () => {
  const { shell, out } = await takeOver(stateOf(resources()));
  const before = textIn(out);
  const again = await shell.run(['from', 'terraform', 'state.json', '--out-dir', 'out', '--team', 'acme']);
  expect(again.status).toBe(1);
  expect(again.stderr).toContain('already exist; nothing was written');
  expect(textIn(out)).toBe(before);
  const other = {
    type: 'vercel_project',
    name: 'x',
    attributes: { id: 'prj_x', name: 'x', team_id: 'team_other' },
  };
  const two = await takeOver(stateOf([...resources(), other]));
  expect(two.ran.stderr).toContain('the state has resources of 2 teams: team_acme, team_other');
  const chosen = await takeOver(stateOf([...resources(), other]), '--team', 'team_other', '--no-plan');
  expect(chosen.ran.status, chosen.ran.all).toBe(0);
  expect(textIn(chosen.out)).toMatch(/projects:\n {2}x:\n {4}\$id: prj_x/);
  expect(chosen.ran.stderr).toContain('vercel_project.web: it belongs to another team, team_acme');
});

story(
  'the stack has the name of the team where the state tells it; where it does not, the way to name it is told',
  async () => {
    const web = {
      type: 'vercel_project',
      name: 'web',
      attributes: { id: 'prj_web', name: 'web', team_id: team },
    };
    const settings = { type: 'vercel_team_config', name: 'acme', attributes: { id: team, slug: 'acme' } };
    const from = async (resources: Parameters<typeof stateOf>[0], ...more: string[]) => {
      const shell = await new Shell().write({ 'state.json': stateOf(resources) });
      return shell.run(['from', 'terraform', 'state.json', ...more]);
    };
    const named = await from([web, { ...settings, mode: 'data' }]);
    expect(named.stdout).toContain('stack: acme\nplatform: { team: acme }');
    expect(named.stderr).not.toContain('--team');
    const unnamed = await from([web]);
    expect(unnamed.stdout).toContain(`stack: ${team}\nplatform: { team: ${team} }`);
    expect(unnamed.stderr).toContain('run this again with --team SLUG, or with --stack NAME');
    for (const more of [
      ['--stack', 'shop'],
      ['--team', 'acme'],
    ])
      expect((await from([web], ...more)).stderr).not.toContain('run this again');
  },
);

it.each([
  ['{"version": 4, "secret": canary', 'state.json:1:26'],
  ['{"version": 4,\n "version": 4}', 'state.json:2:2'],
  ['{"version": 4, "resources": ["canary"]}', 'a list of resources with something else in it'],
  ['{"version": 3}', 'the state is not version 4'],
  ['{"encrypted_data": "canary"}', 'the state is encrypted'],
  ['{"format_version": "1.2", "planned_values": {}}', 'this is a plan, but the state is needed'],
  ['["canary"]', 'this is not a state'],
  ['{"version": 4, "resources": []}', 'nothing in it can be converted'],
])('%s is refused, and nothing of it is quoted', async (text, message) => {
  const { ran } = await takeOver(text);
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain(message);
  expect(ran.all).not.toContain('canary');
});

it('the embedded twin proves it without a token; what was applied from here before is told as that', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: acme\nplatform: { team: acme }\nprojects: { web: { framework: nextjs } }\n',
  });
  expect((await shell.run(['apply', '--twin', '--auto-approve'])).status).toBe(0);
  const ledger = join(shell.folder, '.trueup/twin/ledger');
  const { entries } = JSON.parse(readFileSync(join(ledger, 'acme.json'), 'utf8'));
  const attributes = { id: entries['projects/web'].ids[0], name: 'web', framework: 'nextjs' };
  await shell.write({ 'state.json': stateOf([{ type: 'vercel_project', name: 'web', attributes }]) });
  const args = ['from', 'terraform', 'state.json', '--twin', '--team', 'acme', '--out-dir'];
  const known = await shell.run([...args, 'known']);
  expect(known.status, known.all).toBe(0);
  expect(known.stderr).toContain(
    'Verified: its plan sends nothing. All of it was already applied from here.',
  );
  rmSync(ledger, { recursive: true });
  const fresh = await shell.run([...args, 'fresh']);
  expect(fresh.status, fresh.all).toBe(0);
  expect(fresh.stderr).toContain('Verified: its plan sends nothing. 1 object is in the account already');
});
