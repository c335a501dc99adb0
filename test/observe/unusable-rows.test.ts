import { beforeAll, describe, expect, it } from 'vitest';
import { emptyLedger } from '../../src/model/ledger.ts';
import { actions, codes, intercept } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { describe as described, World } from '../support/world.ts';

const story = oneStoryIn(4);

const yaml = `
projects: { web: { env: { A: { value: one, type: plain, target: [production] }, B: { value: two } }, customEnvironments: { qa: {} } } }
sharedEnv: { S: { value: three, target: [preview] } }
microfrontends: { shop: { defaultApp: web, projects: { web: { isDefaultApp: true } } } }
blobStores: { files: {} }
`;
const without = `
projects: { web: { env: { B: { value: two } }, customEnvironments: {} } }
sharedEnv: {}
microfrontends: {}
blobStores: {}
`;

const env = 'GET /v10/projects/{project}/env?decrypt=true';
const rows: [endpoint: string, name: string, member: string, address: string][] = [
  [env, 'A', 'id', 'projects/web/env/A@production'],
  [env, 'A', 'key', 'projects/web/env/A@production'],
  [env, 'A', 'type', 'projects/web/env/A@production'],
  [env, 'A', 'target', 'projects/web/env/A@production'],
  ['GET /v1/env', 'S', 'id', 'sharedEnv/S@preview'],
  ['GET /v1/env', 'S', 'key', 'sharedEnv/S@preview'],
  ['GET /v1/env', 'S', 'type', 'sharedEnv/S@preview'],
  ['GET /v9/projects/{project}/custom-environments', 'qa', 'id', 'projects/web/customEnvironments/qa'],
  ['GET /v1/microfrontends/groups', 'shop', 'group', 'microfrontends/shop'],
  ['GET /v1/storage/stores', 'files', 'type', 'blobStores/files'],
];

/** Returns a copy of an answer in which each object that is called `name` lacks a member. */
function withoutMember(answer: unknown, name: string, member: string): unknown {
  if (Array.isArray(answer)) return answer.map((item) => withoutMember(item, name, member));
  if (typeof answer !== 'object' || answer === null) return answer;
  const object = answer as Record<string, unknown>;
  const named = (object.group ?? object) as Record<string, unknown>;
  const isMeant = [named.key, named.name, named.slug].includes(name) && member in object;
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key]) => !isMeant || key !== member)
      .map(([key, value]) => [key, isMeant ? value : withoutMember(value, name, member)]),
  );
}

describe('a row that lacks', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.converge(yaml);
    return () => world.stop();
  });

  oneRowIn(5)(rows)(
    '%s, %s: `%s` is not compared, and nothing is created or deleted for it',
    async (endpoint, name, member, address) => {
      let isChanged = false;
      const heal = intercept(world, async (request, send) => {
        const answer = await send(request);
        if (request.endpoint !== endpoint) return answer;
        const changed = withoutMember(answer, name, member);
        isChanged ||= JSON.stringify(changed) !== JSON.stringify(answer);
        return changed;
      });
      for (const wanted of [yaml, without]) {
        const { plan } = await world.plan(wanted);
        expect(isChanged).toBe(true);
        expect(codes(plan), described(plan)).toContain('observe/incomplete');
        expect(
          actions(plan).filter((line) => line.endsWith(` ${address}`) || line.startsWith('create')),
        ).toEqual([]);
        const items = (plan.notCompared ?? []).flatMap((group) => group.items);
        expect(items.map((item) => item.address)).toContain(address);
      }
      heal();
    },
  );
});

describe('a row that no ledger has', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.converge(yaml);
    world.ledger = emptyLedger(world.twin.url, world.ledger.owner, 'test');
    return () => world.stop();
  });
  const withMembers = (rows: unknown, key: string, members: object): unknown =>
    (rows as { key: string }[]).map((row) => (row.key === key ? { ...row, ...members } : row));
  const planWith = async (endpoint: string, key: string, members: object) => {
    const heal = intercept(world, async (request, send) => {
      const answer = await send(request);
      return request.endpoint === endpoint ? withMembers(answer, key, members) : answer;
    });
    const { plan } = await world.plan(yaml);
    heal();
    return plan;
  };

  it.each([
    [env, 'A', 'projects/web/env/A@production'],
    ['GET /v1/env', 'S', 'sharedEnv/S@preview'],
  ])('%s: a declared one with a type of tomorrow is not created again', async (endpoint, key, address) => {
    const plan = await planWith(endpoint, key, { type: 'tomorrow' });
    expect(codes(plan), described(plan)).toContain('observe/incomplete');
    expect(actions(plan).filter((line) => line === `create ${address}`)).toEqual([]);
    const items = (plan.notCompared ?? []).flatMap((group) => group.items);
    expect(items.map((item) => item.address)).toContain(address);
  });

  story(
    'a variable of an integration, or one of another name with a type of tomorrow, changes nothing',
    async () => {
      for (const [key, members] of [
        ['A', { configurationId: 'icfg_1', target: ['preview'] }],
        ['B', { key: 'OTHER', type: 'tomorrow' }],
      ] as const) {
        const plan = await planWith(env, key, members);
        expect(codes(plan), described(plan)).not.toContain('observe/incomplete');
        expect(actions(plan).some((line) => line.startsWith(`create projects/web/env/${key}`))).toBe(true);
      }
    },
  );
});
