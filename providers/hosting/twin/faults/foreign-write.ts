import type { Account } from '../account.ts';
import { ApiError } from '../errors.ts';
import { loggedPath } from '../http/request-log.ts';
import { route } from '../router.ts';
import type { Served } from '../serve-operation.ts';
import type { ForeignAction } from './fault-schedule.ts';

/**
 * Does what somebody else does, and says what it was. A write that names no scope is in that of `query`. That the platform
 * refuses it is no error here: it is said.
 */
export function writeAsOther(
  action: ForeignAction,
  query: URLSearchParams,
  account: Account,
  serve: (request: Served) => unknown,
): string {
  if (action.type === 'foreignChange') {
    action.change(account);
    return 'before it, the account is changed from code';
  }
  const { method, path, as: by } = action;
  const url = new URL(path, 'http://twin');
  if (!['teamId', 'slug'].some((name) => url.searchParams.has(name)))
    for (const name of ['teamId', 'slug']) if (query.has(name)) url.searchParams.set(name, query.get(name)!);
  const found = route(method, url.pathname)!;
  const what = `before it, ${by}: ${method} ${loggedPath(path)}`;
  // Used each time anew: handlers may keep parts of a body.
  const body = structuredClone(action.body);
  try {
    serve({ found, query: url.searchParams, body, headers: {}, told: {}, by });
    return what;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${what} (refused: ${error.status} ${error.code})`;
  }
}
