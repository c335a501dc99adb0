import type { Action, Sending } from '../kind/action.ts';
import type { ApiObject } from '../kind/kind.ts';
import type { Input } from '../kind/lookup.ts';
import type { Request } from '../model/plan.ts';
import { composeRequest } from './compose-request.ts';
import type { LookupGround } from './read-lookup.ts';

/** What an action is given. */
interface Given {
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
export async function requestOf(
  { name, endpoint, finds, body }: Action,
  { input, ids, mark, since }: Given,
  { send, queryOf }: LookupGround,
): Promise<ActionRequest> {
  let found: Input = {};
  if (finds) {
    const look = composeRequest(finds.endpoint, { what: name, ids, input, query: [] }, () => undefined);
    const seen = finds.take((await send(look)) as ApiObject, input, since);
    if (!('values' in seen)) return seen;
    found = seen.values;
  }
  const sending = { input, ids: Object.fromEntries(ids), found, mark };
  const filling = { what: name, ids, found, input, query: queryOf(endpoint) };
  return { request: composeRequest(endpoint, filling, body && (() => body(sending))), sending };
}
