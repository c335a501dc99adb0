import { positionOf } from '../../config/yaml/source.ts';
import type { Host } from '../../host.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider, Scope } from '../../kind/provider.ts';
import { viewsOfPlan } from '../../meaning/view.ts';
import { type Diagnostic, hasErrors, Problems, problem } from '../../model/diagnostic.ts';
import { dropUndefined } from '../../model/walk.ts';
import { openPlan } from '../../run/open-plan.ts';
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
 * Runs one test: loads the configuration with its patch, plans it against the account of the test, applies the plan if the test asks for it, and checks
 * every expectation. Never throws for a mistake in the configuration, the seed or the test.
 */
export async function runTest(test: Test, context: TestContext): Promise<TestResult> {
  const { clock } = context.host;
  const start = clock.monotonic();
  const produced = await produceOutcome(test, context);
  const diagnostics = produced.diagnostics.map((diagnostic) => rewordProblem(diagnostic, context.setup));
  const outcome = { ...produced, diagnostics };
  const errors = unexpectedErrors(outcome.diagnostics, test.expectedErrors);
  const allMismatches = await checkAll(test.assertions, outcome);
  // An unexpected error is the cause if there is nothing to compare.
  const mismatches =
    errors.length === 0 ? allMismatches : allMismatches.filter(({ isUnchecked }) => !isUnchecked);
  return {
    name: test.name,
    at: positionOf(test.spot),
    failures: [
      ...errors.map(toErrorFailure),
      ...mismatches.map((mismatch) => toFailure(suggestApplied(mismatch, test, context.setup))),
    ],
    isPlanned: outcome.planned !== undefined,
    milliseconds: clock.monotonic() - start,
  };
}

/** The assertions that count everything that an account without the configuration lacks. */
const countingAssertions = ['create', 'requests', noChanges];

/**
 * Returns a mismatch with the hint that the test may start from an account without the configuration. People write a patch to state its effect alone,
 * and wonder about the other objects.
 */
function suggestApplied<M extends { name: string; hint?: string | undefined }>(
  mismatch: M,
  { patches }: Test,
  { isApplied }: TestSetup,
): M {
  if (isApplied || patches.length === 0 || !countingAssertions.includes(mismatch.name)) return mismatch;
  const suggestion = 'with `given: { applied: true }` only the effect of the patch counts';
  return { ...mismatch, hint: mismatch.hint === undefined ? suggestion : `${mismatch.hint}; ${suggestion}` };
}

/** Returns a mismatch as a failure. */
const toFailure = ({
  name,
  spot,
  isUnchecked: _,
  ...mismatch
}: Awaited<ReturnType<typeof checkAll>>[number]): Failure =>
  dropUndefined({ code: 'test/failed', assertion: name, ...mismatch, at: positionOf(spot) });

/** Returns an error that the test does not expect as a failure. */
const toErrorFailure = ({ code, message, hint, at, address, related }: Diagnostic): Failure =>
  dropUndefined({ code, message, hint, at, address, related });

/** Loads, plans and applies as a test says, and returns what happened. */
async function produceOutcome(test: Test, context: TestContext): Promise<TestOutcome> {
  const { provider, setup, host } = context;
  const tools = { kinds: kindsOf(provider.kinds), loadMeaning: () => provider.meaning() };
  try {
    const { configuration, diagnostics } = await loadTested(provider, setup, test.patches, host);
    if (hasErrors(diagnostics)) return { ...tools, diagnostics };
    const { platform } = configuration;
    if (!platform) return { diagnostics: [...diagnostics, noAccountProblem], ...tools };
    const sharedAccount = await context.openAccount(platform);
    const account = test.apply ? await sharedAccount.copy() : sharedAccount;
    try {
      const scoped = { ...configuration, platform };
      return await withTestedSession(
        provider,
        scoped,
        account,
        { setup, host },
        async (session, problems) => {
          const result = await planTest(session, test);
          return { ...tools, ...result, diagnostics: [...diagnostics, ...problems, ...result.diagnostics] };
        },
      );
    } finally {
      if (test.apply) await account.close();
    }
  } catch (error) {
    if (error instanceof Problems) return { ...tools, diagnostics: error.diagnostics };
    throw error;
  }
}

const noAccountProblem = problem('config/platform', 'the configuration does not name an account', {
  hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
});

/** Plans, and for `apply: true` also applies and plans again. A plan with errors is not applied. */
async function planTest(
  session: RunSession,
  { apply }: Test,
): Promise<Pick<TestOutcome, 'diagnostics' | 'planned' | 'views' | 'after'>> {
  const planned = await openPlan(session, testPlanOptions);
  const { plan, live, desired } = planned;
  const views = viewsOfPlan(live, plan.changes, { desired, kinds: session.kinds });
  const observed = { planned, views, diagnostics: plan.diagnostics };
  if (!apply || hasErrors(plan.diagnostics)) return observed;
  const failures = await applyTested(session, planned);
  if (failures.length > 0) return { ...observed, diagnostics: [...plan.diagnostics, ...failures] };
  // Otherwise the plan would not read a collection that is empty now, and a test could not state that an object is absent.
  const { areIn } = deletedObjects(plan, session.kinds);
  const after = await openPlan(session, { ...testPlanOptions, noActions: true, also: areIn });
  return { ...observed, after };
}
