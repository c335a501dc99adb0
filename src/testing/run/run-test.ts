import { positionOf } from '../../config/yaml/source.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider, Scope } from '../../kind/provider.ts';
import { viewsOfPlan } from '../../meaning/view.ts';
import { type Diagnostic, hasErrors, Problems, problem } from '../../model/diagnostic.ts';
import { dropUndefined } from '../../model/walk.ts';
import { openSessionPlan } from '../../run/open-plan.ts';
import type { RunSession } from '../../run/session.ts';
import { deletedObjects } from '../../run/verify.ts';
import type { TestOutcome } from '../assertions/assertion.ts';
import { unexpectedErrors } from '../assertions/diagnostic-assertions.ts';
import { checkAll, noChanges } from '../assertions/expectation.ts';
import type { Test, TestSetup } from '../test-file.ts';
import type { Failure, TestResult } from '../test-result.ts';
import { applyTested, testPlanOptions } from './apply-tested.ts';
import { loadTested } from './load-tested.ts';
import { rewordProblem } from './reword-problems.ts';
import { type TestedAccount, withTestedSession } from './tested-account.ts';

/** What a test needs to run. */
export interface TestContext {
  provider: Provider;
  host: Host;
  setup: TestSetup;
  /** Returns the account that all tests of a file start from. Tests share it, so a test that writes uses a copy. */
  openAccount(scope: Scope): Promise<TestedAccount>;
}

/**
 * Runs one test of `trueup test`: loads the configuration with its patch (the changes that the test makes to it), plans it against the
 * account of the test, applies the plan if the test asks for it, and checks every expectation. Never throws for a mistake in the
 * configuration, the test or the seed (the objects that the account has at the start).
 */
export async function runTest(test: Test, context: TestContext): Promise<TestResult> {
  const { clock } = context.host;
  const start = clock.monotonic();
  const outcome = await produceOutcome(test, context);
  const failures = await findFailures(test, context.setup, outcome);
  return {
    name: test.name,
    at: positionOf(test.spot),
    failures,
    isPlanned: outcome.planned !== undefined,
    milliseconds: clock.monotonic() - start,
  };
}

/** Returns the failures of one test of `trueup test`: first the errors that it does not expect, then its expectations that do not hold. */
async function findFailures(test: Test, setup: TestSetup, outcome: TestOutcome): Promise<Failure[]> {
  const errors = unexpectedErrors(outcome.diagnostics, test.expectedErrors);
  const mismatches = await checkAll(test.assertions, outcome);
  // An error that prevents the plan is reported once, not again by each expectation that could not be checked because of it.
  const shown = errors.length === 0 ? mismatches : mismatches.filter(({ isUnchecked }) => !isUnchecked);
  const isPatchAlone = test.patches.length > 0 && !setup.isApplied;
  return [
    ...errors.map(toErrorFailure),
    ...shown.map((mismatch) => toFailure(isPatchAlone ? addHintAboutApplied(mismatch) : mismatch)),
  ];
}

/** A mismatch with the name and the place of its assertion. */
type NamedMismatch = Awaited<ReturnType<typeof checkAll>>[number];

/** The assertions that also count what the account lacks of the configuration. */
const countingAssertions = ['create', 'requests', noChanges];

/**
 * Adds a hint to a mismatch of a test with a patch (changes to the configuration) that starts from an account without the configuration.
 * Its author usually means only the effect of the patch, and is surprised that the objects of the whole configuration count.
 */
function addHintAboutApplied(mismatch: NamedMismatch): NamedMismatch {
  if (!countingAssertions.includes(mismatch.name)) return mismatch;
  const hint = 'with `given: { applied: true }` only the effect of the patch counts';
  return { ...mismatch, hint: mismatch.hint === undefined ? hint : `${mismatch.hint}; ${hint}` };
}

/** Returns a mismatch as a failure. */
const toFailure = ({ name, spot, isUnchecked: _, ...mismatch }: NamedMismatch): Failure =>
  dropUndefined({ code: 'test/failed', assertion: name, ...mismatch, at: positionOf(spot) });

/** Returns an error that no test expects as a failure. */
export const toErrorFailure = ({ code, message, hint, at, address, related }: Diagnostic): Failure =>
  dropUndefined({ code, message, hint, at, address, related });

/**
 * Loads, plans and applies the configuration of a test as its file says, and returns what happened, for the checks of `expect`. Problems
 * are in the words of a test file (`rewordProblem`).
 */
async function produceOutcome(test: Test, context: TestContext): Promise<TestOutcome> {
  const { provider, setup } = context;
  const tools = { kinds: kindsOf(provider.kinds), loadMeaning: () => provider.meaning() };
  const { diagnostics, ...planned } = await loadAndPlan(test, context).catch((error): PlannedTest => {
    if (error instanceof Problems) return { diagnostics: error.diagnostics };
    throw error;
  });
  return {
    ...tools,
    ...planned,
    diagnostics: diagnostics.map((diagnostic) => rewordProblem(diagnostic, setup)),
  };
}

/** The part of an outcome that planning and applying produce. Without a plan, it has only the problems that prevented the plan. */
type PlannedTest = Pick<TestOutcome, 'diagnostics' | 'planned' | 'views' | 'after'>;

/**
 * Loads the configuration of a test, and plans it on the account of the test; with `apply: true` on a copy of the account, because other
 * tests share it. Throws `Problems`, for example for a seed that the twin (the simulated account) does not accept.
 */
async function loadAndPlan(
  test: Test,
  { provider, host, setup, openAccount }: TestContext,
): Promise<PlannedTest> {
  const { configuration, diagnostics } = await loadTested(provider, setup, test.patches, host);
  if (hasErrors(diagnostics)) return { diagnostics };
  const { platform } = configuration;
  if (!platform) return { diagnostics: [...diagnostics, noAccountProblem] };
  const sharedAccount = await openAccount(platform);
  const account = test.apply ? await sharedAccount.copy() : sharedAccount;
  try {
    return await withTestedSession(
      provider,
      { ...configuration, platform },
      account,
      { setup, host },
      async (session, secretProblems) => {
        const planned = await planTest(session, test);
        return { ...planned, diagnostics: [...diagnostics, ...secretProblems, ...planned.diagnostics] };
      },
    );
  } finally {
    if (test.apply) await account.close();
  }
}

const noAccountProblem = problem('config/platform', 'the configuration does not name an account', {
  hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
});

/**
 * Plans the configuration of a test on its twin (a simulated account) and, for `apply: true`, also applies it and plans again. A plan with
 * errors is not applied.
 */
async function planTest(session: RunSession, { apply }: Test): Promise<PlannedTest> {
  const planned = await openSessionPlan(session, testPlanOptions);
  const { plan, live, desired } = planned;
  const views = viewsOfPlan(live, plan.changes, { desired, kinds: session.kinds });
  const beforeApply = { planned, views, diagnostics: plan.diagnostics };
  if (!apply || hasErrors(plan.diagnostics)) return beforeApply;
  const applyErrors = await applyTested(session, planned);
  if (applyErrors.length > 0) return { ...beforeApply, diagnostics: [...plan.diagnostics, ...applyErrors] };
  // A plan reads only collections that the configuration or the ledger mentions. After a deletion neither may mention the collection of the
  // deleted object, and a test could not state that the object is absent.
  const deleted = deletedObjects(plan, session.kinds);
  const after = await openSessionPlan(session, {
    ...testPlanOptions,
    noActions: true,
    also: deleted.canBeIn,
  });
  return { ...beforeApply, after };
}
