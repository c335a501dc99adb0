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
import { type Address, globOf, globWithContents } from '../model/address.ts';
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
import { textsIn } from './unknown-names.ts';
import { type ObservedApply, observeApply } from './verdicts/judge-rehearsed-apply.ts';

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
    const { rehearsed, modelledOptions, notModelled } = await planModelled(
      twinSession,
      twinOptions,
      planned,
      leftOut,
    );
    const knownTexts = textsIn(rehearsalTwin.twin.copyAccount());
    const observed = await observeApply(twinSession, rehearsed, await provider.meaning());
    const counter = countRequests(twinSession);
    const result = await applyRehearsed(twinSession, rehearsed, modelledOptions, observed);
    return toRehearsal({
      ...{ planned, rehearsed, notModelled, placeholders, knownTexts },
      ...result,
      visitors: result.verified && (await observed.judge()),
      requests: counter.count(),
      mask: (text) => session.masking.mask(rehearsalTwin.masking.mask(text)),
    });
  } finally {
    await rehearsalTwin.close();
  }
}

/** A plan on the twin that can be applied there. */
interface ModelledPlan {
  rehearsed: Planned;
  /** The options of the plan: without the changes that something unmodelled concerns. */
  modelledOptions: OpenPlanOptions;
  notModelled: NotModelled[];
}

/**
 * Plans on the filled twin, and finds what it does not model. Changes that this concerns are left out, and so are changes that the planner refuses only on
 * the twin, for example because they name a person whom it does not have.
 */
async function planModelled(
  session: RunSession,
  options: OpenPlanOptions,
  planned: Planned,
  leftOut: ReadonlyMap<Address, string>,
): Promise<ModelledPlan> {
  const onTwin = await openPlan(session, options);
  const notModelled = compareFill({ real: planned, onTwin, kinds: session.kinds, leftOut });
  let rehearsed = onTwin;
  let modelledOptions = options;
  let excluded = 0;
  for (;;) {
    notModelled.push(...findRefusedOnTwin(rehearsed, planned, notModelled));
    const concerned = notModelled.filter(({ isConcerned }) => isConcerned);
    if (concerned.length === excluded) return { rehearsed, modelledOptions, notModelled };
    excluded = concerned.length;
    modelledOptions = leaveOut(options, concerned);
    rehearsed = await openPlan(session, modelledOptions);
  }
}

/**
 * Returns the changes that the planner refuses on the twin. The account's plan has no errors, so the twin lacks something. A refusal that names no object
 * is about the whole plan.
 */
function findRefusedOnTwin({ plan }: Planned, real: Planned, found: readonly NotModelled[]): NotModelled[] {
  const foundAddresses = new Set(found.flatMap(({ address, isConcerned }) => (isConcerned ? [address] : [])));
  const kindOf = new Map(real.plan.changes.map(({ address, kind }) => [address, kind]));
  const errors = plan.diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap((diagnostic) => diagnostic.folded ?? [diagnostic]);
  const refused = new Map(
    errors.flatMap(({ address, message }) => {
      const addresses = address === undefined ? kindOf.keys() : [address];
      return [...addresses].map((refusedAddress) => [refusedAddress, message] as const);
    }),
  );
  return [...refused].flatMap(([address, reason]) =>
    foundAddresses.has(address)
      ? []
      : [{ kind: kindOf.get(address) ?? '', address, reason, isConcerned: true }],
  );
}

/** Returns the options of a plan without the changes at these objects and in them. */
function leaveOut(options: OpenPlanOptions, concerned: readonly NotModelled[]): OpenPlanOptions {
  const excludes = concerned.flatMap(({ address }) => [globOf(address), globWithContents(address)]);
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
  { onEvent }: Pick<ObservedApply, 'onEvent'>,
): Promise<RehearsedApply> {
  if (hasErrors(planned.plan.diagnostics)) return { outcome: emptyOutcome };
  const outcome = await applyPlan(session, planned, {
    parallelism: standardParallelism,
    onEvent,
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
