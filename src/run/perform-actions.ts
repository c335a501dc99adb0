/*
 * Runs the actions that follow the changes of a run, such as a redeployment.
 *
 * Terms
 * - debt, owed action: an action that has to run and has not. The ledger keeps it until it is done (`Ledger.owed`).
 * - subject: the address that an action is about.
 * - mark: a random text that is sent with an action's request. If no answer comes, the effect of the request is found in the account by its
 *   mark.
 * - repeatable action: sending it twice does no harm, so that it needs no mark.
 *
 * A request that is not repeatable is sent again only if it certainly had no effect: its answer was a refusal, or two complete readings at
 * least `resendDelay` after it do not show its mark.
 */

import type { LookupContext } from '../action/read-lookup.ts';
import {
  ActionOutcomeUnknown,
  ActionRefused,
  findSentObject,
  type SendingContext,
  sendAction,
} from '../action/send-action.ts';
import type { Action, ActionsAndLookups } from '../kind/action.ts';
import type { ApiObject } from '../kind/read.ts';
import { Problems, shellWord } from '../model/diagnostic.ts';
import type { ActionEvent, Outcome } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { ActionOutcome, OwedAction, PlannedAction } from '../model/planned-action.ts';
import type { Send } from '../model/request.ts';
import { dropUndefined } from '../model/walk.ts';
import { mayConcern } from '../plan/asked-actions.ts';
import type { LookUp } from './look-up-values.ts';
import {
  type ActionInputSource,
  lineageIdsOf,
  prepareFollowUp,
  unknownOutcomeReason,
} from './planned-actions.ts';

interface PerformActionsOptions {
  actions: readonly PlannedAction[];
  actionsAndLookups: ActionsAndLookups & Pick<LookupContext, 'queryOf'>;
  /** The outcomes of the changes. */
  outcome: Outcome;
  /** The name of the run for people. */
  run: string | undefined;
  inputSource: Omit<ActionInputSource, 'ledger'>;
  /** The ledger after the changes. */
  ledger: Ledger;
  send: Send;
  lookUp: LookUp;
  clock: SendingContext['clock'];
  /** The most actions that run at once. */
  parallelism: number;
  stop: AbortSignal;
  say(text: string): void;
  /** Stores the ledger: in the journal of this machine or, with `everywhere`, wherever it is kept. */
  save(ledger: Ledger, how?: { everywhere: boolean }): Promise<void>;
  onAction(event: ActionEvent): void;
}

/**
 * Returns the owed actions (`$then`) to store in the ledger before the first write of a run: every action that the run may have to do. If
 * the run is interrupted, the next one still does them. Each is a debt: the action, its input, and since when it is owed. An action's
 * `after` has the changes of the plan that ask for it; it is empty if only an earlier run owes it. `owed`: the debts of earlier runs,
 * from the ledger.
 */
export function owedAtStart(
  actions: readonly PlannedAction[],
  { owed = {} }: Pick<Ledger, 'owed'>,
  { run, now }: { run: string | undefined; now: number },
): Ledger['owed'] {
  const since = new Date(now).toISOString();
  const debts: [string, OwedAction][] = actions.flatMap((plannedAction): [string, OwedAction][] => {
    const { id, action, about, input, from, state, after, owed: recordedDebt } = plannedAction;
    // An action that this plan leaves out (such as with `--no-actions`) stays owed as it was.
    if (state === 'left') return recordedDebt ? [[debtIdOf(plannedAction, owed), recordedDebt]] : [];
    // There is nothing to do any more, and no change of this run asks for it.
    if (state === 'over' && after.length === 0) return [];
    const debt: OwedAction = { action, about, input, from, since, run };
    // Without changes before it, the debt keeps its time, and takes the newest input.
    if (after.length === 0 && recordedDebt) return [[id, { ...recordedDebt, input, from }]];
    return [[id, { ...debt, ...markOf(recordedDebt) }]];
  });
  return debts.length > 0 ? Object.fromEntries(debts) : undefined;
}

/**
 * Returns the mark of a debt and its time of sending, if a request for it was sent before. A new debt keeps both, so
 * that the effect of that request can still be found in the account.
 */
const markOf = ({ mark, sent }: Partial<OwedAction> = {}): Pick<OwedAction, 'mark' | 'sent'> =>
  dropUndefined({ mark, sent }) as Pick<OwedAction, 'mark' | 'sent'>;

