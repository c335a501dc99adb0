import type { Action, Sending } from '../kind/action.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Endpoint, Request } from '../model/request.ts';
import { composeRequest } from './compose-request.ts';
import { createRepeatedLookup, type LookupContext, progressOf } from './read-lookup.ts';

/** The input of an action, and the object that it is about. */
interface RequestInput {
  input: Input;
  /** The ids of the object that it is about and of its parents, by kind. */
  ids: ReadonlyMap<string, string>;
  /** An id of this run, by which its results can be found in the account. */
  mark: string;
  /** When the changes that it follows were made, in milliseconds since 1970; absent if it is run by hand. */
  since?: number;
}

/** The request of an action; or the reason why nothing is to do (`nothing`), or why it has to wait (`busy`). */
export type ActionRequest = { request: Request; sending: Sending } | { nothing: string } | { busy: string };

/**
 * Composes the request of an action of `trueup run` or `$then`, before it is shown and right before it is sent. If
 * the action takes values from the account (`finds`), reads them first, because the account may change at any time.
 * Returns the reason instead if the account shows that there is nothing to do, or that other work has to end first.
 */
export async function prepareRequest(
  { name, endpoint, finds, body }: Action,
  requestInput: RequestInput,
  { send, queryOf }: LookupContext,
): Promise<ActionRequest> {
  const { input, ids, mark } = requestInput;
  const actionInput = finds ? await findValues(name, finds, requestInput, send) : { values: {} };
  if (!('values' in actionInput)) return actionInput;
  const foundValues = actionInput.values;
  const sending = { input, ids: Object.fromEntries(ids), foundValues, mark };
  const filling = { name, ids, foundValues, input, query: queryOf(endpoint) };
  return { request: composeRequest(endpoint, filling, body && (() => body(sending))), sending };
}

/**
 * Reads the account for an action that takes part of its request from there (`finds`), right before it is sent. Returns the values, or the
 * reason why there is nothing to do, or why the action has to wait. For a `$then` action (`since`: the time from which it is owed) it also
 * reads the `contextEndpoint`, because the changes before it may have made it unnecessary.
 */
async function findValues(
  name: string,
  finds: NonNullable<Action['finds']>,
  { input, ids, since }: RequestInput,
  send: LookupContext['send'],
): Promise<ReturnType<typeof finds.take>> {
  // These are reads, so they have no body.
  const compose = (source: Endpoint) =>
    composeRequest(source, { name, ids, input, query: [] }, () => undefined);
  const request = compose(finds.endpoint);
  const contextRequest =
    since === undefined || finds.contextEndpoint === undefined ? undefined : compose(finds.contextEndpoint);
  const contextAnswer = contextRequest && (await readContext(contextRequest, send));
  const answer = (await send(request)) as ApiObject;
  return finds.take(answer, input, since === undefined ? undefined : { since, contextAnswer });
}

/**
 * Reads additional information that a `$then` action needs to decide whether it has to be sent after the
 * changes before it (`contextEndpoint`). Returns undefined if the platform refuses the read, for example
 * because the account's plan lacks the feature. Throws any other error, so that the action is not sent
 * without this information.
 */
async function readContext(request: Request, send: LookupContext['send']): Promise<ApiObject | undefined> {
  try {
    return ((await send(request)) ?? {}) as ApiObject;
  } catch (error) {
    const { status = 0 } = error as { status?: number };
    if (status < 400 || status >= 500) throw error;
    return undefined;
  }
}

/**
 * True if the account is already in the state that an action leads to (`until.isState`), such as a domain
 * that is verified, so that the action need not be sent. Reads the lookup that shows the state. Used for
 * `$then` actions, when they are planned and right before they are sent.
 */
export async function isStateReached(
  { until }: Action,
  { input, ids, mark }: RequestInput,
  lookups: ReadonlyMap<string, Lookup>,
  context: LookupContext,
): Promise<boolean> {
  if (!until?.isState) return false;
  const lookup = lookups.get(until.lookup)!;
  const lookupInput = until.input({ input, ids: Object.fromEntries(ids), foundValues: {}, mark, answer: {} });
  const { rows } = await createRepeatedLookup(lookup, lookupInput, ids, context)();
  return rows[0] !== undefined && progressOf(rows[0], lookup) === 'reached';
}
