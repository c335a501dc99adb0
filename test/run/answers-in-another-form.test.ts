import { describe, expect, it } from 'vitest';
import { intercept, newWorld } from '../support/scene.ts';
import { inTurn, oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

// Answers of 2xx that nobody understands: what was done is looked up, and the run goes on.

type Form = (answer: unknown) => unknown;
const forms: [string, Form][] = [
  ['other members', (answer) => ({ envs: answer })],
  ['a list', (answer) => [answer]],
  ['nothing', () => undefined],
  ['null', () => null],
  ['an empty object', () => ({})],
  ['a text', () => 'ok'],
  ['members of other types', () => ({ created: 'all', updated: 7, deleted: null, failed: true, id: null })],
];

/** The answers to writes of this endpoint come in another form. */
const lying = (world: World, part: string, form: Form) =>
  intercept(world, async (request, send) => {
    const answer = await send(request);
    return request.endpoint.includes(part) && !request.endpoint.startsWith('GET ') ? form(answer) : answer;
  });

const writes: [what: string, part: string, first: string | undefined, next: string][] = [
  [
    'variables that come',
    'POST /v10/projects',
    'projects: { web: {} }',
    'projects: { web: { env: { A: a, B: { value: b, type: sensitive, target: [production] } } } }',
  ],
  ['shared variables that come', 'POST /v1/env', undefined, 'sharedEnv: { A: a, B: b }'],
  ['shared variables that change', 'PATCH /v1/env', 'sharedEnv: { A: a, B: b }', 'sharedEnv: { A: c, B: d }'],
  ['shared variables that go', 'DELETE /v1/env', 'sharedEnv: { A: a, B: b }', 'projects: { web: {} }'],
  [
    'a project that comes, and more is to follow',
    'POST /v11/projects',
    undefined,
    'projects: { web: { framework: nextjs, nodeVersion: 22.x, env: { A: a } } }',
  ],
  [
    'a record that comes',
    '/records',
    'domains: { example.com: { $existing: true } }\nprojects: { web: {} }',
    'domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }] } }\nprojects: { web: {} }',
  ],
  [
    'a custom environment that comes with a variable',
    '/custom-environments',
    'projects: { web: {} }',
    'projects: { web: { customEnvironments: { qa: {} }, env: { A: { value: a, customEnvironmentIds: [qa] } } } }',
  ],
  [
    'a rule of a firewall',
    'PATCH /v1/security',
    'projects: { web: { firewall: { firewallEnabled: true } } }',
    'projects: { web: { firewall: { firewallEnabled: true, ips: [{ hostname: a.example.com, ip: 192.0.2.1, action: deny }] } } }',
  ],
  [
    'redirects that come, change and go',
    'bulk-redirects',
    'projects: { web: { bulkRedirects: { /a: { destination: /b }, /c: { destination: /d } } } }',
    'projects: { web: { bulkRedirects: { /a: { destination: /e }, /f: { destination: /g }, /h: { destination: /i } } } }',
  ],
  [
    'routes that come, change and go',
    '/routes',
    'projects: { web: { routes: [{ name: a, route: { src: /a, dest: /b } }, { name: b, route: { src: /c, dest: /d } }] } }',
    'projects: { web: { routes: [{ name: c, route: { src: /x, dest: /y } }, { name: a, route: { src: /a, dest: /e } }, { name: d, route: { src: /p, dest: /q } }] } }',
  ],
  [
    'a variable that changes',
    'PATCH /v9/projects',
    'projects: { web: { env: { A: a } } }',
    'projects: { web: { env: { A: b } } }',
  ],
  [
    'an access group that comes',
    'access-groups',
    'projects: { web: {} }',
    'projects: { web: {} }\naccessGroups: { G: { projects: { web: { role: ADMIN } } } }',
  ],
  [
    'a drain that comes',
    '/drains',
    undefined,
    'drains: { a: { schemas: { log: {} }, delivery: { type: http, endpoint: "https://a.example.com", encoding: json, headers: {} } } }',
  ],
];

// Some writes with one of the forms each; every pair with `npm run sweep`.
const rows = sampled(writes, 4).map((write, at) => [...write, inTurn(forms, at, 1)] as const);
describe.each(rows)('%s', (_, part, first, next, some) => {
  it.each(some)('and the answer has %s', async (_, form) => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    if (first) await world.converge(first);
    const since = world.twin.requests.length;
    const honest = lying(world, part, form);
    await world.converge(next);
    expect(
      world.writes(since).some((line) => line.startsWith(part.split(' ')[0]!) || line.includes(part)),
    ).toBe(true);
    honest();
    const { plan } = await world.plan(next);
    expect(plan.unmanaged).toEqual([]);
    expect(plan.operations).toEqual([]);
    expect(world.ledger.begun).toBe(undefined);
  });
});

