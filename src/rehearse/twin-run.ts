/*
 * Runs against a filled twin. Most begin with the same account and the same ledger. A run after a crash, or after the applies of earlier
 * plans, begins with the account and the ledgers that these left.
 *
 * A step of a run is a request that it sends, a write of its ledger, or a line of its journal. Steps are numbered from 1 in the order of
 * the run, which is always the same because operations are carried out one at a time.
 */
import type { LeaseClock } from '../ledger/keep-lease.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Dispatch, Request, Send } from '../model/request.ts';
import type { Desired } from '../model/resource.ts';
import { applyPlan } from '../run/apply.ts';
import { type OpenPlanOptions, openSessionPlan, type Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { type Verified, verify } from '../run/verify.ts';
import type { RehearsalTwin } from './open-twin.ts';
import {
  createMemoryLedger,
  createRehearsalSession,
  type MemoryLedger,
  type RehearsedSession,
} from './rehearsal-session.ts';

/** What all runs of a rehearsal share. */
export interface TwinRuns {
  /** The session of the real run, as far as a rehearsal may read it. */
  session: RehearsedSession;
  rehearsalTwin: RehearsalTwin;
  desired: Desired;
  secrets: RunSession['secrets'];
  key: LedgerKey;
  clock: LeaseClock;
}

/** A step of a run at its beginning: a request to the twin, or a write of the ledger or its journal. */
export interface RunStep {
  type: 'request' | 'ledger' | 'journal';
  request?: Request;
}

/** Observes the steps of a run. If a function throws, the run ends like a crash. */
export interface RunObserver {
  /** Sends the requests to the twin. Default: its connection. Further requests that it sends are no steps. */
  send?: Send;
  onStep?(step: RunStep): void;
  /** Called after a request was answered, before the run hears of it. */
  onAnswer?(request: Request): void;
}

/** One run: its session, and the ledger that it leaves. */
export interface TwinRun {
  session: RunSession;
  ledger: MemoryLedger;
}

/**
 * Opens a run on the twin (the simulated account of `plan --rehearse`) with this ledger, in memory. Opening does not reset the twin's
 * account (callers use `restoreAccount`). `send` replaces the sending of requests. `onStep` observes the requests and the writes of the
 * ledger and its journal, and `onAnswer` the answers, to stop the run at any of them, for example.
 */
export function openTwinRun(
  { session, rehearsalTwin, ...runs }: TwinRuns,
  initialLedger: Ledger,
  { send = rehearsalTwin.connection.send, onStep = () => {}, onAnswer = () => {} }: RunObserver = {},
): TwinRun {
  const ledger = createMemoryLedger(
    initialLedger,
    () => session.store.proof(),
    (type) => onStep({ type }),
  );
  const connection = {
    ...rehearsalTwin.connection,
    send: async (request: Request, confirm?: () => Promise<void>, dispatch?: Dispatch) => {
      onStep({ type: 'request', request });
      const answer = await send(request, confirm, dispatch);
      onAnswer(request);
      return answer;
    },
  };
  return {
    ledger,
    session: createRehearsalSession(session, {
      ...runs,
      rehearsalTwin: { ...rehearsalTwin, connection },
      store: ledger.store,
      ledger: initialLedger,
    }),
  };
}

/** The outcome of an apply that was not tried. */
const emptyOutcome: Outcome = {
  done: [],
  failed: [],
  postponed: [],
  skipped: [],
  overwritten: [],
  interrupted: false,
};

/**
 * Applies a plan to the twin (the simulated account of a rehearsal), one operation after the other. A plan with errors is not applied:
 * nothing of it is rehearsed then. Secrets that the twin shows once are its own, and go nowhere. `onEvent`: gets the events of the apply.
 */
export const applyToTwin = async (
  session: RunSession,
  planned: Planned,
  onEvent: (event: ApplyEvent) => void = () => {},
): Promise<Outcome> =>
  hasErrors(planned.plan.diagnostics)
    ? emptyOutcome
    : applyPlan(session, planned, {
        parallelism: 1,
        onEvent,
        deliveries: { check: async () => {}, deliver: async () => {} },
      });

/** True if an apply did everything that its plan says. */
export const isDone = ({ failed, skipped, postponed }: Outcome): boolean =>
  failed.length + skipped.length + postponed.length === 0;

/**
 * Plans again after an apply to the twin (the simulated account of a rehearsal), as after a real apply, and finds changes that the plan
 * does not contain. Does not wait, because the twin shows each write at once.
 */
export const verifyOnTwin = (
  session: RunSession,
  applied: Planned,
  options: OpenPlanOptions,
): Promise<Verified> =>
  verify(session, applied, {
    ...options,
    within: 0,
    onWait: () => {},
    stop: new AbortController().signal,
  });

/**
 * Plans what a killed run has left to do, with the options of its command. An object that the command names, for a deletion for example,
 * may be gone by then.
 */
export const planRestOnTwin = (session: RunSession, options: OpenPlanOptions): Promise<Planned> =>
  openSessionPlan(session, { ...options, toleratesMissing: 'one-of-several' });

/** Returns the second plan after an apply. It is empty if the apply did everything. */
export const planAgainOnTwin = (session: RunSession, options: OpenPlanOptions): Promise<Planned> =>
  planRestOnTwin(session, { ...options, sendUnverified: [] });
