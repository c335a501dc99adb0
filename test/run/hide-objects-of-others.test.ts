import { expect, it } from 'vitest';
import type { Ledger, OtherStack } from '../../src/model/ledger.ts';
import { RefreshedResources } from '../../src/model/refreshed-resources.ts';
import { hideObjectsOfOthers } from '../../src/run/hide-objects-of-others.ts';
import { newWorld } from '../support/scene.ts';
import { kinds } from '../support/world.ts';

/** Another stack, whose ledger is verified. */
const partnerWith = (members: Partial<OtherStack>): OtherStack => ({
  stack: 'b',
  entries: {},
  inputs: [],
  isVerified: true,
  isWellFormed: true,
  ...members,
});

const rule = 'aiGatewayRules: { hook: { type: deny, match: { model: example/x } } }';

it('an object that may result from creations of two stacks belongs to the ledger written last, and to none during a run', async () => {
  const world = await newWorld();
  let saved: Ledger | undefined;
  await world.apply(await world.plan(rule), {
    send: async (request) => {
      const answer = await world.connection.send(request);
      if (request.endpoint.startsWith('GET ')) return answer;
      throw new Error('the answer is lost');
    },
    save: async (ledger) => {
      saved = structuredClone(ledger);
    },
  });
  const { begun } = saved!;
  world.ledger = { ...world.ledger, begun: undefined } as unknown as Ledger;
  const { live } = await world.plan(rule.replace('example/x', 'example/y'));
  const [object] = [...live.resources.values()].filter(({ kind }) => kind === 'aiGatewayRule');
  /** True if the stack `a` sees the object. The ledger of `a` was written at 12:00, that of its partner at `hour`. */
  const isVisible = async (hour: number, { isRunning = false, foundIds = [] as string[] } = {}) => {
    const partner = partnerWith({ begun, writtenAt: Date.UTC(2026, 0, 1, hour) });
    const { resources } = await hideObjectsOfOthers(live, {
      kinds,
      own: { stack: 'a', entries: {}, writtenAt: '2026-01-01T12:00:00Z', ...(begun ? { begun } : {}) },
      readPartners: async () => [partner],
      foundIds: new Set(foundIds),
      otherStacks: isRunning ? undefined : async () => [],
    });
    return resources.has(object!.address);
  };
  expect([await isVisible(11), await isVisible(13)]).toEqual([true, false]);
  expect(await isVisible(11, { isRunning: true })).toBe(false);
  expect(await isVisible(11, { isRunning: true, foundIds: [object!.id] })).toBe(true);
});

it('an object that the approved plan found is hidden if a partner has recorded it since then', async () => {
  const world = await newWorld();
  await world.apply(await world.plan(rule));
  const { live } = await world.plan(rule);
  const [object] = [...live.resources.values()].filter(({ kind }) => kind === 'aiGatewayRule');
  const partner = partnerWith({ entries: world.ledger.entries });
  const isVisible = async (before: OtherStack, now: OtherStack) => {
    const { resources } = await hideObjectsOfOthers(live, {
      kinds,
      own: { stack: 'a', entries: {}, writtenAt: '2026-01-01T12:00:00Z' },
      readPartners: async () => [now],
      foundIds: new Set([object!.id]),
      otherStacks: async () => [before],
    });
    return resources.has(object!.address);
  };
  expect(await isVisible(partnerWith({}), partner)).toBe(false);
  expect(await isVisible(partner, partner)).toBe(true);
  expect(await isVisible(partnerWith({}), partnerWith({}))).toBe(true);
});

it('during a run, only objects that were read again are looked at, because the plan found all others', async () => {
  const world = await newWorld();
  await world.apply(await world.plan(rule));
  const { live } = await world.plan(rule);
  const [object] = [...live.resources.values()].filter(({ kind }) => kind === 'aiGatewayRule');
  const refreshed = new RefreshedResources(live.resources, new Set());
  const isVisible = async () => {
    const { resources } = await hideObjectsOfOthers(
      { ...live, resources: refreshed },
      {
        kinds,
        own: { stack: 'a', entries: {}, writtenAt: '2026-01-01T12:00:00Z' },
        readPartners: async () => [partnerWith({ entries: world.ledger.entries })],
        foundIds: new Set(),
      },
    );
    return resources.has(object!.address);
  };
  expect(await isVisible()).toBe(true);
  refreshed.set(object!.address, object!);
  expect(await isVisible()).toBe(false);
});
