import { expect, it } from 'vitest';
import { warning } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { planText } from '../../src/report/plan-text.ts';
import { markerLines } from '../../src/report/terraform/plan-lines.ts';
import { sampled } from '../support/sweep.ts';
import { change, edit, operation, planOf, plainStyle as style } from './builders.ts';
import { tenPlans } from './ten-plans.ts';

const plans = await tenPlans();

// What tfcmt takes a run's output apart by.
const patterns = {
  created: /^ *# (.*) will be created$/,
  updated: /^ *# (.*) will be updated in-place$/,
  deleted: /^ *# (.*) will be destroyed$/,
  replaced: /^ *# (.*?)(?: is tainted, so)? must be replaced$/,
  imported: /^ *# (.*?) will be imported$/,
  importedFrom: /^ *# \(imported from (.*?)\)$/,
};
const passes = /^(Plan: \d|No changes.)/m;
const fails = /^([│|] )?(Error: )/m;
const warns = /^([│|] )?(Warning: )/m;
const destroys = /([1-9][0-9]* to destroy.)/;

/** As a CI job prints it. */
const printed = (plan: Plan) =>
  [
    markerLines(plan),
    planText(plan, { style, requests: false }),
    diagnosticsText(plan.diagnostics, { style }),
  ].join('\n\n');

const found = (text: string) =>
  Object.fromEntries(
    Object.entries(patterns).map(([name, pattern]) => [
      name,
      text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? []),
    ]),
  );
/** The line that counts: the first that tells of the plan as a whole. */
const result = (plan: Plan) =>
  printed(plan)
    .split('\n')
    .find((line) => passes.test(line))!;

it('every change is found, by what is done', () => {
  const plan = planOf({
    changes: [
      change('create', 'a'),
      change('update', 'b', { fields: [edit('x', 1, 2)] }),
      change('delete', 'c'),
      change('replace', 'd'),
      change('adopt', 'e', { id: 'id-e' }),
      change('adopt', 'f', { id: 'id-f' }),
      change('forget', 'g'),
      change('noop', 'h'),
    ],
    operations: [operation(['f'], [{ endpoint: 'PATCH /v1/f' }])],
  });
  expect(found(printed(plan))).toEqual({
    created: ['a'],
    updated: ['b', 'f'],
    deleted: ['c'],
    replaced: ['d'],
    imported: ['e'],
    importedFrom: ['"id-f"'],
  });
  expect(result(plan)).toBe('Plan: 2 to import, 2 to add, 2 to change, 2 to destroy.');
  expect(printed(plan).split('\n')).toContain('Terraform will perform the following actions:');
});

it.each(sampled(Object.entries(plans), 3))('the plan is judged rightly: %s', (name, plan) => {
  const text = printed(plan);
  expect(passes.test(text)).toBe(true);
  expect(fails.test(text)).toBe(plan.diagnostics.some(({ severity }) => severity === 'error'));
  expect(destroys.test(result(plan))).toBe(['replace', 'deletions over budget'].includes(name));
  expect(/^No changes./.test(result(plan))).toBe(name === 'nothing to do');
  const { created } = found(text);
  expect(created).toEqual(
    plan.changes.filter(({ action }) => action === 'create').map(({ address }) => address),
  );
});

it('where nothing changes there is no such line', () => {
  expect(markerLines(plans['nothing to do'])).toBe('');
});

it('warnings begin as tools expect', () => {
  expect(diagnosticsText([warning('x', 'look')], { style })).toMatch(warns);
});
