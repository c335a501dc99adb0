/*
 * Rehearses plans: applies them to a twin that is filled with the observed part of the account, one after the other as an apply does.
 *
 *   1. Fill an empty twin with the observed objects of all plans (`fillTwin`).
 *   2. Plan the same configurations with the same ledgers on the twin. Each difference from a plan of the account is not modelled
 *      (`planOnTwin`), and changes that it concerns are left out (`planModelled`).
 *   3. Apply each plan with the real applier, and plan again. The next plan begins with the account and the ledgers that this one has left.
 *
 * The rehearsal writes to the twin and to ledgers in memory, and to nothing else.
 */

import { randomBytes } from 'node:crypto';
import type { Provider } from '../kind/provider.ts';
import type { LeaseClock } from '../ledger/keep-lease.ts';
import type { Address } from '../model/address.ts';
import { hasErrors, raiseErrors } from '../model/diagnostic.ts';
import { type LedgerKey, ledgerKeyFrom } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import { isEmpty } from '../model/plan.ts';
import { standardParallelism } from '../model/planned-action.ts';
import type { Rehearsal } from '../model/rehearsal.ts';
import { type OpenPlanOptions, openSessionPlan, type Planned } from '../run/open-plan.ts';
import type { Verified } from '../run/verify.ts';
import { applyObserved } from './apply-observed.ts';
import { tryCrashPoints } from './crash-points.ts';
import { estimateDuration } from './estimate-duration.ts';
import { fillTwin } from './fill-twin.ts';
import { withPlaceholders } from './live-to-desired.ts';
import { findNaturalAddresses, withAddresses } from './natural-addresses.ts';
import { openRehearsalTwin, type RehearsalTwin } from './open-twin.ts';
import {
  findNotCompared,
  type ModelledPlan,
  planModelled,
  planOnTwin,
  type TwinPlan,
  withExclusions,
} from './plan-modelled.ts';
import { createRehearsalClock } from './rehearsal-clock.ts';
import type { RehearsedSession } from './rehearsal-session.ts';
import { toRehearsedStack, withRehearsedStacks } from './rehearsed-stacks.ts';
import { openRuleKnowledge, type RuleKnowledge } from './rule-knowledge.ts';
import { toRehearsal } from './to-rehearsal.ts';
import { openTwinRun, type TwinRuns } from './twin-run.ts';
import { collectTwinSecrets, type TwinSecrets } from './twin-secrets.ts';
import { collectTexts } from './unknown-names.ts';
import { withoutGuessableSecrets } from './without-guessable.ts';

/** A plan of the account to rehearse. It has no errors. */
export interface PlanToRehearse {
  session: RehearsedSession;
  planned: Planned;
  /** The options that the plan was made with. */
  planOptions: OpenPlanOptions;
}

