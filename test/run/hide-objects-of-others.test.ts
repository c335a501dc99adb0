import { expect, it } from 'vitest';
import type { Ledger, OtherStack } from '../../src/model/ledger.ts';
import { hideObjectsOfOthers } from '../../src/run/hide-objects-of-others.ts';
import { newWorld } from '../support/scene.ts';
import { kinds } from '../support/world.ts';

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
    const partner: OtherStack = {
      stack: 'b',
      entries: {},
      ...(begun ? { begun } : {}),
      writtenAt: Date.UTC(2026, 0, 1, hour),
      inputs: [],
      isVerified: true,
      isWellFormed: true,
    };
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
