import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(3);

/* What OAuth apps and alert rules do that their samples do not show. */

let world: World;
beforeAll(async () => {
  world = await World.start({
    seed: {
      projects: [{ name: 'web' }],
      alertRules: [
        {
          ...{
            id: 'ar_default',
            isDefault: true,
            name: 'Default',
            type: 'built-in',
            ruleScope: { type: 'all' },
          },
          ...{ triggers: { mode: 'all' }, matchMinimumSeverityLevel: 'high' },
        },
      ],
    } as never,
  });
});

afterAll(() => world.stop());

const app = (members = '') => `oauthApps: { shop: { name: Shop, ${members} } }`;
const errorsOf = async (yaml: string, options = {}) => {
  const { plan } = await world.plan(yaml, options);
  return plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
};

test('an app is found by its recorded id or by `$id`, and else not at all', async () => {
  await world.converge(app('permissions: ["read:project"]'));
  const { id } = world.twin.account.oauthApps[0]!;
  const { ledger } = world;
  world.ledger = { ...ledger, entries: {} };
  const adopting = await world.plan(app(`$id: ${id}, permissions: ["read:project"]`));
  expect(adopting.plan.changes.map(({ action }) => action)).toEqual(['adopt']);
  expect(adopting.plan.operations).toEqual([]);
  const unaware = await world.apply(await world.plan(app()));
  expect(unaware.outcome.failed).toMatchObject([
    { error: { message: expect.stringContaining('409'), hint: expect.stringContaining('add `$id: ID`') } },
  ]);
  expect(world.twin.account.oauthApps).toHaveLength(1);
  world.ledger = ledger;
  await world.converge(app('permissions: ["read:project"]'));
});

test('each run names the way out after a run was killed while it created an app', async () => {
  const yaml = 'oauthApps: { three: { name: Three } }';
  const { ledger, connection } = world;
  const { send } = connection;
  connection.send = async (request) => {
    const answer = await send(request);
    if (request.endpoint.startsWith('POST')) throw new Error('killed');
    return answer;
  };
  await world.apply(await world.plan(yaml));
  connection.send = send;
  for (const run of ['second', 'third', 'fourth']) {
    const planned = await world.plan(yaml);
    expect(planned.plan.diagnostics, run).toMatchObject([
      { code: 'resume/unlisted', severity: 'warning', address: 'oauthApps/three' },
    ]);
    const { outcome } = await world.apply(planned);
    expect(outcome.failed, run).toMatchObject([
      { error: { hint: expect.stringContaining('add `$id: ID`') } },
    ]);
  }
  const { id } = world.twin.account.oauthApps.find(({ slug }) => slug === 'three')!;
  const { ledger: interrupted } = world;
  const found = await world.converge(yaml.replace('name', `$id: ${id}, name`));
  expect(found.diagnostics).toEqual([]);
  expect(world.ledger.begun).toBeUndefined();

  // Somebody has edited it since.
  world.ledger = interrupted;
  const edited = await world.converge(`oauthApps: { three: { $id: ${id}, name: Edited } }`);
  expect(edited.diagnostics).toEqual([]);
  expect(world.ledger.begun).toBeUndefined();

  // Without its block, nothing asks for it any more.
  world.ledger = interrupted;
  const undeclared = await world.plan('projects: { web: {} }');
  expect(undeclared.plan.diagnostics).toMatchObject([
    { code: 'resume/unlisted', hint: expect.stringContaining('delete it there') },
  ]);
  await world.converge('projects: { web: {} }');
  expect(world.ledger.begun).toBeUndefined();
  world.ledger = ledger;
});

test('an app that is gone answers 400, and is created again', async () => {
  const [gone] = world.twin.account.oauthApps.splice(0);
  const plan = await world.converge(app());
  expect(plan.changes).toMatchObject([{ action: 'create', reason: 'deleted outside' }]);
  expect(world.twin.account.oauthApps[0]!.id).not.toBe(gone!.id);
});

test('permissions change alone, null removes URLs, and what takes access away is asked for', async () => {
  const full = 'redirectUris: [https://a.example, https://b.example], homePageUri: https://a.example';
  await world.converge(app(`${full}, permissions: ["read:project", "read:team"]`));
  const less = app('redirectUris: [https://a.example], homePageUri: null, permissions: ["read:project"]');
  expect(await errorsOf(less, { allow: [] })).toEqual(['allow/missing']);
  const since = world.twin.requests.length;
  await world.converge(less);
  const patches = world.twin.requests.slice(since).filter(({ method }) => method === 'PATCH');
  expect(patches.map(({ body }) => body)).toEqual([
    { redirectUris: ['https://a.example'], homePageUri: null },
    { permissions: ['read:project'] },
  ]);
  expect(world.twin.account.oauthApps[0]).not.toHaveProperty('homePageUri');
});

