import { beforeEach, expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

/* `lookups:` in a configuration: what is found stands in the input of actions, and in fields where nothing but configuration moves it. */

const seed = {
  team: { id: 'team_1', slug: 'acme' },
  domains: [{ name: 'shop.example' }],
  projects: [
    {
      name: 'web',
      deployments: [
        { id: 'dpl_old', target: 'production' },
        { id: 'dpl_live', target: 'production' },
        { id: 'dpl_preview' },
      ],
    },
  ],
};
const yaml = (lookups: string, then: string, value = 'one', more = '') =>
  `stack: demo\nplatform: { team: acme }\nlookups: ${lookups}\nprojects:\n  web:\n    $then: ${then}\n    env: { API_URL: "${value}"${more} }\n`;
const live = '{ live: { deployment: { project: web, target: production, state: READY } } }';
const redeploy = '[{ redeploy: { deployment: "${lookup.live.id}" }, when: [env] }]';

let shell: Shell;
let twin: Twin;
beforeEach(async () => {
  shell = await new Shell().write({});
  twin = await shell.withTwin(seed);
});
const plan = (...args: string[]) => shell.run(['plan', '--requests', ...args]);
const made = () =>
  twin.requests
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/v13/deployments'))
    .map(({ body }) => (body as { deploymentId: string }).deploymentId);

story('an action takes what is found when it is sent; the plan shows what is found now', async () => {
  await shell.write({ 'trueup.yaml': yaml(live, redeploy) });
  const shown = await plan();
  expect(shown.stdout, shown.all).toContain('"deploymentId": "dpl_live"');
  expect(shown.stdout).toContain('deployment: ${lookup.live.id}');
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect([applied.status, made()], applied.all).toEqual([0, ['dpl_live']]);
});

story('a field has what a lookup finds that nobody else moves', async () => {
  const names = '{ cache: { cacheStatus: {} } }';
  await shell.write({ 'trueup.yaml': yaml(names, '[]', 'is ${lookup.cache.status}') });
  const shown = await plan();
  expect(shown.status, shown.all).toBe(0);
  expect(shown.stdout).toContain('value: is status');
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect(applied.status, applied.all).toBe(0);
  expect((await plan('--detailed-exitcode')).status).toBe(0);
});

test('a field takes what is found as text, beside what is secret; what it cannot be is an error before anything is sent', async () => {
  const names =
    '{ cache: { cacheStatus: {} }, config: { domainConfig: { domain: shop.example } } }\nsecrets: { key: {} }';
  shell.env.TRUEUP_SECRET_key = 'canary-of-key';
  const more =
    ', SEALED: { value: "pre-${lookup.cache.status}", type: sensitive, target: [production] }, KEYED: { value: "${secret.key} ${lookup.config.misconfigured}", type: encrypted }, FLAG: { value: "${lookup.config.misconfigured}", type: plain }, WRITTEN: { value: text, comment: "${lookup.cache.status}", type: sensitive, target: [production] }';
  await shell.write({ 'trueup.yaml': yaml(names, '[]', 'one', more) });
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect(applied.status, applied.all).toBe(0);
  expect(applied.all).not.toContain('canary');
  const { env } = twin.account.projects[0]!;
  const values = Object.fromEntries(env.map(({ key, value }) => [key, value]));
  expect(values).toEqual({
    ...{ API_URL: 'one', SEALED: 'pre-status', KEYED: 'canary-of-key false' },
    ...{ FLAG: 'false', WRITTEN: 'text' },
  });
  expect((await plan('--detailed-exitcode')).status).toBe(0);

  const list = `${yaml(names, '[]')}    framework: "\${lookup.config.acceptedChallenges}"\n`;
  await shell.write({ 'trueup.yaml': list });
  const sent = twin.requests.filter(({ method }) => method !== 'GET').length;
  const refused = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect(refused.status, refused.all).toBe(1);
  expect(refused.all).toContain(
    'projects/web: `framework` cannot be what `${lookup.config.acceptedChallenges}` finds: it is a list [lookup/value]',
  );
  expect(twin.requests.filter(({ method }) => method !== 'GET').length).toBe(sent);
});

story('what is not found is an error, or leaves out what it would be', async () => {
  const none = '{ live: { deployment: { project: web, target: production, state: ERROR } } }';
  await shell.write({ 'trueup.yaml': yaml(none, redeploy) });
  const lost = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect([lost.status, lost.stdout.includes('the lookup `live` finds no deployment')], lost.all).toEqual([
    1,
    true,
  ]);
  await shell.write({ 'trueup.yaml': yaml(none, redeploy.replace('id}', 'id?}'), 'two') });
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect([applied.status, made()], applied.all).toEqual([0, ['dpl_live']]);
});

test('a lookup in what is not there yet names itself and its place, and says what to do', async () => {
  const names = '{ use: { domainUse: { domain: new.example } } }';
  await shell.write({
    'trueup.yaml': `${yaml(names, '[]', '${lookup.use.name?}')}domains: { new.example: {} }\n`,
  });
  const shown = await plan();
  expect(shown.status, shown.all).toBe(1);
  expect(shown.all).toMatch(
    /the lookup `use`: domains\/new\.example does not exist in the account \[api\/resource\]\n {2}at trueup\.yaml:3:\d+[\s\S]*if this configuration creates it, apply that first, without the lookup/,
  );
});

story('apply waits for the very thing that was found when it was sent', async () => {
  await shell.write({
    'trueup.yaml': yaml(
      '{ old: { deployment: { project: web, url: web-dpl_old.vercel.app } } }',
      '[{ promote: { deployment: "${lookup.old.id}" }, when: [env], wait: { minutes: 1 } }]',
    ),
  });
  const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
  expect(applied.status, applied.all).toBe(0);
  expect(applied.stderr).toContain('promote projects/web (deployment: ${lookup.old.id}): READY');
  const after = twin.requests.slice(twin.requests.findIndex(({ path }) => path.includes('/promote/')));
  expect(after.at(-1)?.path).toContain('/v13/deployments/dpl_old');
});

test('what a lookup finds in a field counts as configuration: an approved plan is not done with something else', async () => {
  const text = yaml('{ use: { domainUse: { domain: shop.example } } }', '[]', 'is ${lookup.use.name}');
  await shell.write({ 'trueup.yaml': `${text}domains: { shop.example: { $existing: true } }\n` });
  const adds = (name: string) =>
    shell.run([
      'api',
      'addProjectDomain',
      '--param',
      'idOrName=web',
      '--field',
      `name=${name}`,
      '--auto-approve',
    ]);
  await adds('a.shop.example');
  const saved = await shell.run(['plan', '--out', 'plan.json']);
  expect([saved.status, saved.stdout.includes('value: is a.shop.example')], saved.all).toEqual([0, true]);
  const { domains } = twin.account.projects[0]!;
  domains.at(-1)!.name = 'b.shop.example';
  const refused = await shell.run(['apply', 'plan.json', '--settle', '0']);
  expect(refused.status, refused.all).toBe(1);
  expect(refused.all).toMatch(/\[approval\/[\s\S]*is a\.shop\.example[\s\S]*is b\.shop\.example/);
});

test('render shows them', async () => {
  await shell.write({ 'trueup.yaml': yaml(live, redeploy) });
  expect((await shell.run(['render'])).stdout).toContain(
    'lookups:\n  live:\n    deployment:\n      project: web',
  );
});

oneRowIn(5)([
  ['a lookup that there is not', yaml('{ live: { deploymnt: {} } }', '[]'), 'did you mean `deployment`?'],
  [
    'a condition that it does not know',
    yaml('{ live: { deployment: { targt: x } } }', '[]'),
    'did you mean `target`?',
  ],
  [
    'a field that it does not have',
    yaml(live, redeploy.replace('.id}', '.idd}')),
    'the lookup `live` has no field `idd`',
  ],
  ['one that is not declared', yaml(live, redeploy.replace('live.', 'dead.')), '[config/undeclared]'],
  ['what others move, in a field', yaml(live, '[]', '${lookup.live.id}'), 'the plan would never settle'],
  [
    'what is secret, to guess at it',
    yaml('{ code: { domainAuthCode: { domain: shop.example, authCode: guess } } }', '[]'),
    '`domainAuthCode` has no `authCode`',
  ],
  [
    'in `$when`',
    yaml(live, '[]', 'one', ', B: { value: two, $when: "${lookup.live.state}" }'),
    '[when/value]',
  ],
  [
    'in a name of `$when`',
    yaml(live, '[]', 'one', ', B: { value: two, $when: { lookup.live.state: READY } }'),
    'lookup',
  ],
  [
    'in `$each`',
    yaml(live, '[]').replace('projects:', 'projects:\n  "${each.value}": { $each: ["${lookup.live.id}"] }'),
    '[each/member]',
  ],
  ['in brackets', yaml(live, '[]', '${projects[lookup.live.project].id}'), 'is not declared'],
  [
    'in what another lookup asks for',
    yaml(
      '{ live: { deployment: { project: web } }, next: { deployment: { project: "${lookup.live.project}" } } }',
      '[]',
    ),
    'a lookup cannot be used here',
  ],
  [
    'a list in place of a text',
    yaml('{ live: { deployment: { project: [web] } } }', '[]'),
    '[config/lookup]',
  ],
  ['in a name', yaml(live, '[]', 'one', ', "${lookup.live.id}": two'), 'a name can only contain variables'],
  ['a kind', yaml('{ web: { project: {} } }', '[]'), 'there is no lookup `project`'],
  ['no map', yaml('[deployment]', '[]'), '`lookups` must be a map of names'],
])('wrong: %s', async (_, text, said) => {
  await shell.write({ 'trueup.yaml': text });
  const { status, all } = await shell.run(['validate']);
  expect([status, all.includes(said)], all).toEqual([1, true]);
});

test('what the platform refuses to tell is told of its lookup, at its place', async () => {
  const names = '{ config: { domainConfig: { domain: shop.example } } }';
  await shell.write({ 'trueup.yaml': yaml(names, '[]', 'is ${lookup.config.misconfigured}') });
  twin.setFaults({ faults: [{ at: { operation: 'getDomainConfig' }, do: { type: 'status', status: 404 } }] });
  const { status, stderr } = await plan();
  expect([status, stderr]).toEqual([1, expect.stringContaining('the lookup `config`: GET ')]);
  expect(stderr).toMatch(/at trueup\.yaml:3:\d+/);
  expect(stderr).not.toContain('bug in trueup');
});