export interface RehearseOptions {
  provider: Provider;
  /** The number of crashes to try for each plan. Default: three, or one for a large plan. */
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
const leavesNothingToDo = ({ planned: { plan } }: Verified): boolean =>
  isEmpty(plan) && !hasErrors(plan.diagnostics);

/**
 * Rehearses plans of one account, for `plan --rehearse`: applies them to a twin (a simulated account with the same objects), in the given
 * order: a plan has to come after those of the stacks that it needs. Also applies them with crashes in between. Returns a result for each.
 * Changes neither the account nor a stored ledger nor any file. Throws `Problems` if a plan has errors, or if no twin can be started.
 */
export async function rehearsePlans(
  plansOfAccount: readonly PlanToRehearse[],
  { provider, crashPoints, contradictedKinds }: RehearseOptions,
): Promise<Rehearsal[]> {
  for (const { planned } of plansOfAccount) raiseErrors(planned.plan.diagnostics);
  // A rehearsal must not confirm a guess of a secret by the author of a pull request.
  const plans = withoutGuessableSecrets(plansOfAccount);
  const [first] = plans;
  if (!first) return [];
  const rules = await openRuleKnowledge(provider, contradictedKinds);
  const clock = createRehearsalClock(() => first.session.clock.now());
  const rehearsalTwin = await openRehearsalTwin(provider, first.session.owner, clock);
  try {
    const twinSecrets = collectTwinSecrets(plans);
    const shared: SharedRehearsal = { provider, rules, rehearsalTwin, twinSecrets, clock };
    const filled: FilledPlan[] = [];
    for (const plan of plans) filled.push(await fillForPlan(plan, shared));
    // All plans are compared with the real ones before the first apply changes the twin.
    const compared: PlanWithTwinPlan[] = [];
    for (const plan of filled) compared.push(await compareOnTwin(plan, shared));
    return await rehearseInOrder(compared, shared, crashPoints);
  } finally {
    await rehearsalTwin.close();
  }
}

/** Rehearses plans one after the other on one twin, each with the ledgers that the earlier ones have left. Returns a result for each. */
async function rehearseInOrder(
  plans: readonly PlanWithTwinPlan[],
  shared: SharedRehearsal,
  crashPoints: RehearseOptions['crashPoints'],
): Promise<Rehearsal[]> {
  const rehearsals: Rehearsal[] = [];
  const rehearsedStacks: OtherStack[] = [];
  for (const plan of plans) {
    const { rehearsal, ledger } = await rehearseOnTwin(plan, shared, rehearsedStacks, crashPoints);
    rehearsals.push(rehearsal);
    // With its key, an apply signs the ledger.
    const isVerified = plan.session.key !== undefined;
    rehearsedStacks.push(toRehearsedStack(ledger, isVerified));
  }
  return rehearsals;
}

/** What all plans of a rehearsal share. */
interface SharedRehearsal {
  provider: Provider;
  rules: RuleKnowledge;
  rehearsalTwin: RehearsalTwin;
  twinSecrets: TwinSecrets;
  clock: LeaseClock;
}

/** A plan whose observed objects the twin has. */
interface FilledPlan extends PlanToRehearse {
  /** The key of its ledger, or a random one. */
  key: LedgerKey;
  /** The observed objects that the twin does not have, with reasons. */
  leftOut: ReadonlyMap<Address, string>;
}

/**
 * Fills the twin (the simulated account of `plan --rehearse`) with the objects that a plan has observed. Objects that an earlier plan has
 * observed, too, stay as they are. The twin has the objects under natural addresses (made of their names in the account), because plans can
 * call a renamed object differently. Returns the objects that could not be filled in as `leftOut`, by the addresses of the plan.
 */
async function fillForPlan(
  plan: PlanToRehearse,
  { rehearsalTwin, twinSecrets, clock }: SharedRehearsal,
): Promise<FilledPlan> {
  const { session, planned } = plan;
  // A run on the twin needs some key, but its ledger is thrown away.
  const key = session.key ?? ledgerKeyFrom(randomBytes(32).toString('base64url'));
  const naturalAddresses = findNaturalAddresses(planned.live);
  const leftOutByNatural = await fillTwin(rehearsalTwin, {
    live: withAddresses(planned.live, naturalAddresses),
    twinSecrets,
    kinds: session.kinds,
    key,
    clock,
    parallelism: standardParallelism,
  });
  const leftOut = new Map(
    [...naturalAddresses].flatMap(([address, natural]) => {
      const reason = leftOutByNatural.get(natural);
      return reason === undefined ? [] : [[address, reason] as const];
    }),
  );
  return { ...plan, key, leftOut };
}

/** A plan of the account, and the plan on the filled twin with the same configuration and ledger. */
interface PlanWithTwinPlan extends FilledPlan {
  runs: TwinRuns;
  placeholders: string[];
  twinOptions: OpenPlanOptions;
  twinPlan: TwinPlan;
}

/**
 * Plans the same configuration on the filled twin (the simulated account of a rehearsal), and compares the two plans to find the objects
 * that the twin does not model (`twinPlan`). Secrets without a value here get placeholders. Objects that the real plan could not compare
 * are excluded. The result has everything that the later plan and apply on the twin need.
 */
async function compareOnTwin(
  plan: FilledPlan,
  { rules, rehearsalTwin, clock }: SharedRehearsal,
): Promise<PlanWithTwinPlan> {
  const { session, planned, key, leftOut } = plan;
  const { desired } = planned;
  const { secrets, placeholders } = withPlaceholders(desired, session.secrets);
  const runs: TwinRuns = { session, rehearsalTwin, desired, secrets, key, clock };
  const notCompared = new Set(findNotCompared(planned.plan).map(({ address }) => address));
  // The lists of the twin show each write at once, and the twin does not do the work that actions start.
  const options = { ...plan.planOptions, settle: 0, noActions: true };
  const twinOptions = withExclusions(options, notCompared);
  const planningRun = openTwinRun(runs, session.ledger);
  const twinPlan = await planOnTwin(planningRun.session, twinOptions, planned, leftOut, rules.contradicted);
  return { ...plan, runs, placeholders, twinOptions, twinPlan };
}

/**
 * Rehearses a plan on the twin (the simulated account) as the earlier plans have left it. Returns the result, and the ledger that the apply
 * leaves. Afterwards the twin has the account that the apply leaves, and not that of a crash, because the next plan begins there.
 * `rehearsedStacks`: the stacks of the earlier plans.
 */
async function rehearseOnTwin(
  plan: PlanWithTwinPlan,
  { provider, rules, rehearsalTwin }: SharedRehearsal,
  rehearsedStacks: readonly OtherStack[],
  crashPoints: RehearseOptions['crashPoints'] = defaultCrashPoints(plan.planned),
): Promise<{ rehearsal: Rehearsal; ledger: Ledger }> {
  const { session, planned, placeholders } = plan;
  const { twin, masking } = rehearsalTwin;
  const modelled = await planAfterEarlierApplies(plan, rehearsedStacks);
  const { runs, rehearsed, modelledOptions, notModelled } = modelled;
  const accountBefore = twin.copyAccount();
  const applied = await applyObserved(runs, modelled, await provider.meaning());
  const { outcome, ledger, steps, verified, visitors } = applied;
  const accountAfter = twin.copyAccount();
  // Messages of the twin can show secrets of the run and those that the twin has made.
  const mask = (text: string) => session.masking.mask(masking.mask(text));
  const requests = steps.flatMap(({ request }) => request ?? []);
  // Without a complete apply there is no result that a run after a crash must reach, and without a request there is nothing to interrupt.
  const undisturbed =
    verified && leavesNothingToDo(verified) && requests.length > 0
      ? { accountBefore, planned: rehearsed, options: modelledOptions, steps, after: verified.planned }
      : undefined;
  const crashes = undisturbed && (await tryCrashPoints(runs, undisturbed, crashPoints, mask));
  twin.restoreAccount(accountAfter);
  // The limits depend on the billing plan, and that of the twin is another one.
  const pace = await provider.pace(session.owner);
  const rehearsal = toRehearsal({
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
    duration: verified && estimateDuration(rehearsed.plan.operations, requests, pace),
  });
  return { rehearsal, ledger };
}

/**
 * Plans on the twin (the simulated account) as the applies of the earlier plans have left it, without the changes that cannot be rehearsed.
 * The plan knows the ledgers that these applies left (`rehearsedStacks`). The objects that they create for this stack exist by now, so it
 * waits for none (`awaitedStacks`). The result has the context of the following runs on the twin (`runs`), with the declarations of the
 * plan.
 */
async function planAfterEarlierApplies(
  { session, planned, runs: earlierRuns, twinOptions, twinPlan }: PlanWithTwinPlan,
  rehearsedStacks: readonly OtherStack[],
): Promise<ModelledPlan & { runs: TwinRuns }> {
  const otherStacks = withRehearsedStacks(session.otherStacks, rehearsedStacks);
  const runs: TwinRuns = { ...earlierRuns, session: { ...session, otherStacks } };
  const options = { ...twinOptions, awaitedStacks: undefined };
  const planningRun = openTwinRun(runs, session.ledger);
  const planNow =
    rehearsedStacks.length === 0 ? twinPlan.onTwin : await openSessionPlan(planningRun.session, options);
  const { notModelled } = twinPlan;
  const modelled = await planModelled(planningRun.session, options, planned, planNow, notModelled);
  return { ...modelled, runs: { ...runs, desired: modelled.desired } };
}
