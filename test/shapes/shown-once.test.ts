import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { SecretTo } from '../../src/model/resource.ts';
import type { Sealed } from '../../src/model/sealed.ts';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(3);

interface Shape {
  name: string;
  address: string;
  /** The block with these `$` keys in it. */
  yaml(meta?: object): string;
  /** What the account has of it: the id, and the secret that only the creation's answer shows. */
  live(world: World): { id: string; secret: string }[];
  seed: Seed;
  /** What is there without the object. */
  around: string;
}

const url = 'https://hooks.example.com/deploys';
const events = ['deployment.error', 'deployment.succeeded'] as const;
const shapes: Shape[] = [
  {
    name: 'webhook',
    address: 'webhooks/deploys',
    yaml: (meta) => `webhooks: ${JSON.stringify({ deploys: { url, events, ...meta } })}`,
    live: ({ twin }) => twin.account.webhooks,
    seed: { webhooks: [{ url, events: [...events] }] },
    around: 'projects: { web: {} }',
  },
  {
    name: 'token',
    address: 'globalConfigs/shop/tokens/web',
    yaml: (meta = {}) => `globalConfigs: ${JSON.stringify({ shop: { tokens: { web: meta } } })}`,
    live: ({ twin }) =>
      (twin.account.globalConfigs[0]?.tokens ?? []).map(({ id, token }) => ({ id, secret: token })),
    seed: { globalConfigs: [{ slug: 'shop', tokens: ['web'] }] },
    around: 'globalConfigs: { shop: {} }',
  },
];

/** A place that takes every secret, or fails. */
function place(fails = false) {
  const got: string[] = [];
  const deliver = async (_to: SecretTo, secret: Sealed) => {
    if (fails) throw new Error('the secret could not be delivered: the disk is full');
    got.push(secret.reveal());
  };
  return { got, deliver };
}

