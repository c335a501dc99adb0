import type { Address } from './address.js';
import type { Grade } from './change.js';
import type { Request } from './request.js';
import type { Fields } from './value.js';
/** The default for the most actions that run at once. */
export declare const standardActionsAtOnce = 4;
/**
 * An action that a run owes: finished changes ask for it, and it was not sent, was refused, or its outcome is unknown. It stays in the
 * ledger until it is done.
 */
export interface OwedAction {
    action: string;
    /** The subject. */
    about?: Address;
    input: Record<string, unknown>;
    /** The resources whose `$then` asks for it. */
    from: Address[];
    /** When the changes before it were done (ISO 8601, UTC): whatever was built later contains them. */
    since: string;
    /** The run that owes it, for people. */
    run?: string;
    /** It was sent with this mark, and no answer came. */
    mark?: string;
    /** When that was (ISO 8601, UTC). */
    sent?: string;
}
/** The identity of an action: its name, its subject and its input. */
export declare const actionId: ({ action, about, input }: Pick<OwedAction, 'action' | 'about' | 'input'>) => string;
/**
 * The state of an action in a plan. `due`: it is sent; `busy`: it cannot be sent now, and stays owed; `over`: there is nothing to do, and
 * nothing is owed any more; `unknown`: it was sent once, its outcome is unknown, and doing it twice could do harm; `left`: not part of
 * this plan.
 */
export declare const actionStates: readonly ['due', 'busy', 'over', 'unknown', 'left'];
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
    /** An earlier run owes it. */
    owed?: OwedAction;
}
/** True for actions that an apply still has to do something about. */
export declare const isOpenAction: ({ state }: Pick<PlannedAction, 'state'>) => boolean;
/**
 * The outcome of an action of a run. `done`: the platform accepted it; `owed`: it was not sent; `unknown`: it was sent, and no answer came; `nothing`:
 * there was nothing to do.
 */
export declare const actionResults: readonly ['done', 'owed', 'refused', 'unknown', 'nothing'];
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
export {};
