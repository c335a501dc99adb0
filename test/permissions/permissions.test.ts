import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import type { TokenFacts } from '../../src/kind/evidence.ts';
import type { Scope } from '../../src/kind/provider.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import type { Desired, Resource } from '../../src/model/resource.ts';
import { type CommandCheck, checkCommandNeeds } from '../../src/permissions/check-needs.ts';
import { type CommandNeeds, findCommandNeeds } from '../../src/permissions/find-needs.ts';
import { Shell } from '../support/cli.ts';

const kinds = kindsOf(hosting.kinds);
const [{ tokens }, actionsAndLookups, operations] = await Promise.all([
  hosting.evidence(),
  hosting.actionsAndLookups(),
  hosting.operations(),
]);

/** The needs of a configuration with one object of each of these kinds, by command. */
function needsOf(
  names: string[],
  platform: Scope = { team: 'acme' },
  meta: Partial<Resource['meta']> = {},
  lookups?: Desired['lookups'],
) {
  const resources = names.map((kind, index): [string, Resource] => [
    `${kind}/${index}`,
    { address: `${kind}/${index}`, kind, fields: {}, meta, index, at: { file: '', line: 1, column: 1 } },
  ]);
  const desired = { stack: 's', resources: new Map(resources), inputs: [], folders: [], lookups };
  const commands = findCommandNeeds({
    desired,
    platform,
    kinds,
    accountReads: hosting.lookups,
    operations,
    actionsAndLookups,
    tokens,
  });
  return { commands, of: (name: string) => commands.find(({ command }) => command === name)! };
}

it.each<[string[], plan: string, apply: string]>([
  [['project', 'projectDomain'], 'project', 'team'],
  // The list of a project can have the team's variables as well, so planning reads those, too.
  [['project', 'projectEnvVar'], 'team', 'team'],
  [['projectEnvVar', 'projectDomain', 'project', 'project'], 'team', 'team'],
  [['project', 'sharedEnvVar'], 'team', 'team'],
  [['project', 'authToken'], 'team', 'user'],
])('finds the least token for %s', (names, plan, apply) => {
  const { of } = needsOf(names);
  expect([of('plan').scope, of('apply').scope, of('export').scope]).toEqual([plan, apply, 'team']);
  expect([of('plan').writes, of('doctor').writes, of('apply').writes]).toEqual([false, false, true]);
});

it('derives needs from the requests of kinds and of actions', () => {
  const redeploy = { action: 'redeploy', input: {}, about: ['projects/web'] };
  const { commands, of } = needsOf(['webhook'], { team: 'acme' }, { actions: [redeploy] });
  const named = of('apply').needs.map(({ resource, access, operations: needed }) => [
    `${access} ${resource}`,
    needed.map(({ operation }) => operation),
  ]);
  expect(Object.fromEntries(named)).toEqual({
    'read account': ['GET /v2/teams/{teamId}', 'GET /v2/user'],
    // A webhook refers to projects by their ids.
    'read webhook': ['GET /v1/webhooks', 'GET /v1/webhooks/{id}', 'GET /v10/projects'],
    'write webhook': ['POST /v1/webhooks', 'DELETE /v1/webhooks/{id}'],
  });
  expect(commands.map(({ command }) => command)).toEqual([
    'plan',
    'apply',
    'export',
    'doctor',
    'run redeploy',
  ]);
  expect(of('run redeploy').needs[1]).toMatchObject({ resource: 'redeploy', access: 'write' });
  expect(needsOf(['project'], { personal: true }).of('plan').scope).toBe('user');
});

it('finds the needs of sections with `$exclusive`, of lookups, and of objects that are never written', () => {
  const at = { file: '', line: 1, column: 1 };
  const lookups = new Map([['last', { lookup: 'deployment', where: [], at }]]);
  const { of } = needsOf(['project'], { team: 'acme' }, { existing: true, exclusive: ['env'] }, lookups);
  const named = (command: string) => of(command).needs.map(({ access, resource }) => `${access} ${resource}`);
  expect(named('plan')).toEqual([
    'read account',
    'read project',
    'read projectEnvVar',
    'read get deployment',
  ]);
  const { of: ofExisting } = needsOf(['project'], { team: 'acme' }, { existing: true });
  expect(ofExisting('apply')).toMatchObject({ scope: 'project', writes: false });
});

