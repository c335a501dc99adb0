import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import type { TokenFacts } from '../../src/kind/evidence.ts';
import type { Scope } from '../../src/kind/provider.ts';
import type { Resource } from '../../src/model/resource.ts';
import { checkCommandNeeds } from '../../src/permissions/check-needs.ts';
import { findCommandNeeds } from '../../src/permissions/find-needs.ts';
import { Shell } from '../support/cli.ts';

const kinds = kindsOf(hosting.kinds);
const [{ tokens }, { actions }, operations] = await Promise.all([
  hosting.evidence(),
  hosting.dayTwo(),
  hosting.operations(),
]);

/** The needs of a configuration with one object of each of these kinds, by command. */
function needsOf(names: string[], platform: Scope = { team: 'acme' }, meta: Partial<Resource['meta']> = {}) {
  const resources = names.map((kind, index): [string, Resource] => [
    `${kind}/${index}`,
    { address: `${kind}/${index}`, kind, fields: {}, meta, index, at: { file: '', line: 1, column: 1 } },
  ]);
  const desired = { stack: 's', resources: new Map(resources), inputs: [], folders: [] };
  const commands = findCommandNeeds({
    desired,
    platform,
    kinds,
    lookups: hosting.lookups,
    operations,
    actions,
    tokens,
  });
  return { commands, of: (name: string) => commands.find(({ command }) => command === name)! };
}

it.each<[string[], plan: string, apply: string]>([
  [['project', 'projectEnvVar'], 'project', 'team'],
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
    'read webhook': ['GET /v1/webhooks', 'GET /v1/webhooks/{id}'],
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

it.each<[string, TokenFacts, Record<string, string>]>([
  ['the whole account', { scope: 'user', role: 'OWNER' }, { plan: 'yes', apply: 'yes', export: 'yes' }],
  ['a viewer', { scope: 'team', role: 'VIEWER' }, { plan: 'yes', apply: 'no', export: 'yes' }],
  ['a developer', { scope: 'team', role: 'DEVELOPER' }, { plan: 'yes', apply: 'unknown' }],
  ['one project', { scope: 'project' }, { plan: 'yes', apply: 'unknown', export: 'no' }],
  ['nothing known', {}, { plan: 'unknown', apply: 'unknown' }],
])('compares needs with a token: %s', (_, token, expected) => {
  const { commands } = needsOf(['project', 'projectEnvVar']);
  const checks = checkCommandNeeds(commands, token, tokens);
  const allowed = Object.fromEntries(checks.map((check) => [check.command, check.allowed]));
  expect(allowed).toMatchObject(expected);
});

it('prints needs without an account, and compares them with the token in use', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: s\nplatform: { team: acme }\nprojects: { web: { env: { A: b } } }\n',
  });
  const offline = await shell.run(['permissions']);
  expect(offline).toMatchObject({ status: 0, stderr: '' });
  expect(offline.stdout).toContain('plan    limited to this project, only reads');
  await shell.withTwin(
    { team: { slug: 'acme' }, projects: [{ name: 'web' }], authTokens: [{ name: 'ci', bearer: 'ci-token' }] },
    { token: 'token-for-tests' },
  );
  shell.env.TRUEUP_TOKEN = 'ci-token';
  const { status, stdout } = await shell.run(['permissions', '--check', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).checks).toContainEqual({ command: 'apply', allowed: 'yes', findings: [] });
  shell.env.TRUEUP_TOKEN = 'wrong';
  expect(await shell.run(['permissions', '--check'])).toMatchObject({ status: 1, stdout: '' });
});
