/*
 * Words for conditions and rules in messages and in `trueup trace`.
 */
import { isTelling } from '../../kinds/telling.ts';
import { type Condition, inverses } from './condition.ts';
import { projectOf, type Rule } from './rule.ts';

/** What an operator says, and what its inverse says. */
const phrases: Record<string, [positive: string, inverse: string]> = {
  eq: ['equals', 'does not equal'],
  inc: ['is one of', 'is none of'],
  pre: ['starts with', 'does not start with'],
  suf: ['ends with', 'does not end with'],
  sub: ['contains', 'does not contain'],
  re: ['matches', 'does not match'],
  ex: ['exists', 'does not exist'],
  gt: ['is greater than', 'is not greater than'],
  gte: ['is at least', 'is not at least'],
  lt: ['is less than', 'is not less than'],
  lte: ['is at most', 'is not at most'],
  list: ['is in the list', 'is not in the list'],
  // Of IP entries.
  in: ['is in', 'is not in'],
};
const mostNames = 5;
const mostLetters = 60;

/** Formats a condition: `path starts with "/admin"`. The value of a condition that may contain a secret is not quoted. */
export function formatCondition({ attribute, op, isInverse, value }: Condition): string {
  const phrase = phrases[inverses[op] ?? op]?.[isInverse ? 1 : 0] ?? `${isInverse ? 'is not ' : ''}\`${op}\``;
  const { type, key } = attribute;
  const subject = [type.replaceAll('_', ' '), key].filter(Boolean).join(' ');
  const valueText = isTelling({ type, key, value }) ? 'the stated value' : formatValue(value);
  return [subject, phrase, valueText].filter((part) => part !== '').join(' ');
}

function formatValue(value: Condition['value']): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return quote(String(value));
  return value.length === 0 ? '(an empty list)' : formatNames(value.map(quote), 'or');
}

/** Returns a rule as the subject of a sentence: `firewall rule "admin" of projects/web`. */
export const describeRule = (rule: Rule): string =>
  `firewall rule ${formatRules([rule])} of ${projectOf(rule)}`;

/** Returns names of rules for a sentence: `"a", "b" and "c"`. */
export const formatRules = (rules: readonly Rule[]): string =>
  formatNames(rules.map(({ name }) => quote(name)));

/** Returns names for a sentence; the last ones of many as a number. */
function formatNames(names: readonly string[], word = 'and'): string {
  const shown = names.length > mostNames + 1 ? names.slice(0, mostNames) : names;
  const hiddenCount = names.length - shown.length;
  const listed = hiddenCount > 0 ? [...shown, `${hiddenCount} others`] : shown;
  return listed.length < 2 ? listed.join('') : `${listed.slice(0, -1).join(', ')} ${word} ${listed.at(-1)}`;
}

const quote = (text: string): string =>
  JSON.stringify(text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);
