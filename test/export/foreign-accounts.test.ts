import fc from 'fast-check';
import { expect } from 'vitest';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { send } from '../twin/client.ts';
import { expectNoWrite } from './no-write.ts';

const story = oneStoryIn(4);

/*
 * Accounts that were filled by other programs: the platform's command line, its Terraform provider (a null is what Go makes of a nil
 * pointer, an empty text what it makes of an unset one) and its SDK, with whatever each of them may send.
 */

type Write = [method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown];

/** An object with each member absent or one of these. */
const some = (members: Record<string, unknown[]>) =>
  fc.record(
    Object.fromEntries(Object.entries(members).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
const all = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects));
const flag = [true, false];
const text = ['', null, 'text', '${var.x}'];

const projectChange = some({
  buildCommand: text,
  devCommand: text,
  framework: [null, 'nextjs'],
  rootDirectory: [null, 'apps/web'],
  ssoProtection: [null, { deploymentType: 'all' }],
  passwordProtection: [null, { deploymentType: 'all', password: 'open sesame' }],
  trustedIps: [
    null,
    { deploymentType: 'all', protectionMode: 'exclusive', addresses: [{ value: '192.0.2.1', note: '' }] },
  ],
  oidcTokenConfig: [{ enabled: true, issuerMode: 'team' }, { enabled: false }],
  optionsAllowlist: [null, { paths: [{ value: '/api' }] }],
  enablePreviewFeedback: [null, ...flag],
  enableProductionFeedback: [null, ...flag],
  autoAssignCustomDomains: flag,
  gitForkProtection: flag,
  productionDeploymentsFastLane: flag,
  skewProtectionMaxAge: [0, 60],
  resourceConfig: [{}, { functionDefaultRegions: ['fra1'], fluid: true }, { functionDefaultRegions: [] }],
  gitComments: [{ onCommit: false, onPullRequest: true }],
  gitProviderOptions: [{ createDeployments: 'disabled' }, { requireVerifiedCommits: true }],
  futureSetting: ['', { deep: [true] }],
});

const variable = (key: string) =>
  all(
    fc.constant({ key, value: 'v', type: 'encrypted', target: ['production'] }),
    some({
      type: ['plain', 'encrypted', 'sensitive'],
      comment: ['', 'text'],
      visibility: ['secret', 'config'],
      customEnvironmentIds: [null, []],
      decrypted: [null],
      gitBranch: [null],
    }),
  );

