import { expect, test } from 'vitest';
import { redirectChecks } from '../../../providers/hosting/meaning/redirects/index.ts';
import { MatchBudget, matchBudgetOf } from '../../../providers/hosting/meaning/redirects/match-budget.ts';
import { oneStoryIn } from '../../support/sweep.ts';
import { viewOf } from '../../support/view-of.ts';

const story = oneStoryIn(4);

/** 150 routes whose single matches are just cheap enough, and 300 redirects to follow. */
const paths = Array.from({ length: 300 }, (_, index) => `/${'a'.repeat(90)}${index}`);
const manyCostly = (src: (index: number) => string) => `projects:
  web:
    bulkRedirects:
${paths.map((path) => `      ${path}: ${path}/x\n`).join('')}
    routes:
${Array.from(
  { length: 150 },
  (_, index) =>
    `      - { name: r${index}, srcSyntax: regex, route: { src: '${src(index)}', dest: /x, status: 308 } }\n`,
).join('')}`;

const findAll = async (yaml: string) => {
  const view = await viewOf(yaml);
  return { findings: redirectChecks.flatMap((check) => [...check.find(view)]), budget: matchBudgetOf(view) };
};

story('regular expressions that are cheap one by one and not together are left out, and named', async () => {
  const { findings, budget } = await findAll(
    manyCostly((index) => `^/.*.*${index === 7 ? '.*' : ''}.*${index}$`),
  );
  const costly = findings.filter(({ code }) => code === 'redirect/costly');
  expect(costly).toMatchObject([{ severity: 'warning', path: 'route.src' }]);
  expect(costly[0]!.message).toMatch(
    /together, most of them `.*`: \d+ routes were not compared with all paths/,
  );
  expect(budget.unmatchedSources.size).toBeGreaterThan(100);
});

story('many regular expressions that cost little are all compared', async () => {
  const { findings } = await findAll(manyCostly((index) => `^/b${index}/(.*)/(.*)$`));
  expect(findings.filter(({ code }) => code === 'redirect/costly')).toEqual([]);
});

story('a loop is found although expressions before it are left out', async () => {
  const { findings } = await findAll(`${manyCostly((index) => `^/.*.*.*${index}$`)}
  api: { bulkRedirects: { /a: /b, /b: /a } }`);
  expect(findings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['redirect/costly', 'redirect/loop']),
  );
});

test('a budget leaves out what does not fit, and names the costliest expression', () => {
  const budget = new MatchBudget(100);
  expect([budget.take('a', 30), budget.take('b', 60), budget.take('c', 20), budget.take('d', 10)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect([budget.costliestSource(), ...budget.unmatchedSources]).toEqual(['b', 'c']);
});
