import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import type { Connection } from '../../src/kind/provider.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Lie, lies } from '../support/lies.ts';
import { actions } from '../support/scene.ts';
import { World } from '../support/world.ts';

// What is alone in its place has no list that could lack it: an answer that is not understood must not look as if it were not set.

const yaml = `
projects:
  web:
    featureFlagSettings: { enabled: true }
    rollingRelease:
      advancementType: automatic
      stages: [{ targetPercentage: 10, duration: 60 }, { targetPercentage: 100 }]
    attackMode: { attackModeEnabled: true }
    protectionBypass: { e2e: { secret: ${'x'.repeat(32)} } }
    routes: [{ name: a, srcSyntax: equals, route: { src: /a, status: 404 } }]
    bulkRedirects: { /a: { destination: /b } }
    firewall:
      firewallEnabled: true
      ips: [{ hostname: a.example.com, ip: 192.0.2.1, action: deny }]
      crs: { sqli: { active: true, action: deny } }
globalConfigs:
  shop: { schema: { definition: { type: object } } }
`;
const without = 'projects: { web: { firewall: {} } }\nglobalConfigs: { shop: {} }';

const singles: [endpoint: string, cannotTell?: Lie[]][] = [
  ['GET /v1/projects/{project}/feature-flags/settings', ['renamed inside']],
  ['GET /v1/projects/{project}/rolling-release/config'],
  // Nothing of these is always there.
  ['GET /v9/projects/{project}', ['renamed inside']],
  ['GET /v1/security/firewall/config'],
  // The one in a list of one is as good.
  ['GET /v1/projects/{project}/routes/versions', ['renamed inside', 'listed']],
  ['GET /v1/bulk-redirects/versions', ['renamed inside', 'listed']],
  // Any JSON object is a schema.
  [
    'GET /v1/global-config/{globalConfig}/schema',
    ['wrapped', 'renamed', 'renamed inside', 'an empty object', 'of other types'],
  ],
];
const cases = singles.flatMap(([endpoint, cannotTell = []]) =>
  (Object.keys(lies) as Lie[])
    .filter((form) => !cannotTell.includes(form))
    .map((form) => [endpoint, form] as const),
);

/** Forms that most look as if there were nothing: of what is wanted no more it would be forgotten. */
const looksEmpty: Lie[] = ['nothing', 'an empty object'];

let world: World;
let proxy: FaultProxy;
let connection: Connection;

beforeAll(async () => {
  world = await World.start();
  await world.converge(yaml);
  proxy = await startFaultProxy(() => world.twin.url);
  const team = world.twin.account.teams[0]!.slug;
  connection = connect({ baseUrl: proxy.url, token: 'test-token', scope: { team } });
  world.connection.send = connection.send;
});
afterAll(async () => {
  await connection.close();
  await world.stop();
  await proxy.close();
});

it('as they are, they are understood', async () => {
  expect(actions((await world.plan(yaml)).plan)).toEqual([]);
});

it.each(cases)('%s, answered in another form (%s), says nothing of what is there', async (endpoint, form) => {
  for (const wanted of looksEmpty.includes(form) ? [yaml, without] : [yaml]) {
    proxy.made.splice(0);
    proxy.setFaults([{ at: { endpoint }, do: { type: 'lie', form } }]);
    const { plan } = await world.plan(wanted);
    expect(proxy.made).not.toEqual([]);
    const problems = plan.diagnostics.filter(({ severity }) => severity === 'error');
    expect(problems.map(({ code }) => code)).toContain('observe/incomplete');
    expect(actions(plan).filter((one) => !mayGo.test(one))).toEqual([]);
    for (const { message } of problems) expect(message).not.toMatch(/undefined|not a function|Cannot read/);
  }
});

/** What is read elsewhere goes where it is wanted no more. */
const mayGo = /^(delete|release) /;
