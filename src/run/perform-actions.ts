import type { LookupGround } from '../action/read-lookup.ts';
import { isSoAlready, requestOf } from '../action/request-of.ts';
import { lookForSent, Refused, type SendingGround, sendAction, Unknown } from '../action/send-action.ts';
import type { Action, DayTwo } from '../kind/action.ts';
import { Problems } from '../model/diagnostic.ts';
import type { ActionEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { ActionOutcome, OwedAction, PlannedAction } from '../model/planned-action.ts';
import type { Send } from '../model/request.ts';
import { shellWord } from '../model/shell-word.ts';
import { definedOnly } from '../model/walk.ts';
import { mayConcern } from '../plan/asked-actions.ts';
import { type LookUp, withLookups } from './look-up-values.ts';
import { type ActionInputSource, alreadySo, filledInput, idsOf, unknownWhy } from './planned-actions.ts';

interface PerformOptions {
  actions: readonly PlannedAction[];
  dayTwo: DayTwo & Pick<LookupGround, 'queryOf'>;
  /** The outcomes of the changes. */
  outcome: Outcome;
  /** The run, for people. */
  run: string | undefined;
  known: Omit<ActionInputSource, 'ledger'>;
  /** The ledger after the changes. */
  ledger: Ledger;
  send: Send;
  lookUp: LookUp;
  clock: SendingGround['clock'];
  atOnce: number;
  stop: AbortSignal;
  say(text: string): void;
  /** Stores the ledger: in the journal, or with `everywhere` wherever it is kept, as around each request that cannot be repeated. */
  save(ledger: Ledger, how?: { everywhere: boolean }): Promise<void>;
  onAction(event: ActionEvent): void;
}

/** The debts that a run begins with: all that it may come to owe is stored before its first write. */
export function owedAtStart(
  actions: readonly PlannedAction[],
  { owed = {} }: Pick<Ledger, 'owed'>,
  { run, now }: { run: string | undefined; now: number },
): Ledger['owed'] {
  const since = new Date(now).toISOString();
  const debts: [string, OwedAction][] = actions.flatMap((plannedAction): [string, OwedAction][] => {
    const { id, action, about, input, from, state, after } = plannedAction;
    if (state === 'left')
      return plannedAction.owed ? [[idOfDebt(plannedAction, owed), plannedAction.owed]] : [];
    if (state === 'over' && after.length === 0) return [];
    const debt: OwedAction = {
      ...{ action, ...(about === undefined ? {} : { about }), input, from, since },
      ...(run === undefined ? {} : { run }),
    };
    // What was asked for before is older than what changes now, and the newest input wins.
    if (after.length === 0 && plannedAction.owed) return [[id, { ...plannedAction.owed, input, from }]];
    return [[id, { ...debt, ...markOf(plannedAction.owed) }]];
  });
  return debts.length > 0 ? Object.fromEntries(debts) : undefined;
}

const markOf = ({ mark, sent }: Partial<OwedAction> = {}): Pick<OwedAction, 'mark' | 'sent'> =>
  definedOnly({ mark, sent }) as Pick<OwedAction, 'mark' | 'sent'>;

/** The id of a debt, which stays the same even if its input has changed. */
const idOfDebt = ({ id, owed }: PlannedAction, all: NonNullable<Ledger['owed']>): string =>
  Object.entries(all).find(([, one]) => one === owed)?.[0] ?? id;

/**
 * Runs the actions that follow the changes of a run, some at a time. Never throws for an answer of the platform. An action that is not
 * done stays owed in the ledger.
 */
export async function performActions(
  options: PerformOptions,
): Promise<{ outcomes: ActionOutcome[]; ledger: Ledger }> {
  const { actions, atOnce } = options;
  const performer = new ActionPerformer(options);
  const waiting = actions.filter(
    ({ state, after }) => state !== 'left' && !(state === 'over' && after.length === 0),
  );
  const outcomes: ActionOutcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes.push(await performer.perform(next));
  };
  const workers = Array.from({ length: Math.min(atOnce, waiting.length) }, work);
  const results = await Promise.allSettled(workers);
  // A ledger that cannot be kept, or a lease that is lost.
  const broken = results.find((result) => result.status === 'rejected');
  if (broken) throw broken.reason;
  return { outcomes: outcomes.sort((a, b) => (a.id < b.id ? -1 : 1)), ledger: performer.ledger };
}

