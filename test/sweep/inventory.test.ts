import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { accountShape } from './account-shape.ts';
import { foreignMember, foreignSeed } from './foreign-seed.ts';
import { inventory } from './inventory.ts';

// What the inventory or the shape of an account leaves out, no story and no sweep can miss.

let twin: Twin;
beforeAll(async () => {
  twin = await startTwin({ seed: { ...foreignSeed, team: { members: [foreignMember] } } });
});
afterAll(() => twin.close());

/** A time after those of the seed. */
const later = 9_000_000_000_000;

type Project = Account['projects'][number];
const inFirst = (change: (project: Project) => void) => (account: Account) => change(account.projects[0]!);

const changes: [name: string, key: RegExp, change: (account: Account) => void][] = [
  ['observability', /\/observability$/, inFirst((project) => (project.observabilityDisabledAt = null))],
  ['speed insights', /\/speedInsights$/, inFirst(({ speedInsights }) => (speedInsights!.disabledAt = later))],
  ['web analytics', /\/webAnalytics$/, inFirst(({ webAnalytics }) => (webAnalytics!.disabledAt = later))],
  ['cron jobs', /\/crons$/, inFirst((project) => (project.crons = { disabledAt: 1 } as never))],
  ['traces', /\/tracingConfig$/, inFirst((project) => (project.tracingConfig.enabled = false))],
  ['a picture', /\/avatar$/, inFirst((project) => (project.avatar = null))],
  ['an alert rule', /^alertRules:/, ({ alertRules }) => (alertRules[0]!.matchMinimumSeverityLevel = 'high')],
  [
    'a target of alerts',
    /\/notifications\//,
    ({ alertRules }) =>
      alertRules[0]!.notifications.push({ type: 'slack', configId: 'icfg_a', channelId: 'C1' }),
  ],
  [
    'an OAuth app',
    /^oauthApps:[^/]*$/,
    ({ oauthApps }) => (oauthApps[0]!.redirectUris = ['https://a.example']),
  ],
  [
    'a client secret',
    /\/clientSecrets\//,
    ({ oauthApps }) => oauthApps[0]!.clientSecrets.push({ id: 'new', lastFourChars: 'abcd' }),
  ],
  ['a policy for tokens', /^oidcPolicies:/, ({ oidcPolicies }) => (oidcPolicies[0]!.permissions = ['read'])],
  ['a store', /^blobStores:/, ({ stores }) => (stores[0]!.access = 'private')],
  [
    'a connection',
    /\/connections\//,
    ({ stores }) =>
      (stores.find(({ connections }) => connections.length > 0)!.connections[0]!.environments = []),
  ],
  ['a group of microfrontends', /^microfrontends:[^/]*$/, (account) => account.microfrontendsGroups.pop()],
  [
    'a project in a group',
    /^microfrontends:.*\/projects\//,
    ({ projects }) =>
      (projects.find(({ microfrontends }) => microfrontends)!.microfrontends!.defaultRoute = '/x'),
  ],
];

it.each(changes)('sees a change of %s', (_, key, change) => {
  const before = twin.account as Account;
  const after = structuredClone(before);
  change(after);
  const [was, is] = [inventory(before), inventory(after)];
  const different = [...new Set([...was.keys(), ...is.keys()])].filter(
    (item) => was.get(item)?.content !== is.get(item)?.content,
  );
  expect(different).not.toEqual([]);
  expect(different.filter((item) => !key.test(item))).toEqual([]);
  expect(accountShape(after)).not.toEqual(accountShape(before));
});