/**
 * Returns the id under which the ledger has an action's debt. The id of the action itself changes with its input, the
 * one in the ledger does not.
 */
const debtIdOf = ({ id, owed }: PlannedAction, debts: NonNullable<Ledger['owed']>): string =>
  Object.entries(debts).find(([, debt]) => debt === owed)?.[0] ?? id;

/**
 * Runs the actions that follow the changes of a run, some at a time, and returns their outcomes in the order of their
 * ids, with the ledger. An action that is not done stays owed in the ledger, so that a later run does it. Throws only if
 * the ledger cannot be stored or the lease is lost, not for an answer of the platform. Used by `apply` once all changes
 * are finished. Leaves out actions that are not part of the plan, and owed ones with nothing to do that no change asks for.
 */
export async function performActions(
  options: PerformActionsOptions,
): Promise<{ outcomes: ActionOutcome[]; ledger: Ledger }> {
  const { actions, parallelism } = options;
  const performer = new ActionPerformer(options);
  const isSkipped = ({ state, after }: PlannedAction) =>
    state === 'left' || (state === 'over' && after.length === 0);
  const waiting = actions.filter((action) => !isSkipped(action));
  const outcomes: ActionOutcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes.push(await performer.perform(next));
  };
  const workers = Array.from({ length: Math.min(parallelism, waiting.length) }, work);
  const results = await Promise.allSettled(workers);
  // The ledger could not be stored, or the lease is lost.
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  return { outcomes: outcomes.sort((a, b) => (a.id < b.id ? -1 : 1)), ledger: performer.ledger };
}

/** The milliseconds after which the effect of an unanswered request must be visible, so that the request can be sent again if it is not. */
const resendDelay = 10 * 60_000;

/** The milliseconds between the two readings that must both lack the effect of a request. */
const rereadDelay = 5000;

/** Runs actions one by one, and keeps the debts in `ledger`. */
class ActionPerformer {
  ledger: Ledger;
  readonly #options: PerformActionsOptions;

  constructor(options: PerformActionsOptions) {
    this.#options = options;
    this.ledger = options.ledger;
  }

  /**
   * Runs one action if the changes before it are done, and reports its start and its outcome. Otherwise the action stays owed for a later
   * run, unless it is not asked for yet (`isNotAskedYet`: all changes before it are left to a later run, which then asks for it): its debt
   * is removed, and its result is `nothing`. Throws only if the ledger cannot be stored.
   */
  async perform(planned: PlannedAction): Promise<ActionOutcome> {
    const { stop, onAction, outcome } = this.#options;
    const { id } = planned;
    const isStopped = stop.aborted || outcome.interrupted;
    const obstacle = isStopped ? 'the run was stopped' : findActionObstacle(planned, outcome);
    if (obstacle === undefined) {
      onAction({ action: planned });
      return this.#report(planned, await this.#send(planned));
    }
    if (!isNotAskedYet(planned, outcome)) return this.#report(planned, { id, result: 'owed', why: obstacle });
    await this.#removeDebt(id);
    return this.#report(planned, { id, result: 'nothing', why: 'nothing that it follows was changed' });
  }

