import { follow } from '../action/follow.ts';
import { HttpError, RequestError } from '../http/errors.ts';
import type { Action } from '../kind/action.ts';
import type { ApiObject } from '../kind/kind.ts';
import type { Lookup } from '../kind/lookup.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Request } from '../model/plan.ts';
import { lookupAt } from './read-lookup.ts';
import type { Ground } from './run-ground.ts';

interface SendingOptions {
  ground: Ground;
  lookups: ReadonlyMap<string, Lookup>;
  ids: ReadonlyMap<string, string>;
  mark: string;
  say(text: string): void;
}

/** What became of it is not known: nobody may take it for a failure. */
export class Unknown extends Problems {
  readonly isUnknown = true;
}

/** So long the platform's lists may take to show what was made, in milliseconds. */
const settling = 60_000;

/**
 * Sends the request of an action once; its answer. One that is not answered is looked for, where the action says how. Throws `Problems`
 * that say what to do, and `Unknown` where nobody knows what became of it.
 */
export async function sendAction(
  action: Action,
  request: Request,
  options: SendingOptions,
): Promise<ApiObject> {
  try {
    return ((await options.ground.connection.send(request)) ?? {}) as ApiObject;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (!error.sent) throw refusal(action, error);
    return foundAgain(action, error, options);
  }
}

const hints: Record<number, (action: Action) => string> = {
  402: () => "the account's plan or a payment limit does not allow this; it is not repeated",
  403: ({ name }) => `the token may not do this: take one of somebody who may ${name}`,
  404: () => 'something that it names is not there: check the address and the input',
  409: () =>
    'it cannot be done in the state that it is in now: look with `trueup get`, and run it again then',
  410: () => 'what it is about is gone for good',
};

/** What the platform refuses; nothing was done. */
function refusal(action: Action, error: RequestError): Problems {
  const status = error instanceof HttpError ? error.status : undefined;
  const hint = (status === undefined ? undefined : hints[status]?.(action)) ?? error.hint;
  return new Problems([
    problem('run/refused', `${action.name} was refused: ${error.message}`, {
      hint: hint ?? 'correct what the message names, and run it again',
    }),
  ]);
}

async function foundAgain(action: Action, error: RequestError, options: SendingOptions): Promise<ApiObject> {
  const { lost, name, repeatable } = action;
  if (lost) {
    options.say(`No answer came (${error.message}). Looking whether it was done ...`);
    const found = await lookedFor(lost, options);
    if (found) {
      options.say('It was done.');
      return { ...found, id: found.id ?? found.uid };
    }
  }
  throw new Unknown([
    problem('run/unknown', `what became of ${name} is not known: ${error.message}`, {
      hint: repeatable
        ? 'sending it twice does no harm: run it again'
        : 'look in the account whether it was done before you run it again',
    }),
  ]);
}

/** What this run made, once a look shows it; nothing where none does in time, Ctrl-C ends it, or a look fails: then nobody knows. */
async function lookedFor(
  lost: NonNullable<Action['lost']>,
  { ground, lookups, ids, mark }: SendingOptions,
): Promise<ApiObject | undefined> {
  const read = lookupAt(lookups.get(lost.lookup)!, {}, ids, ground);
  const stop = new AbortController();
  const stopped = new Promise<void>((done) => stop.signal.addEventListener('abort', () => done()));
  const letGo = ground.onInterrupt(() => stop.abort());
  let found: ApiObject | undefined;
  const following = follow({
    look: () => read((object) => lost.is(object, mark)),
    stand: ({ objects }) => (objects.length > 0 ? 'reached' : 'under way'),
    onSeen: ({ objects }) => {
      found = objects[0];
    },
    clock: ground.around.host.clock,
    stop: stop.signal,
    within: settling,
  }).catch((error) => {
    if (!(error instanceof RequestError)) throw error;
  });
  try {
    // A look that hangs is not waited for.
    await Promise.race([following, stopped]);
  } finally {
    letGo();
  }
  return found;
}
