import type { Action, Sending } from '../kind/action.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Endpoint, Request } from '../model/request.ts';
import { composeRequest } from './compose-request.ts';
import { progressOf } from './lookup-rows.ts';
import { createRepeatedLookup, type LookupContext } from './read-lookup.ts';

/** The input of an action. */
interface RequestInput {
  input: Input;
  /** The ids of what it is about, and of what that is in, by kind. */
  ids: ReadonlyMap<string, string>;
  mark: string;
  /** When the changes that it follows were done, in milliseconds since 1970. */
  since?: number;
}

/** The request of an action with what it takes from the account; or why it is not sent now. */
export type ActionRequest = { request: Request; sending: Sending } | { nothing: string } | { busy: string };

/** The request with what it takes from the account as it is now; or why there is nothing to do, or nothing to do yet. */
export async function prepareRequest(
  { name, endpoint, finds, body }: Action,
  given: RequestInput,
  { send, queryOf }: LookupContext,
): Promise<ActionRequest> {
  const { input, ids, mark, since } = given;
  let found: Input = {};
  if (finds) {
    const look = composeRequest(finds.endpoint, { name, ids, input, query: [] }, () => undefined);
    const after =
      since === undefined
        ? undefined
        : { since, ...(await besideOf(finds.contextEndpoint, given, send, name)) };
    const seen = finds.take((await send(look)) as ApiObject, input, after);
    if (!('values' in seen)) return seen;
    found = seen.values;
  }
  const sending = { input, ids: Object.fromEntries(ids), foundValues: found, mark };
  const filling = { name, ids, foundValues: found, input, query: queryOf(endpoint) };
  return { request: composeRequest(endpoint, filling, body && (() => body(sending))), sending };
}

/** Reads further values; none if the platform refuses, for example because the account's plan lacks the feature. */
async function besideOf(
  endpoint: Endpoint | undefined,
  { input, ids }: RequestInput,
  send: LookupContext['send'],
  what: string,
): Promise<{ contextAnswer?: ApiObject }> {
  if (endpoint === undefined) return {};
  const look = composeRequest(endpoint, { name: what, ids, input, query: [] }, () => undefined);
  try {
    return { contextAnswer: ((await send(look)) ?? {}) as ApiObject };
  } catch (error) {
    // Anything else tells nothing: it is not sent on the strength of that.
    const { status = 0 } = error as { status?: number };
    if (status < 400 || status >= 500) throw error;
    return {};
  }
}

/** True if what an action is to bring about is there already, as far as its lookup tells. */
export async function isStateReached(
  { until }: Action,
  { input, ids, mark }: RequestInput,
  lookups: ReadonlyMap<string, Lookup>,
  ground: LookupContext,
): Promise<boolean> {
  if (!until?.isState) return false;
  const lookup = lookups.get(until.lookup)!;
  const asked = until.input({ input, ids: Object.fromEntries(ids), foundValues: {}, mark, answer: {} });
  const { rows } = await createRepeatedLookup(lookup, asked, ids, ground)();
  return rows[0] !== undefined && progressOf(rows[0], lookup, []) === 'reached';
}
