import { afterEach, expect, it } from 'vitest';
import { actions, intercept } from '../support/scene.ts';
import { Team } from './team.ts';

// A team's variable that somebody took out of all its targets in the account. Its row stays, in no place.

let team: Team;
const start = async (...options: Parameters<typeof Team.start>) => {
  team = await Team.start(...options);
};
afterEach(() => team.world.stop());

/** Applies these lines, takes a variable out of all its places in the account, and forgets the requests so far. */
async function lose(yaml: string, key = 'A'): Promise<string> {
  await team.converge(yaml);
  const row = team.row(key);
  Object.assign(row, { target: [], applyToAllCustomEnvironments: false });
  team.sent();
  return row.id;
}

it('gets its targets back with one update, and keeps its links', async () => {
  await start();
  const yaml = 'A: { value: one, comment: note }\nB: two';
  await team.converge(yaml);
  team.row('A').projectId = [team.projectId('web')];
  const id = await lose(yaml);
  expect(actions(await team.converge(yaml))).toEqual([
    'update sharedEnv/A@development',
    'update sharedEnv/A@preview',
    'update sharedEnv/A@production',
  ]);
  expect([team.row('A').id, team.rows(), team.sent()]).toEqual([
    id,
    [
      'A=one encrypted production preview development -> web # note',
      'B=two encrypted production preview development',
    ],
    ['PATCH target'],
  ]);
});

it('gets back only the targets of its entry, beside another row of its name', async () => {
  await start();
  const yaml = `A:
    - { value: one, target: [production] }
    - { value: two, target: [preview, development] }`;
  await team.converge(yaml);
  const row = team.all.find(({ value }) => value === 'two')!;
  row.target = [];
  await team.converge(yaml);
  expect(team.rows()).toEqual(['A=one encrypted production', 'A=two encrypted preview development']);
  expect(row.target).toEqual(['preview', 'development']);
});

it('gets its targets back together with a new value', async () => {
  await start();
  await lose('A: one');
  await team.converge('A: two');
  expect([team.rows(), team.sent()]).toEqual([
    ['A=two encrypted production preview development'],
    ['PATCH target+value'],
  ]);
});

it('gets its targets back together with its value, if that was changed in the account as well', async () => {
  await start();
  await lose('A: one');
  team.row('A').value = 'other';
  await team.converge('A: one');
  expect([team.rows(), team.sent()]).toEqual([
    ['A=one encrypted production preview development'],
    ['PATCH target+value'],
  ]);
});

it('that is sensitive gets its targets back without its value', async () => {
  await start();
  const yaml = 'A: { value: one, type: sensitive, target: [production, preview] }';
  await lose(yaml);
  await team.converge(yaml);
  expect([team.rows(), team.sent()]).toEqual([['A=one sensitive production preview'], ['PATCH target']]);
});

it('gets back the targets that are still declared', async () => {
  await start();
  await lose('A: one');
  await team.converge('A: { value: one, target: [preview] }');
  expect([team.rows(), team.sent()]).toEqual([['A=one encrypted preview'], ['PATCH target']]);
});

it('is deleted if its block is gone', async () => {
  await start();
  await lose('A: one\nB: two');
  await team.converge('B: two');
  expect([team.rows(), team.sent()]).toEqual([
    ['B=two encrypted production preview development'],
    ['DELETE 1'],
  ]);
});

it('is left alone if it is not of this stack', async () => {
  await start({ found: [{ key: 'A', value: 'other', target: [] }] });
  await team.converge('A: one');
  expect(team.rows()).toEqual(['A=one encrypted production preview development', 'A=other encrypted ']);
});

it.each([
  ['no targets', { target: undefined }],
  ['unknown targets', { target: ['staging'] }],
  ['an unknown form of the other places', { target: [], applyToAllCustomEnvironments: null }],
  ['other places', { target: [], customEnvironmentIds: ['env_1'] }],
])('leaves its list unread if the answer has %s', async (_, change) => {
  await start();
  await team.converge('A: one');
  intercept(team.world, async (request, send) => {
    const answer = await send(request);
    const isList = request.endpoint === 'GET /v1/env';
    return isList ? (answer as object[]).map((row) => ({ ...row, ...change })) : answer;
  });
  const { plan } = await team.plan('A: one');
  expect(plan.diagnostics).toMatchObject([
    { code: 'observe/incomplete', message: expect.stringContaining('a sharedEnvVar (A) in an unknown form') },
  ]);
  expect(plan.operations).toEqual([]);
});
