import { expect, test } from 'vitest';
import { parseExpressions } from '../../src/config/expressions/parse-expressions.ts';
import { closest, editDistance, hintFor, NameIndex } from '../../src/config/suggest.ts';

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
  expect(closest('framwork', ['name', 'framework'])).toBe('framework');
  expect(closest('Framework', ['framework'])).toBe('framework');
  expect(closest('x', ['completely', 'other'])).toBeUndefined();
});

test('many unknown names are compared with many valid ones only as far as the bound allows', () => {
  const index = new NameIndex(Array.from({ length: 3000 }, (_, i) => `project-number-${i}`));
  const unknown = Array.from({ length: 3000 }, (_, i) => `projekt-nummer-${i}`);
  const suggested = unknown.filter((name) => index.meantBy(name) !== undefined);
  expect(suggested.length).toBeGreaterThan(20);
  expect(index.meantBy('projekt-nummer-7')).toBeUndefined();
  // The bound, and what the last comparison of one name with all may exceed it by.
  expect(index.operations).toBeLessThan(12_000_000);
});

test('the names of a list are prepared once, and a list that is not compared any more is still shown', () => {
  let read = 0;
  const names = new Map(Array.from({ length: 3000 }, (_, i) => [`project-number-${i}`, i]));
  names.keys = () => {
    read += 1;
    return Map.prototype.keys.call(names) as MapIterator<string>;
  };
  const hints = Array.from({ length: 3000 }, (_, i) => hintFor(`projekt-nummer-${i}`, names));
  expect(read).toBe(1);
  expect(hints[0]).toBe('did you mean `project-number-0`?');
  expect(hints.at(-1)).toMatch(/^valid here: `project-number-0`.*, and 2988 more$/);
});

test('an early end of a comparison changes no suggestion', () => {
  const words = ['abc', 'acb', 'xabc', 'bca', 'abcdef', 'fedcba', 'zzz', '', 'production'];
  for (const a of words)
    for (const b of words)
      for (const limit of [1, 2, 3, 5]) {
        const [exact, stopped] = [editDistance(a, b), editDistance(a, b, limit)];
        expect(stopped < limit ? stopped : 'far').toBe(exact < limit ? exact : 'far');
      }
});