/** So long after an unanswered request its effect has to be visible, in milliseconds: then it can be sent again. */
const resentAfter = 10 * 60_000;

/** Milliseconds between the two reads that have to agree. */
const betweenReads = 5000;

class ActionPerformer {
  ledger: Ledger;
  readonly #options: PerformOptions;

  constructor(options: PerformOptions) {
    this.#options = options;
    this.ledger = options.ledger;
  }

  async perform(planned: PlannedAction): Promise<ActionOutcome> {
    const { stop, onAction, outcome } = this.#options;
    const { id } = planned;
    const why = stop.aborted || outcome.interrupted ? 'the run was stopped' : heldBackBy(planned, outcome);
    if (why !== undefined && isUntouched(planned, outcome)) {
      // They ask for it again once they are done.
      await this.#settle(id);
      return this.#ended(planned, { id, result: 'nothing', why: 'nothing that it follows was changed' });
    }
    if (why !== undefined) return this.#ended(planned, { id, result: 'owed', why });
    onAction({ action: planned });
    return this.#ended(planned, await this.#done(planned));
  }

  #ended(action: PlannedAction, outcome: ActionOutcome): ActionOutcome {
    this.#options.onAction({ action, outcome });
    return outcome;
  }

  async #done(planned: PlannedAction): Promise<ActionOutcome> {
    const { id, about } = planned;
    const { dayTwo, known, send, clock } = this.#options;
    const action = dayTwo.actions.get(planned.action)!;
    const now = { ...known, ledger: this.ledger };
    const ids = about === undefined ? new Map<string, string>() : idsOf(about, now);
    if (!ids) return { id, result: 'owed', why: 'its target is not known yet' };
    const ground = (mark: string, sent = clock.now()): SendingGround => ({
      ...{ send: (request) => send(request), queryOf: dayTwo.queryOf, lookups: dayTwo.lookups },
      ...{ ids, mark, since: sent, clock, stop: this.#options.stop, say: this.#options.say, searchFor: 0 },
    });
    try {
      // First of all: what may have been done already is not forgotten because something else cannot be read.
      const before = await this.#sentBefore(planned, action, ground);
      if (before) return before;
      const { lookUp } = this.#options;
      const input = filledInput(
        { input: await withLookups(planned.input, known.desired.lookups, lookUp) },
        now,
      );
      if (!input) return { id, result: 'owed', why: 'its input is not known yet' };
      const mark = crypto.randomUUID();
      const since = planned.after.length > 0 ? clock.now() : Date.parse(planned.owed!.since);
      const given = { input, ids, mark, since };
      const request = (await isSoAlready(action, given, dayTwo.lookups, ground(mark)))
        ? { nothing: alreadySo }
        : await requestOf(action, given, ground(mark));
      if ('busy' in request) return { id, result: 'owed', why: request.busy };
      if ('nothing' in request) {
        await this.#settle(id);
        return { id, result: 'nothing', why: request.nothing };
      }
      if (!action.repeatable) await this.#noteMark(id, mark);
      const answer = await sendAction(action, request.request, ground(mark)).catch(async (error) => {
        if (error instanceof Refused) await this.#noteMark(id, undefined);
        throw error;
      });
      await this.#settle(id, { everywhere: !action.repeatable });
      return { id, result: 'done', input, answer: { ...answer } };
    } catch (error) {
      const isSentAgainLater = error instanceof Unknown && action.lost && !action.repeatable;
      if (!isSentAgainLater) return notDone(id, error);
      return { id, result: 'owed', why: notShownYet('this run', clock.now()), hint: unknownHint(planned) };
    }
  }

  /**
   * The result of an earlier run's unanswered request; undefined if the action may be sent: there was no such request, it is safe to
   * repeat, or two complete reads show, long enough after it, that it did nothing.
   */
  async #sentBefore(
    planned: PlannedAction,
    action: Action,
    ground: (mark: string, sent: number) => SendingGround,
  ): Promise<ActionOutcome | undefined> {
    const { id, owed } = planned;
    if (owed?.mark === undefined || action.repeatable) return undefined;
    if (!action.lost)
      return { id, result: 'unknown', why: unknownWhy(planned, action), hint: unknownHint(planned) };
    const { clock, stop } = this.#options;
    const sent = Date.parse(owed.sent ?? owed.since);
    const look = () => lookForSent(action, ground(owed.mark!, sent));
    let found = await look();
    if (found === 'absent' && clock.now() >= sent + resentAfter) {
      await clock.sleep(betweenReads, stop).catch(() => {});
      found = await look();
      if (found === 'absent') return undefined;
    }
    if (found === 'absent' || found === 'unread')
      return {
        id,
        result: 'owed',
        why: notShownYet(owed.run ?? 'an earlier run', sent),
        hint: unknownHint(planned),
      };
    // What was made before these changes does not have them.
    if (planned.after.length > 0) return undefined;
    await this.#settle(id, { everywhere: true });
    return { id, result: 'done', answer: { ...found } };
  }

  /** Removes a debt. */
  #settle(id: string, how = { everywhere: false }): Promise<void> {
    const { [id]: _, ...others } = this.ledger.owed ?? {};
    return this.#keep(others, how);
  }

  /** Notes the mark before the request is sent; removes it if the request was refused, and had no effect. */
  async #noteMark(id: string, mark: string | undefined): Promise<void> {
    const { [id]: debt, ...others } = this.ledger.owed ?? {};
    if (!debt || debt.mark === mark) return;
    const { mark: _, sent: __, ...unmarked } = debt;
    const sent = new Date(this.#options.clock.now()).toISOString();
    const owed = { ...others, [id]: mark === undefined ? unmarked : { ...unmarked, mark, sent } };
    await this.#keep(owed, { everywhere: true });
  }

  async #keep(owed: NonNullable<Ledger['owed']>, how: { everywhere: boolean }): Promise<void> {
    const { owed: _, ...rest } = this.ledger;
    this.ledger = Object.keys(owed).length > 0 ? { ...rest, owed } : rest;
    await this.#options.save(this.ledger, how);
  }
}