describe.each(shapes)('a new $name', ({ address, yaml, live, seed, around }) => {
  const somewhere = { $secretTo: { file: 'secret.txt' } };
  const taintIn = (ledger: Ledger) => ledger.entries[address]?.tainted;
  const begin = async (from?: Seed) => {
    const world = await newWorld(from ? { seed: from } : {});
    world.parallelism = 1;
    return world;
  };

  it('is refused while nobody says where its secret goes', async () => {
    const world = await begin();
    const { plan } = await world.plan(yaml());
    expect(codes(plan)).toEqual(['secret/nowhere']);
    const problem = plan.diagnostics.find(({ code }) => code === 'secret/nowhere');
    expect(problem).toMatchObject({ address, at: { file: 'trueup.yaml' } });
    expect(problem!.hint).toContain('$secretTo');
  });

  it('has its secret delivered once, and never again', async () => {
    const world = await begin();
    const { got, deliver } = place();
    await world.apply(await world.plan(yaml(somewhere)), { deliver });
    expect(got).toEqual(live(world).map(({ secret }) => secret));
    expect(got).toHaveLength(1);
    expect(taintIn(world.ledger)).toBeUndefined();
    const { plan } = await world.plan(yaml(somewhere));
    expect(actions(plan)).toEqual([]);
  });

  it('can have its secret discarded', async () => {
    const world = await begin();
    const { got, deliver } = place();
    await world.apply(await world.plan(yaml({ $secretTo: 'discard' })), { deliver });
    expect([got, live(world).length, taintIn(world.ledger)]).toEqual([[], 1, undefined]);
    expect(actions((await world.plan(yaml({ $secretTo: 'discard' }))).plan)).toEqual([]);
  });

  it('needs no place for its secret once it is there', async () => {
    const world = await begin(seed);
    const { plan } = await world.plan(yaml());
    expect([codes(plan), changeAt(plan, address)?.action]).toEqual([[], 'adopt']);
    await world.converge(yaml());
    expect(live(world)).toHaveLength(1);
  });

  it('is replaced without asking, and with the reason, where its secret did not arrive', async () => {
    const world = await begin();
    const first = await world.apply(await world.plan(yaml(somewhere)), place(true));
    expect(first.outcome.failed).toMatchObject([
      { address, error: { message: 'the secret could not be delivered: the disk is full' } },
    ]);
    expect(taintIn(world.ledger)).toBe(true);
    const [lost] = live(world);

    const again = await world.plan(yaml(somewhere), { unattended: true });
    expect(codes(again.plan)).toEqual([]);
    expect(changeAt(again.plan, address)).toMatchObject({
      action: 'replace',
      reason: 'the secret shown at its creation was not delivered',
    });
    const { got, deliver } = place();
    await world.apply(again, { deliver });
    expect(live(world)).toHaveLength(1);
    expect(live(world)[0]!.id).not.toBe(lost!.id);
    expect(got).toEqual([live(world)[0]!.secret]);
    expect(taintIn(world.ledger)).toBeUndefined();
    expect(actions((await world.plan(yaml(somewhere))).plan)).toEqual([]);
  });

  it('is not replaced either while nobody says where the secret goes', async () => {
    const world = await begin();
    await world.apply(await world.plan(yaml(somewhere)), place(true));
    expect(codes((await world.plan(yaml())).plan)).toEqual(['secret/nowhere']);
  });

  it('stays tainted as long as its secret does not arrive, and goes where it is not wanted', async () => {
    const world = await begin();
    for (let run = 0; run < 3; run++) {
      await world.apply(await world.plan(yaml(somewhere)), place(true));
      expect(taintIn(world.ledger)).toBe(true);
      // Where the new one is made first, the old one goes with the next run.
      expect(live(world).length).toBeLessThanOrEqual(2);
    }
    await world.converge(around);
    expect(live(world)).toEqual([]);
  });

  it('is known to be begun before its secret is on the way: a crash then is the same', async () => {
    const world = await begin();
    let saved: Ledger | undefined;
    const kept = { atDelivery: undefined as Ledger | undefined };
    const { deliver } = place();
    await world.apply(await world.plan(yaml(somewhere)), {
      save: async (ledger) => {
        saved = structuredClone(ledger);
      },
      deliver: async (to, secret) => {
        kept.atDelivery ??= saved;
        return deliver(to, secret);
      },
    });
    world.ledger = kept.atDelivery!;
    expect(world.ledger.begun).toHaveProperty([address]);
    expect(changeAt((await world.plan(yaml(somewhere))).plan, address)?.action).toBe('replace');
  });

  /** A creation whose answer is never heard; `isMade`: it took effect, `more`: what else its error says. */
  const losing = (world: World, { isMade, more = {} }: { isMade: boolean; more?: object }) => {
    const { send } = world.connection;
    return async (request: Parameters<typeof send>[0]) => {
      if (!request.shows) return send(request);
      if (isMade) await send(request);
      throw Object.assign(new Error('the connection was cut'), more);
    };
  };

  it('is replaced where the answer to its creation was lost, and its new secret is delivered', async () => {
    const world = await begin();
    let kept: Ledger | undefined;
    const lost = await world.apply(await world.plan(yaml(somewhere)), {
      send: losing(world, { isMade: true }),
      save: async (ledger, { everywhere }) => {
        if (everywhere) kept ??= structuredClone(ledger);
      },
    });
    expect(lost.outcome.failed).toMatchObject([{ address }]);
    // A run that is killed now is no different.
    expect(Object.keys(kept?.begun ?? {})).toContain(address);
    const [old] = live(world);
    expect(old).toBeDefined();

    const again = await world.plan(yaml(somewhere), { unattended: true });
    expect([codes(again.plan), changeAt(again.plan, address)]).toMatchObject([
      [],
      { action: 'replace', reason: 'the secret shown at its creation was not delivered' },
    ]);
    const { got, deliver } = place();
    const { outcome } = await world.apply(again, { deliver });
    expect(outcome.failed).toEqual([]);
    expect(live(world)).toHaveLength(1);
    expect(live(world)[0]!.id).not.toBe(old!.id);
    expect(got).toEqual([live(world)[0]!.secret]);
    expect(world.ledger.begun).toBeUndefined();
    expect(actions((await world.plan(yaml(somewhere))).plan)).toEqual([]);
  });

  story('is created where its creation was lost before it took effect', async () => {
    const world = await begin();
    await world.apply(await world.plan(yaml(somewhere)), { send: losing(world, { isMade: false }) });
    expect(Object.keys(world.ledger.begun ?? {})).toEqual([address]);
    const { got, deliver } = place();
    const again = await world.plan(yaml(somewhere));
    expect(changeAt(again.plan, address)?.action).toBe('create');
    await world.apply(again, { deliver });
    expect([got, world.ledger.begun]).toEqual([live(world).map(({ secret }) => secret), undefined]);
  });

  it('is adopted as it is where the creation was refused, and somebody else made one', async () => {
    const world = await begin();
    const send = losing(world, { isMade: true, more: { mayBeCarriedOut: false } });
    await world.apply(await world.plan(yaml(somewhere)), { send });
    expect(world.ledger.begun).toBeUndefined();
    expect(changeAt((await world.plan(yaml(somewhere))).plan, address)?.action).toBe('adopt');
  });

  it('is adopted after a lost answer where its secret is not wanted', async () => {
    const world = await begin();
    const unwanted = yaml({ $secretTo: 'discard' });
    await world.apply(await world.plan(unwanted), { send: losing(world, { isMade: true }) });
    expect([Object.keys(world.ledger.begun ?? {}), live(world).length]).toEqual([[address], 1]);
    expect(changeAt((await world.plan(unwanted)).plan, address)).toMatchObject({
      action: 'adopt',
      reason: 'done by an interrupted run',
    });
  });
});

it('asks before a webhook is replaced for any other reason', async () => {
  const world = await newWorld({ seed: shapes[0]!.seed });
  await world.converge(shapes[0]!.yaml());
  const edited = (meta: object) => shapes[0]!.yaml({ events: ['domain.created'], ...meta });
  expect(codes((await world.plan(edited({ $secretTo: 'discard' }))).plan)).toEqual(['replace/refused']);
  expect(codes((await world.plan(edited({ $replace: 'allow' }))).plan)).toEqual(['secret/nowhere']);
  await world.converge(edited({ $replace: 'allow', $secretTo: 'discard' }));
  expect(world.twin.account.webhooks.map((one) => one.events)).toEqual([['domain.created']]);
});

it('refuses a place for the secret of what shows none', async () => {
  const world = await newWorld();
  const { plan } = await world.plan('projects: { web: { $secretTo: discard } }');
  expect(codes(plan)).toEqual(['config/meta']);
  expect(plan.diagnostics[0]!.message).toBe(
    '`$secretTo` is for kinds that show a secret once; a project has none',
  );
});
