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

/** What is read of each, and the forms in which nobody can tell that it is something else. */
const singles: [endpoint: string, of: RegExp, cannotTell?: Lie[]][] = [
  [
    'GET /v1/projects/{project}/feature-flags/settings',
    /^projects\/web\/featureFlagSettings /,
    ['renamed inside'],
  ],
  ['GET /v1/projects/{project}/rolling-release/config', /^projects\/web\/rollingRelease /],
  // Nothing of these is always there.
  ['GET /v9/projects/{project}', /^projects\/web\/(attackMode|protectionBypass) /, ['renamed inside']],
  ['GET /v1/security/firewall/config', /^projects\/web\/firewall /],
  // The one in a list of one is as good.
  ['GET /v1/projects/{project}/routes/versions', /^projects\/web\/routes /, ['renamed inside', 'listed']],
  ['GET /v1/bulk-redirects/versions', /^projects\/web\/bulkRedirects /, ['renamed inside', 'listed']],
  // Any JSON object is a schema.
  [
    'GET /v1/global-config/{globalConfig}/schema',
    /^globalConfigs\/shop\/schema /,
    ['wrapped', 'renamed', 'renamed inside', 'an empty object', 'of other types'],
  ],
];

/** Forms that most look as if there were nothing: of what is wanted no more it would be forgotten. */
const looksEmpty: Lie[] = ['nothing', 'an empty object'];

/** What is read elsewhere goes where it is wanted no more. */
const mayGo = /^(delete|release) /;

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

it.each(Object.keys(lies) as Lie[])(
  'answers in another form (%s) say nothing of what is there',
  async (form) => {
    const lying = singles.filter(([, , cannotTell = []]) => !cannotTell.includes(form));
    for (const wanted of looksEmpty.includes(form) ? [yaml, without] : [yaml]) {
      proxy.setFaults(lying.map(([endpoint]) => ({ at: { endpoint }, do: { type: 'lie', form } })));
      const { plan } = await world.plan(wanted);
      const unread = plan.diagnostics.flatMap(({ code, message }) =>
        code === 'observe/incomplete' ? [message] : [],
      );
      for (const [, of] of lying) expect(unread).toContainEqual(expect.stringMatching(of));
      expect(actions(plan).filter((one) => !mayGo.test(one))).toEqual([]);
      expect(unread.join('\n')).not.toMatch(/undefined|not a function|Cannot read/);
    }
  },
);
