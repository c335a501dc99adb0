import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(5);

interface Shape {
  name: string;
  /** Where labels stand. */
  section: string;
  /** The YAML with these labels, each with an object of its own or, of several letters, the same. */
  yaml(labels: Record<string, { of?: string; meta?: object }>): string;
  /** Objects by these names, as a seed has them. */
  seed(names: string[]): Seed;
  /** The ids that the account has by now. */
  ids(world: World): string[];
}

const entries = (labels: Parameters<Shape['yaml']>[0], block: (of: string) => object) =>
  Object.fromEntries(
    Object.entries(labels).map(([label, { of = label, meta }]) => [label, { ...block(of), ...meta }]),
  );
const webhookOf = (of: string) => ({ url: `https://${of}.example.com`, events: ['domain.created' as const] });
const ruleOf = (of: string) => ({ type: 'deny' as const, match: { model: `example/${of}` } });

const webhooks: Shape = {
  name: 'webhook',
  section: 'webhooks',
  yaml: (labels) => `webhooks: ${JSON.stringify(entries(labels, webhookOf))}`,
  seed: (names) => ({ webhooks: names.map(webhookOf) }),
  ids: ({ twin }) => twin.account.webhooks.map(({ id }) => id),
};
const shapes: Shape[] = [
  webhooks,
  {
    name: 'aiGatewayRule',
    section: 'aiGatewayRules',
    yaml: (labels) => `aiGatewayRules: ${JSON.stringify(entries(labels, ruleOf))}`,
    seed: (names) => ({ aiGatewayRules: names.map(ruleOf) }),
    ids: ({ twin }) => twin.account.aiGatewayRules.map(({ ruleId }) => ruleId),
  },
  {
    name: 'protectionBypass',
    section: 'projects/web/protectionBypass',
    yaml: (labels) =>
      `projects: ${JSON.stringify({ web: { protectionBypass: entries(labels, (of) => ({ note: of })) } })}`,
    seed: (names) => ({ projects: [{ name: 'web', protectionBypasses: names.map((note) => ({ note })) }] }),
    ids: ({ twin }) => Object.keys(twin.account.projects[0]!.protectionBypass ?? {}),
  },
];

const begin = (seed: Seed) => newWorld({ seed });
const ids = (world: World, at: string) => world.ledger.entries[at]?.ids;

describe.each(shapes)('a label of a $name', ({ section, yaml, seed, ids: live }) => {
  const at = (label: string) => `${section}/${label}`;

  story('means what is there already, today and on a machine without a ledger', async () => {
    const world = await begin(seed(['a', 'b', 'theirs']));
    const there = live(world);
    const labels = { one: { of: 'a' }, two: { of: 'b' } };
    const first = await world.converge(yaml(labels));
    expect(actions(first)).toEqual(expect.arrayContaining([`adopt ${at('one')}`, `adopt ${at('two')}`]));
    const known = [ids(world, at('one')), ids(world, at('two'))];
    world.ledger = { ...world.ledger, entries: {} };
    await world.converge(yaml(labels));
    expect([ids(world, at('one')), ids(world, at('two'))]).toEqual(known);
    expect([world.writes(), live(world)]).toEqual([[], there]);
    expect((await world.plan(yaml(labels))).plan.unmanaged).toHaveLength(1);
  });

  story('can change: the object keeps its id, and nothing is sent', async () => {
    const world = await begin(seed(['a', 'b']));
    await world.converge(yaml({ old: { of: 'a' }, b: {} }));
    const known = ids(world, at('old'));
    await world.converge(yaml({ new: { of: 'a', meta: { $was: 'old' } }, b: {} }));
    expect([ids(world, at('new')), ids(world, at('old'))]).toEqual([known, undefined]);
    expect([world.writes(), live(world).length]).toEqual([[], 2]);
  });
});