const condition = all(
  fc.constant({ type: 'header', op: 'eq', key: 'x', value: 'v' }),
  fc.constantFrom(
    {},
    { type: 'path', key: '', op: 'pre', value: '/a' },
    { op: 'ex', value: '' },
    { op: 'inc', value: ['a'] },
    { value: '' },
  ),
  some({ neg: flag }),
);
const rule = (name: string) =>
  fc.record({
    name: fc.constant(name),
    description: fc.constantFrom('', 'text'),
    active: fc.boolean(),
    conditionGroup: fc.array(fc.record({ conditions: fc.array(condition, { minLength: 1, maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    action: fc.constantFrom(
      { mitigate: { action: 'deny' } },
      {
        mitigate: {
          action: 'deny',
          rateLimit: null,
          redirect: null,
          actionDuration: null,
          bypassSystem: null,
        },
      },
      { mitigate: { action: 'challenge', actionDuration: '1h', bypassSystem: false } },
    ),
  });

const outcome = { type: 'variant', variantId: 'on' };
const flagEnvironment = all(
  fc.constant({ active: true, pausedOutcome: outcome, fallthrough: outcome, rules: [] }),
  some({
    active: flag,
    reuse: [
      { active: false, environment: '' },
      { active: true, environment: 'preview' },
    ],
    targets: [{}, { on: {} }, { on: { user: {} } }, { on: { user: { id: [{ value: 'a', note: '' }] } } }],
    rules: [
      [
        {
          id: 'r',
          conditions: [{ lhs: { type: 'entity', kind: 'user', attribute: 'id' }, cmp: 'eq', rhs: '' }],
          outcome,
        },
      ],
      [
        {
          id: 'r',
          conditions: [{ lhs: { type: 'entity', kind: 'user', attribute: 'id' }, cmp: 'ex', cmpOptions: {} }],
          outcome,
        },
      ],
    ],
  }),
);
const featureFlag = all(
  fc.constant({ slug: 'banner', kind: 'boolean' }),
  some({ description: ['', 'text'], tags: [[], ['ui']], permanent: flag, maintainerIds: [[]] }),
  fc.record({
    variants: fc
      .array(some({ label: ['', 'On'], description: ['', 'text'] }), { minLength: 2, maxLength: 2 })
      .map(([on, off]) => [
        { id: 'on', value: true, ...on },
        { id: 'off', value: false, ...off },
      ]),
    environments: fc.record({
      production: flagEnvironment,
      preview: flagEnvironment,
      development: flagEnvironment,
    }),
  }),
);

const route = all(
  fc.constant({ src: '/old' }),
  fc.constantFrom({ dest: '/new' }, { dest: 'https://example.com/x' }, { status: 404 }),
  some({
    headers: [{}, { 'x-a': '' }, { '${x}': '$${y}' }],
    has: [[], [{ type: 'header', key: 'x', value: '' }], [{ type: 'host', value: 'a.example.com' }]],
    missing: [[], [{ type: 'cookie', key: 'x' }]],
    transforms: [[], [{ type: 'request.headers', op: 'set', target: { key: 'x' }, args: '', env: [] }]],
    caseSensitive: flag,
    respectOriginCacheControl: flag,
  }),
);

const account = fc.record({
  created: all(
    fc.constant({ name: 'made', buildCommand: null, framework: null }),
    fc.record({ environmentVariables: fc.tuple(variable('A')) }),
  ),
  changed: projectChange,
  variables: fc.tuple(variable('A'), variable('B')),
  release: fc.option(
    fc.constantFrom(
      [{ targetPercentage: 10, requireApproval: true }, { targetPercentage: 100 }],
      [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
    ),
  ),
  rules: fc.tuple(rule('one'), rule('two')),
  banner: fc.option(featureFlag),
  segment: fc.constantFrom(
    {},
    { rules: [] },
    { include: {} },
    { include: { user: { id: [] } }, exclude: { user: {} } },
  ),
  route: fc.option(
    fc.record({
      name: fc.constant('route'),
      description: fc.constantFrom('', 'text'),
      enabled: fc.boolean(),
      route,
    }),
  ),
  notes: fc.subarray(['', 'ci', 'ci']),
  attack: fc.boolean(),
  shared: fc.option(
    all(
      some({ comment: ['', 'text'], type: ['encrypted', 'sensitive'] }),
      fc.constantFrom(
        {},
        { applyToAllCustomEnvironments: true },
        { applyToAllCustomEnvironments: true, target: [] },
      ),
    ),
  ),
});
type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

function writesOf(id: string, one: Account): Write[] {
  const writes: (Write | false)[] = [
    ['POST', '/v8/projects', one.created],
    ['PATCH', '/v9/projects/web', one.changed],
    ...one.variables.map((body): Write => ['POST', '/v10/projects/web/env', body]),
    one.release !== null && [
      'PATCH',
      '/v1/projects/web/rolling-release/config',
      {
        enabled: true,
        advancementType: 'duration' in one.release[0]! ? 'automatic' : 'manual-approval',
        stages: one.release,
      },
    ],
    [
      'PUT',
      `/v1/security/firewall/config?slug=acme&projectId=${id}`,
      { firewallEnabled: true, rules: one.rules },
    ],
    [
      'PUT',
      `/v1/projects/${id}/feature-flags/segments`,
      { slug: 'beta', label: 'Beta', hint: '', description: '', data: one.segment },
    ],
    one.banner !== null && ['PUT', `/v1/projects/${id}/feature-flags/flags`, one.banner],
    one.route !== null && ['POST', `/v1/projects/${id}/routes`, { route: one.route }],
    ...one.notes.map(
      (note, index): Write => [
        'PATCH',
        '/v10/projects/web/protection-bypass',
        { generate: { secret: String(index).repeat(32), note } },
      ],
    ),
    one.attack && ['POST', '/v1/security/attack-mode', { projectId: id, attackModeEnabled: true }],
    one.shared !== null && [
      'POST',
      '/v1/env',
      { type: 'encrypted', target: ['production'], evs: [{ key: 'SHARED', value: 'v' }], ...one.shared },
    ],
  ];
  return writes.filter((write) => write !== false);
}

story(
  'accounts of other programs are exported such that a plan finds nothing to do, with and without secrets',
  async () => {
    const refused = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(account, async (one) => {
        const world = await World.start({
          // Programs of other ages send members that the platform takes no longer, or not yet.
          lenient: true,
          seed: {
            projects: [{ name: 'web' }],
            domains: [
              {
                name: 'example.com',
                records: [{ type: 'CAA', name: '', value: '0 issue "letsencrypt.org"' }],
              },
            ],
          },
        });
        try {
          const { id } = world.twin.account.projects[0]!;
          for (const [method, path, body] of writesOf(id, one)) {
            const { status, body: answer } = await send(world.twin, method, path, body);
            if (status >= 300)
              refused.set(`${method} ${path.replace(id, '{id}')} ${answer?.error?.message}`, status);
          }
          if (one.route !== null) {
            const path = `/v1/projects/${id}/routes/versions`;
            const { versions } = (await send(world.twin, 'GET', path)).body;
            const staged = versions.find(({ isStaging }: { isStaging?: boolean }) => isStaging);
            if (staged) await send(world.twin, 'POST', path, { id: staged.id, action: 'promote' });
          }
          // Theirs, not ours.
          world.twin.outside.length = 0;
          const { yaml } = await expectNoWrite(world);
          // The words of a library are no sentence for people.
          expect(yaml).not.toMatch(/Invalid (input|option)|Unrecognized key|Too (small|big)|expected \w+/);
          if (one.route) expect(yaml).toContain(`enabled: ${one.route.enabled}`);
        } finally {
          await world.stop();
        }
      }),
      { numRuns: runs(Number(process.env.TRUEUP_RUNS ?? 40), 20) },
    );
    expect([...refused.keys()], 'what the twin takes of them').toEqual([]);
  },
);
