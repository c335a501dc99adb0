import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

const stages = [{ targetPercentage: 10, duration: 60 }, { targetPercentage: 100 }];
const byHand = [{ targetPercentage: 10 }, { targetPercentage: 100 }];
const release = { advancementType: 'automatic' as const, stages };
const yaml = (blocks: object) => `projects: ${JSON.stringify({ web: blocks })}`;
const withRelease = (meta: object = {}) => yaml({ rollingRelease: { ...release, ...meta } });
const live = ({ twin }: World) => twin.account.projects[0]!.rollingRelease;

describe('a rolling release', () => {
  const begin = async (rollingRelease?: typeof release) => {
    const project = { name: 'web', ...(rollingRelease ? { rollingRelease } : {}) };
    return newWorld({ seed: { projects: [project] } });
  };

  it('is deleted once its block is gone', async () => {
    const world = await begin();
    await world.converge(withRelease());
    expect(live(world)).toMatchObject({ stages });
    const since = world.twin.requests.length;
    expect(actions(await world.converge(yaml({})))).toEqual(['delete projects/web/rollingRelease']);
    expect(live(world) ?? undefined).toBeUndefined();
    expect(world.writes(since).map((line) => line.split(' ')[0])).toEqual(['DELETE']);
  });

  it('that was never declared stays', async () => {
    const world = await begin(release);
    await world.converge(yaml({}));
    expect(live(world)).toMatchObject({ stages });
  });

  story('that is adopted as it is sends nothing, and goes with its block from then on', async () => {
    const world = await begin(release);
    await world.converge(withRelease());
    expect(world.writes()).toEqual([]);
    await world.converge(yaml({}));
    expect(live(world) ?? undefined).toBeUndefined();
  });

  story('is kept by `$protect`, also after the block that said so', async () => {
    const world = await begin();
    await world.converge(withRelease({ $protect: true }));
    const { plan } = await world.plan(yaml({}));
    expect(codes(plan)).toEqual(['guard/protected']);
    await world.converge(withRelease());
    await world.converge(yaml({}));
    expect(live(world) ?? undefined).toBeUndefined();
  });

  it('counts as a deletion, and as one where it was switched off outside', async () => {
    const world = await begin();
    await world.converge(withRelease());
    expect(codes((await world.plan(yaml({}), { maxDeletions: 0 })).plan)).toEqual(['guard/deletions']);
    world.twin.account.projects[0]!.rollingRelease = null;
    const { plan } = await world.plan(withRelease(), { maxDeletions: 0 });
    expect(codes(plan)).toEqual(['guard/deletions']);
    expect(changeAt(plan, 'projects/web/rollingRelease')).toMatchObject({
      action: 'create',
      reason: 'deleted outside',
    });
  });

  oneRowIn(3)([
    ['gate', { gate: { enabled: true, action: 'pause', checks: [], dryRun: false } }],
    ['canaryResponseHeader', { canaryResponseHeader: true }],
    ['stages.linearShift', { stages: [{ ...stages[0], linearShift: true }, stages[1]] }],
  ])('that has a %s is not written, but adopted as it is and deleted', async (name, found) => {
    const world = await begin(release);
    Object.assign(live(world)!, found);
    const { plan } = await world.plan(withRelease({ advancementType: 'manual-approval', stages: byHand }));
    expect(codes(plan)).toEqual(['write/loses']);
    expect(plan.diagnostics[0]!.message).toContain(`\`${name}\``);
    expect(plan.operations.flatMap(({ requests }) => requests)).toEqual([]);
    await world.converge(withRelease());
    expect(live(world)).toMatchObject(found);
    await world.converge(yaml({}));
    expect(live(world) ?? undefined).toBeUndefined();
  });

  it('whose gate is off is written', async () => {
    const world = await begin(release);
    Object.assign(live(world)!, { gate: { enabled: false }, canaryResponseHeader: false });
    await world.converge(withRelease({ advancementType: 'manual-approval', stages: byHand }));
    expect(live(world)!.stages[0]).toEqual({ targetPercentage: 10, requireApproval: true });
  });

  it.each([
    ['half a minute', [{ targetPercentage: 10, duration: 0.5 }, stages[1]], 'config/type'],
    ['no time', [{ targetPercentage: 10, duration: 0 }, stages[1]], 'config/value'],
    ['more than a week', [{ targetPercentage: 10, duration: 10_001 }, stages[1]], 'config/value'],
    ['some time at its end', [stages[0], { targetPercentage: 100, duration: 5 }], 'config/check'],
  ])('cannot wait %s', async (_, wanted, code) => {
    const world = await begin();
    const { diagnostics } = await world.configure(withRelease({ stages: wanted }));
    expect(diagnostics.map((one) => one.code)).toEqual([code]);
  });

  story('stays with a project that is let go', async () => {
    const world = await begin();
    await world.converge(withRelease());
    await world.converge('projects: { other: {} }');
    expect(live(world)).toMatchObject({ stages });
  });
});