describe('what the account does not show either', () => {
  oneRowIn(3)([
    [
      'a variable that comes',
      'POST /v10/projects',
      'projects: { web: {} }',
      'projects: { web: { env: { A: a } } }',
    ],
    ['a shared variable that changes', 'PATCH /v1/env', 'sharedEnv: { A: a }', 'sharedEnv: { A: b }'],
    [
      'a shared variable that goes',
      'DELETE /v1/env',
      'sharedEnv: { A: a }\nprojects: { web: {} }',
      'projects: { web: {} }',
    ],
  ])('is said: %s', async (_, part, first, next) => {
    const world = await newWorld();
    await world.converge(first);
    const planned = await world.plan(next);
    const honest = intercept(world, async (request, send) =>
      request.endpoint.startsWith(part) ? { envs: [] } : send(request),
    );
    const { outcome } = await world.apply(planned);
    expect(outcome.done).toEqual([]);
    expect(outcome.failed.length).toBeGreaterThan(0);
    for (const { error } of outcome.failed)
      expect((error as Error).message).toMatch(/does not show the outcome, and neither does the account/);
    honest();
    await world.converge(next);
  });

  it('is said with what the platform says, where nobody knows of which item it says so', async () => {
    const world = await newWorld();
    const planned = await world.plan('sharedEnv: { A: a, B: b }');
    const honest = intercept(world, async (request, send) =>
      request.endpoint === 'POST /v1/env'
        ? { created: [], failed: [{ error: { code: 'too_many', message: 'Too many.' } }] }
        : send(request),
    );
    const { outcome } = await world.apply(planned);
    honest();
    expect(new Set(outcome.failed.map(({ error }) => (error as Error).message)).size).toBe(1);
    expect((outcome.failed[0]!.error as Error).message).toContain('too_many: Too many.');
  });
});

it.each([
  ['not understood', (answer: unknown) => ({ webhook: answer })],
  ['empty', (answer: unknown) => ({ ...(answer as object), secret: '' })],
])('a secret that is shown once and %s is told, and its object made anew', async (_, change) => {
  const world = await newWorld();
  const next =
    'webhooks: { a: { url: "https://a.example.com", events: [domain.created], $secretTo: { file: kept } } }';
  const honest = lying(world, 'POST /v1/webhooks', change);
  const delivered: string[] = [];
  const apply = async () =>
    world.apply(await world.plan(next), { deliver: async (_, __, at) => void delivered.push(at) });
  const { outcome } = await apply();
  expect(outcome.failed.map(({ error }) => (error as Error).message)).toEqual([
    'the response does not contain the secret, which is shown only once: run again to recreate webhooks/a',
  ]);
  const [lost] = world.twin.account.webhooks;
  honest();
  expect((await apply()).outcome.failed).toEqual([]);
  expect(delivered).toEqual(['webhooks/a']);
  expect(world.twin.account.webhooks.map(({ id }) => id)).toEqual([expect.not.stringMatching(lost!.id)]);
});

it('a value that cannot be read back is named, and sent again', async () => {
  const world = await newWorld();
  await world.converge('sharedEnv: { A: a }');
  const next = 'sharedEnv: { A: { value: b, type: sensitive, target: [production] } }';
  const honest = lying(world, 'PATCH /v1/env', () => ({}));
  const { outcome } = await world.apply(await world.plan(next));
  const errors = outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`);
  expect(errors).toEqual([
    "sharedEnv/A@production: the platform's answer does not show the outcome, and `value` cannot be read back: run again to send it once more",
  ]);
  honest();
  await world.converge(next);
  expect(world.twin.account.sharedEnv.map(({ value }) => value)).toEqual(['b']);
});

it('of a batch only the items are looked up of which the answer says nothing', async () => {
  const world = await newWorld();
  const yaml = 'projects: { web: {} }\nsharedEnv: { A: a, B: b, C: c }';
  const planned = await world.plan(yaml);
  const honest = intercept(world, async (request, send) => {
    const answer = (await send(request)) as { created?: unknown[] };
    return request.endpoint === 'POST /v1/env'
      ? { created: answer.created!.slice(0, 1), failed: [] }
      : answer;
  });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toEqual([]);
  honest();
  expect((await world.plan(yaml)).plan.operations).toEqual([]);
  expect(world.twin.account.sharedEnv).toHaveLength(3);
});

story('an answer that ends in the middle is looked up as well', async () => {
  for (const [operation, first, next] of [
    ['createProjectEnv', 'projects: { web: {} }', 'projects: { web: { env: { A: a, B: b } } }'],
    ['createProject', undefined, 'projects: { web: { env: { A: a } } }'],
    ['editProjectEnv', 'projects: { web: { env: { A: a } } }', 'projects: { web: { env: { A: b } } }'],
    ['updateProject', 'projects: { web: {} }', 'projects: { web: { framework: nextjs } }'],
    ['removeProjectEnv', 'projects: { web: { env: { A: a } } }', 'projects: { web: {} }'],
  ] as const) {
    const world = await newWorld();
    if (first) await world.converge(first);
    world.twin.setFaults({ faults: [{ at: { operation, nth: 1 }, do: { type: 'cutJson' } }] });
    await world.converge(next);
  }
});
