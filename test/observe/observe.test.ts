import { describe, expect, it } from 'vitest';
import { emptyLedger } from '../../src/model/ledger.ts';
import type { Desired, Resource } from '../../src/model/resource.ts';
import { observe } from '../../src/observe/observe.ts';
import { intercept, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { tinyKinds, tinyLedger } from '../support/tiny.ts';

const story = oneStoryIn(4);

const everything = `
projects:
  web:
    customEnvironments: { staging: {} }
    env: { A: a }
    domains: { a.example.com: {} }
    firewall:
      firewallEnabled: true
      rules: [{ name: r, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /r }] }], action: { mitigate: { action: deny } } }]
      ips: [{ hostname: example.com, ip: 192.0.2.1, action: deny }]
      managedRules: { owasp: { active: true } }
      crs: { sqli: { active: true } }
  api: {}
domains:
  example.com: { $existing: true, records: [{ type: A, name: x, value: 192.0.2.1 }] }
`;

/** The reads of a plan, ids left out. */
async function readsOf(world: Awaited<ReturnType<typeof newWorld>>, yaml: string): Promise<string[]> {
  const since = world.twin.requests.length;
  await world.plan(yaml);
  return world.twin.requests
    .slice(since)
    .map(({ path }) => path.replace(/prj_[^/&?]+/g, 'ID').split('?')[0]!)
    .sort();
}

describe('what is read', () => {
  story('is each list once, and the firewall once for all of its kinds', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    await world.converge(everything);
    expect(await readsOf(world, everything)).toEqual([
      '/v1/security/firewall/config',
      '/v10/projects',
      '/v10/projects/ID/env',
      '/v5/domains',
      '/v5/domains/example.com/records',
      '/v6/domains/a.example.com/config',
      '/v9/projects/ID/custom-environments',
      '/v9/projects/ID/domains',
    ]);
  });

  it('is what is mentioned, and nothing else', async () => {
    const seed = {
      projects: [
        { name: 'web', env: [{ key: 'B', value: 'b' }] },
        { name: 'other', env: [{ key: 'C', value: 'c' }] },
      ],
      domains: [{ name: 'example.com' }],
    };
    const world = await newWorld({ seed });
    expect(await readsOf(world, 'projects: { web: { env: { A: a } } }')).toEqual([
      '/v10/projects',
      '/v10/projects/ID/env',
    ]);
    expect(await readsOf(world, 'projects: { web: {} }')).toEqual(['/v10/projects']);
  });

  story('are the custom environments only where a variable is in one', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          { name: 'plain', env: [{ key: 'A', value: 'a' }] },
          {
            name: 'staged',
            customEnvironments: [{ slug: 'staging' }],
            env: [{ key: 'A', value: 'a', customEnvironments: ['staging'] }],
          },
        ],
      },
    });
    const yaml = 'projects: { plain: { env: { B: b } }, staged: { env: { B: b } } }';
    const reads = await readsOf(world, yaml);
    expect(reads.filter((path) => path.endsWith('custom-environments'))).toHaveLength(1);
    const { live } = await world.plan(yaml);
    expect([...live.resources.keys()]).toContain('projects/staged/env/A@custom:staging');
  });

  it('is what the ledger mentions, too', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { env: { A: a } } }');
    expect(await readsOf(world, 'projects: { web: {} }')).toContain('/v10/projects/ID/env');
  });

  story('is read side by side, parents first', async () => {
    const world = await newWorld({ seed: { domains: [{ name: 'example.com' }] } });
    await world.converge(everything);
    const waves: string[][] = [];
    let wave: (() => void)[] = [];
    intercept(world, async (request, send) => {
      if (wave.length === 0) {
        const started: string[] = [];
        waves.push(started);
        // Lets all requests that do not wait for each other come before the first answer.
        setTimeout(() => {
          const all = wave;
          wave = [];
          for (const go of all) go();
        }, 30);
      }
      waves.at(-1)!.push(request.endpoint.split('?')[0]!);
      await new Promise<void>((go) => wave.push(go));
      return send(request);
    });
    await world.plan(everything);
    expect(waves.map((names) => names.length).slice(0, 2)).toEqual([2, 5]);
    expect(waves[0]!.sort()).toEqual(['GET /v10/projects', 'GET /v5/domains']);
  });
});

describe('what is found', () => {
  const desired = (...addresses: string[]): Desired => ({
    stack: 'tiny',
    inputs: [],
    folders: [],
    resources: new Map(
      addresses.map((address): [string, Resource] => [
        address,
        {
          address,
          kind: address.includes('/items/') ? 'item' : 'box',
          ...(address.includes('/items/') ? { parent: address.split('/items/')[0]! } : {}),
          fields: {},
          meta: {},
          index: 0,
          at: { file: 'x', line: 1, column: 1 },
        },
      ]),
    ),
  });
  const nothing = emptyLedger('', '', '');

  it('has its natural address, and keeps its own when the ledger knows its id', async () => {
    const answer = async () => [
      { id: 'id of boxes/a', name: 'moved' },
      { id: '2', name: 'b' },
    ];
    const live = await observe(desired('boxes/a'), tinyLedger({ 'boxes/a': {} }), tinyKinds, answer, {
      facts: {},
    });
    expect([...live.resources.values()].map(({ address, renamedTo }) => [address, renamedTo])).toEqual([
      ['boxes/a', 'boxes/moved'],
      ['boxes/b', undefined],
    ]);
  });

  it('under one name is kept with its alternatives', async () => {
    const answer = async () => [
      { id: '1', name: 'a' },
      { id: '2', name: 'a' },
    ];
    const live = await observe(desired('boxes/a'), nothing, tinyKinds, answer, { facts: {} });
    expect(live.resources.get('boxes/a')!.alternatives!.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('in one place that fails freezes that place and what is below, and nothing else', async () => {
    const live = await observe(
      desired('boxes/a', 'boxes/b', 'boxes/a/items/i', 'boxes/b/items/i'),
      nothing,
      tinyKinds,
      async ({ params, items }) => {
        if (params?.box === '1') throw new Error('no');
        return items === 'boxes'
          ? [
              { id: '1', name: 'a' },
              { id: '2', name: 'b' },
            ]
          : [];
      },
      { facts: {} },
    );
    expect([...live.unreadable]).toEqual([['boxes/a#item', { why: 'no', cause: 'no' }]]);
    expect([...live.complete].sort()).toEqual(['#box', 'boxes/b#item']);
  });

  it('of an unknown kind in the ledger is not looked for', async () => {
    const ledger = tinyLedger({ 'boxes/a': {} });
    ledger.entries['things/x'] = { ...ledger.entries['boxes/a']!, kind: 'thing' };
    const live = await observe(desired(), ledger, tinyKinds, async () => [], { facts: {} });
    expect(live.unreadable.size).toBe(0);
  });
});
