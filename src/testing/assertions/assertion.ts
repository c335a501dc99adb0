/*
 * The contract between a test and its assertions. Terms of this folder:
 *
 *   test         one item of `tests:` in a test file
 *   assertion    one member of its `expect`, such as `create: 5`
 *   outcome  what happened when the test ran: the problems, the plan, and the plan after an apply
 *   mismatch     one difference between an assertion and the outcome
 *   spot         the place of an assertion in the test file
 *
 * Each file `...-assertions.ts` here exports a record of `AssertionKind` by the names of their members. `expectation.ts` joins these
 * records.
 */
import type * as z from 'zod';
import type { Node } from '../../config/yaml/nodes.ts';
import type { Spot } from '../../config/yaml/source.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Meaning, PlanViews } from '../../kind/meaning.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Planned } from '../../run/open-plan.ts';

/** What happened when a test ran. */
export interface TestOutcome {
  /** The problems and findings of the configuration, or of the plan. */
  diagnostics: readonly Diagnostic[];
  /** The plan of the configuration with the test's patch. Undefined if the configuration has errors, or if nothing could be planned. */
  planned?: Planned | undefined;
  /** The account before and after the plan, for evaluators of requests. Undefined without a plan. */
  views?: PlanViews | undefined;
  /** The plan after the apply, for tests with `apply: true`. Undefined if the apply failed. */
  after?: Planned | undefined;
  kinds: Kinds;
  /** Loads the evaluators of the provider. */
  loadMeaning(): Promise<Meaning>;
}

/** A difference between an assertion and the outcome. */
export interface Mismatch {
  /** Describes the difference, without the two values. */
  message: string;
  expected?: string | undefined;
  actual?: string | undefined;
  hint?: string | undefined;
  /** The place of the member that differs; absent for that of the assertion. */
  spot?: Spot | undefined;
  /** Set if nothing could be compared, because there is no plan, or no plan after an apply. An error explains that better. */
  isUnchecked?: true;
}

/** One member of `expect`, ready to be checked. */
export interface Assertion {
  /** Its name: `create`. */
  name: string;
  spot: Spot;
  /** Returns how the outcome differs; nothing if the assertion holds. */
  check(outcome: TestOutcome): Mismatch[] | Promise<Mismatch[]>;
}

/** Where the parts of an expected value are written. */
export interface ExpectedPlace {
  /** Returns the place of a part of the expected value, by its names and indexes; without a path, that of the whole member. */
  spotAt(...path: (string | number)[]): Spot;
  /** Returns the place of the name of a member, for messages about that name. */
  spotOfKey(...path: (string | number)[]): Spot;
  /** Returns a part of the expected value as it is written, to compare texts such as `1.10`. */
  nodeAt(...path: (string | number)[]): Node;
}

/** The members of a test that its assertions need. */
export interface AssertedTest {
  apply: boolean;
  /** The request of a visitor, as `subjectSchemas.request` reads it. */
  request?: unknown;
  /** The question to the DNS, as `subjectSchemas.dns` reads it. */
  dns?: unknown;
  /** False if the result for the request or the name need not be certain. */
  certain?: boolean | undefined;
}

/** A kind of assertion, such as `create`: the form of its expected value, and the check. */
export interface AssertionKind<T = unknown> {
  /** Accepts the values that a test file may have. Its descriptions are for editors. */
  schema: z.ZodType<T>;
  /** Returns why a test cannot have this assertion, as the end of a sentence such as "`account` needs ..."; undefined if it can. */
  needs?(test: AssertedTest): string | undefined;
  /** Returns the check of an expected value that the schema has accepted. */
  createCheck(expected: T, place: ExpectedPlace, test: AssertedTest): Assertion['check'];
}

/** Returns an assertion kind without its value type, so that one record can hold several kinds. */
export const assertionKind = <T>(kind: AssertionKind<T>): AssertionKind => kind as AssertionKind;

/** Returns the mismatch of an assertion that needs a plan, if there is none. Its cause is reported on its own. */
export const withoutPlan = (): Mismatch[] => [
  { message: 'there is no plan to check this against', isUnchecked: true },
];
