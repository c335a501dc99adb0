import type { HistoryUpdate } from '../ledger/documents.ts';
import type { Lease } from '../ledger/keep-lease.ts';
import { createLedgerKeeper, type LedgerKeeper } from '../ledger/keep-ledger.ts';
import { raise } from '../model/diagnostic.ts';
import type { ActionEvent, ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { standardActionsAtOnce } from '../model/planned-action.ts';
import { isRead, readOnly, type Send } from '../model/request.ts';
import { dropUndefined } from '../model/walk.ts';
import { canaryCheck } from './check-first-change.ts';
import type { Deliveries } from './deliveries.ts';
import { execute } from './execute.ts';
import type { ExecuteOptions } from './execute-options.ts';
import { hideObjectsOfOthers } from './hide-objects-of-others.ts';
import type { Planned } from './open-plan.ts';
import { createPlanRefresh } from './open-plan.ts';
import { openStopping } from './open-stopping.ts';
import { owedAtStart, performActions } from './perform-actions.ts';
import type { RunSession } from './session.ts';

/** The record of a run for the history. The history is stored beside the ledger. */
interface RunRecording {
  /** The name of the run for people: `run 12, ada`. */
  name: string;
  /** Returns the documents to store with the ledger. */
  composeUpdate(): HistoryUpdate;
  addEvent(event: ApplyEvent): void;
  end(outcome: Outcome): void;
}

export interface ApplyPlanOptions {
  /** The most concurrent operations. */
  parallelism: number;
  /** Milliseconds that the platform may take to show the canary. Default: none. */
  settle?: number;
  /** Delivers the secrets that are shown only once. */
  deliveries: Deliveries;
  /** Creates what the ledger needs and does not have yet, above all its key. Throws `Problems`. */
  prepare?(): Promise<void>;
  /** Begins the record of this run, after `prepare`. Without it, no record is kept. */
  record?(): Promise<RunRecording>;
  /** Called after all checks, before the first event. `flush` stores the ledger as it is, for a run that has to end at once. */
  onStart?(flush: () => Promise<void>): void;
  onEvent?(event: ApplyEvent): void;
  /**
   * Called for each action that follows the changes: when it starts, unless it is left undone, and when its outcome
   * is known.
   */
  onAction?(event: ActionEvent): void;
  /** The most actions that run at once. */
  actionsAtOnce?: number;
  /** Called with the outcome once the ledger is stored. A run that fails before that has no outcome. */
  onEnd?(outcome: Outcome): void;
  /** Once aborted, nothing new is started, and requests in flight get only a moment. */
  stop?: AbortSignal;
}

/**
 * Applies an approved plan, for `trueup apply` and the other commands that carry out a plan: sends the requests, runs the
 * actions that follow the changes, and stores the ledger as the run goes on. The session must hold the lease of its ledger (the
 * right of one run to write it). Returns the outcome of each change and action: a request that the platform refuses is an outcome,
 * not an exception. Throws `Problems` if the ledger has changed since the plan, if a secret could not be delivered, if the ledger
 * cannot be stored, or if the lease is lost; after a lost lease nothing more is written.
 */
export async function applyPlan(
  session: RunSession,
  planned: Planned,
  options: ApplyPlanOptions,
): Promise<Outcome> {
  const { lease, clock, connection } = session;
  if (!lease) throw new Error('a plan can only be applied while holding the lease of its ledger');
  await lease.confirm();
  refuseMovedLedger(session, planned.ledger);
  await options.prepare?.();
  await options.deliveries.check();
  const recording = await options.record?.();
  const keeper = openKeeper(session, lease, recording);
  options.onStart?.(keeper.flush);
  const stopping = openStopping({
    clock,
    stop: options.stop,
    lost: lease.lost,
    flush: keeper.flush,
    say: (text) => session.say(text),
  });
  const send = whileHeld(lease, stopping.wrap(connection.send));
  const run: OpenRun = { session, planned, options, recording, keeper, stop: stopping.signal, send };
  try {
    const outcome = await runFollowingActions(run, await applyChanges(run));
    await keeper.close();
    options.onEnd?.(outcome);
    lease.lost.throwIfAborted();
    return outcome;
  } catch (error) {
    // The lost lease caused the failure, so report it first.
    lease.lost.throwIfAborted();
    throw error;
  } finally {
    // After a failure, too, the ledger should have the finished changes.
    await keeper.close().catch(() => {});
    stopping.done();
  }
}

/** A run that sends requests. */
interface OpenRun {
  session: RunSession;
  planned: Planned;
  options: ApplyPlanOptions;
  recording: RunRecording | undefined;
  keeper: LedgerKeeper;
  /** Once aborted, nothing new is started. */
  stop: AbortSignal;
  /** Sends requests until the run is stopped, and writes only while it holds the lease. */
  send: Send;
}

/** The outcome of the changes of a plan, and the ledger after them. */
type ChangesResult = Awaited<ReturnType<typeof execute>>;

/**
 * Sends the requests of a plan's changes, and stores the ledger as they are done. Returns the outcome of each change,
 * and the ledger. Actions that follow the changes are recorded as owed before the first request, so that the next run
 * still does them if this one is interrupted.
 */
function applyChanges({
  session,
  planned,
  options,
  recording,
  keeper,
  stop,
  send,
}: OpenRun): Promise<ChangesResult> {
  const { clock, connection, kinds, secrets, masking, key } = session;
  const { plan, live, ledger, desired, moves, digest } = planned;
  const { deliveries, parallelism, settle = 0, onEvent = () => {} } = options;
  const read = readOnly(send);
  const run = recording?.name;
  const { owed: _, ...ledgerWithoutOwed } = ledger;
  const owed = owedAtStart(plan.actions ?? [], ledger, { run, now: clock.now() });
  // If the account is new to the ledger, one change (the canary) is sent first, and the others only if the account kept it.
  const hasCanary = plan.firstContact?.firstChange !== undefined;
  const say = (text: string) => session.say(text);
  return execute({
    plan,
    live,
    ledger: dropUndefined({ ...ledgerWithoutOwed, plan: digest, owed, lastRun: run ?? ledger.lastRun }),
    moves,
    kinds,
    secrets,
    masking,
    key,
    inputs: desired.inputs,
    contents: desired.contents,
    send,
    quota: connection,
    deliver: deliveries.deliver,
    parallelism,
    onEvent: (event) => {
      recording?.addEvent(event);
      onEvent(event);
    },
    // If actions follow, the record ends after them.
    onOutcome: (outcome) => {
      if (!hasActions(plan)) recording?.end(outcome);
    },
    save: keeper.save,
    checkCanary: hasCanary ? canaryCheck({ planned, clock, settle, send: read, stop, say }) : undefined,
    refresh: createRunRefresh(session, planned, read),
    now: clock.now,
    stop,
  });
}

/**
 * True if an apply may run actions after the changes of a plan, such as a redeployment. Actions that the user left
 * out (state `left`) do not count. The record of the run, which `trueup log` shows, stays open until the last of
 * these actions.
 */
const hasActions = ({ actions = [] }: Plan): boolean => actions.some(({ state }) => state !== 'left');

/**
 * Creates the function with which a run reads collections again, to check objects right before and after it writes them. Objects
 * without a name (such as webhooks) of other stacks are hidden from these readings, as they were from the plan. The returned function
 * takes the entries and the announced creations that the run has recorded so far (`ledgerNow`), because these objects are our own.
 * `read`: sends reads only.
 */
function createRunRefresh(session: RunSession, planned: Planned, read: Send): ExecuteOptions['refresh'] {
  const { live, ledger } = planned;
  const { kinds, key, readPartners } = session;
  const refresh = createPlanRefresh(session, planned, read);
  const foundIds = new Set([...live.resources.values()].flatMap(({ ids }) => ids));
  return async (collections, ledgerNow = {}) =>
    hideObjectsOfOthers(await refresh(collections, ledgerNow), {
      kinds,
      key,
      own: { ...ledger, entries: ledgerNow.entries ?? ledger.entries, begun: ledgerNow.intents },
      readPartners,
      foundIds,
      hiddenIds: live.hiddenIds,
    });
}

/**
 * Runs the actions of a plan after its changes (a redeployment, for example), at the end of an apply. Then ends the record of the run,
 * which `trueup log` shows, and stores the ledger. Returns the outcome of the changes and the actions. If no action will run, returns the
 * outcome of the changes alone: `applyChanges` has ended the record after the last change then.
 */
async function runFollowingActions(
  { session, planned, options, recording, keeper, stop, send }: OpenRun,
  { outcome: changeOutcome, ledger: ledgerAfterChanges }: ChangesResult,
): Promise<Outcome> {
  const { plan, desired, live } = planned;
  const { onAction = () => {}, actionsAtOnce = standardActionsAtOnce } = options;
  if (!hasActions(plan)) return changeOutcome;
  const save = (ledger: Ledger, { everywhere } = { everywhere: true }) =>
    keeper.save(ledger, { touched: [], everywhere });
  const { outcomes, ledger } = await performActions({
    actions: plan.actions!,
    // The declarations of all actions, loaded on first use.
    actionsAndLookups: await session.actionsAndLookups(),
    outcome: changeOutcome,
    ledger: ledgerAfterChanges,
    run: recording?.name,
    inputSource: { desired, live },
    send,
    save,
    lookUp: session.lookUp,
    clock: session.clock,
    parallelism: actionsAtOnce,
    stop,
    say: session.say,
    onAction,
  });
  const outcome = { ...changeOutcome, actions: outcomes };
  recording?.end(outcome);
  await save(ledger);
  return outcome;
}

/**
 * Opens the keeper that stores the ledger of a run after each change. It confirms the lease (the right of one run to
 * write the ledger) before each write, so that a run that lost it cannot overwrite the ledger of the next one. With
 * `recording`, each write also stores the run's entry in the history, so that `trueup log` shows a killed run, too. The
 * session gets each stored ledger, because the next steps of the run read it there.
 */
const openKeeper = (session: RunSession, lease: Lease, recording: RunRecording | undefined): LedgerKeeper => {
  const { store } = session;
  return createLedgerKeeper({
    store: {
      ...store,
      write: (next) =>
        lease.confirm().then(() => store.write(next, { historyUpdate: recording?.composeUpdate() })),
    },
    generation: session.ledger.generation,
    onWritten: (ledger) => {
      session.ledger = ledger;
    },
  });
};

/**
 * Wraps `send` so that a run that has lost its lease cannot write to the account, where another run may be at work.
 * Confirms the lease before each write, and again if the request had to wait for a rate limit. Reads are sent as they
 * are.
 */
const whileHeld =
  (lease: Lease, send: Send): Send =>
  async (request, confirm) => {
    if (isRead(request)) return send(request);
    await lease.confirm();
    return send(request, async () => {
      await lease.confirm();
      await confirm?.();
    });
  };

/**
 * Throws `Problems` if another run has written the ledger between planning and taking the lease. Called before the
 * first write, because the plan is based on the old ledger.
 */
function refuseMovedLedger({ ledger, store }: RunSession, plannedLedger: Ledger): void {
  if (ledger.generation === plannedLedger.generation) return;
  raise('ledger/moved', `the ledger ${store.place} was changed after the plan was shown`, {
    hint: 'nothing was changed; run it again to see the current plan',
  });
}
