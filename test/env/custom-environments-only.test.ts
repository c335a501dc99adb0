import { afterEach, describe, expect, it } from 'vitest';
import { expectNoWrite } from '../export/no-write.ts';
import { actions, intercept } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { Team } from './team.ts';

const story = oneStoryIn(5);

// A team's variable without a target, which every custom environment of the linked projects has.

let team: Team;
const start = async (options?: Parameters<typeof Team.start>[0]) => {
  team = await Team.start(options);
};
afterEach(() => team.world.stop());

const only = 'A: { value: one, target: [], applyToAllCustomEnvironments: true, projectId: [web] }';
const everyCustom = () => team.all.map(({ applyToAllCustomEnvironments }) => applyToAllCustomEnvironments);

story('comes, changes and goes', async () => {
  await start();
  expect(actions(await team.converge(only))).toContain('create sharedEnv/A@custom');
  expect(team.rows()).toEqual(['A=one encrypted  -> web']);
  expect(everyCustom()).toEqual([true]);
  team.sent();
  await team.converge(only.replace('one', 'two').replace('[web]', '[web, docs]'));
  expect([team.rows(), team.sent()]).toEqual([
    ['A=two encrypted  -> docs web'],
    ['PATCH projectIdUpdates+value'],
  ]);
  await team.converge('B: b');
  expect(team.rows()).toEqual(['B=b encrypted production preview development']);
});

story('stands beside one of the same name in the targets', async () => {
  await start();
  const both = `
    A:
      - { value: one, target: [], applyToAllCustomEnvironments: true }
      - { value: two, target: [production] }`;
  await team.world.converge(`sharedEnv:${both}`);
  expect(team.rows()).toEqual(['A=one encrypted ', 'A=two encrypted production']);
});

story('gets targets, and loses them again', async () => {
  await start();
  const wider = only.replace('[]', '[production]');
  for (const [yaml, row] of [
    [only, 'A=one encrypted  -> web'],
    [wider, 'A=one encrypted production -> web'],
    [only, 'A=one encrypted  -> web'],
  ] as const) {
    await team.converge(yaml);
    expect([team.rows(), everyCustom()]).toEqual([[row], [true]]);
  }
});

story('that was found is adopted, and exported so that nothing changes', async () => {
  await start({ found: [{ key: 'A', value: 'one', target: [], applyToAllCustomEnvironments: true }] });
  const { yaml } = await expectNoWrite(team.world);
  expect(yaml).toMatch(/target: \[\]/);
  expect(yaml).toMatch(/applyToAllCustomEnvironments: true/);
});

story('that lost its environments outside gets them back', async () => {
  await start();
  await team.converge(only);
  team.row('A').applyToAllCustomEnvironments = false;
  const { id } = team.row('A');
  team.sent();
  expect(actions(await team.converge(only))).toContain('update sharedEnv/A@custom');
  expect([team.row('A').id, everyCustom(), team.sent()]).toEqual([
    id,
    [true],
    ['PATCH applyToAllCustomEnvironments'],
  ]);
});

it.each([
  'A: { value: one, target: [] }',
  'A: { value: one, target: [], applyToAllCustomEnvironments: false }',
])('is refused where it would be nowhere: %s', async (yaml) => {
  await start();
  const { plan } = await team.plan(yaml);
  expect(plan.diagnostics.map(({ message }) => message).join()).toContain(
    'it would not be available anywhere',
  );
});

describe('a deletion that is answered with "not found" for one of several', () => {
  oneRowIn(2)([true, false])('is looked up (gone: %s)', async (isGone) => {
    await start();
    await team.converge('A: a\nB: b');
    intercept(team.world, async (request, send) => {
      if (!request.endpoint.startsWith('DELETE /v1/env')) return send(request);
      const { ids } = request.body as { ids: string[] };
      const lost = team.row('A').id;
      await send({ ...request, body: { ids: isGone ? ids : ids.filter((id) => id !== lost) } });
      return {
        deleted: ids.filter((id) => id !== lost),
        failed: [{ error: { code: 'not_found', message: 'No such variable.', envVarId: lost } }],
      };
    });
    const { outcome } = await team.world.apply(await team.plan('C: c'));
    const failed = outcome.failed.map(({ address }) => address).filter((address) => address.includes('A@'));
    expect(failed).toHaveLength(isGone ? 0 : 3);
    expect(Object.keys(team.world.ledger.entries).filter((address) => address.includes('A@'))).toHaveLength(
      isGone ? 0 : 3,
    );
  });
});