function notDone(id: string, error: unknown): ActionOutcome {
  // Anything but `Problems` is a read that failed: nothing was sent.
  const { message, hint } =
    error instanceof Problems ? error.diagnostics[0]! : (error as Error & { hint?: string });
  const { isForLater } = error as { isForLater?: boolean };
  const result = error instanceof Unknown ? 'unknown' : isForLater ? 'owed' : 'refused';
  return { id, result, why: message, ...(hint === undefined ? {} : { hint }) };
}

/** Why an action has to wait: a change before it, or another one of its subject, is not done. */
function heldBackBy(planned: PlannedAction, { failed, left, skipped }: Outcome): string | undefined {
  const first = [...failed, ...left, ...skipped].find(({ address }) => mayConcern(address, planned));
  return first && `${first.address} was not changed`;
}

/** True if none of the changes that ask for it was begun, and it was not owed before. */
const isUntouched = ({ after, owed }: PlannedAction, { skipped, left }: Outcome): boolean => {
  const untouched = new Set([...skipped, ...left].map(({ address }) => address));
  return owed === undefined && after.length > 0 && after.every((address) => untouched.has(address));
};

/** Why an action that was sent without an answer is not sent again yet. */
const notShownYet = (run: string, sent: number): string => {
  const time = new Date(sent + resentAfter).toISOString().slice(11, 16);
  return `${run} sent it and got no response, and the account does not show it: from ${time} UTC on, an apply sends it again if that is still so`;
};

const unknownHint = ({ action, about }: PlannedAction): string => {
  const what = [action, about]
    .filter((part) => part !== undefined)
    .map(shellWord)
    .join(' ');
  return `check the account; then send it with \`trueup run ${what} --again\` or drop it with \`trueup run ${what} --skip\``;
};
