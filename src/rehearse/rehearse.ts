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
import type { Provider } from '../kind/provider.ts';
import { hasErrors, raiseErrors } from '../model/diagnostic.ts';
import { ledgerKeyFrom } from '../model/digest.ts';
import { isEmpty } from '../model/plan.ts';
import { standardParallelism } from '../model/planned-action.ts';
import type { Rehearsal } from '../model/rehearsal.ts';
import type { OpenPlanOptions, Planned } from '../run/open-plan.ts';
import type { Verified } from '../run/verify.ts';
import { tryCrashPoints } from './crash-points.ts';
import { estimateDuration } from './estimate-duration.ts';
import { fillTwin } from './fill-twin.ts';
import { withPlaceholders } from './live-to-desired.ts';
import { openRehearsalTwin } from './open-twin.ts';
import { planModelled } from './plan-modelled.ts';
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
    const { live } = planned;
    const leftOut = await fillTwin(rehearsalTwin, {
      ...{ live, kinds: session.kinds, key, clock },
      parallelism: standardParallelism,
    });
    const { secrets, placeholders } = withPlaceholders(planned.desired, session.secrets);
    const planningRuns: TwinRuns = { session, rehearsalTwin, desired: planned.desired, secrets, key, clock };
    const planning = openTwinRun(planningRuns, session.ledger);
    const twinOptions: OpenPlanOptions = { ...planOptions, settle: 0, noActions: true };
    const { rehearsed, modelledOptions, desired, notModelled } = await planModelled(
      planning.session,
      twinOptions,
      planned,
      leftOut,
      rules.contradicted,
    );
    const runs: TwinRuns = { ...planningRuns, desired };
    const accountBefore = rehearsalTwin.twin.copyAccount();
    const { connection } = rehearsalTwin;
    const observed = await observeApply(connection.send, rehearsed, await provider.meaning());
    const steps: RunStep[] = [];
    const run = openTwinRun(runs, session.ledger, {
      send: observed.send,
      onStep: (step) => void steps.push(step),
    });
    const outcome = await applyToTwin(run.session, rehearsed, observed.onEvent);
    const stepsOfApply = [...steps];
    const isApplied = isDone(outcome) && !hasErrors(rehearsed.plan.diagnostics);
    const verified = isApplied ? await verifyOnTwin(run.session, rehearsed, modelledOptions) : undefined;
    const visitors = verified && (await observed.judge());
    const mask = (text: string) => session.masking.mask(rehearsalTwin.masking.mask(text));
    const crashes =
      verified && leavesNothing(verified) && stepsOfApply.some(({ type }) => type === 'request')
        ? await tryCrashPoints(
            runs,
            {
              accountBefore,
              planned: rehearsed,
              options: modelledOptions,
              steps: stepsOfApply,
              after: verified.planned,
            },
            crashPoints,
            mask,
          )
        : undefined;
    const sent = stepsOfApply.flatMap(({ request }) => request ?? []);
    return toRehearsal({
      ...{ planned, rehearsed, notModelled, placeholders, outcome, verified, crashes, visitors, rules, mask },
      knownTexts: collectTexts(accountBefore),
      requests: sent.length,
      duration: isApplied
        ? estimateDuration(rehearsed.plan.operations, sent, await connection.paceNow())
        : undefined,
    });
  } finally {
    await rehearsalTwin.close();
  }
}
