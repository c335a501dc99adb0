import type { Address } from './address.ts';
import type { Grade } from './change.ts';
import { canonicalJson } from './digest.ts';
import type { Request } from './request.ts';
import type { Fields } from './value.ts';

/** The default for the most operations that run at once. */
export const standardParallelism = 10;

/** The default for the most actions that run at once. */
export const standardActionsAtOnce = 4;

/**
 * An action that a run owes: finished changes ask for it, but it was not sent, was refused, or its outcome is unknown.
 * It stays in the ledger until it is done.
 */
export interface OwedAction {
  action: string;
  /** The object that it acts on. */
  about?: Address;
  input: Record<string, unknown>;
  /** The resources whose `$then` asks for it. */
  from: Address[];
  /** When the changes before it were done (ISO 8601, UTC). A deployment that was built later contains them. */
  since: string;
  /** The run that owes it, for people. */
  run?: string;
  /**
   * The mark under which it was sent without getting an answer. The platform stores it, so the next run can look for
   * it.
   */
  mark?: string;
  /** When it was sent (ISO 8601, UTC). */
  sent?: string;
}

/**
 * Returns the identity of an action: its name, its subject and its input. Equal actions of several changes run once.
 */
export const actionId = ({ action, about, input }: Pick<OwedAction, 'action' | 'about' | 'input'>): string =>
  [action, about, Object.keys(input).length > 0 ? canonicalJson(input) : undefined]
    .filter((part) => part !== undefined)
    .join(' ');

/**
 * The state of an action in a plan. `due`: it is sent. `busy`: it cannot be sent now, and stays owed. `over`: there is
 * nothing to do or owed any more. `unknown`: it was sent once with an unknown outcome, and doing it twice could do
 * harm. `left`: not part of this plan.
 */
export const actionStates = ['due', 'busy', 'over', 'unknown', 'left'] as const;

type ActionState = (typeof actionStates)[number];

/** An action that follows the changes of a plan. */
export interface PlannedAction {
  /** Its name, subject and input: `redeploy projects/web {"target":"production"}`. Unique in a plan. */
  id: string;
  action: string;
  about?: Address;
  input: Fields;
  grade: Grade;
  gradeReason?: string;
  /** The changes that ask for it, by address. */
  after: Address[];
  /** The resources whose `$then` asks for it. */
  from: Address[];
  state: ActionState;
  /** Why it is not due, for people. */
  why?: string;
  /** The name under which a plan counts it: `build`. */
  starts?: string;
  /** The request as it would be sent now; values from the account are read again then. Absent if it is not known yet. */
  request?: Request;
  wait?: number;
  /** Set if an earlier run owes it. */
  owed?: OwedAction;
}

/** True for actions that an apply still has to send or report. */
export const isOpenAction = ({ state }: Pick<PlannedAction, 'state'>): boolean =>
  state !== 'left' && state !== 'over';

/**
 * The outcome of an action of a run. `done`: the platform accepted it. `owed`: it was not sent. `unknown`: it was sent,
 * and no answer came. `nothing`: there was nothing to do.
 */
export const actionResults = ['done', 'owed', 'refused', 'unknown', 'nothing'] as const;

/** The outcome of one action of a run, by its id. */
export interface ActionOutcome {
  id: string;
  result: (typeof actionResults)[number];
  /** The reason, for people, if it is not done. */
  why?: string;
  /** The next step for people. */
  hint?: string;
  /** The input that was sent. */
  input?: Fields;
  /** The answer, if the action was accepted or found. */
  answer?: Record<string, unknown>;
}
