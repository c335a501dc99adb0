import { expect, test } from 'vitest';
import { parseExpressions } from '../../src/config/expressions/parse-expressions.ts';
import { closest, editDistance } from '../../src/config/suggest.ts';

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
