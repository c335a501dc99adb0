/*
 * Regular expressions of firewall rules: which are understood, and that an automaton takes the same texts as the expression.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Automaton, hasCommonText } from '../../providers/hosting/meaning/firewall/automaton.ts';
import { parsePattern } from '../../providers/hosting/meaning/firewall/pattern.ts';
import { runs } from '../support/sweep.ts';

const atom = fc.constantFrom(
  'a',
  'B',
  '\\.',
  '.',
  '[ab]',
  '[^a]',
  '[A-C.]',
  '\\d',
  '\\W',
  '[\\w-]',
  '^',
  '$',
  '/',
  '{',
  ']',
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.array(tie('expression'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?'))
      .map(([part, quantifier]) => `(?:${part})${quantifier}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'A', '.', '/', '-', '1', '{', ']'),
  maxLength: 6,
});

describe('regular expressions of firewall rules', () => {
  it('take the same texts as those of the language', () => {
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 8, maxLength: 8 }), (source, texts) => {
        const parsed = parsePattern(source);
        if (parsed.type !== 'pattern') {
          expect(parsed.type).toBe('unsupported');
          return;
        }
        const automaton = new Automaton(parsed.pattern);
        if (automaton.isTooLarge) return;
        const expected = new RegExp(source, 'i');
        expect(texts.map((some) => automaton.has(some.toLowerCase(), { steps: 100_000 }) === 'yes')).toEqual(
          texts.map((some) => expected.test(some)),
        );
        // If a text passes, a search finds one.
        if (texts.some((some) => expected.test(some)))
          expect(hasCommonText([{ automaton, isIn: true }], { steps: 100_000 })).not.toBe('no');
      }),
      { numRuns: runs(12_000) },
    );
  });

  it('are not compared with a text for longer than the budget allows', () => {
    const parsed = parsePattern('(a|b)*a(a|b){40}c');
    const automaton = new Automaton(parsed.type === 'pattern' ? parsed.pattern : { type: 'start' });
    const random = Array.from({ length: 500 }, (_, i) => (Math.imul(i, 2_654_435_761) < 0 ? 'a' : 'b')).join(
      '',
    );
    expect(automaton.has(random, { steps: 1_000 })).toBe('unknown');
    expect(automaton.has(random, { steps: 1_000_000 })).toBe('no');
  });

  it.each([
    '*.php',
    '+',
    'a|*b',
    '(a',
    'a)',
    '(?:a',
    '[a',
    '[]',
    '[^]',
    '[z-a]',
    'a{3,1}',
    'a\\',
    '(?<name>a',
  ])('%s is none', (source) => {
    expect(parsePattern(source).type).toBe('invalid');
  });

  it.each([
    '(?=a)b',
    '(?<!a)b',
    '(a)\\1',
    '\\bword\\b',
    'a++',
    'a**',
    '[[:alpha:]]',
    '(?s).*',
    '(*ANYCRLF)a',
    'é',
    '\\x41',
    'a{1000}',
    '^*',
    '{3}',
    '\\p{L}',
    '[\\d-z]',
    '(?i:a)(',
    `${'('.repeat(5_000)}a${')'.repeat(5_000)}`,
    `^${'a'.repeat(200_000)}`,
  ])('nothing is claimed about %.20s', (source) => {
    expect(parsePattern(source).type).toBe('unsupported');
  });

  it.each([
    '(?i)admin',
    'a{',
    '{id}',
    'a]',
    '[]a]',
    '[^]a]',
    '[a-]',
    '[-a]',
    '(?P<x>a)',
    'a{,3}',
    '',
    'a||b',
    '()',
  ])('%s is understood, or at least not called wrong', (source) => {
    expect(parsePattern(source).type).not.toBe('invalid');
  });
});
