import type { Action } from '../kind/action.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import type { Request } from '../model/request.ts';
import { createRepeatedLookup, type LookupContext, pollUntilSettled } from './read-lookup.ts';

/** Everything needed to send an action. */
export interface SendingContext extends LookupContext {
  lookups: ReadonlyMap<string, Lookup>;
  ids: ReadonlyMap<string, string>;
  mark: string;
  /** When it was sent first, in milliseconds since 1970. */
  since: number;
  clock: Parameters<typeof pollUntilSettled>[0]['clock'];
  /** Ends the search for a request that was not answered. */
  stop: AbortSignal;
  /** How long an unanswered request is looked for, in milliseconds. 0: one look. */
  searchFor: number;
  say(text: string): void;
}

/** It was not done. */
export class ActionRefused extends Problems {
  /** Only since it is not the time for it: a rate limit asks for a longer wait, or something else is under way. */
  readonly isForLater: boolean;

  constructor(diagnostics: Diagnostic[], { isForLater }: Pick<ActionRefused, 'isForLater'>) {
    super(diagnostics);
    this.isForLater = isForLater;
  }
}

/** The outcome is unknown; do not treat this as a failure. */
export class ActionOutcomeUnknown extends Problems {
  readonly isUnknown = true;
}

/** The messages of a request's errors. */
type SendingError = Error & {
  mayBeCarriedOut?: boolean;
  status?: number;
  hint?: string;
  rateLimit?: unknown;
};

/**
 * Sends the request of an action once; its answer. One that is not answered is looked for, where the action says how. Throws `Problems`
 * that say what to do, and `Unknown` where nobody knows what became of it.
 */
export async function sendAction(
  action: Action,
  request: Request,
  ground: SendingContext,
): Promise<ApiObject> {
  try {
    return ((await ground.send(request)) ?? {}) as ApiObject;
  } catch (error) {
    const { mayBeCarriedOut } = error as SendingError;
    if (mayBeCarriedOut === undefined) throw error;
    if (!mayBeCarriedOut) throw toRefused(action, error as SendingError);
    const found = await foundAgain(action, ground, `No answer came (${(error as Error).message}).`);
    if (found) return found;
    throw unknownOutcome(action, (error as Error).message);
  }
}

const refusalHints: Record<number, (action: Action) => string> = {
  402: () => "the account's plan or a payment limit does not allow this; trueup does not retry it",
  403: ({ name }) => `the token lacks permission: use one from somebody who may ${name}`,
  404: () => 'something it refers to does not exist: check the address and the input',
  409: () => 'it is not possible in the current state: check with `trueup get`, then run it again',
  410: () => 'its target no longer exists',
};

/** The platform refused; nothing was done. */
function toRefused({ name }: Action, error: SendingError): ActionRefused {
  const hint =
    (error.status === undefined ? undefined : refusalHints[error.status]?.({ name } as Action)) ?? error.hint;
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
 * Looks for the object that the request with this mark made. Undefined if the account does not show it in time, a read fails or somebody
 * stops the search: then the outcome is unknown. `because`: the reason for the search, for people.
 */
async function foundAgain(
  { lost }: Action,
  ground: SendingContext,
  because: string,
): Promise<ApiObject | undefined> {
  if (!lost) return undefined;
  const { lookups, ids, mark, since, say, clock, stop, searchFor } = ground;
  say(`${because} Checking whether it went through ...`);
  const read = createRepeatedLookup(lookups.get(lost.lookup)!, lost.input({ since }), ids, ground);
  let found: ApiObject | undefined;
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done()));
  const following = pollUntilSettled({
    look: () => read((object) => lost.is(object, mark)),
    progressOf: ({ objects }) => (objects.length > 0 ? 'reached' : 'under way'),
    onSeen: ({ objects }) => {
      found = objects[0];
    },
    clock,
    stop,
    timeout: searchFor,
  }).catch((error) => {
    // A look that fails tells nothing.
    if ((error as SendingError).mayBeCarriedOut === undefined) throw error;
  });
  // One that hangs is not waited for.
  await Promise.race([following, stopped]);
  if (found) say('It went through.');
  return found && { ...found, id: found.id ?? found.uid };
}

/**
 * Looks once for the object that the request with this mark made. `absent`: the account was read completely and does not show it;
 * `unread`: it could not be read, or the action leaves nothing that can be looked for.
 */
export async function findSentObject(
  { lost }: Action,
  {
    lookups,
    ids,
    mark,
    since,
    ...ground
  }: Pick<SendingContext, 'lookups' | 'ids' | 'mark' | 'since' | 'send' | 'queryOf'>,
): Promise<ApiObject | 'absent' | 'unread'> {
  if (!lost) return 'unread';
  const read = createRepeatedLookup(lookups.get(lost.lookup)!, lost.input({ since }), ids, ground);
  try {
    const [found] = (await read((object) => lost.is(object, mark))).objects;
    return found ? { ...found, id: found.id ?? found.uid } : 'absent';
  } catch (error) {
    // Only what the platform says is a reading that failed.
    if ((error as SendingError).mayBeCarriedOut === undefined) throw error;
    return 'unread';
  }
}

/** Nobody knows what became of an action. */
const unknownOutcome = ({ name, repeatable }: Action, why: string): ActionOutcomeUnknown =>
  new ActionOutcomeUnknown([
    problem('run/unknown', `the outcome of ${name} is unknown: ${why}`, {
      hint: repeatable ? 'it is safe to repeat: run it again' : 'check the account before you run it again',
    }),
  ]);
