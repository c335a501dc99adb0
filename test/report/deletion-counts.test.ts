import { expect } from 'vitest';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { evaluateGuards } from '../../src/guards/judge.ts';
import type { Outcome } from '../../src/model/event.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { changesText } from '../../src/report/plan-notes.ts';
import { planText } from '../../src/report/plan-text.ts';
import { sumSummaries, totalsByKind } from '../../src/report/stacks/stack-totals.ts';
import { newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { plainStyle } from './builders.ts';

/** The outcome of an apply that has not done anything yet. */
const nothingDone: Outcome = {
  done: [],
  failed: [],
  skipped: [],
  postponed: [],
  overwritten: [],
  interrupted: false,
};

/** The numbers of deleted objects that a person or a program reads in each form of a plan. */
function numbersIn(plan: Plan): Record<string, number> {
  const numberAfter = (text: string, before: RegExp) => Number(before.exec(text.replace(/\s+/g, ' '))?.[1]);
  const plain = planText(plan, { style: plainStyle, requests: false });
  const page = planHtml(plan).replace(/<[^>]*>/g, '');
  const { summary, deletions } = planJson(plan);
  const reports = [{ id: 'shop', path: '.', needs: [], stack: 'shop', plan }];
  const guards = { file: '', digest: '', deny: [], freeze: [], place: undefined };
  const [refusal] = evaluateGuards(
    plan,
    { ...guards, limits: { deletions: { most: 0, place: { file: 'g', line: 1, column: 1 } } } },
    { now: 0, pace: undefined, writes: false },
  );
  const outcomeOf = (changes: Plan['changes']) =>
    outcomeText(
      plan,
      { ...nothingDone, done: changes.map(({ address }) => address) },
      { style: plainStyle, now: 0 },
    );
  const outcome = outcomeOf(plan.changes);
  const onlyDeletions = outcomeOf(plan.changes.filter(({ action }) => action === 'delete'));
  const kindNumbers = totalsByKind(reports).flatMap(({ text }) =>
    Number(/(\d+) to delete/.exec(text)?.[1] ?? 0),
  );
  return {
    textCount: numberAfter(plain, /(\d+) to delete/),
    textSentence: numberAfter(plain, /This deletes (\d+) objects/),
    comment: numberAfter(planMarkdown(plan), /(\d+) to delete/),
    commentSentence: numberAfter(planMarkdown(plan), /This deletes (\d+) objects/),
    page: numberAfter(page, /(\d+) to delete/),
    pageSentence: numberAfter(page, /This deletes (\d+) objects/),
    summary: summary.delete,
    deletions: deletions!.objects,
    byKind: Object.values(deletions!.byKind).reduce((a, b) => a + b),
    question: numberAfter(changesText(plan), /deletes? (\d+) objects/),
    stacks: sumSummaries(reports).delete,
    stackKinds: kindNumbers.reduce((a, b) => a + b),
    guards: numberAfter(refusal!.message, /deletes (\d+) objects/),
    outcomeHeading: numberAfter(outcome, /deleted \((\d+)\)/),
    outcomeSummary: numberAfter(outcome, /Applied .*?(\d+) deleted/),
    outcomeChanges: numberAfter(onlyDeletions, /Applied (\d+) change/),
  };
}

const site = `  site-x:
    env: { A: a, B: { value: b, target: [production, preview] }, C: [{ value: c, target: [production] }, { value: d, target: [preview] }] }
    domains: { x.example.com: {} }
    customEnvironments: { qa: {} }`;
const group = (...names: string[]) =>
  `accessGroups: { team: { $allow: [remove-access], projects: { ${names.map((name) => `${name}: { role: ADMIN }`).join(', ')} } } }`;
const removed = (objects: number) => `removed: [{ at: projects/site-x, delete: true, objects: ${objects} }]`;

oneRowIn(3)([
  ['nothing else', 0, 7, 'env: { A: a }'],
  ['objects of nobody in it', 3, 10, 'env: { A: a }'],
  ['deletions elsewhere', 0, 8, 'env: {}'],
])('one deletion has one number everywhere: a project with %s', async (_, foreign, objects, webAfter) => {
  const world = await newWorld();
  await world.converge(`projects:\n  web: { env: { A: a } }\n${site}\n${group('web', 'site-x')}`);
  const { customEnvironments } = world.twin.account.projects.find(({ name }) => name === 'site-x')!;
  for (let index = 0; index < foreign; index++)
    customEnvironments.push({ ...customEnvironments[0]!, id: `env_${index}`, slug: `s${index}` });
  // The role in the access group is deleted by a change of its own.
  const yaml = `projects: { web: { ${webAfter} } }\n${group('web')}\n${removed(7 + foreign)}`;
  const { plan } = await world.plan(yaml);
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan.deletedObjects).toHaveLength(objects + 1);
  const { guards, ...numbers } = numbersIn(plan);
  const names = Object.keys(numbers);
  expect({ guards, ...numbers }).toEqual(
    Object.fromEntries(['guards', ...names].map((form) => [form, objects + 1])),
  );
  const saved = savePlan(plan, {
    ...{ baseUrl: '', owner: '', generation: 0, options: {}, kinds, secrets: new Map() },
  });
  expect(numbersIn(shownPlan(saved))).toMatchObject(numbers);
  // The errors of the limits name it, too.
  const [overLimit] = (await world.plan(yaml.replace(/, objects: \d+/, ''), { maxDeletions: 0 })).plan
    .diagnostics;
  expect(overLimit!.message).toContain(`${objects + 1} objects would be deleted`);
  const [overEntry] = (await world.plan(yaml.replace(/objects: \d+/, 'objects: 1'))).plan.diagnostics;
  expect(overEntry!.message).toContain(`${7 + foreign} objects would be deleted`);
  // Without an entry, the advice has the number that is enough.
  const [released] = (await world.plan(yaml.replace(/removed.*/, ''))).plan.diagnostics;
  expect(released!.hint).toContain(`objects: ${7 + foreign} }`);
});
