/*
 * Decides questions about all requests: can a request meet these conditions, and do rules match every request that another rule matches? Both are
 * decided one attribute at a time, because the attributes of a request do not depend on each other as far as any source says.
 */
import { allOf, anyOf, groupBy, negate, type Verdict, verdictOf } from '#kind';
import { Automaton, hasCommonText, type SearchBudget, type TextRequirement } from './automaton.ts';
import type { Attribute, Condition, TextTest } from './condition.ts';
import { parsePattern } from './pattern.ts';

/** A statement about a request: a condition holds for it, or fails. */
export interface Assertion {
  condition: Condition;
  holds: boolean;
}

/** True if the value of the attribute, given that it is there, passes the test before it is inverted. */
const passesTest = ({ condition, holds }: Assertion): boolean => holds !== condition.isInverse;

/** The values that an attribute can have, as regular expressions. A path starts with `/`; the others follow from the grammar of HTTP and ISO 3166. */
const domainPatterns: Record<string, string> = {
  path: '^/',
  host: '^[^/ ]+$',
  method: '^[^, /]+$',
  geo_country: '^..$',
  geo_continent: '^..$',
};
const domains = new Map<string, TextRequirement | undefined>();

/** Returns the requirement that every value of an attribute meets; undefined for none. */
function domainOf({ type }: Attribute): TextRequirement | undefined {
  const pattern = domainPatterns[type];
  if (pattern === undefined || domains.has(type)) return domains.get(type);
  const parsed = parsePattern(pattern);
  domains.set(
    type,
    parsed.type === 'pattern' ? { automaton: new Automaton(parsed.pattern), isIn: true } : undefined,
  );
  return domains.get(type);
}

/** Returns whether a request exists for which all assertions are true. */
export function isPossible(assertions: readonly Assertion[], budget: SearchBudget): Verdict {
  const byAttribute = groupBy(assertions, ({ condition }) => condition.attribute.id);
  return allOf([...byAttribute.values()].map((group) => isPossibleForAttribute(group, budget)));
}

function isPossibleForAttribute(assertions: readonly Assertion[], budget: SearchBudget): Verdict {
  const { attribute } = assertions[0]!.condition;
  const whenPresent = isPossibleWhenPresent(attribute, assertions, budget);
  return attribute.mayBeAbsent && whenPresent !== 'yes'
    ? anyOf([whenPresent, isPossibleWhenAbsent(assertions)])
    : whenPresent;
}

function isPossibleWhenAbsent(assertions: readonly Assertion[]): Verdict {
  const held = new Set(assertions.flatMap(({ condition, holds }) => (holds ? [condition.id] : [])));
  return allOf(
    assertions.map(({ condition: { id, whenAbsent, isStable }, holds }) => {
      if (!holds && isStable && held.has(id)) return 'no';
      return holds ? whenAbsent : negate(whenAbsent);
    }),
  );
}

function isPossibleWhenPresent(
  attribute: Attribute,
  assertions: readonly Assertion[],
  budget: SearchBudget,
): Verdict {
  if (contradictEachOther(assertions)) return 'no';
  const testsOf = (type: string) => assertions.filter(({ condition: { test } }) => test.type === type);
  return allOf([
    ...testsOf('exists').map((assertion) => verdictOf(passesTest(assertion))),
    ...testsOf('opaque').map((): Verdict => 'unknown'),
    isPossibleNumber(testsOf('number')),
    isPossibleText(attribute, testsOf('text'), budget),
  ]);
}

/** True if a test is both passed and failed. */
function contradictEachOther(assertions: readonly Assertion[]): boolean {
  const passed = new Set(
    assertions.flatMap((assertion) => (passesTest(assertion) ? [assertion.condition.testId] : [])),
  );
  return assertions.some(
    (assertion) =>
      !passesTest(assertion) && assertion.condition.isStable && passed.has(assertion.condition.testId),
  );
}

