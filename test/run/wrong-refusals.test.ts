import { describe, expect, it } from 'vitest';
import { intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

// What stands between may say no to what was done, and "not found" of what is there: the account decides.

const refusal = (status: number) =>
  Object.assign(new Error(`answered ${status}`), { status, mayBeCarriedOut: false });

/** Writes of this endpoint are answered so: before they are done or, with `isDone`, after. */
const refusing = (world: World, part: string, status: number, isDone = false) =>
  intercept(world, async (request, send) => {
    if (!request.endpoint.startsWith(part)) return send(request);
    if (isDone) await send(request);
    throw refusal(status);
  });

async function applied(world: World, yaml: string, delivered: string[] = []) {
  const planned = await world.plan(yaml);
  const since = world.twin.requests.length;
  const { outcome } = await world.apply(planned, { deliver: async (_, __, at) => void delivered.push(at) });
  const requests = world.twin.requests
    .slice(since)
    .map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  return { ...outcome, requests };
}

const hook = '{ url: "https://a.example.com", events: [domain.created], $secretTo: discard }';
const deletions: [what: string, part: string, first: string, next: string][] = [
  [
    'a webhook',
    'DELETE /v1/webhooks',
    `webhooks: { a: ${hook} }\nprojects: { web: {} }`,
    'projects: { web: {} }',
  ],
  [
    'a variable',
    'DELETE /v9/projects',
    'projects: { web: { env: { A: { value: a, target: [production] } } } }',
    'projects: { web: {} }',
  ],
  [
    'several variables',
    'DELETE /v1/projects',
    'projects: { web: { env: { A: { value: a, target: [production] }, B: { value: b, target: [production] } } } }',
    'projects: { web: {} }',
  ],
  [
    'a member of a record set',
    'DELETE /v2/domains',
    'domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: www, value: 192.0.2.2 }] } }',
    'domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }] } }',
  ],
  [
    'what has no id',
    'DELETE /v1/global-config',
    'globalConfigs: { shop: { schema: { definition: { type: object } } } }',
    'globalConfigs: { shop: {} }',
  ],
];

describe.each(deletions)('the deletion of %s that is answered with 404', (_, part, first, next) => {
  const start = async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    await world.converge(first);
    return world;
  };

  oneRowIn(5)([404, 410])('and was not done has failed, and the entry stays (%i)', async (status) => {
    const world = await start();
    const entries = Object.keys(world.ledger.entries);
    const honest = refusing(world, part, status);
    const { done, failed } = await applied(world, next);
    honest();
    expect(done).toEqual([]);
    expect([...new Set(failed.map(({ error }) => (error as Error).message))]).toEqual([
      `answered ${status}; but the account still shows it, or cannot be read: run again to check once more`,
    ]);
    expect(Object.keys(world.ledger.entries)).toEqual(entries);
    const { plan } = await world.converge(next).then(() => world.plan(next));
    expect([plan.operations, plan.unmanaged]).toEqual([[], []]);
  });

  story(
    'and is gone is done, after one look at the list and at each object that it does not show',
    async () => {
      const [smooth, world] = [await start(), await start()];
      const { done: all, requests } = await applied(smooth, next);
      refusing(world, part, 404, true);
      const { done, failed, requests: asked } = await applied(world, next);
      expect(all.length).toBeGreaterThan(0);
      expect([done, failed]).toEqual([all, []]);
      const [reads, smoothReads] = [asked, requests].map(
        (lines) => lines.filter((line) => line.startsWith('GET ')).length,
      );
      expect(reads! - smoothReads!).toBeGreaterThan(0);
      expect(reads! - smoothReads!).toBeLessThanOrEqual(1 + done.length);
      expect((await world.plan(next)).plan.changes.filter(({ action }) => action !== 'noop')).toEqual([]);
    },
  );

  story('and of which nothing can be read is not known', async () => {
    const world = await start();
    const entries = Object.keys(world.ledger.entries);
    const planned = await world.plan(next);
    let isHidden = false;
    intercept(world, async (request, send) => {
      if (request.endpoint.startsWith(part)) isHidden = true;
      if (isHidden) throw refusal(404);
      return send(request);
    });
    const { outcome } = await world.apply(planned);
    expect([outcome.done, outcome.failed.length > 0]).toEqual([[], true]);
    expect(Object.keys(world.ledger.entries)).toEqual(entries);
  });
});

