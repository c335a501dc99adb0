import { expect, it } from 'vitest';
import { evaluateGuards } from '../../src/guards/judge.ts';
import type { Plan } from '../../src/model/plan.ts';
import { change, planOf, set } from '../report/builders.ts';
import { newWorld } from '../support/scene.ts';

const refusals = (plan: Plan, rule: { at?: string; action?: 'update'; field?: string } = {}): string[] =>
  evaluateGuards(
    plan,
    {
      file: 'guards.yaml',
      digest: '',
      deny: [
        { action: 'delete', ...rule, message: 'Ask.', place: { file: 'guards.yaml', line: 1, column: 1 } },
      ],
      limits: {},
      freeze: [],
    },
    { now: 0, pace: undefined, writes: false },
  ).map(({ message }) => message);

it('a guard for deletions refuses lost parts, but no object that is created again after somebody deleted it', async () => {
  const world = await newWorld();
  const record = (value: string) => `{ type: A, name: www, value: ${value} }`;
  const yaml = (...values: string[]) =>
    `projects: { web: { env: { A: { value: a, target: [production] } } } }\ndomains: { a.com: { records: [${values.map(record).join()}] } }`;
  const both = yaml('192.0.2.1', '192.0.2.2');
  await world.converge(both);
  world.twin.account.projects[0]!.env.splice(0, 1);
  expect(refusals((await world.plan(both)).plan)).toEqual([]);
  expect(refusals((await world.plan(yaml('192.0.2.1'))).plan)).toEqual([
    'the guards refuse to delete domains/a.com/records/www/A: Ask.',
  ]);
});

it('each target of a variable counts that is deleted together with its project', async () => {
  const world = await newWorld();
  await world.converge('projects: { web: { env: { A: a } }, api: {} }');
  const { plan } = await world.plan('projects: { api: {} }', { containersToDelete: ['projects/web'] });
  expect(plan.deletedObjects).toHaveLength(2);
  for (const target of ['development', 'preview', 'production'])
    expect(refusals(plan, { at: `projects/*/env/*@${target}` })).toEqual([
      `the guards refuse to delete projects/web/env/A@${target}: Ask.`,
    ]);
});

it('what is deleted with a replaced object counts, although the plan creates it again', async () => {
  const world = await newWorld();
  const rule = (type: string) =>
    `projects: { web: {} }\nalertRules: { a: { $replace: allow, ${type}, notifications: { n: { type: slack, configId: icfg_cuwj0AdCdH3BwWT4LPijCC7t, channelId: C1 } } } }`;
  await world.converge(
    rule('type: built-in, ruleScope: { type: all }, triggers: { mode: all }, matchMinimumSeverityLevel: low'),
  );
  const { plan } = await world.plan(
    rule(
      "type: custom, ruleScope: { type: project, projectId: '${projects.web.id}' }, severity: low, evaluation: { window: 5m, query: { metrics: { errors: { metric: vercel.request.count, aggregation: count } }, outputs: [errors] } }, trigger: { type: threshold, output: errors, operator: gt, threshold: 20 }",
    ),
  );
  expect(refusals(plan, { at: 'alertRules/*/notifications/**' })).toEqual([
    'the guards refuse to delete alertRules/a/notifications/n: Ask.',
  ]);
});

it('a guard for a field finds a member whose name has a dot, as it is named and as plans show it', () => {
  const plan = planOf({ changes: [change('update', 'things/a', { fields: [set('labels.a\\.b', 'x')] })] });
  const refused = ['labels', 'labels.a.b', 'labels.a\\.b', 'labels.a\\\\.b', 'labels.*'];
  for (const field of [...refused, 'labels.a', 'labels.b'])
    expect([field, refusals(plan, { action: 'update', field }).length]).toEqual([
      field,
      refused.includes(field) ? 1 : 0,
    ]);
});
