/** One request as the twin remembers it, without its authorization. */
export interface LoggedRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The catalog's name of the operation; absent when the path is in no catalog entry or has no name. */
  operationId?: string;
  /** The status of the answer; 0 if the client got none. */
  status: number;
  /** As it came, secrets too: `/__twin/requests` serves `shownRequest` of it. */
  body?: unknown;
  /** The fault that the plan did to it, in words; absent if there was none. */
  fault?: string;
}

/** Something that was done to a request because the fault plan says so. */
export interface DoneFault {
  /** The request's number since the plan was set, from 1. */
  request: number;
  method: string;
  /** With the query. */
  path: string;
  /** As in `LoggedRequest`. */
  operationId?: string;
  /** For people. */
  fault: string;
}

/** A path as it is logged: a token in it is hidden, wherever it stands. */
export function loggedPath(path: string): string {
  return path.replace(/(\/tokens?\/)[^/?]+/g, '$1(secret)');
}

/**
 * A request as `/__twin/requests` serves it: with the members of its body, and no text of any of them. A client may put a
 * secret into any text, so no list of members could say which texts are safe.
 */
export function shownRequest({ body, ...request }: LoggedRequest): LoggedRequest {
  return body === undefined ? request : { ...request, body: withoutText(body) };
}

/** Returns a copy of a request's body with each text replaced by `(text)`, so that the twin's log, which anybody may read, shows no secrets. */
function withoutText(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : '(text)';
  if (Array.isArray(value)) return value.map(withoutText);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withoutText(inner)]));
}
