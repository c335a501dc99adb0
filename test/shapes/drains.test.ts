import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches, type Seed } from '../../providers/hosting/twin/index.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

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

describe.each(sampled([defaultSwitches, otherSwitches], 1))('a drain', (switches) => {
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

  story('is for all projects without naming one, and for one after naming it', async () => {
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
      'delivery.headers': 'edit',
      'delivery.secret': 'edit',
    });
    expect(world.twin.account.drains[0]!.delivery).toMatchObject({
      headers: { authorization: 'canary-header-rotated' },
      secret: `canary-rotated-${signing}`,
    });
    expect(actions(await run())).toEqual([]);
    expect(seen.filter((text) => text.includes('canary'))).toEqual([]);
  });

  story('has its endpoint set back, and keeps what is not declared of its delivery', async () => {
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

const plainly = {
  http: { type: 'http', endpoint: 'https://logs.example.com', encoding: 'json' },
  otlphttp: { type: 'otlphttp', endpoint: { traces: 'https://otel.example.com' }, encoding: 'proto' },
  s3: {
    type: 's3',
    endpoint: 'https://bucket.example.com',
    encoding: 'json',
    compression: 'none',
    fileStructure: 'hive',
    roleArn: 'arn:aws:iam::1:role/a',
    region: 'us-east-1',
  },
};
type Way = keyof typeof plainly;
const ways = Object.keys(plainly) as Way[];
const deliveryIn = ({ twin }: World) => twin.account.drains[0]!.delivery as Record<string, unknown>;
/** What each type of delivery has beside what it needs. */
const extras: Record<Way, object> = {
  http: { compression: 'gzip', headers: { 'x-a': 'one' }, secret: signing },
  otlphttp: { headers: { 'x-a': 'one' }, secret: signing },
  s3: { serverSideEncryption: 'aws:kms', objectAcl: 'private' },
};

describe.each(ways.flatMap((from) => ways.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'the type of a delivery, from %s to %s',
  (from, to) => {
    it.each(sampled([defaultSwitches, otherSwitches], 1))(
      'changes, and leaves nothing of its own behind',
      async (switches) => {
        const world = await begin({}, switches);
        const drain = (delivery: object) => yaml({ schemas: { log: {} }, delivery });
        await world.converge(drain({ ...plainly[from], ...extras[from] }));
        const plan = await world.converge(drain(plainly[to]));
        expect(actions(plan)).toEqual(['update drains/audit']);
        expect(deliveryIn(world)).toMatchObject(plainly[to]);
        const alien = Object.keys({ ...plainly[from], ...extras[from] }).filter(
          (name) => !Object.hasOwn({ ...plainly[to], ...extras[to] }, name),
        );
        expect(Object.keys(deliveryIn(world)).filter((name) => alien.includes(name))).toEqual([]);
      },
    );
  },
);

describe('what is declared of a drain', () => {
  const secrets = (world: World) => JSON.stringify([world.ledger]);

  it('is all that it sends, and all of its headers', async () => {
    const world = await begin();
    const drain = (schemas: object, headers: object) =>
      yaml({ schemas, delivery: { ...plainly.http, headers } });
    await world.converge(drain({ log: {}, trace: {} }, { 'x-a': '${secret.header}', 'x-b': 'two' }));
    const plan = await world.converge(drain({ trace: {} }, { 'x-a': '${secret.header}' }));
    expect(causes(plan, 'drains/audit')).toEqual({ schemas: 'edit', 'delivery.headers': 'edit' });
    expect(world.twin.account.drains[0]!.schemas).toEqual({ trace: { version: 'v1' } });
    expect(deliveryIn(world).headers).toEqual({ 'x-a': header });
    await world.converge(drain({ trace: {} }, {}));
    expect(deliveryIn(world).headers).toEqual({});
    expect(secrets(world)).not.toContain('canary');
  });

  it('is compared with headers that somebody added, whose values are not shown', async () => {
    const world = await begin();
    const text = yaml({ schemas: { log: {} }, delivery: { ...plainly.http, headers: { 'x-a': 'mine' } } });
    await world.converge(text);
    Object.assign(deliveryIn(world), { headers: { 'x-a': 'mine', 'x-b': 'canary-of-somebody' } });
    const { plan } = await world.plan(text);
    expect(causes(plan, 'drains/audit')).toEqual({ 'delivery.headers': 'drift' });
    const shown = [JSON.stringify(planJson(plan)), inspect(plan, { depth: 20 })];
    shown.push(planText(plan, { style: styleFor({ color: false, width: 100 }), requests: true }));
    for (const secret of ['canary', 'mine']) expect(shown.filter((one) => one.includes(secret))).toEqual([]);
    await world.converge(text);
    expect(deliveryIn(world).headers).toEqual({ 'x-a': 'mine' });
  });

  it('can be taken back with null', async () => {
    const world = await begin();
    const drain = (compression: string | null) =>
      yaml({ schemas: { log: {} }, delivery: { ...plainly.http, compression } });
    await world.converge(drain('gzip'));
    await world.converge(drain(null));
    expect(deliveryIn(world)).not.toHaveProperty('compression');
  });

  it('has a version of each form that answers need not tell', async () => {
    const world = await begin();
    const text = yaml({ schemas: { log: {} }, delivery: plainly.http });
    await world.converge(text);
    Object.assign(world.twin.account.drains[0]!, { schemas: { log: {} } });
    expect(actions(await world.converge(text))).toEqual([]);
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
  expect(live.undeclarable.get('#drain')?.count).toBe(2);
  await world.converge(yaml(audit));
  await world.converge('projects: { web: {} }');
  expect(world.twin.account.drains.map(({ name }) => name)).toEqual(['own', 'theirs']);
});
