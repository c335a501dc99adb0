import { describe, expect, it } from 'vitest';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

const yaml = (budgets: object) =>
  `projects: { web: {}, api: {} }\naiGatewayBudgets: ${JSON.stringify(budgets)}`;
const all = {
  team: { limitAmount: 500, refreshPeriod: 'monthly' },
  project: [
    { projectId: 'web', limitAmount: 50, refreshPeriod: 'daily' },
    { projectId: 'api', limitAmount: 20 },
  ],
};
/** `web 50`: what may be spent, by the name of the project. */
const live = ({ twin: { account } }: World) =>
  account.aiGatewayBudgets
    .filter(({ archived }) => !archived)
    .map(({ scopeId, limitAmount }) => {
      const project = account.projects.find(({ id }) => id === scopeId);
      return `${project?.name ?? 'team'} ${limitAmount}`;
    })
    .sort();

describe.each([false, true])('gateway budgets, a removed one staying listed: %s', (archivedBudgetStays) => {
  const begin = () => newWorld({ switches: { archivedBudgetStays } });

  it('are one of the team and one of each project, side by side', async () => {
    const world = await begin();
    await world.converge(yaml(all));
    expect(live(world)).toEqual(['api 20', 'team 500', 'web 50']);
    world.ledger = { ...world.ledger, entries: {} };
    const since = world.twin.requests.length;
    await world.converge(yaml(all));
    expect(world.writes(since)).toEqual([]);
  });

  it('change alone, each in one request', async () => {
    const world = await begin();
    await world.converge(yaml(all));
    const since = world.twin.requests.length;
    const [web, api] = all.project;
    const plan = await world.converge(yaml({ ...all, project: [{ ...web, limitAmount: 60 }, api] }));
    expect(actions(plan)).toEqual(['update aiGatewayBudgets/project@web']);
    expect(causes(plan, 'aiGatewayBudgets/project@web')).toEqual({ limitAmount: 'edit' });
    expect(world.writes(since)).toEqual(['PUT /ai-gateway/budgets']);
    expect(live(world)).toEqual(['api 20', 'team 500', 'web 60']);
  });

  it('do not come back once they are removed, and can be made anew', async () => {
    const world = await begin();
    await world.converge(yaml(all));
    const rest = { project: [all.project[1]] };
    expect(actions(await world.converge(yaml(rest)))).toEqual([
      'delete aiGatewayBudgets/project@web',
      'delete aiGatewayBudgets/team',
    ]);
    expect(live(world)).toEqual(['api 20']);
    expect(actions(await world.converge(yaml(rest)))).toEqual([]);
    await world.converge(yaml(all));
    expect(live(world)).toEqual(['api 20', 'team 500', 'web 50']);
  });

  it('are made again after somebody removed them, and the plan says so', async () => {
    const world = await begin();
    await world.converge(yaml(all));
    for (const budget of world.twin.account.aiGatewayBudgets)
      if (budget.limitAmount === 50) Object.assign(budget, { archived: true, active: false });
    const plan = await world.converge(yaml(all));
    expect(changeAt(plan, 'aiGatewayBudgets/project@web')).toMatchObject({
      action: 'create',
      reason: 'deleted outside',
    });
    expect(live(world)).toEqual(['api 20', 'team 500', 'web 50']);
  });
});

it('budgets of users are none of ours, and stop nothing', async () => {
  const world = await newWorld();
  await world.converge(yaml({ team: all.team }));
  const [team] = world.twin.account.aiGatewayBudgets;
  for (const scopeId of ['user_1', 'user_2'])
    world.twin.account.aiGatewayBudgets.push({ ...team!, scopeType: 'user', scopeId, limitAmount: 1 });
  const since = world.twin.requests.length;
  const { live, plan } = await world.plan(yaml({ team: all.team }));
  expect([codes(plan), actions(plan), plan.unmanaged.map(({ kind }) => kind)]).toEqual([[], [], []]);
  expect([...live.resources.keys()].filter((at) => at.startsWith('aiGatewayBudgets'))).toEqual([
    'aiGatewayBudgets/team',
  ]);
  await world.converge(yaml({ team: { ...all.team, limitAmount: 600 } }));
  expect(world.writes(since)).toEqual(['PUT /ai-gateway/budgets']);
});

it.each([
  ['a project without its name', { project: [{ limitAmount: 1 }] }],
  ['the team with a project', { team: { projectId: 'web', limitAmount: 1 } }],
])('the budget of %s is refused', async (_, budgets) => {
  const world = await newWorld();
  expect(codes((await world.plan(yaml(budgets))).plan)).toContain('config/check');
});
