import type { Address } from './address.ts';
import type { Grade } from './change.ts';
import { canonical } from './digest.ts';
import type { Request } from './request.ts';
import type { Fields } from './value.ts';

/** The default for the most actions that run at once. */
export const standardActionsAtOnce = 4;

/**
 * An action that a run owes: it was asked for by changes that are done, and was not sent, was refused, or nobody knows what became of it. Stands
 * in the ledger until it is done.
 */
export interface OwedAction {
  action: string;
  /** The subject. */
  about?: Address;
  input: Record<string, unknown>;
  /** The resources whose `$then` asks for it. */
  from: Address[];
  /** When the changes that it follows were done (ISO 8601, UTC): what was built after that has them. */
  since: string;
  /** The run that owes it, for people. */
  run?: string;
  /** It was sent with this mark, and no answer came. */
  mark?: string;
  /** When that was (ISO 8601, UTC). */
  sent?: string;
}

/** The identity of an action: its name, its subject and its input. */
export const actionId = ({ action, about, input }: Pick<OwedAction, 'action' | 'about' | 'input'>): string =>
  [action, about, Object.keys(input).length > 0 ? canonical(input) : undefined]
    .filter((part) => part !== undefined)
    .join(' ');

/**
 * The state of an action in a plan. `due`: it is sent; `busy`: it cannot be sent now, and stays owed; `over`: nothing is to be done, and nothing is
 * owed any more; `unknown`: it was sent once, nobody knows whether it was done, and doing it twice could do harm; `left`: no part of this plan.
 */
export const actionStates = ['due', 'busy', 'over', 'unknown', 'left'] as const;

type ActionState = (typeof actionStates)[number];

/** An action that follows the changes of a plan. */
export interface PlannedAction {
  /** Its name, what it is about, and its input: `redeploy projects/web {"target":"production"}`. Once in a plan. */
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
  /** As it would be sent now. What it takes from the account is taken when it is sent. Absent where that is not known yet. */
  request?: Request;
  wait?: number;
  /** An earlier run owes it. */
  owed?: OwedAction;
}

/** True for what an apply does something about. */
export const isOpenAction = ({ state }: Pick<PlannedAction, 'state'>): boolean =>
  state !== 'left' && state !== 'over';

/**
 * The outcome of an action of a run. `done`: the platform accepted it; `owed`: it was not sent; `unknown`: it was sent, and no answer came; `nothing`:
 * there was nothing to do.
 */
export const actionResults = ['done', 'owed', 'refused', 'unknown', 'nothing'] as const;

export interface ActionOutcome {
  id: string;
  result: (typeof actionResults)[number];
  /** Why, for people, where it is not done. */
  why?: string;
  /** The next step for people. */
  hint?: string;
  /** The input it was sent with. */
  input?: Fields;
  /** The answer, where it was accepted or found. */
  answer?: Record<string, unknown>;
}