test('the secret of an app is delivered once, and deleted by its last four characters', async () => {
  const secret = (name: string) => `${name}: { $secretTo: { variable: projects/web/env/${name} } }`;
  const yaml = (...names: string[]) =>
    `projects: { web: {} }\noauthApps: { shop: { name: Shop, clientSecrets: { ${names.map(secret).join(', ')} } } }`;
  await world.converge(yaml('FIRST'));
  await world.converge(yaml('FIRST', 'SECOND'));
  const [web] = world.twin.account.projects;
  const [shop] = world.twin.account.oauthApps;
  const values = ['FIRST', 'SECOND'].map((name) => web!.env.find(({ key }) => key === name)!.value);
  expect(shop!.clientSecrets.map(({ lastFourChars }) => lastFourChars)).toEqual(
    values.map((value) => value.slice(-4)),
  );
  for (const value of values) expect(JSON.stringify(world.ledger)).not.toContain(value);
  expect(await errorsOf(yaml('SECOND'), { allow: [] })).toEqual(['allow/missing']);
  await world.converge(yaml('SECOND'));
  expect(shop!.clientSecrets).toMatchObject([{ lastFourChars: values[1]!.slice(-4) }]);
});

test('two secrets that one run creates for an app each get their own id', async () => {
  const secrets = (names: string) => `oauthApps: { two: { name: Two, clientSecrets: { ${names} } } }`;
  const delivered: Record<string, string> = {};
  const planned = await world.plan(secrets('a: { $secretTo: { file: a } }, b: { $secretTo: { file: b } }'));
  const { outcome } = await world.apply(planned, {
    deliver: async (to, secret) => {
      delivered[(to as { file: string }).file] = secret.reveal();
    },
  });
  expect(outcome.failed).toEqual([]);
  const { clientSecrets } = world.twin.account.oauthApps.find(({ slug }) => slug === 'two')!;
  for (const name of ['a', 'b']) {
    const [id] = world.ledger.entries[`oauthApps/two/clientSecrets/${name}`]!.ids;
    expect(clientSecrets.find((secret) => secret.id === id)?.lastFourChars).toBe(delivered[name]!.slice(-4));
  }
  expect(clientSecrets).toHaveLength(2);
  await world.converge(secrets(''));
});

test('a secret is not deleted if another one of the app has the same last four characters', async () => {
  const yaml = (names: string) => `oauthApps: { alike: { name: Alike, clientSecrets: { ${names} } } }`;
  const both = 'a: { $secretTo: discard }, b: { $secretTo: discard }';
  await world.converge(yaml(both));
  const { clientSecrets } = world.twin.account.oauthApps.find(({ slug }) => slug === 'alike')!;
  const [{ lastFourChars }] = clientSecrets as [(typeof clientSecrets)[0]];
  const ending = clientSecrets[1]!.lastFourChars;
  clientSecrets[1]!.lastFourChars = lastFourChars;
  const { plan } = await world.plan(yaml('b: { $secretTo: discard }'));
  expect(plan.diagnostics).toMatchObject([
    { code: 'secret/same-ending', severity: 'error', address: 'oauthApps/alike/clientSecrets/a' },
  ]);
  expect(plan.operations).toEqual([]);
  await world.converge(yaml(both));
  clientSecrets[1]!.lastFourChars = ending;
  await world.converge(yaml('b: { $secretTo: discard }'));
});

test('a third secret of an app gets a warning, also if the others are not declared', async () => {
  const yaml = 'oauthApps: { alike: { name: Alike, clientSecrets: { c: { $secretTo: discard } } } }';
  const { ledger } = world;
  const app = world.twin.account.oauthApps.find(({ slug }) => slug === 'alike')!;
  app.clientSecrets.push({ id: 'of-others', lastFourChars: 'abcd' });
  const { 'oauthApps/alike/clientSecrets/b': _, ...entries } = ledger.entries;
  world.ledger = { ...ledger, entries };
  const { plan } = await world.plan(yaml);
  expect(plan.diagnostics).toMatchObject([
    {
      ...{ code: 'plan/clash', severity: 'warning', address: 'oauthApps/alike/clientSecrets/c' },
      message: expect.stringContaining('would have 3 client secrets'),
    },
  ]);
  app.clientSecrets.pop();
  world.ledger = ledger;
});