it.each<[string, string[], TokenFacts, Record<string, string>]>([
  [
    'the whole account',
    ['project', 'projectEnvVar'],
    { scope: 'user', role: 'OWNER' },
    { plan: 'yes', apply: 'yes', export: 'yes' },
  ],
  ['a viewer', ['project'], { scope: 'team', role: 'VIEWER' }, { plan: 'yes', apply: 'no', export: 'yes' }],
  ['a developer', ['project'], { scope: 'team', role: 'DEVELOPER' }, { plan: 'yes', apply: 'unknown' }],
  ['one project', ['project'], { scope: 'project' }, { plan: 'yes', apply: 'unknown', export: 'no' }],
  ['one project', ['project', 'projectEnvVar'], { scope: 'project' }, { plan: 'unknown', apply: 'unknown' }],
  ['a team', ['authToken'], { scope: 'team', role: 'OWNER' }, { plan: 'yes', apply: 'no', doctor: 'yes' }],
  ['nothing known', ['project'], {}, { plan: 'unknown', apply: 'unknown' }],
])('compares needs with a token: %s, for %s', (_, names, token, expected) => {
  const { commands } = needsOf(names);
  const checks = checkCommandNeeds(commands, token, tokens);
  const allowed = Object.fromEntries(checks.map((check) => [check.command, check.allowed]));
  expect(allowed).toMatchObject(expected);
});

const shell = await new Shell().write({
  'trueup.yaml':
    'stack: s\nplatform: { team: team_acme }\nprojects: { web: { env: { A: { value: b, type: plain } } } }\n',
});

it('prints needs without an account', async () => {
  const offline = await shell.run(['permissions']);
  expect(offline).toMatchObject({ status: 0, stderr: '' });
  expect(offline.stdout).toContain('plan    limited to this team, only reads');
});

const twin = await shell.withTwin(
  {
    team: { id: 'team_acme', slug: 'acme' },
    projects: [{ name: 'web', env: [{ key: 'A', value: 'b', type: 'plain' }] }, { name: 'api' }],
    authTokens: [
      { name: 'ci', bearer: 'of-team' },
      { name: 'web', bearer: 'of-project', projectId: 'web' },
    ],
  },
  { token: 'token-for-tests' },
);

it('compares needs with the token in use', async () => {
  shell.env.TRUEUP_TOKEN = 'of-team';
  const { status, stdout } = await shell.run(['permissions', '--check', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).checks).toContainEqual({ command: 'apply', allowed: 'yes', findings: [] });
  await shell.write({
    'tokens.yaml': 'stack: s\nplatform: { team: acme }\nauthTokens: { new: { $secretTo: discard } }\n',
  });
  expect(await shell.run(['permissions', '--check', '-f', 'tokens.yaml'])).toMatchObject({ status: 1 });
  shell.env.TRUEUP_TOKEN = 'wrong';
  expect(await shell.run(['permissions', '--check'])).toMatchObject({ status: 1, stdout: '' });
});

it('lists every operation that planning reads, and is not certain of a plan that is incomplete', async () => {
  shell.env.TRUEUP_TOKEN = 'of-project';
  const { status, stdout } = await shell.run(['permissions', '--check', '--json']);
  const { commands, checks } = JSON.parse(stdout) as { commands: CommandNeeds[]; checks: CommandCheck[] };
  const listed = commands[0]!.needs.flatMap((need) => need.operations.map(({ operation }) => operation));
  const since = twin.requests.length;
  expect(await shell.run(['plan'])).toMatchObject({ status: 1 });
  const sent = twin.requests
    .slice(since)
    .map(({ method, path }) => operationOf(`${method} ${path}`, operations));
  expect(sent.length).toBeGreaterThan(3);
  for (const operation of sent) expect(listed).toContain(`GET ${operation?.path}`);
  // Only the export, which is not what the configuration is for, is refused.
  expect(checks.filter((check) => check.allowed === 'no').map(({ command }) => command)).toEqual(['export']);
  expect(status).toBe(0);
  const { allowed, findings } = checks[0]!;
  expect([allowed, findings.map(({ why }) => why)]).toEqual([
    'unknown',
    ['GET /v1/env needs a token of the team'],
  ]);
});
