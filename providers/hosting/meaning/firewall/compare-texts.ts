/*
 * Compares tests of texts without automata. A firewall can have a thousand rules, and most conditions are as simple as an equal text or a
 * prefix. Every answer can be `unknown`: the automata then decide.
 */
import { type Verdict, verdictOf } from '#kind';
import type { SearchBudget } from './automaton.ts';
import type { Comparison, Condition, TextTest } from './condition.ts';

/** Texts that values of an attribute can contain, if values have a known form; see `domains` in requests.ts. */
const possibleTexts: Record<string, RegExp> = { host: /^[^/ ]+$/, method: /^[^, /]+$/ };
/** The form of these values is left to the automata. */
const shortCodes = ['geo_country', 'geo_continent'];

/**
 * Returns whether any value of the attribute passes the test of a condition or, if `isPassed` is false, fails it. Inversion is left to the
 * caller.
 */
export function canPass({ attribute: { type }, test }: Condition, isPassed: boolean): Verdict {
  if (test.type !== 'text' || test.comparison.type === 'pattern' || shortCodes.includes(type))
    return 'unknown';
  const { comparison } = test;
  if (comparison.type === 'one of')
    return isPassed ? verdictOf([...comparison.texts].some((text) => isValue(type, text))) : 'yes';
  const { text } = comparison;
  // Every path starts with a slash.
  if (type === 'path' && !isPassed) return verdictOf(text !== '/' || comparison.type === 'suffix');
  if (type === 'path') return comparison.type === 'prefix' ? verdictOf(text.startsWith('/')) : 'yes';
  const possible = possibleTexts[type];
  return !isPassed || !possible || possible.test(text) ? 'yes' : 'unknown';
}

const isValue = (type: string, text: string): boolean => {
  if (type === 'path') return text.startsWith('/');
  return possibleTexts[type]?.test(text) ?? (!shortCodes.includes(type) || text.length === 2);
};

/**
 * Returns whether any value passes the test of the first condition and passes (or fails) that of the second. Both have the same attribute.
 */
export function canPassBoth(
  first: Condition,
  second: Condition,
  isSecondPassed: boolean,
  budget: SearchBudget,
): Verdict {
  const { test, attribute } = first;
  if (test.type !== 'text' || second.test.type !== 'text') return 'unknown';
  const [firstComparison, secondComparison] = [test.comparison, second.test.comparison];
  if (firstComparison.type === 'one of') {
    for (const text of firstComparison.texts) {
      const verdict = isValue(attribute.type, text) ? passes(text, second.test, budget) : undefined;
      if (verdict === 'unknown') return 'unknown';
      if (verdict === verdictOf(isSecondPassed)) return 'yes';
    }
    return 'no';
  }
  if (secondComparison.type === 'one of')
    return isSecondPassed ? canPassBoth(second, first, true, budget) : 'unknown';
  const [start, otherStart] = [prefixOf(firstComparison), prefixOf(secondComparison)];
  if (!start.startsWith(otherStart) && !otherStart.startsWith(start)) return verdictOf(!isSecondPassed);
  if (firstComparison.type === 'pattern' || secondComparison.type === 'pattern') return 'unknown';
  const isPlain =
    attribute.type === 'path'
      ? firstComparison.type === 'prefix' && firstComparison.text.startsWith('/')
      : !possibleTexts[attribute.type] && !shortCodes.includes(attribute.type);
  if (!isPlain) return 'unknown';
  if (firstComparison.type !== secondComparison.type) return 'unknown';
  const follows = hasPart(firstComparison, firstComparison.text, secondComparison.text);
  if (!isSecondPassed) return verdictOf(!follows);
  return firstComparison.type === 'part'
    ? 'yes'
    : verdictOf(follows || hasPart(firstComparison, secondComparison.text, firstComparison.text));
}

/** Returns how every text that passes begins; empty if that is not fixed. */
const prefixOf = (comparison: Exclude<Comparison, { type: 'one of' }>): string => {
  if (comparison.type === 'pattern') return comparison.prefix;
  return comparison.type === 'prefix' ? comparison.text : '';
};

/** True if a text begins with, ends with or contains a part. */
function hasPart(
  { type }: Exclude<Comparison, { type: 'one of' | 'pattern' }>,
  text: string,
  part: string,
): boolean {
  if (type === 'prefix') return text.startsWith(part);
  return type === 'suffix' ? text.endsWith(part) : text.includes(part);
}

/**
 * Returns whether one text, in lower case, passes a test. Used to test the values of a real request, and listed values against other tests.
 */
export function passes(text: string, test: TextTest, budget: SearchBudget): Verdict {
  const { comparison } = test;
  switch (comparison.type) {
    case 'one of':
      return verdictOf(comparison.texts.has(text));
    case 'pattern':
      return test.automaton.has(text, budget);
    default:
      return verdictOf(hasPart(comparison, text, comparison.text));
  }
}
