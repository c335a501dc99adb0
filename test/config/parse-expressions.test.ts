import { expect, test } from 'vitest';
import { parseExpressions } from '../../src/config/expressions/parse-expressions.ts';
import { hintFor } from '../../src/config/suggest.ts';
import {
  closestName,
  editDistance,
  guessMeantName,
  resetComparisonCount,
} from '../../src/model/similar-name.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const shown = (text: string) =>
  parseExpressions(text).map((part) =>
    typeof part === 'string'
      ? part
      : 'error' in part
        ? 'error'
        : part.steps.map(({ name, start }) => `${name}@${start}`),
  );

test('a text is split at its expressions', () => {
  expect(shown('')).toEqual(['']);
  expect(shown('plain $ {x} $$')).toEqual(['plain $ {x} $$']);
  expect(shown('${var.x}')).toEqual([['var@2', 'x@6']]);
  expect(shown('a${ var.x }b${secret.y}')).toEqual(['a', ['var@3', 'x@7'], 'b', ['secret@2', 'y@9']]);
  expect(shown('${a["b.c"].d[e f][\'g}\']}')).toEqual([['a@2', 'b.c@5', 'd@11', 'e f@13', 'g}@19']]);
  expect(shown('$${x} ${a.b}')).toEqual(['${x} ', ['a@2', 'b@4']]);
  expect(shown('$$${x}')).toEqual(['$${x}']);
  for (const wrong of [
    '${',
    '${}',
    '${a',
    '${a.}',
    '${.a}',
    '${a..b}',
    '${a b}',
    '${a["b}',
    '${a[]}',
    '${["a"]}',
    '${a${b}}',
  ])
    expect(shown(wrong)[0]).toBe('error');
});

test('what was meant is what is near', () => {
  expect(editDistance('abcd', 'abdc')).toBe(1);
  expect(editDistance('', 'abc')).toBe(3);
  expect(closestName('framwork', ['name', 'framework'])).toBe('framework');
  expect(closestName('Framework', ['framework'])).toBe('framework');
  expect(closestName('x', ['completely', 'other'])).toBeUndefined();
});

story(
  'for one configuration, many unknown names are compared with valid ones of many lists only as far as the bound allows',
  () => {
    const countSuggested = (list: number) => {
      const valid = Array.from({ length: 1000 }, (_, i) => `project-${list}-${i}`);
      return valid.filter((name) => guessMeantName(name.replace('project', 'projekt'), valid) !== undefined)
        .length;
    };
    resetComparisonCount();
    const suggested = Array.from({ length: 20 }, (_, list) => countSuggested(list));
    expect(suggested[0]).toBeGreaterThan(20);
    expect(suggested.at(-1)).toBe(0);
    resetComparisonCount();
    expect(countSuggested(20)).toBe(suggested[0]);
  },
);

story(
  'the names of a list are prepared once, and a list that is not compared any more is still shown',
  () => {
    let read = 0;
    const names = new Map(Array.from({ length: 3000 }, (_, i) => [`project-number-${i}`, i]));
    names.keys = () => {
      read += 1;
      return Map.prototype.keys.call(names) as MapIterator<string>;
    };
    resetComparisonCount();
    const hints = Array.from({ length: 3000 }, (_, i) => hintFor(`projekt-nummer-${i}`, names));
    expect(read).toBe(1);
    expect(hints[0]).toBe('did you mean `project-number-0`?');
    expect(hints.at(-1)).toMatch(/^valid here: `project-number-0`.*, and 2988 more$/);
  },
);

test('an early end of a comparison changes no suggestion', () => {
  const words = ['abc', 'acb', 'xabc', 'bca', 'abcdef', 'fedcba', 'zzz', '', 'production'];
  for (const a of words)
    for (const b of words)
      for (const limit of [1, 2, 3, 5]) {
        const [exact, stopped] = [editDistance(a, b), editDistance(a, b, limit)];
        expect(stopped < limit ? stopped : 'far').toBe(exact < limit ? exact : 'far');
      }
});
