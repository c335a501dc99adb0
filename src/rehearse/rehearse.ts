/*
 * Rehearses a plan: applies it to a twin that is filled with the observed part of the account.
 *
 *   1. Fill an empty twin with the observed objects (`fillTwin`).
 *   2. Plan the same configuration with the same ledger on the twin. Each difference from the plan of the account is not modelled (`findNotModelled`), and
 *      changes that it concerns are left out (`excludes`).
 *   3. Apply the plan with the real applier, and plan again.
 *
 * The rehearsal writes to the twin and to a ledger in memory, and to nothing else.
 */

import { randomBytes } from 'node:crypto';
import type { Meaning } from '../kind/meaning.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, raiseErrors } from '../model/diagnostic.ts';
import { ledgerKeyFrom } from '../model/digest.ts';
import type { Outcome } from '../model/event.ts';
import { isEmpty } from '../model/plan.ts';
import { standardParallelism } from '../model/planned-action.ts';
import type { Rehearsal } from '../model/rehearsal.ts';
import type { WayReport } from '../model/way.ts';
import type { OpenPlanOptions, Planned } from '../run/open-plan.ts';
import type { Verified } from '../run/verify.ts';
import { tryCrashPoints } from './crash-points.ts';
import { estimateDuration } from './estimate-duration.ts';
import { fillTwin } from './fill-twin.ts';
import { withPlaceholders } from './live-to-desired.ts';
import { openRehearsalTwin } from './open-twin.ts';
import { type ModelledPlan, planModelled } from './plan-modelled.ts';
import { createRehearsalClock } from './rehearsal-clock.ts';
import type { RehearsedSession } from './rehearsal-session.ts';
import { openRuleKnowledge } from './rule-knowledge.ts';
import { toRehearsal } from './to-rehearsal.ts';
import { applyToTwin, isDone, openTwinRun, type RunStep, type TwinRuns, verifyOnTwin } from './twin-run.ts';
import { collectTexts } from './unknown-names.ts';
import { observeApply } from './verdicts/judge-rehearsed-apply.ts';

export interface RehearseOptions {
  provider: Provider;
  /** The options that the plan was made with. */
  planOptions: OpenPlanOptions;
  /** The number of crashes to try. Default: three, or one for a large plan. */
  crashPoints?: number | 'all' | undefined;
  /** The kinds for which recorded answers of the account contradict the twin, each with what shows it. Their changes are not rehearsed. */
  contradictedKinds?: ReadonlyMap<string, string> | undefined;
}

/** A plan with more changes than this is large: each crash costs two plans and an apply on the twin. */
const largePlan = 200;

/** Returns the number of crashes to try if the caller does not say it. */
const defaultCrashPoints = ({ plan }: Planned): number =>
  plan.changes.filter(({ action }) => action !== 'noop').length > largePlan ? 1 : 3;

/** True if a second plan shows that the apply did everything. Only then is there a result that a run after a crash must reach, too. */
const leavesNothing = ({ planned: { plan } }: Verified): boolean =>
  isEmpty(plan) && !hasErrors(plan.diagnostics);

/**
 * Rehearses a plan of a session. The plan must have no errors. Changes neither the account nor the ledger nor any file. Throws `Problems` if no twin can be
 * started.
 */
export async function rehearse(
  session: RehearsedSession,
  planned: Planned,
  { provider, planOptions, crashPoints = defaultCrashPoints(planned), contradictedKinds }: RehearseOptions,
): Promise<Rehearsal> {
  raiseErrors(planned.plan.diagnostics);
  const rules = await openRuleKnowledge(provider, contradictedKinds);
  const clock = createRehearsalClock(() => session.clock.now());
  const rehearsalTwin = await openRehearsalTwin(provider, session.owner, clock);
  try {
    const key = session.key ?? ledgerKeyFrom(randomBytes(32).toString('base64url'));
    const { desired } = planned;
    const { secrets, placeholders } = withPlaceholders(desired, session.secrets);
    const runs: TwinRuns = { session, rehearsalTwin, desired, secrets, key, clock };
    const modelled = await fillAndPlan(runs, planned, planOptions, rules.contradicted);
    const runsOfModelled: TwinRuns = { ...runs, desired: modelled.desired };
    const accountBefore = rehearsalTwin.twin.copyAccount();
    const applied = await applyObserved(runsOfModelled, modelled, await provider.meaning());
    const mask = (text: string) => session.masking.mask(rehearsalTwin.masking.mask(text));
    const { rehearsed, modelledOptions, notModelled } = modelled;
    const { outcome, steps, verified, visitors } = applied;
    const requests = steps.flatMap(({ request }) => request ?? []);
    const crashes =
      verified && leavesNothing(verified) && requests.length > 0
        ? await tryCrashPoints(
            runsOfModelled,
            { accountBefore, planned: rehearsed, options: modelledOptions, steps, after: verified.planned },
            crashPoints,
            mask,
          )
        : undefined;
    return toRehearsal({
      planned,
      rehearsed,
      notModelled,
      placeholders,
      outcome,
      verified,
      crashes,
      visitors,
      rules,
      mask,
      knownTexts: collectTexts(accountBefore),
      requests: requests.length,
      duration:
        verified &&
        estimateDuration(rehearsed.plan.operations, requests, await rehearsalTwin.connection.paceNow()),
    });
  } finally {
    await rehearsalTwin.close();
  }
}

/** Fills the empty twin with the observed account, and makes the plan that can be rehearsed on it. `contradicted`: see `planModelled`. */
async function fillAndPlan(
  runs: TwinRuns,
  planned: Planned,
  planOptions: OpenPlanOptions,
  contradicted: ReadonlyMap<string, string>,
): Promise<ModelledPlan> {
  const { session, rehearsalTwin, key, clock } = runs;
  const leftOut = await fillTwin(rehearsalTwin, {
    live: planned.live,
    kinds: session.kinds,
    key,
    clock,
    parallelism: standardParallelism,
  });
  const planningRun = openTwinRun(runs, session.ledger);
  // The lists of the twin show each write at once, and the twin does not do the work that actions start.
  const options: OpenPlanOptions = { ...planOptions, settle: 0, noActions: true };
  return planModelled(planningRun.session, options, planned, leftOut, contradicted);
}

/** What an apply to the twin has shown. */
interface ObservedResult {
  outcome: Outcome;
  /** The steps of the apply in their order. */
  steps: readonly RunStep[];
  /** The second plan; undefined if the apply did not do everything. */
  verified: Verified | undefined;
  /** What visitors meet during the apply; undefined without a second plan, or if no request of the plan can change that. */
  visitors: WayReport | undefined;
}

/** Applies a plan to the twin, notes its steps and what visitors meet, and plans again. */
async function applyObserved(
  runs: TwinRuns,
  { rehearsed, modelledOptions }: ModelledPlan,
  meaning: Meaning,
): Promise<ObservedResult> {
  const { send, onEvent, judge } = await observeApply(runs.rehearsalTwin.connection.send, rehearsed, meaning);
  const allSteps: RunStep[] = [];
  const run = openTwinRun(runs, runs.session.ledger, { send, onStep: (step) => void allSteps.push(step) });
  const outcome = await applyToTwin(run.session, rehearsed, onEvent);
  // Without those of the second plan.
  const steps = [...allSteps];
  const isApplied = isDone(outcome) && !hasErrors(rehearsed.plan.diagnostics);
  const verified = isApplied ? await verifyOnTwin(run.session, rehearsed, modelledOptions) : undefined;
  return { outcome, steps, verified, visitors: verified && (await judge()) };
}
