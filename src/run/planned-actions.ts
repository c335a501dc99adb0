import type { LookupGround } from '../action/read-lookup.ts';
import { isSoAlready, requestOf } from '../action/request-of.ts';
import type { Action, DayTwo } from '../kind/action.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { PlannedAction } from '../model/planned-action.ts';
import { readOnly } from '../model/request.ts';
import type { Desired, Live } from '../model/resource.ts';
import { fillHoles, holesIn, type Value } from '../model/value.ts';
import { findAskedActions } from '../plan/asked-actions.ts';
import type { PlanOptions } from '../plan/input.ts';
import { type LookUp, withLookups } from './look-up-values.ts';
import type { Session } from './session.ts';

/** Shown in place of the mark, which each request gets when it is sent. */
const shownMark = '(set when it is sent)';

interface Planned {
  plan: Plan;
  desired: Desired;
  live: Live;
  ledger: Ledger;
}

/** The actions that follow a plan, with their requests as of now; undefined if there are none. Only reads. */
export async function plannedActions(
  session: Session,
  { plan, desired, live, ledger }: Planned,
  options: PlanOptions,
): Promise<PlannedAction[] | undefined> {
  const isNamed = [...desired.resources.values()].some(({ meta }) => meta.actions);
  if (!isNamed && Object.keys(ledger.owed ?? {}).length === 0) return undefined;
  const { actions, lookups, queryOf } = await session.dayTwo();
  const asked = findAskedActions(plan, { desired, ledger, actions, options });
  if (asked.length === 0) return undefined;
  const send = readOnly(session.connection.send);
  const now = session.clock.now();
  const known = { desired, live, ledger };
  return Promise.all(
    asked.map((plannedAction) =>
      seen(plannedAction, actions.get(plannedAction.action), known, {
        ...{ send, queryOf, now, lookups },
        lookUp: session.lookUp,
      }),
    ),
  );
}

/** The action with its current state, as far as the account tells. */
async function seen(
  planned: PlannedAction,
  action: Action | undefined,
  idSource: ActionInputSource,
  {
    now,
    lookUp,
    lookups,
    ...ground
  }: LookupGround & Pick<DayTwo, 'lookups'> & { now: number; lookUp: LookUp },
): Promise<PlannedAction> {
  const { owed, state, about } = planned;
  if (state !== 'due' || !action) return planned;
  if (owed?.mark !== undefined && !action.repeatable)
    return { ...planned, state: 'unknown', why: unknownWhy(planned, action) };
  const ids = about === undefined ? new Map<string, string>() : idsOf(about, idSource);
  if (!ids) return planned;
  const since = owed && planned.after.length === 0 ? Date.parse(owed.since) : now;
  const mark = shownMark;
  try {
    const input = filledInput(
      { input: await withLookups(planned.input, idSource.desired.lookups, lookUp) },
      idSource,
    );
    if (!input) return planned;
    const given = { input, ids, mark, since };
    if (await isSoAlready(action, given, lookups, ground))
      return { ...planned, state: 'over', why: alreadySo };
    const request = await requestOf(action, given, ground);
    if ('nothing' in request) return { ...planned, state: 'over', why: request.nothing };
    if ('busy' in request) return { ...planned, state: 'busy', why: request.busy };
    return { ...planned, request: request.request };
  } catch {
    // It is asked again when it is sent, and told then.
    return planned;
  }
}

/** The reason for not sending an action whose end is reached. */
export const alreadySo = 'already in that state';

/** The reason why the outcome of an action is unknown, and what the next apply does about that. */
export const unknownWhy = ({ owed }: Pick<PlannedAction, 'owed'>, { lost }: Pick<Action, 'lost'>): string => {
  const next = lost
    ? 'the next apply looks for it, and sends it again once the account has not shown it for ten minutes'
    : 'it is not sent again automatically';
  return `${owed?.run ?? 'an earlier run'} sent it and got no response, so it may have been done; ${next}`;
};

export interface ActionInputSource {
  desired: Pick<Desired, 'resources' | 'lookups'>;
  live: Pick<Live, 'resources'>;
  ledger: Pick<Ledger, 'entries'>;
}

/** The ids of an object and its parents, by kind; undefined if one is not known. */
export function idsOf(
  address: Address,
  { desired, live, ledger }: ActionInputSource,
): Map<string, string> | undefined {
  const ids = new Map<string, string>();
  let at: Address | undefined = address;
  while (at !== undefined) {
    const resource = desired.resources.get(at);
    const id = ledger.entries[at]?.ids.at(-1) ?? live.resources.get(at)?.id;
    if (!resource || id === undefined) return undefined;
    ids.set(resource.kind, id);
    at = resource.parent;
  }
  return ids;
}

/** The input with values of other resources filled in; undefined if one is not known. */
export function filledInput(
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
