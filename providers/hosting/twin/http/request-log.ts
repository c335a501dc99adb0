/** A request in the twin's log, without its authorization. */
export interface LoggedRequest {
  method: string;
  /** With the query. */
  path: string;
  /** The name of the operation in the catalog; absent if the catalog has no such path, or no name for it. */
  operationId?: string;
  /** The status of the answer; 0 if the client got none. */
  status: number;
  /** The body as it was received, with its secrets. `/__twin/requests` shows the request by `shownRequest` instead. */
  body?: unknown;
  /** The fault that the plan caused in it, in words; absent if there was none. */
  fault?: string;
  /** The stack of an error of the twin itself, for its developers. `/__twin/requests` does not show it. */
  stack?: string;
}

/** A fault that the plan caused in a request. */
export interface DoneFault {
  /** The request's number since the plan was set, from 1. */
  request: number;
  method: string;
  /** With the query. */
  path: string;
  /** As in `LoggedRequest`. */
  operationId?: string;
  /** The fault in words. */
  fault: string;
}

/** Returns a path for the log. Hides the segment after `/token/` or `/tokens/`, because it can be the value of a token. */
export function loggedPath(path: string): string {
  return path.replace(/(\/tokens?\/)[^/?]+/g, '$1(secret)');
}

/**
 * Returns a request as `/__twin/requests` shows it: with the members of its body, but without their texts. A client may put a
 * secret into any text, so no list of members could say which texts are safe.
 */
export function shownRequest({ body, stack: _, ...request }: LoggedRequest): LoggedRequest {
  return body === undefined ? request : { ...request, body: withoutText(body) };
}

/** Returns a copy of a request's body with each text replaced by `(text)`, so that the page with the twin's log shows no secrets. */
function withoutText(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : '(text)';
  if (Array.isArray(value)) return value.map(withoutText);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, withoutText(inner)]));
}
