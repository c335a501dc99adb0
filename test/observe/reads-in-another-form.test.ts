import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import type { Connection } from '../../src/kind/provider.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type Lie, lies } from '../support/lies.ts';
import { actions, intercept } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { exampleSecret, World } from '../support/world.ts';

const story = oneStoryIn(4);

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

oneRowIn(5)(Object.keys(lies) as Lie[])(
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

const few = `
projects:
  web:
    env: { A: { value: one, type: plain }, B: { value: two, target: [preview] } }
    domains: { a.example.org: {} }
    firewall: { firewallEnabled: true, ips: [{ hostname: a.example.com, ip: 192.0.2.1, action: deny }] }
globalConfigs: { shop: { items: { banner: { value: hello } } } }
domains:
  example.com: { records: [{ type: A, name: www, value: 192.0.2.1 }, { type: MX, name: "@", value: mail.example.com, mxPriority: 10 }] }
accessGroups: { ops: { projects: { web: { role: PROJECT_DEVELOPER } } } }
`;
const example = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../examples', name), 'utf8');

/** Words of the engine, and names that were made of what is no text. */
const ours = expect.not.stringMatching(
  /not a function|not iterable|Cannot |primitive value|undefined|of null|\bnull$|\[object|[^:]\/\/|\/$/m,
);

oneRowIn(2)([
  ['of a few kinds', few, {}, 20, 20_000],
  ['of all kinds', example('everything.yaml'), JSON.parse(example('everything.seed.json')), 2, 2000],
])(
  'a member of another type is told in our words, never in those of the engine: %s',
  async (_, yaml, seed, count, most) => {
    const odd: unknown[] = [null, 0, '', [], {}, 'x', true, [[]], '__proto__'];
    const own = await World.start({ seed });
    onTestFinished(() => own.stop());
    for (const [, name] of yaml.matchAll(/\$\{secret\.(\w+)\}/g))
      own.env[`TRUEUP_SECRET_${name}`] = exampleSecret(name!);
    await own.converge(yaml);
    let [seen, at, value] = [0, -1, odd[0]];
    /** Puts `value` in place of the member that is counted as `at`. */
    const changed = (found: unknown): unknown => {
      if (typeof found !== 'object' || found === null) return found;
      const copy: unknown = Array.isArray(found) ? [] : {};
      for (const [name, inner] of Object.entries(found))
        (copy as Record<string, unknown>)[name] = seen++ === at ? value : changed(inner);
      return copy;
    };
    intercept(own, async (request, send) => {
      const answer = await send(request);
      return request.endpoint.startsWith('GET ') && !request.pages ? changed(answer) : answer;
    });
    await own.plan(yaml);
    const members = seen;
    expect(members).toBeGreaterThan(100);
    const cases = Array.from({ length: members }, (_, member) =>
      odd.map((one) => [member, one] as const),
    ).flat();
    for (const [member, one] of sampled(cases, count, most)) {
      [seen, at, value] = [0, member, one];
      const { plan } = await own.plan(yaml);
      const said = plan.diagnostics.map(({ message, hint = '' }) => `${message} ${hint}`);
      const names = [...plan.changes, ...plan.unmanaged].map(({ address }) => address);
      expect([member, one, [...said, ...names].join('\n')]).toEqual([member, one, ours]);
      const gone = actions(plan).filter((action) => action.startsWith('delete '));
      expect([member, one, gone]).toEqual([member, one, []]);
    }
  },
);

story('an object whose name is no text freezes its collection, and is called nothing', async () => {
  const own = await World.start({ seed: { domains: [{ name: 'example.com' }] } });
  onTestFinished(() => own.stop());
  const wanted = (value: string) =>
    `domains: { example.com: { records: [{ type: A, name: www, value: ${value} }] } }`;
  await own.converge(wanted('192.0.2.1'));
  intercept(own, async (request, send) => {
    const answer = await send(request);
    if (request.endpoint !== 'GET /v5/domains/{domain}/records') return answer;
    return (answer as object[]).map((record) => ({ ...record, name: [] }));
  });
  const { plan } = await own.plan(wanted('192.0.2.2'));
  expect(actions(plan)).toEqual([]);
  expect(plan.diagnostics.map(({ message }) => message)).toEqual([
    'domains/example.com/records could not be read: the response has a dnsRecord without a `name`',
  ]);
});