/** Tries every number at which an answer can change: the bounds and their neighbours. */
function isPossibleNumber(assertions: readonly Assertion[]): Verdict {
  const bounds = assertions.flatMap(({ condition: { test } }) => (test.type === 'number' ? test.bounds : []));
  const candidates = [0, ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1])];
  return verdictOf(
    candidates.some(
      (number) =>
        number >= 0 &&
        assertions.every(
          (assertion) =>
            assertion.condition.test.type === 'number' &&
            assertion.condition.test.accepts(number) === passesTest(assertion),
        ),
    ),
  );
}

/**
 * An attribute with several values may be compared by its first value, by any or by all: no source says which. Whatever it is, a request is
 * impossible if a passed test leaves no text that a failed one does not have as well, so only such pairs are looked at.
 */
function isPossibleText(
  attribute: Attribute,
  assertions: readonly Assertion[],
  budget: SearchBudget,
): Verdict {
  if (assertions.length === 0) return 'yes';
  const quick = assertions.length === 2 ? compareQuickly(attribute, assertions) : 'unknown';
  if (quick !== 'unknown') return quick;
  const requirements = assertions.flatMap((assertion): TextRequirement[] => {
    const { test } = assertion.condition;
    return test.type === 'text' ? [{ automaton: test.automaton, isIn: passesTest(assertion) }] : [];
  });
  const domain = domainOf(attribute);
  const common = (some: readonly TextRequirement[]) =>
    hasCommonText(domain ? [...some, domain] : some, budget);
  if (!attribute.mayRepeat || requirements.length === 1) return common(requirements);
  const [inside, outside] = [
    requirements.filter(({ isIn }) => isIn),
    requirements.filter(({ isIn }) => !isIn),
  ];
  const alone = requirements.map((requirement) => common([requirement]));
  const pairs = inside.flatMap((passed) => outside.map((failed) => common([passed, failed])));
  return allOf([...alone, ...pairs]);
}

/**
 * Returns the answer for a passed test and another one if comparing their texts is enough; `unknown` otherwise. Only to be fast: a firewall can have
 * a thousand rules, and most conditions are this simple.
 */
function compareQuickly(attribute: Attribute, assertions: readonly Assertion[]): Verdict {
  const [first, second] = [...assertions].sort((a, b) => Number(passesTest(b)) - Number(passesTest(a)));
  if (!first || !second || !passesTest(first)) return 'unknown';
  const [test, other] = [first.condition.test, second.condition.test];
  if (test.type !== 'text' || other.type !== 'text') return 'unknown';
  const isPassed = passesTest(second);
  // Several values can pass different tests.
  if (attribute.mayRepeat && isPassed) return 'unknown';
  const [known, compared] = [test.comparison, other.comparison];
  const domain = domainOf(attribute);
  if (known.type === 'one of')
    return verdictOf(
      known.texts.some(
        (text) => passes(text, other) === isPassed && (!domain || domain.automaton.has(text) === domain.isIn),
      ),
    );
  if (known.type === 'pattern' || known.type !== compared.type) return 'unknown';
  const isSimple =
    !domain || (known.type === 'prefix' && known.text.startsWith('/') && attribute.type === 'path');
  if (!isSimple) return 'unknown';
  const impliesOther = hasPart(known.type, known.text, compared.text);
  if (!isPassed) return verdictOf(!impliesOther);
  return known.type === 'part'
    ? 'yes'
    : verdictOf(impliesOther || hasPart(known.type, compared.text, known.text));
}

/** True if a text begins with, ends with or contains a part. */
function hasPart(place: 'prefix' | 'suffix' | 'part', text: string, part: string): boolean {
  if (place === 'prefix') return text.startsWith(part);
  return place === 'suffix' ? text.endsWith(part) : text.includes(part);
}

/** True if a text in lower case passes a test of texts. */
export function passes(text: string, test: TextTest): boolean {
  const { comparison } = test;
  switch (comparison.type) {
    case 'one of':
      return comparison.texts.includes(text);
    case 'pattern':
      return test.automaton.has(text);
    default:
      return hasPart(comparison.type, text, comparison.text);
  }
}
