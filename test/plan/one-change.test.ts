import { expect, test } from 'vitest';
import { foldDiagnostics } from '../../src/model/fold-diagnostics.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { Shell } from '../support/cli.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = (value: string, more = '') =>
  `projects: { web: { env: { API_URL: ${value}, OTHER: 1${more} } } }`;

test('a variable in three targets is one change in the summary, and three in the list of units', async () => {
  const world = await newWorld();
  await world.apply(await world.plan(yaml('a')));
  const { plan } = await world.plan(yaml('b'));
  const { summary, changes } = planJson(plan);
  expect(summary).toMatchObject({ update: 1 });
  expect(changes.filter(({ action }) => action === 'update')).toHaveLength(3);
});

story('ten variables in three targets are within the budget, eleven are not', async () => {
  const names = Array.from({ length: 11 }, (_, at) => `V${at}: x`);
  const body = (list: string[]) => `projects: { web: { env: { KEPT: 1, ${list.join(', ')} } } }`;
  const codes = async (all: string[], left: string[]) => {
    const world = await newWorld();
    await world.apply(await world.plan(body(all)));
    const { plan } = await world.plan(body(left));
    return plan.diagnostics.map(({ message }) => message);
  };
  expect((await codes(names, [])).join()).toContain('the limit is 10');
  expect((await codes(names.slice(0, 10), [])).join()).not.toContain('the limit is 10');
});

story('what is wrong with a variable is said once, with its targets', async () => {
  const world = await newWorld();
  world.env = { TRUEUP_SECRET_x: 'some-secret' };
  const secret = `secrets: { x: {} }\n${yaml('{ value: "${secret.x}", type: sensitive, target: [production, preview] }')}`;
  await world.apply(await world.plan(secret));
  world.ledger = { ...world.ledger, entries: {} };
  const { plan } = await world.plan(secret);
  const told = foldDiagnostics(plan.diagnostics).filter(({ code }) => code === 'secret/unverified');
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^projects\/web\/env\/API_URL \[(production, preview|preview, production)\]: /),
  ]);
});

story('the last line of an apply counts a variable once', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\n${yaml('a')}`,
  });
  await shell.withTwin();
  const { all } = await shell.run(['apply', '--auto-approve']);
  expect(all).toMatch(/Applied 3 changes in [\d.]+s: 3 created\./);
  await shell.write({ 'trueup.yaml': `stack: demo\nplatform: { team: acme }\n${yaml('b')}` });
  const ran = await shell.run(['apply', '--auto-approve']);
  expect(ran.all).toMatch(/Applied 1 change in [\d.]+s: 1 updated\./);
  expect(ran.all).toContain('projects/web/env/API_URL [production, preview, development]');
});
