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

it('a field is sent whole, so what somebody else wrote into it in the meantime stops the change', async () => {
  const world = await newWorld();
  const project = (timeout: number) => `projects:
  shop: { resourceConfig: { functionDefaultTimeout: ${timeout} } }`;
  await world.converge(project(10));
  const planned = await world.plan(project(20));
  const [found] = world.twin.account.projects.values();
  Object.assign(found!.resourceConfig as object, { functionDefaultMemoryType: 'performance' });
  const { outcome } = await world.apply(planned);
  expect(outcome.failed).toHaveLength(1);
  expect(String(outcome.failed[0]!.error)).toContain(
    '`resourceConfig.functionDefaultMemoryType` of projects/shop',
  );
  expect(found!.resourceConfig).toMatchObject({ functionDefaultTimeout: 10 });
});