// The platform refuses a second rule for one model.
describe.each(shapes.filter(({ name }) => name !== 'aiGatewayRule'))(
  'a label of a $name, of which there may be two alike,',
  ({ section, yaml, seed, ids: live }) => {
    const at = (label: string) => `${section}/${label}`;

    story('that could mean two objects is a question, which names both and `$id` answers', async () => {
      const world = await begin(seed(['a', 'a']));
      const { plan } = await world.plan(yaml({ a: {} }));
      expect(codes(plan)).toEqual(['match/ambiguous']);
      const [problem] = plan.diagnostics;
      const named = /: (\S+), (\S+)$/.exec(problem!.message)!.slice(1);
      expect(new Set(named).size).toBe(2);
      expect(problem!.hint).toContain('$id');
      for (const id of named) {
        world.ledger = { ...world.ledger, entries: {} };
        const yamlWithId = yaml({ a: { meta: { $id: id } } });
        await world.converge(yamlWithId);
        expect(ids(world, at('a'))).toEqual([id]);
        // The ledger knows it from now on.
        await world.converge(yaml({ a: {} }));
        expect(ids(world, at('a'))).toEqual([id]);
      }
      expect(world.writes()).toEqual([]);
    });

    it('is paired with one object each, where equal blocks and equal objects are as many', async () => {
      const world = await begin(seed(['a', 'a']));
      const labels = { one: { of: 'a' }, two: { of: 'a' } };
      await world.converge(yaml(labels));
      const known = [ids(world, at('one')), ids(world, at('two'))].flat();
      expect(new Set(known).size).toBe(2);
      expect([world.writes(), live(world).length]).toEqual([[], 2]);
    });

    story('stays with its object when another one becomes equal to it', async () => {
      const world = await begin(seed(['a']));
      await world.converge(yaml({ a: {} }));
      const known = ids(world, at('a'));
      const { projects = [], ...others } = seed(['a']);
      world.twin.add(others);
      for (const one of projects[0]?.protectionBypasses ?? [])
        world.twin.account.projects[0]!.protectionBypass!['x'.repeat(32)] = {
          scope: 'automation-bypass',
          createdAt: 1,
          createdBy: 'user',
          isEnvVar: false,
          note: one.note!,
        };
      expect(live(world)).toHaveLength(2);
      const plan = await world.converge(yaml({ a: {} }));
      expect([actions(plan), ids(world, at('a')), plan.unmanaged.length]).toEqual([[], known, 1]);
    });
  },
);

describe('an object that the ledger knows by its id', () => {
  story(
    'is the same one after its url changed outside: drift, and only a replacement undoes it',
    async () => {
      const world = await begin(webhooks.seed(['a']));
      await world.converge(webhooks.yaml({ a: {} }));
      world.twin.account.webhooks[0]!.url = 'https://elsewhere.example.com';
      const { plan } = await world.plan(webhooks.yaml({ a: {} }));
      expect(codes(plan)).toEqual(['replace/refused']);
      const allowed = webhooks.yaml({ a: { meta: { $replace: 'allow', $secretTo: 'discard' } } });
      const again = await world.plan(allowed);
      expect(changeAt(again.plan, 'webhooks/a')).toMatchObject({
        action: 'replace',
        reason: 'changed outside',
        fields: [{ path: 'url', cause: 'drift', before: 'https://elsewhere.example.com' }],
      });
      await world.converge(allowed);
      expect(world.twin.account.webhooks.map(({ url }) => url)).toEqual(['https://a.example.com']);
    },
  );

  it('is set back in place where the platform can change it', async () => {
    const world = await begin({ aiGatewayRules: [{ ...ruleOf('a'), description: 'ours' }] });
    const yaml = `aiGatewayRules: ${JSON.stringify({ a: { ...ruleOf('a'), description: 'ours' } })}`;
    await world.converge(yaml);
    world.twin.account.aiGatewayRules[0]!.description = 'theirs';
    const plan = await world.converge(yaml);
    expect(changeAt(plan, 'aiGatewayRules/a')).toMatchObject({ action: 'update', reason: 'changed outside' });
    expect(causes(plan, 'aiGatewayRules/a')).toEqual({ description: 'drift' });
  });

  it('is made again where it was deleted outside, and the plan says so', async () => {
    const world = await begin(webhooks.seed(['a']));
    await world.converge(webhooks.yaml({ a: {} }));
    world.twin.account.webhooks.length = 0;
    const plan = await world.converge(webhooks.yaml({ a: { meta: { $secretTo: 'discard' } } }));
    expect(changeAt(plan, 'webhooks/a')).toMatchObject({ action: 'create', reason: 'deleted outside' });
  });
});

it('`$id` of an object that is not there is refused', async () => {
  const world = await begin(webhooks.seed(['a']));
  const { plan } = await world.plan(webhooks.yaml({ a: { meta: { $id: 'hook_none' } } }));
  expect(codes(plan)).toEqual(['match/no-such-id']);
});
