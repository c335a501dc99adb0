import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type Account, accountWith } from './account.ts';
import { shownStateOf, stateOf } from './state.ts';

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

const textIn = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => `# ${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');

it('a state becomes a configuration whose plan sends nothing and creates nothing', async () => {
  const shell = await account.beside().write({ 'state.json': stateOf(resources()) });
  const ran = await shell.run(['from', 'terraform', 'state.json', '--out-dir', 'out', '--team', 'acme']);
  console.log(ran.all, textIn(join(shell.folder, 'out')));
  expect(ran.status, ran.all).toBe(0);
});
