import { expect } from 'vitest';
import { actions } from '../support/scene.ts';
import { Stacks } from '../support/stacks.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const link = (project: string) => `projects: { ${project}: { sharedEnvLinks: { env_log: {} } } }`;
const variable = (projects: string) =>
  `projects: { web: { $existing: true } }\nsharedEnv: { LOG: { value: info, target: [production]${projects} } }`;

const start = () =>
  Stacks.start({
    seed: {
      projects: [{ name: 'web' }, { name: 'docs' }],
      sharedEnv: [{ id: 'env_log', key: 'LOG', value: 'info', target: ['production'] }],
    },
  });

story('warns of a name that stands where the id of the variable belongs', async () => {
  const stacks = await start();
  const { plan } = await stacks.plan('one', 'projects: { web: { sharedEnvLinks: { LOG: {} } } }');
  expect(plan.diagnostics).toMatchObject([
    { severity: 'warning', message: '"LOG" does not look like the id of a shared variable (`env_...`)' },
  ]);
});

story('two stacks own one link each, and neither touches the other one', async () => {
  const stacks = await start();
  const linked = () =>
    stacks.world.twin.account.sharedEnv[0]!.projectId.map(
      (id) => stacks.world.twin.account.projects.find((project) => project.id === id)!.name,
    );
  await stacks.apply('one', link('web'));
  await stacks.apply('two', link('docs'));
  await stacks.apply('owner', variable(''));
  expect(linked()).toEqual(['web', 'docs']);
  for (const [stack, body] of [
    ['one', link('web')],
    ['two', link('docs')],
    ['owner', variable('')],
  ] as const) {
    const { plan } = await stacks.plan(stack, body);
    expect([actions(plan), plan.diagnostics]).toEqual([[], []]);
  }
  const since = stacks.world.twin.requests.length;
  await stacks.apply('one', 'projects: { web: {} }');
  expect(stacks.world.writes(since)).toHaveLength(1);
  expect(linked()).toEqual(['docs']);
});

const problems = async (stacks: Stacks, stack: string, body: string) =>
  (await stacks.plan(stack, body)).plan.diagnostics.map(({ code, address, message }) => ({
    code,
    address,
    message,
  }));

story('a complete list of projects and a link beside it are refused: in one stack, and in two', async () => {
  const stacks = await start();
  const both = variable(', projectId: []').replace('$existing: true', 'sharedEnvLinks: { env_log: {} }');
  expect(await problems(stacks, 'both', both)).toEqual([
    {
      code: 'plan/said-twice',
      address: 'projects/web/sharedEnvLinks/env_log',
      message: expect.stringContaining('`projectId` of sharedEnv/LOG@production'),
    },
  ]);
  await stacks.apply('owner', variable(', projectId: [web]'));
  expect(await problems(stacks, 'one', link('docs'))).toEqual([
    {
      code: 'stack/complete-list',
      address: 'projects/docs/sharedEnvLinks/env_log',
      message: expect.stringContaining('which the stack owner declares completely'),
    },
  ]);
  await stacks.apply('owner', variable(''));
  await stacks.apply('one', link('docs'));
  expect(await problems(stacks, 'owner', variable(', projectId: [web]'))).toEqual([
    {
      code: 'stack/complete-list',
      address: 'sharedEnv/LOG@production',
      message: expect.stringContaining('the stack one owns projects/docs/sharedEnvLinks/env_log'),
    },
  ]);
});