test('a secret that did not reach its destination is replaced, also if the app has no room for a third one', async () => {
  const yaml = (more: string) =>
    `oauthApps: { full: { name: Full, clientSecrets: { a: { $secretTo: discard }${more} } } }`;
  await world.converge(yaml(''));
  const both = yaml(', b: { $secretTo: { file: b } }');
  const lost = await world.apply(await world.plan(both), {
    deliver: async () => {
      throw new Error('the disk is full');
    },
  });
  expect(lost.outcome.failed).toHaveLength(1);
  const { plan } = await world.plan(both);
  expect(plan.operations.map(({ id }) => id)).toEqual([
    'delete oauthApps/full/clientSecrets/b',
    'create oauthApps/full/clientSecrets/b',
  ]);
  const { outcome } = await world.apply(await world.plan(both), { deliver: async () => {} });
  expect(outcome.failed).toEqual([]);
  expect((await world.plan(both)).plan.operations).toEqual([]);
});

const rule = (members: string) => `alertRules: { shop: { ${members} } }`;
const builtIn =
  'type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low';
const custom = (filter: string) =>
  `type: custom, ruleScope: { type: project, projectId: "\${projects.web.id}" }, severity: high,
   evaluation: { window: 5m, query: { metrics: { errors: { metric: m, aggregation: count, filter: '${filter}' } }, outputs: [errors] } },
   trigger: { type: threshold, output: errors, operator: gt, threshold: 0 }`;

test("the default rule is the platform's own, also where everything else is deleted", async () => {
  const { plan } = await world.plan(`$exclusive: [alertRules]\n${rule(builtIn)}`);
  expect(plan.changes.filter(({ kind }) => kind === 'alertRule').map(({ action }) => action)).toEqual([
    'create',
  ]);
});

test('a rule keeps its type, and its filters are compared as the platform spells them', async () => {
  await world.converge(rule(`${builtIn}, notificationSettings: { incidentIoRoutingKey: shop }`));
  const reset = rule(`${builtIn}, notificationSettings: { incidentIoRoutingKey: null }`);
  await world.converge(reset);
  expect(world.twin.account.alertRules.at(-1)!.notificationSettings).toEqual({
    enableTeamOwnerNotifications: true,
  });
  const yaml = (members: string) => `projects: { web: {} }\n${rule(members)}`;
  expect(await errorsOf(yaml(custom('httpStatus >= 500')))).not.toEqual([]);
  await world.converge(yaml(`${custom('httpStatus >= 500')}, $replace: allow`));
  await world.converge(yaml(`${custom('httpStatus:>=500 AND route:"a > 1"')}, $replace: allow`));
  expect(world.twin.account.alertRules.at(-1)).toMatchObject({
    evaluation: { query: { metrics: { errors: { filter: 'httpStatus:>=500 AND route:"a > 1"' } } } },
  });
});

test('a rule whose query the platform cannot show is neither changed nor created again', async () => {
  const old = world.twin.account.alertRules.at(-1)!;
  Object.assign(old, { querySupported: false, evaluation: null });
  const { plan } = await world.plan(`projects: { web: {} }\n${rule(custom('a:1'))}`);
  expect(plan.operations).toEqual([]);
});

story('members of the other type of a rule get a warning', async () => {
  const { plan } = await world.plan(
    'alertRules: { new: { type: custom, ruleScope: { type: all }, triggers: { mode: all } } }',
  );
  expect(plan.diagnostics.flatMap(({ message }) => message.split('probably refuses ')[1] ?? [])).toEqual([
    'a custom rule without `severity`',
    'a custom rule without `evaluation`',
    'a custom rule without `trigger`',
    'this scope of a custom rule',
    '`triggers` in a custom rule',
  ]);
});

story('members of the other type of a target of alerts get a warning', async () => {
  const targets = {
    full: 'type: slack, configId: icfg_a, channelId: C1',
    mixed: 'type: slack, webhookId: hook_a',
    both: 'type: webhook, webhookId: hook_a, channelId: C1',
    later: 'type: constructor, webhookId: hook_a',
  };
  const notifications = Object.entries(targets).map(([name, members]) => `${name}: { ${members} }`);
  const { plan } = await world.plan(rule(`${builtIn}, notifications: { ${notifications.join(', ')} }`));
  expect(
    plan.diagnostics.flatMap(({ severity, address, message }) =>
      severity === 'warning' && message.includes('probably refuses ')
        ? [`${address!.split('/').at(-1)}: ${message.split('probably refuses ')[1]}`]
        : [],
    ),
  ).toEqual([
    'mixed: a slack target without `configId`',
    'mixed: a slack target without `channelId`',
    'mixed: `webhookId` in a slack target',
    'both: `channelId` in a webhook target',
  ]);
});
