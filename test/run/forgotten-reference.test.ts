import { expect, it } from 'vitest';
import { Stacks } from '../support/stacks.ts';

it('a variable is unlinked from a project that the stack stops naming in the same commit', async () => {
  const stacks = await Stacks.start();
  const variable = (links: string) =>
    `sharedEnv: { LEVEL: { value: debug, target: [production], projectId: [${links}] } }\n`;
  await stacks.apply('owner', 'projects: { web: {} }\n');
  await stacks.apply('other', `projects: { web: { $existing: true } }\n${variable('web')}`);
  const planned = await stacks.plan('other', variable(''));
  const { outcome } = await stacks.carryOut('other', planned);
  expect(outcome.failed).toEqual([]);
  expect(stacks.world.twin.account.sharedEnv).toMatchObject([{ projectId: [] }]);
});
