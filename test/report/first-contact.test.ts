import { expect, it } from 'vitest';
import { parseSavedPlan } from '../../src/approval/parse-saved-plan.ts';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { jsonText } from '../../src/report/show.ts';
import { planLines } from '../../src/report/terraform/plan-lines.ts';
import { change, operation, plainStyle, planOf } from './builders.ts';

const addresses = ['projects/a', 'projects/b', 'projects/c'];
const plan = planOf({
  changes: addresses.map((address) => change('create', address)),
  operations: addresses.map((address) => operation([address], [{ endpoint: 'POST /v11/projects' }])),
  firstContact: { firstChange: 'projects/b' },
});

it.each([
  ['text', () => planText(plan, { style: plainStyle, requests: false }), '`create projects/b`'],
  ['markdown', () => planMarkdown(plan), '`create projects/b`'],
  ['html', () => planHtml(plan), 'create projects/b'],
  ['terraform', () => jsonText(planLines(plan)), 'create projects/b'],
])('%s says which change is tried first', (_, print, name) => {
  expect(print().replace(/\s+/g, ' ')).toContain(
    `First contact with this account: ${name} is done first and checked by a fresh read before the other 2 changes.`,
  );
});

it('the document has it, and so has a saved plan', () => {
  const document = { firstChange: { operation: 'thing write projects/b', changes: ['projects/b'] } };
  expect(planJson(plan).firstContact).toEqual(document);
  const kinds = new Map();
  const saved = savePlan(plan, {
    ...{ baseUrl: 'https://api', owner: 'team_1', generation: 0, options: {}, kinds, secrets: new Map() },
  });
  expect(planJson(shownPlan(parseSavedPlan(JSON.stringify(saved), 'plan.json'))).firstContact).toEqual(
    document,
  );
});
