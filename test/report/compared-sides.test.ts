import { expect, test } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { normalizeSides } from '../../src/report/value-diff.ts';
import { change, planOf } from './builders.ts';

test.each([
  ['a list of one value', [{ value: 'a' }], [{ value: 'b' }], 'a', 'b'],
  ['a list of one scalar', ['a'], ['b'], 'a', 'b'],
  ['one and another', [{ value: 'a' }], ['b'], 'a', 'b'],
  ['more than one', ['a'], ['a', 'b'], ['a'], ['a', 'b']],
  ['another member', [{ name: 'a' }], [{ name: 'b' }], [{ name: 'a' }], [{ name: 'b' }]],
  ['a list on one side', ['a'], 'a', ['a'], 'a'],
])('%s', (_, before, after, shownBefore, shownAfter) => {
  expect(normalizeSides(before, after)).toEqual([shownBefore, shownAfter]);
});

test('a sealed value stays sealed', () => {
  const sides = normalizeSides([new Sealed('canary')], ['b']);
  expect(JSON.stringify(sides)).toBe('["(secret)","b"]');
});

test('the order of members is no difference', () => {
  const before = [
    { b: { d: 1, c: 2 }, a: 1 },
    { a: 2, b: 3 },
  ];
  const after = [
    { a: 1, b: { c: 2, d: 1 } },
    { b: 3, a: 4 },
  ];
  const [a, b] = normalizeSides(before, after);
  expect(JSON.stringify(a)).toBe('[{"a":1,"b":{"c":2,"d":1}},{"a":2,"b":3}]');
  expect(JSON.stringify(b)).toBe('[{"a":1,"b":{"c":2,"d":1}},{"a":4,"b":3}]');
});

test('text, comment and page show it so', () => {
  const plan = planOf({
    changes: [
      change('update', 'things/a', {
        fields: [{ path: 'records', before: [{ value: 'a' }], after: [{ value: 'b' }], cause: 'edit' }],
      }),
    ],
  });
  const style = styleFor({ color: false, width: 80 });
  expect(planText(plan, { style, requests: false })).toContain('records: a → b');
  expect(planMarkdown(plan)).toContain('- records: a\n+ records: b\n');
  expect(planHtml(plan)).toContain('<del>a</del>');
});

test.each([40, 60])(
  'the last lines keep their words whole at %i columns, and stay one line in a log',
  (width) => {
    const plan = planOf({ changes: [change('create', 'a'), change('replace', 'b'), change('release', 'c')] });
    const outcome = {
      done: ['a', 'b', 'c'],
      failed: [],
      postponed: [],
      skipped: [],
      overwritten: [],
      interrupted: false,
    };
    for (const isLog of [false, true]) {
      const style = styleFor({ color: false, width, isLog });
      for (const text of [
        planText(plan, { style, requests: false }),
        outcomeText(plan, outcome, { style, now: 0 }),
      ]) {
        const lines = text.slice(text.search(/^(Plan:|Applied )/m)).split('\n');
        if (isLog) expect(lines).toHaveLength(1);
        else expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
      }
    }
  },
);
