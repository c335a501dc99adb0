import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches, type Seed } from '../../providers/hosting/twin/index.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';

const header = 'canary-header-1c7e';
const signing = 'canary-signing-secret-0123456789-abcdef';
const audit = {
  projectIds: ['web'],
  schemas: { log: {}, trace: {} },
  filter: { version: 'v2', filter: { type: 'basic', log: { sources: ['build'] } } },
  delivery: {
    type: 'http',
    endpoint: 'https://logs.example.com',
    encoding: 'ndjson',
    headers: { authorization: '${secret.header}' },
    secret: '${secret.signing}',
  },
  sampling: [{ type: 'head_sampling', rate: 0.5 }],
  status: 'disabled',
};
const yaml = (drain: object) => `secrets: { header: { env: HEADER }, signing: { env: SIGNING } }
projects: { web: {} }
drains: ${JSON.stringify({ audit: drain })}`;
const begin = async (seed: Seed = {}, switches = defaultSwitches) => {
  const world = await newWorld({ seed, switches });
  world.env = { HEADER: header, SIGNING: signing };
  return world;
};

describe.each([defaultSwitches, otherSwitches])('a drain', (switches) => {
  it('is written in one form and read in another: the second plan is empty, also without a ledger', async () => {
    const world = await begin({}, switches);
    await world.converge(yaml(audit));
    const since = world.twin.requests.length;
    world.ledger = { ...world.ledger, entries: {} };
    await world.converge(yaml(audit));
    expect(world.writes(since)).toEqual([]);
    const [made] = world.twin.account.drains;
    expect(made).toMatchObject({
      status: 'disabled',
      projectIds: [world.twin.account.projects[0]!.id],
      filter: audit.filter,
      schemas: { log: { version: 'v1' }, trace: { version: 'v1' } },
      delivery: { headers: { authorization: header }, secret: signing },
    });
  });

  it('is for all projects without naming one, and for one after naming it', async () => {
    const world = await begin({}, switches);
    const { projectIds, ...wide } = audit;
    await world.converge(yaml(wide));
    expect(world.twin.account.drains[0]!.projectIds).toBeUndefined();
    await world.converge(yaml({ ...wide, projectIds }));
    expect(world.twin.account.drains[0]!.projectIds).toHaveLength(1);
    await world.converge(yaml({ ...wide, projectIds: [] }));
    expect(world.twin.account.drains[0]!.projectIds).toBeUndefined();
  });

  it('shows neither its headers nor its secret, and sends them once after they were rotated', async () => {
    const world = await begin({}, switches);
    const style = styleFor({ color: false, width: 100 });
    const seen: string[] = [];
    const run = async () => {
      const planned = await world.plan(yaml(audit));
      seen.push(JSON.stringify(planJson(planned.plan)), planText(planned.plan, { style, requests: true }));
      seen.push(inspect(planned.plan, { depth: 20 }));
      const { outcome } = await world.apply(planned);
      seen.push(inspect(outcome), JSON.stringify(world.ledger));
      return planned.plan;
    };
    await run();
    world.env = { HEADER: 'canary-header-rotated', SIGNING: `canary-rotated-${signing}` };
    const rotated = await run();
    expect(causes(rotated, 'drains/audit')).toEqual({
      'delivery.headers.authorization': 'edit',
      'delivery.secret': 'edit',
    });
    expect(world.twin.account.drains[0]!.delivery).toMatchObject({
      headers: { authorization: 'canary-header-rotated' },
      secret: `canary-rotated-${signing}`,
    });
    expect(actions(await run())).toEqual([]);
    expect(seen.filter((text) => text.includes('canary'))).toEqual([]);
  });

  it('has its endpoint set back, and keeps what is not declared of its delivery', async () => {
    const world = await begin({}, switches);
    await world.converge(yaml(audit));
    const delivery = world.twin.account.drains[0]!.delivery as unknown as Record<string, unknown>;
    Object.assign(delivery, { endpoint: 'https://elsewhere.example.com', compression: 'gzip' });
    const plan = await world.converge(yaml(audit));
    expect(changeAt(plan, 'drains/audit')).toMatchObject({ action: 'update', reason: 'changed outside' });
    expect(world.twin.account.drains[0]!.delivery).toMatchObject({
      endpoint: audit.delivery.endpoint,
      compression: 'gzip',
      headers: { authorization: header },
      secret: signing,
    });
  });
});

it('a drain to the platform itself is left out, and so is one of an integration', async () => {
  const integration = { integrationId: 'oac_1', integrationConfigurationId: 'icfg_1' };
  const http = { type: 'http' as const, endpoint: 'https://logs.example.com', encoding: 'json' as const };
  const world = await begin({
    drains: [
      { name: 'own', delivery: { type: 'internal', target: 'observability' } },
      { name: 'theirs', delivery: { ...http, headers: {} }, integration },
    ],
  });
  const { plan, live } = await world.plan(yaml(audit));
  expect(codes(plan)).toEqual([]);
  expect(plan.unmanaged.filter(({ kind }) => kind === 'drain')).toEqual([]);
  expect(live.leftOut.get('#drain')).toBe(2);
  await world.converge(yaml(audit));
  await world.converge('projects: { web: {} }');
  expect(world.twin.account.drains.map(({ name }) => name)).toEqual(['own', 'theirs']);
});