describe('a creation that is refused', () => {
  const comes =
    'webhooks: { a: { url: "https://a.example.com", events: [domain.created], $secretTo: { file: kept } } }';

  oneRowIn(5)([400, 403, 404, 409, 422])(
    'and was done is told, and the next run goes on from it (%i)',
    async (status) => {
      const world = await newWorld();
      const honest = refusing(world, 'POST /v1/webhooks', status, true);
      const { done, failed } = await applied(world, comes);
      honest();
      expect([done, failed.map(({ address }) => address)]).toEqual([[], ['webhooks/a']]);
      expect((failed[0]!.error as Error).message).toBe(
        `answered ${status}; but the account shows webhooks/a as it was to be created, by this request or by somebody else: run again to continue from there`,
      );
      expect(Object.keys(world.ledger.begun ?? {})).toEqual(['webhooks/a']);
      const delivered: string[] = [];
      // Nobody has seen the secret of the first one.
      await applied(world, comes, delivered);
      expect([delivered, world.twin.account.webhooks.length]).toEqual([['webhooks/a'], 1]);
      expect((await world.plan(comes)).plan.unmanaged).toEqual([]);
    },
  );

  it('though it replaces another one is not made again', async () => {
    const world = await newWorld();
    await world.converge(`webhooks: { a: ${hook} }`);
    const next = `webhooks: { a: ${hook.replace('domain.created], ', 'project.created], $replace: allow, ')} }`;
    const honest = refusing(world, 'POST /v1/webhooks', 400, true);
    await applied(world, next);
    honest();
    await applied(world, next);
    expect(world.twin.account.webhooks.map(({ events }) => events)).toEqual([['project.created']]);
    expect((await world.plan(next)).plan.operations).toEqual([]);
  });

  it('and was not done is not waited for', async () => {
    const world = await newWorld();
    Object.assign(world, { settle: 60_000 });
    const honest = refusing(world, 'POST /v1/webhooks', 400);
    const { failed, requests } = await applied(world, comes);
    honest();
    expect((failed[0]!.error as Error).message).toBe('answered 400');
    // Before the write, and after.
    expect(requests).toEqual(['GET /v1/webhooks', 'GET /v1/webhooks']);
    expect(world.ledger.begun).toBe(undefined);
    expect((await world.plan(comes)).settlesIn).toBe(undefined);
  });
});

const hidden: [what: string, list: string, create: string, yaml: string][] = [
  [
    'a DNS set',
    '/v5/domains/',
    'POST /v2/domains',
    'domains: { example.com: { $existing: true, records: [{ type: A, name: www, value: 192.0.2.1 }] } }',
  ],
  [
    'a shared variable',
    'GET /v1/env',
    'POST /v1/env',
    'sharedEnv: { A: { value: a, target: [production] } }',
  ],
  [
    'a variable',
    '}/env',
    'POST /v10/projects',
    'projects: { web: { env: { A: { value: a, target: [production] } } } }',
  ],
  [
    'a domain of a project',
    '/domains',
    'POST /v10/projects',
    'projects: { web: { domains: { a.example.org: {} } } }',
  ],
  ['a webhook', 'GET /v1/webhooks', 'POST /v1/webhooks', `webhooks: { a: ${hook} }`],
];

describe.each(hidden)('%s that its list stopped showing', (_, list, create, yaml) => {
  story('is refused in the words of the platform', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    await world.converge(yaml);
    intercept(world, async (request, send) => {
      if (request.endpoint.startsWith(create)) throw refusal(409);
      if (request.endpoint.startsWith('GET ') && request.params?.id !== undefined) throw refusal(404);
      const answer = await send(request);
      return request.items !== undefined && request.endpoint.includes(list) ? [] : answer;
    });
    const { failed } = await applied(world, yaml);
    expect(failed.map(({ error }) => (error as Error).message)).toEqual(['answered 409']);
  });
});

describe('a state that trueup does not expect is reported with the object', () => {
  /** The messages of a creation that is refused, when readings before or after the request have no usable form. */
  const messages = async (unusable: 'before' | 'after') => {
    const world = await newWorld();
    await world.converge('projects: { web: {} }');
    const planned = await world.plan('projects: { web: { env: { A: { value: a, target: [production] } } } }');
    refusing(world, 'POST /v10/projects', 409);
    let reads = 0;
    const refresh = async () => {
      reads++;
      return (unusable === 'before' || reads > 1 ? {} : planned.live) as never;
    };
    const { outcome } = await world.apply(planned, { refresh });
    return outcome.failed.map(({ error }) => (error as Error).message);
  };

  it('before a request', async () => {
    expect(await messages('before')).toEqual([
      'what the account shows for projects/web/env/A@production is not as expected, so nothing was sent',
    ]);
  });

  it('after a request, with the words of the platform', async () => {
    expect(await messages('after')).toEqual([
      'the answer to POST /v10/projects/{project}/env for projects/web/env/A@production was not as expected, so its outcome is unknown (answered 409): run again to check it',
    ]);
  });
});

it('a creation that was refused does not take an equal object that the same run created before', async () => {
  const world = await newWorld();
  const yaml = `webhooks: { a: ${hook}, b: { $dependsOn: [webhooks/a], url: "https://a.example.com", events: [domain.created], $secretTo: discard } }`;
  let creations = 0;
  intercept(world, async (request, send) => {
    if (request.endpoint.startsWith('POST /v1/webhooks') && ++creations === 2) throw refusal(400);
    return send(request);
  });
  const { failed } = await applied(world, yaml);
  expect(failed).toMatchObject([{ address: 'webhooks/b', error: { message: 'answered 400' } }]);
  expect(Object.keys(world.ledger.entries)).toEqual(['webhooks/a']);
  expect(world.twin.account.webhooks).toHaveLength(1);
});
