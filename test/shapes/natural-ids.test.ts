import { describe, expect, it } from 'vitest';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { canDo } from '../../src/kind/define-kind.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(5);

const member = { uid: 'user_1', email: 'grace@example.com' };
const other = { uid: 'user_2', email: 'edith@example.com' };
const twoProjects = 'projects: { web: {}, docs: {} }\n';
const sent = (world: World, since: number) =>
  world.twin.requests
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => [`${method} ${path.replace(/\?.*/, '').split('/').at(-1)}`, body]);

it('a name that is the id is immutable, whatever its kind says', () => {
  const natural = allKinds.filter(
    (kind) => kind.key.includes(typeof kind.id === 'string' ? kind.id : 'id') && canDo(kind, 'create'),
  );
  expect(natural.length).toBeGreaterThan(5);
  for (const { name, id, fields } of natural)
    expect(traitsOf(fields[typeof id === 'string' ? id : 'id']!).immutable, name).toBe(true);
});

describe('a rename of what has its name for an id', () => {
  story('is a deletion and a creation in one request: items', async () => {
    const world = await newWorld();
    const yaml = (items: object) => `globalConfigs: { shop: { items: ${JSON.stringify(items)} } }`;
    await world.converge(yaml({ old: { value: null, description: 'kept' } }));
    const since = world.twin.requests.length;
    const plan = await world.converge(yaml({ new: { $was: 'old', value: null } }));
    expect(actions(plan)).toEqual(['replace globalConfigs/shop/items/new']);
    expect(sent(world, since)).toEqual([
      [
        'PATCH items',
        {
          items: [
            { operation: 'delete', key: 'old' },
            { operation: 'create', key: 'new', value: null, description: 'kept' },
          ],
        },
      ],
    ]);
    expect(world.ledger.entries['globalConfigs/shop/items/new']!.ids).toEqual(['new']);
  });

  story('is a deletion and a creation in one request: members', async () => {
    const world = await newWorld({ seed: { team: { members: [member, other] } } });
    const yaml = (members: object) => `accessGroups: { Team: { members: ${JSON.stringify(members)} } }`;
    await world.converge(yaml({ user_1: {} }));
    const since = world.twin.requests.length;
    await world.converge(yaml({ user_2: { $was: 'user_1' } }));
    expect(sent(world, since).map(([, body]) => body)).toEqual([
      { membersToAdd: ['user_2'], membersToRemove: ['user_1'] },
    ]);
    expect(world.twin.account.accessGroups[0]!.members.map(({ uid }) => uid)).toEqual(['user_2']);
  });

  story('is a deletion and a creation in one version: redirects', async () => {
    const world = await newWorld();
    const yaml = (redirects: object) => `projects: { web: { bulkRedirects: ${JSON.stringify(redirects)} } }`;
    await world.converge(yaml({ '/old': { destination: '/there', statusCode: 301 } }));
    const since = world.twin.requests.length;
    await world.converge(yaml({ '/new': { $was: '/old', destination: '/there' } }));
    const [gone, made, ...rest] = sent(world, since);
    expect(gone).toEqual(['DELETE bulk-redirects', { redirects: ['/old'] }]);
    expect(made).toEqual([
      'PUT bulk-redirects',
      expect.objectContaining({
        redirects: [expect.objectContaining({ source: '/new', destination: '/there', statusCode: 301 })],
      }),
    ]);
    expect(rest.map(([request]) => request)).toEqual(['POST versions']);
  });

  story('is a deletion, then a creation: projects of an access group', async () => {
    const world = await newWorld();
    const yaml = (projects: object) =>
      `${twoProjects}accessGroups: { Team: { projects: ${JSON.stringify(projects)} } }`;
    await world.converge(yaml({ web: { role: 'ADMIN' } }));
    const since = world.twin.requests.length;
    await world.converge(yaml({ docs: { $was: 'web', role: 'ADMIN' } }));
    expect(sent(world, since).map(([request]) => String(request).split(' ')[0])).toEqual(['DELETE', 'POST']);
  });

  story('is allowed first, then a deletion and a creation: domains of a project', async () => {
    const world = await newWorld();
    const yaml = (domains: object) => `projects: { web: { domains: ${JSON.stringify(domains)} } }`;
    await world.converge(yaml({ 'a.example.com': {} }));
    const renamed = { $was: 'a.example.com' };
    const { plan } = await world.plan(yaml({ 'b.example.com': renamed }));
    expect(codes(plan)).toEqual(['replace/refused']);
    const since = world.twin.requests.length;
    await world.converge(yaml({ 'b.example.com': { ...renamed, $replace: 'allow' } }));
    expect(sent(world, since).map(([request]) => request)).toEqual(['DELETE a.example.com', 'POST domains']);
  });

  it('is refused where nothing is deleted for a change: domains', async () => {
    const world = await newWorld();
    await world.converge('domains: { a.example: {} }');
    const { plan } = await world.plan('domains: { b.example: { $was: a.example } }');
    expect(codes(plan)).toEqual(['replace/refused']);
    expect(plan.operations).toEqual([]);
  });
});
