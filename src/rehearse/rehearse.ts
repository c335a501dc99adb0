/*
 * Rehearses a plan: applies it to a twin that is filled with the observed part of the account.
 *
 *   1. Fill an empty twin with the observed objects (`fillTwin`).
 *   2. Plan the same configuration with the same ledger on the twin. Whatever differs from the plan of the account is not modelled (`compareFill`), and
 *      changes that it concerns are left out (`excludes`).
 *   3. Apply the plan with the real applier, and plan again.
 *
 * The rehearsal writes to the twin and to a ledger in memory, and to nothing else.
 */

import { randomBytes } from 'node:crypto';
import type { Provider } from '../kind/provider.ts';
import { globOf, globWithContents } from '../model/address.ts';
import { hasErrors, raiseErrors } from '../model/diagnostic.ts';
import { ledgerKeyFrom } from '../model/digest.ts';
import type { Outcome } from '../model/event.ts';
import { standardParallelism } from '../model/planned-action.ts';
import type { NotModelled, Rehearsal } from '../model/rehearsal.ts';
import { applyPlan } from '../run/apply.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { verify } from '../run/verify.ts';
import { compareFill } from './compare-fill.ts';
import { fillTwin } from './fill-twin.ts';
import { withPlaceholders } from './live-to-desired.ts';
import { openRehearsalTwin } from './open-twin.ts';
import { createRehearsalClock } from './rehearsal-clock.ts';
import { createMemoryLedger, createRehearsalSession } from './rehearsal-session.ts';
import { type RehearsalFacts, toRehearsal } from './to-rehearsal.ts';
import { observeApply } from './verdicts/judge-rehearsed-apply.ts';

export interface RehearseOptions {
  provider: Provider;
  /** The options that the plan was made with. */
  planOptions: OpenPlanOptions;
}

/**
 * Rehearses a plan of a session. The plan must have no errors. Changes neither the account nor the ledger nor any file. Throws `Problems` if no twin can be
 * started.
 */
export async function rehearse(
  session: RunSession,
  planned: Planned,
  { provider, planOptions }: RehearseOptions,
): Promise<Rehearsal> {
  raiseErrors(planned.plan.diagnostics);
  const clock = createRehearsalClock(() => session.clock.now());
  const rehearsalTwin = await openRehearsalTwin(provider, session.owner, clock);
  try {
    const key = session.key ?? ledgerKeyFrom(randomBytes(32).toString('base64url'));
    const { live } = planned;
    const leftOut = await fillTwin(rehearsalTwin, {
      ...{ live, kinds: session.kinds, key, clock },
      parallelism: standardParallelism,
    });
    const ledger = createMemoryLedger(session.ledger, () => session.store.proof());
    const { secrets, placeholders } = withPlaceholders(planned.desired, session.secrets);
    const twinSession = createRehearsalSession(session, {
      ...{ rehearsalTwin, key, clock, secrets, store: ledger.store },
      desired: planned.desired,
      ledger: session.ledger,
    });
    const twinOptions: OpenPlanOptions = { ...planOptions, settle: 0, noActions: true };
    const onTwin = await openPlan(twinSession, twinOptions);
    const notModelled = compareFill({ real: planned, onTwin, kinds: session.kinds, leftOut });
    const modelledOptions = leaveOutUnmodelled(twinOptions, notModelled);
    const rehearsed = modelledOptions === twinOptions ? onTwin : await openPlan(twinSession, modelledOptions);
    const observed = await observeApply(twinSession, rehearsed, await provider.meaning());
    const counter = countRequests(twinSession);
    const result = await applyRehearsed(twinSession, rehearsed, modelledOptions);
    return toRehearsal({
      ...{ planned, rehearsed, notModelled, placeholders },
      ...result,
      visitors: result.verified && (await observed.judge()),
      requests: counter.count(),
      mask: (text) => session.masking.mask(rehearsalTwin.masking.mask(text)),
    });
  } finally {
    await rehearsalTwin.close();
  }
}

/** Returns the options of a plan on the twin without the changes that something unmodelled concerns; the same options if there are none. */
function leaveOutUnmodelled(options: OpenPlanOptions, notModelled: readonly NotModelled[]): OpenPlanOptions {
  const concerned = notModelled.flatMap(({ isConcerned, address }) => (isConcerned ? [address] : []));
  if (concerned.length === 0) return options;
  const excludes = concerned.flatMap((address) => [globOf(address), globWithContents(address)]);
  return { ...options, excludes: [...(options.excludes ?? []), ...excludes], toleratesMissing: 'one' };
}

/** Counts the requests that a session sends from now on. */
function countRequests(session: RunSession): { count(): number } {
  const { connection } = session;
  let sent = 0;
  session.connection = {
    ...connection,
    send: (...request) => {
      sent += 1;
      return connection.send(...request);
    },
  };
  return { count: () => sent };
}

/** What an apply to the twin has come to. */
type RehearsedApply = Pick<RehearsalFacts, 'outcome' | 'verified'>;

/** The outcome of an apply that was not tried. */
const emptyOutcome: Outcome = {
  ...{ done: [], failed: [], postponed: [], skipped: [], overwritten: [] },
  interrupted: false,
};

/** Applies a plan to the twin, and plans again. A plan with errors is not applied: nothing of it is rehearsed then. */
async function applyRehearsed(
  session: RunSession,
  planned: Planned,
  options: OpenPlanOptions,
): Promise<RehearsedApply> {
  if (hasErrors(planned.plan.diagnostics)) return { outcome: emptyOutcome };
  const outcome = await applyPlan(session, planned, {
    parallelism: standardParallelism,
    // Secrets that the twin shows once are its own, and go nowhere.
    deliveries: { check: async () => {}, deliver: async () => {} },
  });
  if (outcome.failed.length + outcome.skipped.length + outcome.postponed.length > 0) return { outcome };
  const verified = await verify(session, planned, {
    ...options,
    within: 0,
    onWait: () => {},
    stop: new AbortController().signal,
  });
  return { outcome, verified };
}
