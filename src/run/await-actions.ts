import {
  createRepeatedLookup,
  formatInputValue,
  type LookupResult,
  type LookupRow,
  pollUntilSettled,
  progressOf,
} from '../action/read-lookup.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Outcome } from '../model/event.ts';
import type { ActionOutcome, PlannedAction } from '../model/planned-action.ts';
import { actionName } from '../report/action-texts.ts';
import { tookText } from '../report/text.ts';
import type { Planned } from './open-plan.ts';
import { fillActionInput, lineageIdsOf } from './planned-actions.ts';
import type { RunSession } from './session.ts';

/** A read of the started work that failed. The work may still go on. */
interface FailedRead {
  why: string;
}

/**
 * The end of the wait for the work that one action started, such as a deployment. `minutes`: the time limit. `state`:
 * the last state that was read, or why it could not be read; empty without any reading.
 *
 *   | end         | meaning                                      |
 *   | ----------- | -------------------------------------------- |
 *   | `reached`   | the work succeeded                           |
 *   | `ended`     | the work ended in another state              |
 *   | `under way` | no end was seen before the time limit        |
 *   | `stopped`   | the user stopped the wait                    |
 */
export interface ActionEnd {
  action: PlannedAction;
  minutes: number;
  end: 'reached' | 'ended' | 'under way' | 'stopped';
  state: string;
}

/** An action with `wait` that was sent, and the time limit of its wait. */
interface ActionWait {
  action: PlannedAction;
  outcome: ActionOutcome;
  minutes: number;
}

/** The caller of a wait: it can stop the wait, and shows its messages. */
interface WaitPort {
  /** Releases the lease. Called before the wait, because nothing more is written to the ledger. */
  unlock(): Promise<void>;
  stop: AbortSignal;
  say(text: string): void;
}

/**
 * Waits after an apply until the work that its `$then` actions with `wait` started (such as a deployment) has ended, and says each state on
 * the way. Returns how each wait ended, for the exit code. Releases the lease of the ledger before, so that other runs can apply.
 */
export async function awaitStartedWork(
  session: RunSession,
  planned: Planned,
  { actions: outcomes = [] }: Outcome,
  port: WaitPort,
): Promise<ActionEnd[]> {
  const waits = (planned.plan.actions ?? []).flatMap((action) => {
    const outcome = outcomes.find(({ id, result }) => id === action.id && result === 'done');
    return action.wait !== undefined && outcome ? [{ action, outcome, minutes: action.wait }] : [];
  });
  if (waits.length === 0) return [];
  await port.unlock();
  return Promise.all(waits.map((wait) => awaitWork(session, planned, wait, port)));
}

/**
 * Waits for the work that a `$then` action with `wait` has started, such as a deployment: reads its state until it ends, its time is over,
 * or the user stops the wait.
 */
async function awaitWork(
  session: RunSession,
  planned: Planned,
  wait: ActionWait,
  { stop, say }: WaitPort,
): Promise<ActionEnd> {
  const { action, minutes } = wait;
  const { lookup, read } = await createWorkReader(session, planned, wait);
  const { clock } = session;
  const start = clock.now();
  let state = '';
  const saySeen = (currentState: string) => {
    if (currentState !== state) say(`${actionName(action)}: ${currentState}`);
    state = currentState;
  };
  const end = await pollUntilSettled<LookupResult | FailedRead>({
    look: () =>
      read().catch((error: Error & { mayBeCarriedOut?: boolean }) => {
        // Only errors of requests have this member. The work goes on although its state could not be read.
        if (error.mayBeCarriedOut === undefined) throw error;
        return { why: session.masking.mask(error.message) };
      }),
    progressOf: (seen) => ('why' in seen ? 'under way' : lookupProgressOf(lookup, seen.rows)),
    onSeen: (seen) => saySeen('why' in seen ? `not known: ${seen.why}` : lookupStateOf(lookup, seen.rows)),
    clock,
    stop,
    timeout: minutes * 60_000,
  });
  if (end === 'reached') say(`${actionName(action)}: done after ${tookText(clock.now() - start)}`);
  return { end, action, minutes, state };
}

/**
 * Returns the lookup that shows the work which an action has started, such as a deployment, and a function to read it.
 * Used to wait for its end (`$then` with `wait`). The action's declaration names this lookup (`until`) and derives its
 * input from the input and the answer of the action.
 */
async function createWorkReader(session: RunSession, planned: Planned, { action, outcome }: ActionWait) {
  const { actions, lookups, queryOf } = await session.actionsAndLookups();
  const { until } = actions.get(action.action)!;
  const lookup = lookups.get(until!.lookup)!;
  const values = { ...planned, ledger: session.ledger };
  const ids = lineageIdsOf(action.about, values) ?? new Map<string, string>();
  const input = until!.input({
    // The outcome has no input if the account showed that an earlier request of the action was done.
    input: outcome.input ?? fillActionInput(action, values) ?? {},
    ids: Object.fromEntries(ids),
    // Only known while the action is sent.
    foundValues: {},
    mark: '',
    answer: outcome.answer ?? {},
  });
  const read = createRepeatedLookup(lookup, input, ids, { send: session.connection.send, queryOf });
  return { lookup, read };
}

/** Returns the state of the work that a `$then` action started (such as a deployment), as its lookup shows it, for messages. */
const lookupStateOf = ({ end }: Lookup, [row]: readonly LookupRow[]): string =>
  row && end ? formatInputValue(row[end.field]) : 'not shown yet';

/**
 * Tells whether the work that a `$then` action started has ended, by the end states of its lookup. The lookup may not show the work right
 * after the action was sent: then it is under way.
 */
const lookupProgressOf = (lookup: Lookup, [row]: readonly LookupRow[]) =>
  row ? progressOf(row, lookup) : 'under way';
