import type { HistoryUpdate } from '../ledger/documents.ts';
import { createLedgerKeeper, type LedgerKeeper } from '../ledger/keep-ledger.ts';
import type { Lease, LeaseClock } from '../ledger/lease.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { ActionEvent, ApplyEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { standardActionsAtOnce } from '../model/planned-action.ts';
import { isRead, readOnly, type Send } from '../model/request.ts';
import { createRefresh } from '../observe/refresh.ts';
import { canaryCheck } from './check-first-change.ts';
import type { Deliveries } from './deliveries.ts';
import { execute } from './execute.ts';
import type { Planned } from './open-plan.ts';
import { owedAtStart, performActions } from './perform-actions.ts';
import type { Session } from './session.ts';

/** The record of a run, which is written with its ledger. */
interface Recording {
  /** The run for people: `run 12, ada`. */
  name: string;
  composeUpdate(): HistoryUpdate;
  addEvent(event: ApplyEvent): void;
  end(outcome: Outcome): void;
}

export interface ApplyOptions {
  /** The most concurrent operations. */
  parallelism: number;
  /** Milliseconds that the platform may take to show a write. Default: none. */
  settle?: number;
  /** Delivers the secrets that are shown only once. */
  deliveries: Deliveries;
  /** Makes all that the ledger needs and does not have, above all its key. Throws `Problems`. */
  prepare?(): Promise<void>;
  /** Begins the record of this run, once the key is there. Without it, no record is kept. */
  record?(): Promise<Recording>;
  /** Called after all checks, before the first event. `flush` writes all that is known, for a run that has to end at once. */
  onStart?(flush: () => Promise<void>): void;
  onEvent?(event: ApplyEvent): void;
  /** Told of the actions that follow the changes. */
  onAction?(event: ActionEvent): void;
  /** The most actions that run at once. */
  actionsAtOnce?: number;
  /** Called after the ledger is kept, even if its lease was lost. */
  onEnd?(outcome: Outcome): void;
  /** Once aborted, nothing new is started, and requests in flight get only a moment. */
  stop?: AbortSignal;
}

/**
 * Applies an approved plan, and keeps the ledger as it goes. The session holds the lease of its ledger; once that is lost, nothing more is
 * written, and `Problems` say who has it. Never throws for an answer of the platform: see the outcome.
 */
export async function apply(session: Session, planned: Planned, options: ApplyOptions): Promise<Outcome> {
  const { lease, clock, connection } = session;
  const { plan, live, ledger, desired, aliases, moves, digest } = planned;
  const { deliveries, parallelism, onEvent = () => {} } = options;
  if (!lease) throw new Error('a plan can only be applied while holding the lease of its ledger');
  await lease.confirm();
  refuseOtherLedger(session, ledger);
  await options.prepare?.();
  await deliveries.check();
  const { kinds, secrets, masking, key } = session;
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
  const send = stopping.wrap(connection.send);
  const read = readOnly(send);
  try {
    const run = recording?.name;
    const { owed: _, ...kept } = ledger;
    const owed = owedAtStart(plan.actions ?? [], ledger, { run, now: clock.now() });
    const { outcome: changed, ledger: after } = await execute({
      plan,
      live,
      ledger: {
        ...kept,
        plan: digest,
        ...(owed ? { owed } : {}),
        ...(run === undefined ? {} : { lastRun: run }),
      },
      moves,
      kinds,
      secrets,
      masking,
      key,
      inputs: desired.inputs,
      contents: desired.contents,
      send: whileHeld(lease, send),
      quota: connection,
      deliver: deliveries.deliver,
      parallelism,
      onEvent: (event) => {
        recording?.addEvent(event);
        onEvent(event);
      },
      // With actions to follow, it is not over yet.
      onOutcome: (outcome) => {
        if (!hasActions(plan)) recording?.end(outcome);
      },
      save: keeper.save,
      checkCanary:
        plan.firstContact?.firstChange === undefined
          ? undefined
          : canaryCheck({
              ...{ planned, clock, send: read, settle: options.settle ?? 0, stop: stopping.signal },
              say: (text) => session.say(text),
            }),
      refresh: createRefresh({
        ...{ desired, ledger, kinds, send: read, key, aliases },
        facts: session.owner.facts,
        before: live,
      }),
      now: clock.now,
      stop: stopping.signal,
    });
    const outcome = await followed(session, planned, options, {
      ...{ changed, ledger: after, run, recording, stop: stopping.signal },
      send: whileHeld(lease, send),
      save: (next, { everywhere } = { everywhere: true }) => keeper.save(next, { touched: [], everywhere }),
    });
    await keeper.close();
    options.onEnd?.(outcome);
    lease.lost.throwIfAborted();
    return outcome;
  } catch (error) {
    // That is why whatever failed did.
    lease.lost.throwIfAborted();
    throw error;
  } finally {
    // Also after a failure: what was done is kept if it can be.
    await keeper.close().catch(() => {});
    stopping.done();
  }
}

