import { expect } from 'vitest';
import { stringify } from 'yaml';
import { actions, intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { rule } from './fixture.ts';

const story = oneStoryIn(3);

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const projects = (count: number, rules: number, rest: object = {}) =>
  stringify({
    projects: Object.fromEntries(
      names('p', count).map((name) => [
        name,
        { firewall: { ...rest, rules: names('r', rules).map((one) => rule(one)) } },
      ]),
    ),
  });

// What is read of a firewall that was never written: nothing, or one without rules.
const unwritten = [true, false].map((firewallActiveNullUntilWritten) => ({ firewallActiveNullUntilWritten }));

oneRowIn(2)(unwritten)('ten new firewalls of ten rules take forty requests at most: %j', async (switches) => {
  const world = await newWorld({ switches });
  const { plan } = await world.plan(projects(10, 10, { firewallEnabled: true }));
  const requests = plan.operations.flatMap((operation) => operation.requests);
  expect(requests.length).toBeLessThanOrEqual(40);
  const { outcome } = await world.apply(await world.plan(projects(10, 10, { firewallEnabled: true })));
  expect(outcome.failed).toEqual([]);
  for (const { firewall } of world.twin.account.projects) {
    expect(firewall.active!.rules.map(({ name }) => name)).toEqual(names('r', 10));
    // Nobody saw it half made: there is no version but the whole one.
    expect(firewall.versions).toHaveLength(1);
  }
  expect(actions((await world.plan(projects(10, 10, { firewallEnabled: true }))).plan)).toEqual([]);
});

story('what is not declared is as in a firewall that was never written', async () => {
  const world = await newWorld();
  await world.converge(projects(1, 3));
  expect(world.twin.account.projects[0]!.firewall.active).toMatchObject({ firewallEnabled: false });
});

story('rules that follow go one by one, in the order in which the list decides', async () => {
  const world = await newWorld();
  await world.converge(projects(1, 3, { firewallEnabled: true }));
  const { plan } = await world.plan(projects(1, 4, { firewallEnabled: true }));
  expect(plan.operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint))).toEqual([
    'PATCH /v1/security/firewall/config?projectId={project}',
    'GET /v1/security/firewall/config/active?projectId={project}',
  ]);
});

oneRowIn(2)(unwritten)(
  'a firewall that somebody wrote in the meantime is not written over, and the next run adds to it: %j',
  async (switches) => {
    const world = await newWorld({ switches });
    const planned = await world.plan(projects(1, 3, { firewallEnabled: true }));
    const end = intercept(world, async (request, send) => {
      const answer = await send(request);
      if (request.endpoint.startsWith('POST') && request.endpoint.includes('/projects')) {
        const [project] = world.twin.account.projects;
        await world.connection.send({
          endpoint: 'PATCH /v1/security/firewall/config?projectId={project}',
          params: { project: project!.id },
          body: { action: 'rules.insert', id: null, value: rule('theirs') },
        });
      }
      return answer;
    });
    const { outcome } = await world.apply(planned);
    end();
    expect(outcome.failed.map(({ address }) => address)).toContain('projects/p0/firewall/rules/r0');
    await world.converge(projects(1, 3, { firewallEnabled: true }));
    const { active } = world.twin.account.projects[0]!.firewall;
    expect(active!.rules.map(({ name }) => name).sort()).toEqual(['r0', 'r1', 'r2', 'theirs']);
  },
);
