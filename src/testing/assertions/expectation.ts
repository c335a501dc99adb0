import * as z from 'zod';
import { countLogicalChanges } from '../../model/logical-changes.ts';
import { asksForNothing } from '../../model/plan.ts';
import { count } from '../../report/text.ts';
import {
  type Assertion,
  type AssertionKind,
  assertionKind,
  type ExpectedPlace,
  type Mismatch,
  type TestOutcome,
  withoutPlan,
} from './assertion.ts';
import { countAssertions } from './count-assertions.ts';
import { diagnosticAssertions } from './diagnostic-assertions.ts';

/** Written instead of members: the plan has nothing to do. */
const noChanges = 'no changes';

/** The assertions about one plan, which `expect` and `then` can have. */
const planAssertions: Record<string, AssertionKind> = { ...countAssertions };

/** Returns the schema of assertions in one map. */
const mapOf = (kinds: Record<string, AssertionKind>) =>
  z.strictObject(
    Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema.optional()])),
  );

/** The member of `expect` about the plan after an apply. */
const secondPlan = 'then';

const secondPlanSchema = z
  .union([z.literal(noChanges), mapOf(planAssertions)])
  .describe('What a second plan finds after the apply: `no changes`, or counts and changes.');

/** All members that `expect` can have, in the order of the documentation. */
export const assertionKinds: Record<string, AssertionKind> = {
  ...planAssertions,
  ...diagnosticAssertions,
  [secondPlan]: assertionKind<z.infer<typeof secondPlanSchema>>({
    schema: secondPlanSchema,
    needs: ({ apply }) =>
      apply ? undefined : '`apply: true`, because there is no second plan without an apply',
    createCheck: (expected, place) => {
      const assertions = createAssertions(expected, place, planAssertions);
      return ({ after, kinds }) => {
        if (!after) return [{ message: 'there is no second plan' }];
        const outcome = { diagnostics: after.plan.diagnostics, planned: after, kinds };
        return assertions.flatMap(({ check, spot }) =>
          check(outcome).map((mismatch) => ({ spot, ...mismatch })),
        );
      };
    },
  }),
};

/** The schema of `expect`. */
export const expectationSchema = z
  .union([z.literal(noChanges), mapOf(assertionKinds)])
  .describe('The conditions of the test: `no changes`, or a map of expectations, which must all hold.');

/** An expectation, as its schema reads it. */
type Expectation = typeof noChanges | Record<string, unknown>;

/** Returns the assertions of an expectation that the schema has accepted. */
export function createAssertions(
  expected: Expectation,
  place: ExpectedPlace,
  kinds: Record<string, AssertionKind> = assertionKinds,
): Assertion[] {
  if (expected === noChanges) return [{ name: noChanges, spot: place.spotAt(), check: checkNoChanges }];
  return Object.entries(expected as Record<string, unknown>).map(([name, value]) => ({
    name,
    spot: place.spotAt(name),
    check: kinds[name]!.createCheck(value, {
      spotAt: (...path) => place.spotAt(name, ...path),
      spotOfKey: (...path) => place.spotOfKey(name, ...path),
    }),
  }));
}

/** Returns the mismatch of `no changes`, if the plan has something to do. */
function checkNoChanges({ planned }: TestOutcome): Mismatch[] {
  if (!planned) return withoutPlan();
  const { plan } = planned;
  if (asksForNothing(plan)) return [];
  const changes = plan.changes.filter(
    ({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly,
  );
  const listed = changes.slice(0, 5).map(({ action, address }) => `${action} ${address}`);
  const more = changes.length - listed.length;
  return [
    {
      message: 'the plan has changes',
      expected: noChanges,
      actual: `${count(countLogicalChanges(changes), 'change')}: ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    },
  ];
}
