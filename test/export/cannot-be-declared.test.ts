import { expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { exported } from './exported.ts';

const story = oneStoryIn(4);

const rule = (name: string, path: string) => ({
  name,
  active: true,
  conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: path }] }],
  action: { mitigate: { action: 'deny' } },
});

const seed = {
  team: { members: [{ uid: 'user_1', email: 'grace@example.com' }] },
  projects: [
    {
      name: 'web',
      env: [
        { key: 'SECRET', value: 'canary-of-secret', type: 'sensitive' },
        { key: 'OF_INTEGRATION', value: 'canary-of-integration', configurationId: 'icfg_1' },
        { key: 'PLAIN', value: 'costs ${5} or $${6}', type: 'plain' },
        { key: 'NPM_TOKEN', value: 'canary-of-npm' },
      ],
      firewall: { rules: [rule('twice', '/a'), rule('twice', '/b'), rule('once', '/c')] },
    },
    { name: 'docs', paused: true },
  ],
  domains: [
    {
      name: 'example.com',
      records: [
        { type: 'A', name: '', value: '192.0.2.1', creator: 'system' },
        { type: 'TXT', name: 'no', value: 'yes' },
      ],
    },
  ],
  webhooks: [
    { url: 'https://hooks.example.com/a', events: ['domain.created'] },
    { url: 'https://hooks.example.com/a', events: ['domain.created'] },
    { url: 'https://hooks.example.com/b', events: ['project.created'], projects: ['docs'] },
  ],
  globalConfigs: [{ slug: 'flags-of-the-platform', purpose: { flagsOf: 'web' } }],
} as unknown as Seed;

it('what cannot be declared is told, and the rest plans to no write', async () => {
  const world = await World.start({ seed });
  try {
    const { yaml } = await exported(world);
    await expect(yaml).toMatchFileSnapshot('whole.yaml');
    expect(yaml).not.toContain('canary');
    const { plan } = await world.plan(yaml);
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.operations).toEqual([]);
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['adopt']));
  } finally {
    await world.stop();
  }
});

story('a part comes with what it is in and what it names, as existing', async () => {
  const world = await World.start({ seed });
  try {
    const { yaml, count } = await exported(world, ['webhooks/*', 'projects/web/env/PLAIN@*']);
    await expect(yaml).toMatchFileSnapshot('part.yaml');
    expect(count).toBe(4);
    const { plan } = await world.plan(yaml);
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.operations).toEqual([]);
  } finally {
    await world.stop();
  }
});

story('an area that is not open is told, and so is one that could not be read', async () => {
  const world = await World.start({ seed });
  try {
    const { send } = world.connection;
    world.connection.send = async (request) => {
      if (request.endpoint.startsWith('GET /v1/access-groups'))
        throw Object.assign(new Error('answered 403'), { status: 403 });
      if (request.endpoint.startsWith('GET /v1/drains'))
        throw Object.assign(new Error('answered 500'), { status: 500 });
      return send(request);
    };
    const { notes } = await exported(world);
    expect(notes).toEqual(
      expect.arrayContaining([
        'accessGroups is not accessible to this account or token: answered 403',
        'drains could not be read: answered 500',
      ]),
    );
  } finally {
    await world.stop();
  }
});

story('of two rules with one name the declared one keeps its own place', async () => {
  const rules = [rule('twice', '/a'), rule('once', '/c'), rule('twice', '/b')];
  const world = await World.start({
    seed: { projects: [{ name: 'web', firewall: { rules } }] } as unknown as Seed,
  });
  try {
    for (const ids of [
      ['rule_1', 'rule_2', 'rule_3'],
      ['rule_3', 'rule_2', 'rule_1'],
    ]) {
      const found = world.twin.account.projects[0]!.firewall.active!.rules;
      for (const [index, one] of found.entries()) one.id = ids[index]!;
      const { yaml } = await exported(world);
      expect((await world.plan(yaml)).plan.operations).toEqual([]);
    }
  } finally {
    await world.stop();
  }
});
