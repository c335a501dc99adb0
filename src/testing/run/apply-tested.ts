import type { Host } from '../../host.ts';
import type { Provider, Scope } from '../../kind/provider.ts';
import { type Diagnostic, problem, raiseErrors } from '../../model/diagnostic.ts';
import { standardParallelism } from '../../model/planned-action.ts';
import { errorLines } from '../../report/text.ts';
import { applyPlan } from '../../run/apply.ts';
import { openSessionPlan, type Planned } from '../../run/open-plan.ts';
import type { RunSession } from '../../run/session.ts';
import type { TestSetup } from '../test-file.ts';
import { loadTested } from './load-tested.ts';
import { startAccount, type TestedAccount, withTestedSession } from './tested-account.ts';

/** The options of every plan of a test: the lists of the twin show a write at once. */
export const testPlanOptions = { settle: 0 };

/**
 * Applies a plan to the account of a test. Returns an error for each change that failed. Secrets that are shown once are dropped: they are
 * not real.
 */
export async function applyTested(session: RunSession, planned: Planned): Promise<Diagnostic[]> {
  const { failed } = await applyPlan(session, planned, {
    parallelism: standardParallelism,
    deliveries: { check: async () => {}, deliver: async () => {} },
  });
  return failed.map(({ address, error }) =>
    problem('test/apply', `${address} could not be applied: ${errorLines(error).message.join(' ')}`, {
      address,
    }),
  );
}

/**
 * Starts the account of the tests of a file, with the objects of its `seed`. With `applied: true`, also applies the configuration, without
 * the changes (`patch`) of a test, so that the ledger has its objects. Throws `Problems` for a seed that the twin (a simulated account)
 * does not accept, or if the configuration cannot be applied.
 */
export async function openTestedAccount(
  provider: Provider,
  setup: TestSetup,
  scope: Scope,
  host: Host,
): Promise<TestedAccount> {
  const account = await startAccount(provider, setup.seed, scope);
  if (!setup.isApplied) return account;
  try {
    const { configuration, diagnostics } = await loadTested(provider, setup, [], host);
    raiseErrors(diagnostics);
    const scoped = { ...configuration, platform: scope };
    await withTestedSession(provider, scoped, account, { setup, host }, async (session) => {
      const planned = await openSessionPlan(session, testPlanOptions);
      raiseErrors(planned.plan.diagnostics);
      raiseErrors(await applyTested(session, planned));
    });
    return account;
  } catch (error) {
    await account.close();
    throw error;
  }
}