const hasActions = ({ actions = [] }: Plan): boolean => actions.some(({ state }) => state !== 'left');

interface Following {
  /** The outcomes of the changes. */
  changed: Outcome;
  ledger: Ledger;
  run: string | undefined;
  recording: Recording | undefined;
  stop: AbortSignal;
  send: Send;
  save: Parameters<typeof performActions>[0]['save'];
}

/** Runs the actions that follow the changes; returns the outcome of both. */
async function followed(
  session: Session,
  { plan, desired, live }: Planned,
  { onAction = () => {}, actionsAtOnce = standardActionsAtOnce }: ApplyOptions,
  { changed, recording, save, ...rest }: Following,
): Promise<Outcome> {
  const { actions = [] } = plan;
  if (!hasActions(plan)) return changed;
  const dayTwo = await session.dayTwo();
  const { outcomes, ledger } = await performActions({
    ...{ actions, dayTwo, outcome: changed, known: { desired, live }, ...rest, save },
    ...{ lookUp: session.lookUp, clock: session.clock, atOnce: actionsAtOnce, say: session.say, onAction },
  });
  const outcome = { ...changed, actions: outcomes };
  recording?.end(outcome);
  await save(ledger);
  return outcome;
}

/** Keeps the ledger while the lease is held: a later holder works with what is in the ledger. */
const openKeeper = (session: Session, lease: Lease, recording: Recording | undefined): LedgerKeeper => {
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

/** Sends writes only while the lease is held: checks before each, and again if a request had to wait. */
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

/** Refuses a ledger that somebody else has changed between the plan and the lease. */
function refuseOtherLedger({ ledger, store }: Session, planned: Ledger): void {
  if (ledger.generation === planned.generation) return;
  throw new Problems([
    problem('ledger/moved', `the ledger ${store.place} was changed after the plan was shown`, {
      hint: 'nothing was changed; run it again to see the current plan',
    }),
  ]);
}

/** The time that a stopped run waits for requests in flight, in milliseconds. */
const patience = 5000;

/** Thrown for a request that was not answered before the run ended. */
class Unanswered extends Error {
  readonly sent = true;
  readonly code = 'apply/unanswered';
  readonly hint = 'plan again to determine its outcome';

  constructor() {
    super('it was sent, but the run was stopped before the response arrived');
  }
}

interface StoppingOptions {
  clock: Pick<LeaseClock, 'sleep'>;
  /** Aborted when somebody wants the run to stop. */
  stop?: AbortSignal | undefined;
  /** Aborted once the lease belongs to somebody else. */
  lost: AbortSignal;
  /** Writes all that is known. */
  flush(): Promise<void>;
  say(text: string): void;
}

/** The early end of a run that changes the account. */
interface Stopping {
  /** Once aborted, nothing new is started. */
  signal: AbortSignal;
  /** Sends as before, but rejects once requests in flight have had their time: their outcome is then unknown. */
  wrap(send: Send): Send;
  /** The run is over. */
  done(): void;
}

/** Stops a run: when asked to, with a time limit for requests in flight; when its lease is lost, without one. */
function openStopping({ clock, stop, lost, flush, say }: StoppingOptions): Stopping {
  const [stopped, waitedFor, ended] = [new AbortController(), new AbortController(), new AbortController()];
  const givenUp = new Promise<never>((_, reject) => {
    waitedFor.signal.addEventListener('abort', () => reject(new Unanswered()));
  });
  givenUp.catch(() => {});
  const onStop = () => {
    stopped.abort();
    void flush().catch(() => {});
    say(
      `Stopping: running requests have ${patience / 1000} s to finish, and nothing new is started. Press Ctrl-C again to stop at once.`,
    );
    void clock.sleep(patience, ended.signal).then(
      () => waitedFor.abort(),
      () => {},
    );
  };
  const onLost = () => {
    stopped.abort();
    say("Stopping: this run lost the ledger's lease. Running requests finish, and nothing new is started.");
  };
  stop?.addEventListener('abort', onStop);
  lost.addEventListener('abort', onLost);
  if (stop?.aborted) onStop();
  return {
    signal: stopped.signal,
    wrap: (send) => (request, confirm) => Promise.race([send(request, confirm), givenUp]),
    done: () => {
      ended.abort();
      stop?.removeEventListener('abort', onStop);
      lost.removeEventListener('abort', onLost);
    },
  };
}
