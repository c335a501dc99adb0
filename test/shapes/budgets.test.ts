import { describe, expect, it } from 'vitest';
import { configure, told } from '../config/configure.ts';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds, type World } from '../support/world.ts';

const story = oneStoryIn(5);

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

describe.each(sampled([false, true], 1))(
  'gateway budgets, a removed one staying listed: %s',
  (archivedBudgetStays) => {
    const begin = () => newWorld({ switches: { archivedBudgetStays } });

    story('are one of the team and one of each project, side by side', async () => {
      const world = await begin();
      await world.converge(yaml(all));
      expect(live(world)).toEqual(['api 20', 'team 500', 'web 50']);
      world.ledger = { ...world.ledger, entries: {} };
      const since = world.twin.requests.length;
      await world.converge(yaml(all));
      expect(world.writes(since)).toEqual([]);
    });

    story('change alone, each in one request', async () => {
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

    story('do not come back once they are removed, and can be made anew', async () => {
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

    story('are made again after somebody removed them, and the plan says so', async () => {
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
  },
);

story(
  'a budget of a user is made, changed, adopted and removed beside the others; those of other types stop nothing',
  async () => {
    const world = await newWorld();
    const withUser = (limitAmount: number) =>
      yaml({ team: all.team, user: [{ userId: 'user_1', limitAmount }] });
    await world.converge(withUser(20));
    const { aiGatewayBudgets: rows } = world.twin.account;
    rows.sort((a, b) => a.scopeType.localeCompare(b.scopeType));
    expect(rows).toMatchObject([
      { scopeType: 'team' },
      { scopeType: 'user', scopeId: 'user_1', limitAmount: 20 },
    ]);
    const { scopeId: _, ...withoutScope } = rows[0]!;
    rows.push({ ...rows[0]!, scopeType: 'guild' as never, scopeId: 'g', limitAmount: 1 });
    rows.push({ ...withoutScope, scopeType: 'planet', limitAmount: 1 } as never);
    expect(actions(await world.converge(withUser(30)))).toEqual(['update aiGatewayBudgets/user@user_1']);
    world.ledger = { ...world.ledger, entries: {} };
    const since = world.twin.requests.length;
    const { plan } = await world.plan(withUser(30));
    expect([codes(plan), plan.operations, plan.unmanaged]).toEqual([[], [], []]);
    await world.converge(withUser(30));
    expect(world.writes(since)).toEqual([]);
    await world.converge(yaml({ team: all.team }));
    expect(world.writes(since)).toEqual(['DELETE /ai-gateway/budgets?scopeType=user&userId=user_1']);
  },
);

oneRowIn(4)([
  ['a project without its name', { project: [{ limitAmount: 1 }] }],
  ['the team with a project', { team: { projectId: 'web', limitAmount: 1 } }],
  ['a user without an id', { user: [{ limitAmount: 1 }] }],
  ['a user with a project', { user: [{ userId: 'u', projectId: 'web', limitAmount: 1 }] }],
])('the budget of %s is refused', async (_, budgets) => {
  const world = await newWorld();
  expect(codes((await world.plan(yaml(budgets))).plan)).toContain('config/check');
});

it('warns of an e-mail address in the place of a user id, which is sent as it is', async () => {
  const warnings = async (userId: string) =>
    told(await configure(yaml({ user: [{ userId, limitAmount: 5 }] }), { kinds }));
  expect(await warnings('user_1')).toEqual([]);
  expect(await warnings('ada@example.com')).toEqual([expect.stringMatching(/^config\/check /)]);
});
