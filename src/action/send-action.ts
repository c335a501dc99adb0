import type { Action } from '../kind/action.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Request } from '../model/request.ts';
import { createRepeatedLookup, type LookupContext, pollUntilSettled } from './read-lookup.ts';

/** The connection, the object and the limits with which an action is sent. */
export interface SendingContext extends LookupContext {
  lookups: ReadonlyMap<string, Lookup>;
  ids: ReadonlyMap<string, string>;
  /** An id of this run. The request contains it, so that its results can be found. */
  mark: string;
  /** When the action was first sent, in milliseconds since 1970. */
  since: number;
  clock: Parameters<typeof pollUntilSettled>[0]['clock'];
  /** Ends the search for a request that was not answered. */
  stop: AbortSignal;
  /** The time to search for the result of an unanswered request, in milliseconds. 0: one read. */
  searchFor: number;
  /** Prints a line for people. */
  say(text: string): void;
}

/** The platform refused an action, so that nothing was done. */
export class ActionRefused extends Problems {
  /** True if the same action can succeed later: a rate limit asks for a longer wait, or other work is under way. */
  readonly isForLater: boolean;

  constructor(diagnostics: Diagnostic[], { isForLater }: Pick<ActionRefused, 'isForLater'>) {
    super(diagnostics);
    this.isForLater = isForLater;
  }
}

/** The outcome of an action is unknown. Callers must not treat this as a failure, because the action may have been done. */
export class ActionOutcomeUnknown extends Problems {
  readonly isUnknown = true;
}

/** The members that the HTTP client adds to its errors. `mayBeCarriedOut`: undefined for errors that come from elsewhere. */
type SendingError = Error & {
  mayBeCarriedOut?: boolean;
  status?: number;
  hint?: string;
  rateLimit?: unknown;
};

/**
 * Sends the request of an action once and returns its answer. If no answer comes, searches the account for the result, if the action
 * declares how. Throws `ActionRefused` if the platform refused it, and `ActionOutcomeUnknown` if it may have been done.
 */
export async function sendAction(
  action: Action,
  request: Request,
  context: SendingContext,
): Promise<ApiObject> {
  try {
    return ((await context.send(request)) ?? {}) as ApiObject;
  } catch (error) {
    const { mayBeCarriedOut } = error as SendingError;
    if (mayBeCarriedOut === undefined) throw error;
    if (!mayBeCarriedOut) throw toRefused(action, error as SendingError);
    const result = await searchResult(action, context, `No answer came (${(error as Error).message}).`);
    if (result) return result;
    throw unknownOutcome(action, (error as Error).message);
  }
}

/** The hint for the status of a refused request. */
const refusalHints: Record<number, string> = {
  403: 'the token lacks permission: use one from somebody who may NAME',
  404: 'something it refers to does not exist: check the address and the input',
  409: 'it is not possible in the current state: check with `trueup get`, then run it again',
  410: 'its target no longer exists',
};

/**
 * Returns the error of `trueup run` or `$then` for an action that the platform certainly did not do, with a
 * hint for the status of its answer. `isForLater`: true if only a rate limit refused it, so that the caller
 * may send it later.
 */
function toRefused({ name }: Action, error: SendingError): ActionRefused {
  const hint = refusalHints[error.status ?? 0]?.replace('NAME', () => name) ?? error.hint;
  return new ActionRefused(
    [
      problem('run/refused', `${name} was refused: ${error.message}`, {
        hint: hint ?? 'fix what the message names and run it again',
      }),
    ],
    { isForLater: error.rateLimit !== undefined },
  );
}

/**
 * Searches the account, until the time is over, for the object that an action made whose answer was lost, so
 * that the action counts as done. The object has the mark (an id that the request contained). Returns
 * undefined if it does not appear, if a read fails, or if the user stops the search: then the outcome is
 * unknown.
 * @param reason the reason for the search, for people
 */
async function searchResult(
  { effectSearch }: Action,
  context: SendingContext,
  reason: string,
): Promise<ApiObject | undefined> {
  if (!effectSearch) return undefined;
  const { say, clock, stop, searchFor } = context;
  say(`${reason} Checking whether it went through ...`);
  let result: ApiObject | undefined;
  await pollUntilSettled({
    look: createSearch(effectSearch, context),
    progressOf: (object) => (object ? 'reached' : 'under way'),
    onSeen: (object) => {
      result = object;
    },
    clock,
    stop,
    timeout: searchFor,
  }).catch((error) => {
    // A failed read ends the search without a result. Errors that are not from the platform are defects.
    if ((error as SendingError).mayBeCarriedOut === undefined) throw error;
  });
  if (result) say('It went through.');
  return result;
}

/**
 * Looks once for the object that an action made, to find out whether an interrupted run sent it. The object
 * has the mark (an id in the request) of that run. `absent`: the account was read completely and does not
 * have it. `unread`: the read failed, or the action leaves no object that could be found.
 */
export async function findSentObject(
  { effectSearch }: Action,
  context: SearchContext,
): Promise<ApiObject | 'absent' | 'unread'> {
  if (!effectSearch) return 'unread';
  try {
    return (await createSearch(effectSearch, context)()) ?? 'absent';
  } catch (error) {
    // Errors that are not from the platform are defects.
    if ((error as SendingError).mayBeCarriedOut === undefined) throw error;
    return 'unread';
  }
}

/** The part of a sending context that a search for the result of a request needs. */
type SearchContext = Pick<SendingContext, 'lookups' | 'ids' | 'mark' | 'since' | 'send' | 'queryOf'>;

/**
 * Returns a search for the object that an action made, to find out whether the action happened after its
 * answer was lost or its run was interrupted. The object has the mark (an id that the request contained). One
 * call searches the account once; undefined if the object is not there. Its `id` is called `uid` in some
 * lists.
 */
function createSearch(
  effectSearch: NonNullable<Action['effectSearch']>,
  { lookups, ids, mark, since, ...context }: SearchContext,
): () => Promise<ApiObject | undefined> {
  const read = createRepeatedLookup(
    lookups.get(effectSearch.lookup)!,
    effectSearch.input({ since }),
    ids,
    context,
  );
  return async () => {
    const [object] = (await read((candidate) => effectSearch.is(candidate, mark))).objects;
    return object && { ...object, id: object.id ?? object.uid };
  };
}

/**
 * Returns the error of `trueup run` or `$then` for an action that the platform may have done, such as after a lost answer. The hint depends
 * on whether the action may be repeated.
 */
const unknownOutcome = ({ name, repeatable }: Action, why: string): ActionOutcomeUnknown =>
  new ActionOutcomeUnknown([
    problem('run/unknown', `the outcome of ${name} is unknown: ${why}`, {
      hint: repeatable ? 'it is safe to repeat: run it again' : 'check the account before you run it again',
    }),
  ]);
