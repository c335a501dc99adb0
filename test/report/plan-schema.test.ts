import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { problem } from '../../src/model/diagnostic.ts';
import { planDocument } from '../../src/report/plan-document.ts';
import { failureJson, planJson } from '../../src/report/plan-json.ts';
import { jsonText } from '../../src/report/show.ts';
import { sampled } from '../support/sweep.ts';
import { at } from './builders.ts';
import { realistic } from './realistic.ts';
import { tenPlans } from './ten-plans.ts';

// As it is in the package.
const schema = JSON.parse(readFileSync('dist/plan.schema.json', 'utf8'));
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/** Whether the schema allows a document; what it is made from has to say the same. */
function allows(document: unknown): boolean {
  const allowed = validate(document);
  expect(planDocument.safeParse(document).success).toBe(allowed);
  return allowed;
}

const pace = await hosting.pace();
const plans = Object.entries({ realistic, ...(await tenPlans()) });

it.each(sampled(plans, 1))('the plan %j is as the schema says, live and saved', (_, plan) => {
  const saved = savePlan(plan, {
    baseUrl: '',
    owner: '',
    generation: 7,
    options: {},
    kinds: kindsOf(hosting.kinds),
    secrets: new Map(),
  });
  for (const shown of [plan, shownPlan(saved)]) {
    const document = JSON.parse(jsonText(planJson(shown, pace)));
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(allows(document)).toBe(true);
  }
});

it('so is what is printed where there is no plan', () => {
  const failure = failureJson([problem('config/x', 'is wrong', { at: at(1), hint: 'mend it' })]);
  expect(allows(failure)).toBe(true);
  expect(failure).toMatchObject({ complete: false, diagnostics: [{ code: 'config/x' }] });
});

const document = JSON.parse(jsonText(planJson(realistic)));
const [change] = document.changes;
const [operation] = document.operations;

it.each([
  ['a member that is not known', { ...document, more: 1 }],
  ['... of a change', { ...document, changes: [{ ...change, more: 1 }] }],
  ['... of a field', { ...document, changes: [{ ...change, fields: [{ ...change.fields[0], more: 1 }] }] }],
  [
    '... of a request',
    { ...document, operations: [{ ...operation, requests: [{ method: 'GET', path: '/', more: 1 }] }] },
  ],
  ['an action that does not exist', { ...document, changes: [{ ...change, action: 'destroy' }] }],
  ['no grade', { ...document, changes: [{ ...change, grade: undefined }] }],
  ['a count below zero', { ...document, summary: { ...document.summary, create: -1 } }],
  ['another format', { ...document, formatVersion: '2.0' }],
  [
    'a line that is no number',
    { ...document, changes: [{ ...change, source: { file: 'a', line: '1', column: 1 } }] },
  ],
])('%s is refused', (_, wrong) => {
  expect(allows(document)).toBe(true);
  expect(allows(JSON.parse(JSON.stringify(wrong)))).toBe(false);
});
