import { type ActionRequest, isStateReached, prepareRequest } from '../action/prepare-request.ts';
import type { LookupContext } from '../action/read-lookup.ts';
import type { Action, ActionsAndLookups } from '../kind/action.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import { readOnly } from '../model/request.ts';
import type { Desired, Live } from '../model/resource.ts';
import { type Fields, fillHoles, holesIn, type Value } from '../model/value.ts';
import { findAskedActions } from '../plan/asked-actions.ts';
import type { PlanOptions } from '../plan/input.ts';
import { type LookUp, withLookups } from './look-up-values.ts';
import type { RunSession } from './session.ts';

/** Shown in plans instead of the mark that identifies a sent request, because the mark is only made when it is sent. */
const shownMark = '(set when it is sent)';

/** A plan of changes, with everything that it was made from. */
interface PlannedChanges {
  plan: Plan;
  desired: Desired;
  live: Live;
  ledger: Ledger;
}

/**
 * Returns the actions that follow a plan (`$then`, and those that earlier runs owe), with the requests that they would send now, so that
 * people can approve them. Returns undefined if there are none. Only reads.
 */
export async function planActions(
  session: RunSession,
  { plan, desired, live, ledger }: PlannedChanges,
  options: PlanOptions,
): Promise<PlannedAction[] | undefined> {
  const { actions, lookups, queryOf } = await session.actionsAndLookups();
  const asked = findAskedActions(plan, { desired, ledger, actions, options });
  if (asked.length === 0) return undefined;
  const send = readOnly(session.connection.send);
  const planTime = session.clock.now();
  const inputSource = { desired, live, ledger };
  return Promise.all(
    asked.map((plannedAction) =>
      withCurrentState(plannedAction, actions.get(plannedAction.action), inputSource, {
        send,
        queryOf,
        // One time for all actions of the plan.
        now: () => planTime,
        lookups,
        lookUp: session.lookUp,
      }),
    ),
  );
}

/**
 * Returns a due action with its request, or with the state that keeps it from being sent now: `unknown` (an earlier run sent it without an
 * answer, so sending it at once could do it twice), `over` (nothing is left to do) or `busy`. Used so that people see what an apply would
 * send, or why not. Only reads. Other actions stay as they are. So does one whose object or input is not known yet, and one whose
 * preparation fails, because the apply prepares it again.
 */
async function withCurrentState(
  planned: PlannedAction,
  action: Action | undefined,
  inputSource: ActionInputSource,
  context: FollowUpContext,
): Promise<PlannedAction> {
  const { owed, state, about } = planned;
  if (state !== 'due' || !action) return planned;
  // A recorded mark (a text in the request, by which its effect can be found) means that an earlier run sent it and got no answer.
  if (owed?.mark !== undefined && !action.repeatable)
    return { ...planned, state: 'unknown', why: unknownOutcomeReason(planned, action) };
  const ids = lineageIdsOf(about, inputSource);
  if (!ids) return planned;
  try {
    const prepared = await prepareFollowUp(planned, action, inputSource, {
      ...context,
      ids,
      mark: shownMark,
    });
    if (!prepared) return planned;
    if ('nothing' in prepared) return { ...planned, state: 'over', why: prepared.nothing };
    if ('busy' in prepared) return { ...planned, state: 'busy', why: prepared.busy };
    return { ...planned, request: prepared.request };
  } catch {
    return planned;
  }
}

/** The account as it is read to prepare an action: by its lookups, at a time in milliseconds since 1970. */
interface FollowUpContext extends LookupContext, Pick<ActionsAndLookups, 'lookups'> {
  now(): number;
  lookUp: LookUp;
}

/**
 * Composes the request of an action that follows changes, with the input that it sends. Used to show it in a plan, and right before it is
 * sent. Returns the reason instead if nothing is to do or the action has to wait; undefined if its input is not known yet. `ids`: the ids
 * of its object and the parents, by kind. `mark`: a text by which the effect can be found in the account.
 */
export async function prepareFollowUp(
  planned: PlannedAction,
  action: Action,
  inputSource: ActionInputSource,
  {
    now,
    lookUp,
    lookups,
    ids,
    mark,
    ...context
  }: FollowUpContext & { ids: ReadonlyMap<string, string>; mark: string },
): Promise<(ActionRequest & { input: Fields }) | undefined> {
  const input = fillActionInput(
    { input: await withLookups(planned.input, inputSource.desired.lookups, lookUp) },
    inputSource,
  );
  if (!input) return undefined;
  const { owed, after } = planned;
  // A request may depend on when the changes before the action were done. If only an earlier run owes it, the ledger has that time.
  const isOnlyOwed = owed !== undefined && after.length === 0;
  const since = isOnlyOwed ? Date.parse(owed.since) : now();
  const requestInput = { input, ids, mark, since };
  if (await isStateReached(action, requestInput, lookups, context))
    return { input, nothing: 'already in that state' };
  return { input, ...(await prepareRequest(action, requestInput, context)) };
}

/**
 * Returns the reason why the outcome of an action is unknown, and what the next apply does about it. If the account
 * can show the effect (`effectSearch` says where to look), the apply looks for it; otherwise the user has to decide.
 */
export const unknownOutcomeReason = (
  { owed }: Pick<PlannedAction, 'owed'>,
  { effectSearch }: Pick<Action, 'effectSearch'>,
): string => {
  const next = effectSearch
    ? 'the next apply looks for it, and sends it again once the account has not shown it for ten minutes'
    : 'it is not sent again automatically';
  return `${owed?.run ?? 'an earlier run'} sent it and got no response, so it may have been done; ${next}`;
};

/** The states from which ids and attributes for an action's request are taken. */
export interface ActionInputSource {
  desired: Pick<Desired, 'resources' | 'lookups'>;
  live: Pick<Live, 'resources'>;
  ledger: Pick<Ledger, 'entries'>;
}

/**
 * Returns the ids of an object and its parents, by kind, for the parameters of an action's request; undefined if one
 * of them is not declared or not known yet, for example because the object is created in this run. No ids for an
 * action without an object.
 */
export function lineageIdsOf(
  address: Address | undefined,
  { desired, live, ledger }: ActionInputSource,
): Map<string, string> | undefined {
  const ids = new Map<string, string>();
  let current: Address | undefined = address;
  while (current !== undefined) {
    const resource = desired.resources.get(current);
    const id = ledger.entries[current]?.ids.at(-1) ?? live.resources.get(current)?.id;
    if (!resource || id === undefined) return undefined;
    ids.set(resource.kind, id);
    current = resource.parent;
  }
  return ids;
}

/**
 * Returns the input of an action with its references to resources filled; undefined if an attribute is not known yet.
 * Used for the plan, right before sending, when new objects have their ids, and for `trueup run`.
 */
export function fillActionInput(
  { input }: Pick<PlannedAction, 'input'>,
  { live, ledger }: ActionInputSource,
): Record<string, Value> | undefined {
  const attribute = (address: Address, attr: string) =>
    attr === 'id'
      ? (ledger.entries[address]?.ids.at(-1) ?? live.resources.get(address)?.id)
      : live.resources.get(address)?.fields[attr];
  const filled = fillHoles(input, { secrets: new Map(), attribute });
  return holesIn(filled).length > 0 ? undefined : (filled as Record<string, Value>);
}