describe.each(sampled([false, true], 1))(
  'the schema of a global config, wrapped in its answer: %s',
  (wrapped) => {
    const store = (blocks: object) => `globalConfigs: ${JSON.stringify({ shop: blocks })}`;
    const begin = async (seed: Seed = {}) => {
      const world = await newWorld({ seed, switches: { globalConfigSchemaWrapped: wrapped } });
      world.parallelism = 1;
      return world;
    };
    const state = ({ twin }: World) => {
      const { schema, items } = twin.account.globalConfigs[0]!;
      return { schema, items: Object.fromEntries(items.map(({ key, value }) => [key, value])) };
    };
    const sent = (world: World) =>
      world.writes().map((line) => line.replace(/\/v1\/global-config\/[^/]+\//, ''));

    it('comes before the items', async () => {
      const world = await begin({ globalConfigs: [{ slug: 'shop' }] });
      const typed = { type: 'object', properties: { banner: { type: 'string' } } };
      await world.converge(store({ schema: { definition: typed }, items: { banner: 'Sale' } }));
      expect(sent(world)).toEqual(['POST schema', 'PATCH items']);
      expect(state(world)).toEqual({ schema: typed, items: { banner: 'Sale' } });
    });

    it('comes after the items that it requires', async () => {
      const world = await begin();
      const strict = { type: 'object', properties: { banner: { type: 'string' } }, required: ['banner'] };
      await world.converge(store({ schema: { definition: strict }, items: { banner: 'Sale' } }));
      expect(sent(world).slice(-2)).toEqual(['PATCH items', 'POST schema']);
      expect(state(world)).toEqual({ schema: strict, items: { banner: 'Sale' } });
    });

    it('goes with its block, and is not looked for after that', async () => {
      const world = await begin();
      const typed = { type: 'object', properties: { banner: { type: 'string' } } };
      await world.converge(store({ schema: { definition: typed }, items: { banner: 'Sale' } }));
      const plan = await world.converge(store({ items: { banner: 'Sale' } }));
      expect(actions(plan)).toEqual(['delete globalConfigs/shop/schema']);
      expect(state(world)).toEqual({ schema: undefined, items: { banner: 'Sale' } });
    });

    it('that items do not fit leaves them as they were, and what was done is known', async () => {
      const world = await begin();
      const typed = { type: 'object', properties: { banner: { type: 'string' } } };
      const planned = await world.plan(store({ schema: { definition: typed }, items: { banner: 5 } }));
      const { outcome } = await world.apply(planned);
      expect(outcome.failed.map(({ address }) => address)).toEqual(['globalConfigs/shop/items/banner']);
      expect(state(world)).toEqual({ schema: typed, items: {} });
      await world.converge(store({ schema: { definition: typed }, items: { banner: 'Sale' } }));
      expect(state(world).items).toEqual({ banner: 'Sale' });
    });
  },
);
