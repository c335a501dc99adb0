import * as z from 'zod';
import type { Spot } from '../../config/yaml/source.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import { asksForNothing } from '../../model/plan.ts';
import { count } from '../../report/text.ts';
import { accountAssertions } from './account-assertions.ts';
import {
  type AssertedTest,
  type Assertion,
  type AssertionKind,
  assertionKind,
  type ExpectedPlace,
  type Mismatch,
  type TestOutcome,
  withoutPlan,
} from './assertion.ts';
import { changeAssertions } from './change-assertions.ts';
import { countAssertions } from './count-assertions.ts';
import { diagnosticAssertions } from './diagnostic-assertions.ts';
import { maxListedObjects } from './match-addresses.ts';
import { visitorAssertions } from './visitor-assertions.ts';

/** Written instead of members: the plan has nothing to do. */
export const noChanges = 'no changes';

/** The assertions about one plan, which `expect` and `then` can have. */
const planAssertions: Record<string, AssertionKind> = { ...countAssertions, ...changeAssertions };

/**
 * Returns the schema of a map of assertions in a test file, such as that under `expect`: each assertion has a key and a form of its own.
 */
const assertionsSchema = (kinds: Record<string, AssertionKind>) =>
  z
    .strictObject(
      Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema.optional()])),
    )
    // Only for editors: the reader of test files explains an empty map better.
    .meta({ minProperties: 1 });

/** The member of `expect` about the plan after an apply. */
const secondPlan = 'then';

const secondPlanSchema = z
  .union([z.literal(noChanges), assertionsSchema(planAssertions)])
  .describe('What a second plan finds after the apply: `no changes`, or counts and changes.');

/** All members that `expect` can have, in the order of the documentation. */
export const assertionKinds: Record<string, AssertionKind> = {
  ...planAssertions,
  ...diagnosticAssertions,
  ...accountAssertions,
  ...visitorAssertions,
  [secondPlan]: assertionKind<z.infer<typeof secondPlanSchema>>({
    schema: secondPlanSchema,
    needs: ({ apply }) =>
      apply ? undefined : '`apply: true`, because there is no second plan without an apply',
    createCheck: (expected, place, test) => {
      const assertions = createAssertions(expected, place, test, planAssertions);
      return async ({ after, ...outcome }) => {
        if (!after) return [{ message: 'there is no second plan', isUnchecked: true }];
        const { diagnostics } = after.plan;
        return checkAll(assertions, { ...outcome, diagnostics, planned: after });
      };
    },
  }),
};

/** The schema of `expect`. */
export const expectationSchema = z
  .union([z.literal(noChanges), assertionsSchema(assertionKinds)])
  .describe('The conditions of the test: `no changes`, or a map of expectations. All of them must hold.');

/** An expectation, as its schema reads it. */
type Expectation = typeof noChanges | Record<string, unknown>;

/**
 * Returns the assertions of an expectation in a test file (the members of `expect`), ready to judge a result. `expected`: the expectation,
 * which the schema has accepted. `place`: where its members are in the file, for messages. `kinds`: what each member checks, by its name.
 */
export function createAssertions(
  expected: Expectation,
  place: ExpectedPlace,
  test: AssertedTest,
  kinds: Record<string, AssertionKind> = assertionKinds,
): Assertion[] {
  if (expected === noChanges) return [{ name: noChanges, spot: place.spotAt(), check: checkNoChanges }];
  return Object.entries(expected as Record<string, unknown>).map(([name, value]) => ({
    name,
    spot: place.spotAt(name),
    check: kinds[name]!.createCheck(
      value,
      {
        spotAt: (...path) => place.spotAt(name, ...path),
        spotOfKey: (...path) => place.spotOfKey(name, ...path),
        nodeAt: (...path) => place.nodeAt(name, ...path),
      },
      test,
    ),
  }));
}

/**
 * Checks all assertions of a test against its result. Returns the mismatches in the order of the file, each with the name of its assertion
 * and its place in the file.
 */
export async function checkAll(
  assertions: readonly Assertion[],
  outcome: TestOutcome,
): Promise<(Mismatch & { name: string; spot: Spot })[]> {
  const mismatches = await Promise.all(
    assertions.map(async ({ name, spot, check }) =>
      (await check(outcome)).map((mismatch) => ({ name, ...mismatch, spot: mismatch.spot ?? spot })),
    ),
  );
  return mismatches.flat().sort((a, b) => a.spot.start - b.spot.start);
}

/** Checks `expect: no changes` of `trueup test`: returns a mismatch with the changes if the plan has something to do. */
function checkNoChanges({ planned }: TestOutcome): Mismatch[] {
  if (!planned) return withoutPlan();
  const { plan } = planned;
  if (asksForNothing(plan)) return [];
  const changes = plan.changes.filter(
    ({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly,
  );
  const listed = changes.map(({ action, address }) => `${action} ${address}`);
  return [
    {
      message: 'the plan has changes',
      expected: noChanges,
      actual: `${count(countLogicalChanges(changes), 'change')}: ${listFirst(listed, maxListedObjects)}`,
    },
  ];
}
