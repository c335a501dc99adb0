import { describe, expect, it } from 'vitest';
import { actions, causes, changeAt, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

const yaml = (rules: object) => `aiGatewayRules: ${JSON.stringify(rules)}`;
const rule = { type: 'deny' as const, match: { model: 'example/a' } };
const live = ({ twin }: World) => twin.account.aiGatewayRules.filter(({ deleted }) => !deleted);

describe('a rule of the gateway', () => {
  oneRowIn(2)([null, ''])('loses its description by %j, and stays without', async (description) => {
    const world = await newWorld();
    await world.converge(yaml({ no: { ...rule, description: 'why' } }));
    const plan = await world.converge(yaml({ no: { ...rule, description } }));
    expect(causes(plan, 'aiGatewayRules/no')).toEqual({ description: 'edit' });
    expect(live(world)).toMatchObject([{ description: '' }]);
    const since = world.twin.requests.length;
    // One that never had a description is the same.
    world.twin.account.aiGatewayRules.forEach((one) => {
      delete one.description;
    });
    await world.converge(yaml({ no: { ...rule, description } }));
    expect(world.writes(since)).toEqual([]);
  });

  story('has all of its action said: what is taken out of it goes', async () => {
    const world = await newWorld();
    await world.converge(yaml({ no: { ...rule, action: { reason: 'not here' } } }));
    const plan = await world.converge(yaml({ no: { ...rule, action: {} } }));
    expect(causes(plan, 'aiGatewayRules/no')).toEqual({ action: 'edit' });
    expect(live(world)).toMatchObject([{ action: {} }]);
  });

  it('may be about every model, and is another one than that about a single model', async () => {
    const world = await newWorld({ seed: { aiGatewayRules: [rule, { type: 'deny' }] } });
    const plan = await world.converge(yaml({ all: { type: 'deny' } }));
    expect(actions(plan)).toEqual(['adopt aiGatewayRules/all']);
    expect(changeAt(plan, 'aiGatewayRules/all')!.id).toBe(live(world)[1]!.ruleId);
    const one = await world.converge(yaml({ all: { type: 'deny' }, one: rule }));
    expect(actions(one)).toEqual(['adopt aiGatewayRules/one']);
    expect(world.writes()).toEqual([]);
  });
});
