/*
 * Decides whether a request can exist for which some conditions hold and others fail. The checks use it to compare rules: a rule is never
 * reached, for example, if no request meets its conditions and fails those of the rules above it. Each attribute is decided on its own,
 * because no source says that attributes of a request depend on each other.
 */
import { allOf, anyOf, groupBy, negate, type Verdict, verdictOf } from '#kind';
import { Automaton, hasCommonText, type SearchBudget, type TextRequirement } from './automaton.ts';
import { canPass, canPassBoth } from './compare-texts.ts';
import type { Attribute, Condition } from './condition.ts';
import { parsePattern } from './pattern.ts';
import type { Group } from './rule.ts';

/** A statement about a request: a condition holds for it, or fails. */
export interface Assertion {
  condition: Condition;
  holds: boolean;
}

/**
 * Returns the assertions that all conditions of a group hold, to ask whether a request can match it. Conditions that cannot be read are
 * left out: with them, the group could only match less.
 */
export const allHold = (group: Group): Assertion[] =>
  group.flatMap((condition) => (condition ? [{ condition, holds: true }] : []));

/** True if the value of the attribute, given that it is there, passes the test before it is inverted. */
const passesTest = ({ condition, holds }: Assertion): boolean => holds !== condition.isInverse;

/** What every value of an attribute is like. A path starts with `/`; the others follow from the grammar of HTTP and from ISO 3166. */
export const domains: Readonly<Record<string, TextRequirement>> = Object.fromEntries(
  Object.entries({
    path: '^/',
    host: '^[^/ ]+$',
    method: '^[^, /]+$',
    geo_country: '^..$',
    geo_continent: '^..$',
  }).flatMap(([type, text]) => {
    const parsed = parsePattern(text);
    return parsed.type === 'pattern'
      ? [[type, { automaton: new Automaton(parsed.pattern), isIn: true }]]
      : [];
  }),
);

/**
 * Returns whether a request exists for which all assertions are true. `unknown` if no source says how a condition works, or `budget` is
 * used up.
 */
export function isPossible(assertions: readonly Assertion[], budget: SearchBudget): Verdict {
  const [first, second] = assertions;
  if (!first) return 'yes';
  if (!second) return isPossibleForAttribute(assertions, budget);
  const byAttribute = groupBy(assertions, ({ condition }) => condition.attribute.id);
  return allOf([...byAttribute.values()].map((group) => isPossibleForAttribute(group, budget)));
}

/** Returns whether a request exists that makes all assertions true. They are about one attribute. */
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
  const quick = decideQuickly(assertions, budget);
  if (quick !== 'unknown' || budget.steps <= 0) return quick;
  if (contradictEachOther(assertions)) return 'no';
  const testsOf = (type: string) => assertions.filter(({ condition: { test } }) => test.type === type);
  return allOf([
    ...testsOf('exists').map((assertion) => verdictOf(passesTest(assertion))),
    ...testsOf('opaque').map((): Verdict => 'unknown'),
    isPossibleNumber(testsOf('number')),
    isPossibleText(attribute, testsOf('text'), budget),
  ]);
}

/** Returns the answer for one or two assertions if comparing their texts is enough. */
function decideQuickly(assertions: readonly Assertion[], budget: SearchBudget): Verdict {
  const [first, second] = assertions as [Assertion, ...Assertion[]];
  if (assertions.length > 2) return 'unknown';
  return second
    ? decidePair(first.condition, passesTest(first), second.condition, passesTest(second), budget)
    : canPass(first.condition, passesTest(first));
}

function decidePair(
  first: Condition,
  isFirstPassed: boolean,
  second: Condition,
  isSecondPassed: boolean,
  budget: SearchBudget,
): Verdict {
  // Several values can pass different tests.
  if (isFirstPassed && isSecondPassed && first.attribute.mayRepeat) return 'unknown';
  if (isFirstPassed) return canPassBoth(first, second, isSecondPassed, budget);
  return isSecondPassed ? canPassBoth(second, first, false, budget) : 'unknown';
}

/**
 * Returns whether a request exists for which `conditions` hold and the condition of the assertion holds or fails. All are about one
 * attribute. Like `isPossible`, but without allocations for simple pairs, because it is called for all pairs of rules of a firewall.
 */
export function isPossibleTogether(
  conditions: readonly Condition[],
  { condition, holds }: Assertion,
  budget: SearchBudget,
): Verdict {
  const [first] = conditions;
  if (conditions.length === 1 && first) {
    const quick = decidePair(first, !first.isInverse, condition, holds !== condition.isInverse, budget);
    if (quick === 'yes' || (quick === 'no' && !condition.attribute.mayBeAbsent)) return quick;
  }
  return isPossibleForAttribute([...allHold(conditions), { condition, holds }], budget);
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
 * Returns whether a text passes and fails the tests as the assertions say. An attribute with several values may be compared by its first
 * value, by any or by all: no source says which. In each case, a request is impossible if a passed test leaves no text that a failed one
 * does not have as well, so only such pairs are looked at.
 */
function isPossibleText(
  { type, mayRepeat }: Attribute,
  assertions: readonly Assertion[],
  budget: SearchBudget,
): Verdict {
  if (assertions.length === 0) return 'yes';
  const requirements = assertions.flatMap((assertion): TextRequirement[] => {
    const { test } = assertion.condition;
    return test.type === 'text' ? [{ automaton: test.automaton, isIn: passesTest(assertion) }] : [];
  });
  const domain = domains[type];
  const common = (some: readonly TextRequirement[]) =>
    hasCommonText(domain ? [...some, domain] : some, budget);
  if (!mayRepeat || requirements.length === 1) return common(requirements);
  const inside = requirements.filter(({ isIn }) => isIn);
  const outside = requirements.filter(({ isIn }) => !isIn);
  const alone = requirements.map((requirement) => common([requirement]));
  const pairs = inside.flatMap((passed) => outside.map((failed) => common([passed, failed])));
  return allOf([...alone, ...pairs]);
}
