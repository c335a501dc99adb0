import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import { jumpingClock } from '../http/serve.ts';
import { inFront } from '../support/in-front.ts';
import { actions, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

// What the fault sweep has found: an answer that lies once, or never comes.

async function applied(world: World, yaml: string) {
  const planned = await world.plan(yaml);
  const { outcome } = await world.apply(planned, { deliver: async () => {} });
  const failed = outcome.failed.map(({ address }) => address);
  return { ...outcome, failed, plan: planned.plan };
}

it('a change without requests is done only once the object is there that it is in', async () => {
  const world = await newWorld();
  const yaml = 'projects: { web: { firewall: {} } }';
  world.twin.setFaults({
    faults: [{ at: { operation: 'createProject', nth: 1 }, do: { type: 'status', status: 500 } }],
  });
  const { done, failed, skipped } = await applied(world, yaml);
  expect({ done, failed, skipped }).toEqual({
    done: [],
    failed: ['projects/web'],
    skipped: [{ address: 'projects/web/firewall', reason: 'projects/web' }],
  });
  expect(world.ledger.entries).toEqual({});
  expect((await applied(world, yaml)).done).toEqual(['projects/web', 'projects/web/firewall']);
});

it('a change without requests is left where the object that it is in waits for a rate limit', async () => {
  const world = await newWorld();
  world.twin.setFaults({
    faults: [{ at: { operation: 'createProject', nth: 1 }, do: { type: 'rateLimit', retryAfter: 7200 } }],
  });
  const { done, postponed, skipped } = await applied(world, 'projects: { web: { firewall: {} } }');
  expect([done, postponed.map(({ address }) => address), skipped]).toEqual([
    [],
    ['projects/web', 'projects/web/firewall'],
    [],
  ]);
});

describe('a list that leaves out what is ours', () => {
  const none = 'projects: { web: {} }';

  oneRowIn(2)([
    [
      'getWebhooks',
      'webhooks: { a: { url: "https://a.example.com", events: [domain.created], $secretTo: discard } }',
      none,
      'delete webhooks/a',
    ],
    [
      'listAccessGroupProjects',
      'accessGroups: { a: { projects: { web: { role: ADMIN } } } }',
      'accessGroups: { a: {} }',
      'delete accessGroups/a/projects/web',
    ],
  ])(
    'does not keep it from being deleted if it can be read by its id (%s)',
    async (operation, yaml, next, deletion) => {
      const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
      await world.converge(`projects: { web: { $existing: true } }\n${yaml}`);
      world.twin.setFaults({ faults: [{ at: { operation }, do: { type: 'cutList', keep: 0 } }] });
      const { plan, done, failed } = await applied(world, next);
      expect(actions(plan)).toContain(deletion);
      expect(done).toContain(deletion.slice('delete '.length));
      expect(failed).toEqual([]);
    },
  );

  story('does not make it forgotten', async () => {
    const world = await newWorld();
    const [one, empty] = [
      'globalConfigs: { shop: { tokens: { web: { $secretTo: discard } } } }',
      'globalConfigs: { shop: {} }',
    ];
    await world.converge(one);
    world.twin.setFaults({
      faults: [{ at: { operation: 'getEdgeConfigTokens', nth: 1 }, do: { type: 'cutList', keep: 0 } }],
    });
    const { plan, failed } = await applied(world, empty);
    const token = 'globalConfigs/shop/tokens/web';
    expect([actions(plan), failed]).toEqual([[`forget ${token}`], [token]]);
    expect(actions(await world.converge(empty))).toEqual([`delete ${token}`]);
  });

  it('does not double a token, of which the platform takes many under one label', async () => {
    const world = await newWorld();
    const yaml = 'globalConfigs: { shop: { tokens: { web: { $secretTo: discard } } } }';
    await world.converge(yaml);
    world.twin.setFaults({
      faults: [{ at: { operation: 'getEdgeConfigTokens', nth: 1 }, do: { type: 'cutList', keep: 0 } }],
    });
    const { plan, failed } = await applied(world, yaml);
    const token = 'globalConfigs/shop/tokens/web';
    expect([actions(plan), failed]).toEqual([[`create ${token}`], [token]]);
    expect(world.twin.account.globalConfigs[0]!.tokens).toHaveLength(1);
    await world.converge(yaml);
  });
});

story(
  'a promotion of which nobody heard leaves nothing staged in the ledger, whether it is still wanted or not',
  async () => {
    for (const then of [
      'projects: { web: { bulkRedirects: { /a: { destination: /b } } } }',
      'projects: { web: {} }',
    ]) {
      const world = await newWorld();
      const yaml = 'projects: { web: { bulkRedirects: { /a: { destination: /b } } } }';
      world.twin.setFaults({
        faults: [
          { at: { operation: 'updateVersion', nth: 1 }, do: { type: 'connectionReset', when: 'after' } },
        ],
      });
      await applied(world, yaml);
      expect(Object.keys(world.ledger.staged ?? {})).toEqual(['projects/web#bulkRedirects']);
      await world.converge(then);
      expect([world.ledger.staged, world.ledger.begun]).toEqual([undefined, undefined]);
    }
  },
);

story(
  'an insertion of which nobody heard, and whose id is read afterwards, is waited for before it is made again',
  async () => {
    const clock = jumpingClock();
    const world = await newWorld({ now: clock.now });
    Object.assign(world, { settle: 60_000, now: clock.now });
    const yaml =
      'projects: { web: { firewall: { ips: [{ hostname: a.example.com, ip: 192.0.2.1, action: deny }] } } }';
    world.twin.setFaults({
      faults: [
        { at: { operation: 'updateFirewallConfig', nth: 1 }, do: { type: 'stale', ms: 30_000, byId: true } },
      ],
    });
    const { send } = world.connection;
    world.connection.send = async (request) => {
      const answer = await send(request);
      if (request.endpoint.startsWith('PATCH /v1/security')) throw new Error('the connection was cut');
      return answer;
    };
    expect((await applied(world, yaml)).failed).toHaveLength(1);
    world.connection.send = send;
    const early = await world.plan(yaml);
    expect(early.settlesIn).toBe(60_000);
    await clock.sleep(60_001);
    await world.converge(yaml);
    expect(world.twin.account.projects[0]!.firewall.active!.ips).toHaveLength(1);
  },
);

describe('an answer that is not understood', () => {
  oneRowIn(2)([
    ['a redirect', { status: 302, body: Buffer.alloc(0) }],
    ['a status that nobody knows', { status: 799, body: Buffer.from('{}') }],
  ])('leaves open what became of the write, and it is looked up: %s', async (_, spoiled) => {
    const { world, outcome } = await appliedThrough(spoiled);
    // The variable is created with its project.
    const places = ['development', 'preview', 'production'];
    const doubtful = ['projects/web', ...places.map((target) => `projects/web/env/A@${target}`)];
    expect(outcome.failed.map(({ address }) => address)).toEqual(doubtful);
    expect(Object.keys(world.ledger.begun ?? {}).sort()).toEqual(doubtful);
    // Found, not made again.
    expect(actions((await world.plan(yaml)).plan)).not.toContain('create projects/web');
    await world.converge(yaml);
    expect(world.twin.account.projects.map(({ name }) => name)).toEqual(['web']);
  });

  const deep = '['.repeat(100_000);
  const nested = (levels: number) => `${'{"project":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  oneRowIn(4)([
    ['an answer that is cut', { status: 200, body: Buffer.from('{"id":"prj_') }],
    ['an answer nested without end', { status: 201, body: Buffer.from(`{"id":${deep}`) }],
    ['an answer nested deeper than is read', { status: 201, body: Buffer.from(nested(500)) }],
    ['no answer', undefined],
  ])('%s is looked up at once, and the run goes on', async (_, spoiled) => {
    const { world, outcome } = await appliedThrough(spoiled);
    expect(outcome.failed).toEqual([]);
    expect(actions((await world.plan(yaml)).plan)).toEqual([]);
    expect(world.twin.account.projects.map(({ env }) => env.length)).toEqual([1]);
  });

  const yaml = 'projects: { web: { env: { A: { value: a, type: plain } } } }';

  /** A run that gets this answer to each of its creations. */
  async function appliedThrough(spoiled: { status: number; body: Buffer } | undefined) {
    const world = await newWorld();
    const front = await inFront(
      () => world.twin.url,
      async ({ method }, pass) => {
        const answer = await pass();
        return method === 'POST' ? spoiled : answer;
      },
    );
    onTestFinished(front.close);
    const team = world.twin.account.teams[0]!.slug;
    const connection = connect({ baseUrl: front.url, token: 'test-token', scope: { team } });
    onTestFinished(() => connection.close());
    const planned = await world.plan(yaml);
    const { outcome } = await world.apply(planned, { send: connection.send });
    return { world, outcome };
  }
});
