import { expect, it } from 'vitest';
import { newWorld } from '../support/scene.ts';

const rule = (model: string) => `aiGatewayRules:
  cheap: { type: rewrite, match: { model: a }, action: { rewriteModel: ${model} } }`;

it('somebody else may write what nobody declared, between the plan and its apply: a PATCH leaves it alone', async () => {
  const world = await newWorld();
  await world.converge(rule('b'));
  const planned = await world.plan(rule('c'));
  const [found] = world.twin.account.aiGatewayRules;
  Object.assign(found!, { description: 'theirs', updatedAt: Date.now() });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toEqual([]);
  expect(world.twin.account.aiGatewayRules).toMatchObject([
    { description: 'theirs', action: { rewriteModel: 'c' } },
  ]);
});
