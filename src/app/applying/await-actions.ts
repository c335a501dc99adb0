import { formatInputValue, type LookupRow, progressOf } from '../../action/lookup-rows.ts';
import { createRepeatedLookup, type LookupResult, pollUntilSettled } from '../../action/read-lookup.ts';
import type { Lookup } from '../../kind/lookup.ts';
import type { Outcome } from '../../model/event.ts';
import type { ActionOutcome, PlannedAction } from '../../model/planned-action.ts';
import { actionName } from '../../report/action-texts.ts';
import { tookText } from '../../report/count.ts';
import type { Planned } from '../../run/open-plan.ts';
import { fillActionInput, lineageIdsOf } from '../../run/planned-actions.ts';
import { type Session, unlockSession } from '../session/session.ts';

/** A look that found nothing out. */
interface Unread {
  why: string;
}

/** The end of the wait for the work that one action started. `state`: the last that was seen of it. */
export interface ActionEnd {
  action: PlannedAction;
  minutes: number;
  end: 'reached' | 'ended' | 'under way' | 'stopped';
  state: string;
}

/** Follows what the actions with a `wait` set going, without the lease, and says each state on the way; how each ended. */
export async function awaitStartedWork(
  session: Session,
  planned: Planned,
  { actions: outcomes = [] }: Outcome,
  watching: { stop: AbortSignal; say(text: string): void },
): Promise<ActionEnd[]> {
  const waits = (planned.plan.actions ?? []).flatMap((action) => {
    const outcome = outcomes.find(({ id, result }) => id === action.id && result === 'done');
    return action.wait !== undefined && outcome ? [{ action, outcome, minutes: action.wait }] : [];
  });
  if (waits.length === 0) return [];
  await unlockSession(session);
  return Promise.all(waits.map((wait) => awaitOne(session, planned, wait, watching)));
}

interface OneWait {
  action: PlannedAction;
  outcome: ActionOutcome;
  minutes: number;
}

async function awaitOne(
  session: Session,
  planned: Planned,
  { action, outcome, minutes }: OneWait,
  { stop, say }: { stop: AbortSignal; say(text: string): void },
): Promise<ActionEnd> {
  const { actions, lookups, queryOf } = await session.dayTwo();
  const { until } = actions.get(action.action)!;
  const lookup = lookups.get(until!.lookup)!;
  const known = { ...planned, ledger: session.ledger };
  const ids =
    (action.about === undefined ? undefined : lineageIdsOf(action.about, known)) ?? new Map<string, string>();
  const sending = {
    input: outcome.input ?? fillActionInput(action, known) ?? {},
    ids: Object.fromEntries(ids),
    foundValues: {},
    mark: '',
  };
  const ground = { send: session.connection.send, queryOf };
  const read = createRepeatedLookup(
    lookup,
    until!.input({ ...sending, answer: outcome.answer ?? {} }),
    ids,
    ground,
  );
  const { clock } = session.host;
  const started = clock.now();
  let state = '';
  const tell = (now: string) => {
    if (now !== state) say(`${actionName(action)}: ${now}`);
    state = now;
  };
  const stopped = new Promise<'stopped'>((done) => stop.addEventListener('abort', () => done('stopped')));
  const end = await Promise.race([
    stopped,
    pollUntilSettled<LookupResult | Unread>({
      // What was sent goes on, whether it can be looked at or not.
      look: () =>
        read().catch((error: Error & { mayBeCarriedOut?: boolean }) => {
          if (error.mayBeCarriedOut === undefined) throw error;
          return { why: session.masking.mask(error.message) };
        }),
      progressOf: (seen) => ('why' in seen ? 'under way' : lookupStandingOf(lookup, seen.rows)),
      onSeen: (seen) => tell('why' in seen ? `not known: ${seen.why}` : lookupStateOf(lookup, seen.rows)),
      clock,
      stop,
      timeout: minutes * 60_000,
    }),
  ]);
  if (end === 'reached') say(`${actionName(action)}: done after ${tookText(clock.now() - started)}`);
  return { end, action, minutes, state };
}

const lookupStateOf = ({ end }: Lookup, [row]: readonly LookupRow[]): string =>
  row && end ? formatInputValue(row[end.field]) : 'not shown yet';

const lookupStandingOf = (lookup: Lookup, [row]: readonly LookupRow[]) =>
  row ? progressOf(row, lookup, []) : 'under way';