  #report(action: PlannedAction, outcome: ActionOutcome): ActionOutcome {
    this.#options.onAction({ action, outcome });
    return outcome;
  }

  /**
   * Sends the request of a follow-up action (`$then`), such as a redeployment, unless an earlier request of it was done
   * or may still show. Returns the outcome, and updates the debt: the note in the ledger that the action is still owed,
   * by which a later run repeats it.
   */
  async #send(planned: PlannedAction): Promise<ActionOutcome> {
    const { id, about } = planned;
    const { actionsAndLookups, clock } = this.#options;
    const action = actionsAndLookups.actions.get(planned.action)!;
    const ids = lineageIdsOf(about, this.#inputSource());
    if (!ids) return { id, result: 'owed', why: 'its target is not known yet' };
    try {
      // This comes first: if the input could not be read, an earlier request that was done would stay unnoticed.
      const earlierOutcome = await this.#findEarlierOutcome(planned, action, ids);
      return earlierOutcome ?? (await this.#sendNow(planned, action, ids));
    } catch (error) {
      const canBeFoundLater =
        error instanceof ActionOutcomeUnknown && action.effectSearch && !action.repeatable;
      if (!canBeFoundLater) return outcomeOfError(id, error);
      return { id, result: 'owed', why: notShownReason('this run', clock.now()), hint: unknownHint(planned) };
    }
  }

  /**
   * Sends the request of an action, and returns the outcome. Sends nothing if there is nothing to do, or if the action has to wait. The
   * request has a mark: a random text by which its effect is found in the account if no answer comes. `ids`: the ids of its object and the
   * parents, by kind. A debt is the note in the ledger that the action is still to be sent. After a request that must not be sent twice,
   * its removal is saved at once wherever the ledger is kept (`everywhere`).
   */
  async #sendNow(
    planned: PlannedAction,
    action: Action,
    ids: ReadonlyMap<string, string>,
  ): Promise<ActionOutcome> {
    const { id } = planned;
    const { lookUp, clock } = this.#options;
    const mark = crypto.randomUUID();
    const prepared = await prepareFollowUp(planned, action, this.#inputSource(), {
      ...this.#sendingContext(ids, mark, clock.now()),
      now: () => clock.now(),
      lookUp,
    });
    if (!prepared) return { id, result: 'owed', why: 'its input is not known yet' };
    if ('busy' in prepared) return { id, result: 'owed', why: prepared.busy };
    if ('nothing' in prepared) {
      await this.#removeDebt(id);
      return { id, result: 'nothing', why: prepared.nothing };
    }
    if (!action.repeatable) await this.#recordMark(id, mark);
    const context = this.#sendingContext(ids, mark, clock.now());
    const answer = await sendAction(action, prepared.request, context).catch(async (error) => {
      // A refused request had no effect that could be found by its mark.
      if (error instanceof ActionRefused) await this.#recordMark(id, undefined);
      throw error;
    });
    await this.#removeDebt(id, { everywhere: !action.repeatable });
    return { id, result: 'done', input: prepared.input, answer: { ...answer } };
  }

  /** Returns the states from which the ids and attributes of a request are taken, with the ledger as it is now. */
  #inputSource(): ActionInputSource {
    return { ...this.#options.inputSource, ledger: this.ledger };
  }

  /** Returns what sending an action's request with this mark needs, or looking for its effect. `since`: when it is or was sent. */
  #sendingContext(ids: ReadonlyMap<string, string>, mark: string, since: number): SendingContext {
    const { actionsAndLookups, send, clock, stop, say } = this.#options;
    const { queryOf, lookups } = actionsAndLookups;
    // `searchFor`: one look for the effect of an unanswered request is enough, because a later run looks again.
    return {
      send: (request) => send(request),
      queryOf,
      lookups,
      ids,
      mark,
      since,
      clock,
      stop,
      say,
      searchFor: 0,
    };
  }

  /**
   * Returns the outcome of an unanswered request of an earlier run (`owed.mark`: the text by which its effect is found); undefined if the
   * action may be sent (again): there was no such request, it may be repeated, or it certainly had no effect. If the effect is there, the
   * action is done and no longer owed, unless changes of this run ask for it again (`after`): the effect does not include these.
   */
  async #findEarlierOutcome(
    planned: PlannedAction,
    action: Action,
    ids: ReadonlyMap<string, string>,
  ): Promise<ActionOutcome | undefined> {
    const { id, owed, after } = planned;
    if (owed?.mark === undefined || action.repeatable) return undefined;
    const hint = unknownHint(planned);
    // `effectSearch` says how to find the effect. Without it, the outcome stays unknown.
    if (!action.effectSearch)
      return { id, result: 'unknown', why: unknownOutcomeReason(planned, action), hint };
    const sentAt = Date.parse(owed.sent ?? owed.since);
    const effect = await this.#searchEffect(action, this.#sendingContext(ids, owed.mark, sentAt));
    if (effect === 'none') return undefined;
    if (effect === 'unclear')
      return { id, result: 'owed', why: notShownReason(owed.run ?? 'an earlier run', sentAt), hint };
    if (after.length > 0) return undefined;
    await this.#removeDebt(id, { everywhere: true });
    return { id, result: 'done', answer: { ...effect } };
  }

  /**
   * Looks in the account for the effect of an unanswered request, by its mark. It has none if two readings, some time
   * after it was sent (`resendDelay`), do not show the mark. Before that, or if the account cannot be read, that is unclear.
   */
  async #searchEffect(action: Action, context: SendingContext): Promise<ApiObject | 'none' | 'unclear'> {
    const { clock, stop } = this.#options;
    let result = await findSentObject(action, context);
    if (result === 'absent' && clock.now() >= context.since + resendDelay) {
      await clock.sleep(rereadDelay, stop).catch(() => {});
      result = await findSentObject(action, context);
      if (result === 'absent') return 'none';
    }
    return result === 'absent' || result === 'unread' ? 'unclear' : result;
  }

  /**
   * Removes a debt from the ledger, because its action is done or not needed any more. `everywhere`: also stores the
   * ledger where it is kept, not only on this machine.
   */
  #removeDebt(id: string, how = { everywhere: false }): Promise<void> {
    const { [id]: _, ...otherDebts } = this.ledger.owed ?? {};
    return this.#saveDebts(otherDebts, how);
  }

  /**
   * Stores in the ledger that an action is about to be sent, with a mark by which a later run recognizes this
   * request in the account. So if the run is interrupted, the action is not done twice. Without a mark,
   * removes the earlier one, because the request was refused and had no effect.
   */
  async #recordMark(id: string, mark: string | undefined): Promise<void> {
    const { [id]: debt, ...otherDebts } = this.ledger.owed ?? {};
    if (!debt || debt.mark === mark) return;
    const { mark: _, sent: __, ...unmarkedDebt } = debt;
    const sent = new Date(this.#options.clock.now()).toISOString();
    const newDebt = mark === undefined ? unmarkedDebt : { ...unmarkedDebt, mark, sent };
    await this.#saveDebts({ ...otherDebts, [id]: newDebt }, { everywhere: true });
  }

  /**
   * Stores the debts (the actions that are still owed) in the ledger, so that a later run carries them out.
   * Without any debt the member is removed, because a ledger has no empty members. `everywhere`: also stores the
   * ledger where it is kept, not only on this machine. Throws if it cannot be stored.
   */
  async #saveDebts(owed: NonNullable<Ledger['owed']>, how: { everywhere: boolean }): Promise<void> {
    const { owed: _, ...otherMembers } = this.ledger;
    this.ledger = Object.keys(owed).length > 0 ? { ...otherMembers, owed } : otherMembers;
    await this.#options.save(this.ledger, how);
  }
}

