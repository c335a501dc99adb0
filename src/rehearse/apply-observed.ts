import type { Meaning } from '../kind/meaning.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { WayReport } from '../model/way.ts';
import type { Verified } from '../run/verify.ts';
import type { ModelledPlan } from './plan-modelled.ts';
import { createStateSealer } from './seal-states.ts';
import { applyToTwin, isDone, openTwinRun, type RunStep, type TwinRuns, verifyOnTwin } from './twin-run.ts';
import { observeApply } from './verdicts/judge-rehearsed-apply.ts';

/** What an apply to the twin has shown. */
interface ObservedResult {
  outcome: Outcome;
  /** The ledger that it leaves. */
  ledger: Ledger;
  /** The steps of the apply in their order. */
  steps: readonly RunStep[];
  /** The second plan; undefined if the apply did not do everything. */
  verified: Verified | undefined;
  /** What visitors meet during the apply; undefined without a second plan, or if no request of the plan can change that. */
  visitors: WayReport | undefined;
}

/**
 * Applies a plan to the twin (the simulated account of `plan --rehearse`), and plans again, because nothing should remain to do. Notes the
 * steps of the apply, so that a later run can be killed after each, and what visitors meet in each state.
 */
export async function applyObserved(
  runs: TwinRuns,
  { rehearsed, modelledOptions }: ModelledPlan,
  meaning: Meaning,
): Promise<ObservedResult> {
  const { send, onEvent, judge } = await observeApply(
    runs.rehearsalTwin.connection.send,
    rehearsed,
    meaning,
    createStateSealer(rehearsed.input),
  );
  const allSteps: RunStep[] = [];
  const run = openTwinRun(runs, runs.session.ledger, { send, onStep: (step) => void allSteps.push(step) });
  const outcome = await applyToTwin(run.session, rehearsed, onEvent);
  const ledger = run.ledger.stored();
  // Without those of the second plan.
  const steps = [...allSteps];
  const isApplied = isDone(outcome) && !hasErrors(rehearsed.plan.diagnostics);
  const verified = isApplied ? await verifyOnTwin(run.session, rehearsed, modelledOptions) : undefined;
  return { outcome, ledger, steps, verified, visitors: verified && (await judge()) };
}