/**
 * Converts an error into the outcome of an action, for the report: `unknown` if the request may have been carried
 * out, `owed` if it can be repeated later, otherwise `refused`. An error other than `Problems` comes from a failed
 * read, before anything was sent.
 */
function outcomeOfError(id: string, error: unknown): ActionOutcome {
  const { message, hint } =
    error instanceof Problems ? error.diagnostics[0]! : (error as Error & { hint?: string });
  if (error instanceof ActionOutcomeUnknown) return { id, result: 'unknown', why: message, hint };
  const { isForLater } = error as { isForLater?: boolean };
  return { id, result: isForLater ? 'owed' : 'refused', why: message, hint };
}

/**
 * Returns why an action (`$then`) must wait in this apply: a change that it follows, or another change of the
 * object it is about, is not done. Returns undefined if it can run. An action that has to wait stays owed to
 * a later run, unless the run that completes its changes asks for it anyway.
 */
function findActionObstacle(
  planned: PlannedAction,
  { failed, postponed, skipped }: Outcome,
): string | undefined {
  const notDone = [...failed, ...postponed, ...skipped].find(({ address }) => mayConcern(address, planned));
  return notDone && `${notDone.address} was not changed`;
}

/**
 * True if the action was not owed before and all changes that it follows were skipped or postponed. The debt is then
 * removed, because the run that completes the changes asks for the action again.
 */
const isNotAskedYet = ({ after, owed }: PlannedAction, { skipped, postponed }: Outcome): boolean => {
  const untouched = new Set([...skipped, ...postponed].map(({ address }) => address));
  return owed === undefined && after.length > 0 && after.every((address) => untouched.has(address));
};

/**
 * Returns why an action whose request got no answer is not sent again yet: the account may show its effect late. Says
 * from when on an apply sends it again.
 */
const notShownReason = (run: string, sentAt: number): string => {
  const time = new Date(sentAt + resendDelay).toISOString().slice(11, 16);
  return `${run} sent it and got no response, and the account does not show it: from ${time} UTC on, an apply sends it again if that is still so`;
};

/**
 * Returns the advice for an action (`$then`) that may or may not have been done: check the account, then send it again or drop it, with
 * both commands.
 */
const unknownHint = ({ action, about }: PlannedAction): string => {
  const words = [action, about]
    .filter((word) => word !== undefined)
    .map(shellWord)
    .join(' ');
  return `check the account; then send it with \`trueup run ${words} --again\` or drop it with \`trueup run ${words} --skip\``;
};
