import type { IncomingHttpHeaders } from 'node:http';
import type { CatalogOperation } from '../catalog.ts';
import { type Account, findOwner, type Owner, teamPlan } from './account.ts';
import { Answer, type Call, makingFor } from './call.ts';
import { documentedOf } from './documented.ts';
import { notImplemented } from './errors.ts';
import { type CountedCall, rateLimits } from './http/rate-limits.ts';
import { countOutside, type Outside } from './outside.ts';
import type { Operation } from './resource.ts';
import type { Route } from './router.ts';
import { saveAccount } from './state-file.ts';
import type { Switches } from './switches.ts';
import { clientOperations, emptyProject, forgetProject, isKept, nameOf, operations } from './tables.ts';
import { noteEvent } from './team/noted-events.ts';
import { findRequestOwner } from './token-scope.ts';
import type { TwinOptions } from './twin.ts';

/** A request whose operation was found and whose token was accepted, so that it can be served. */
export interface Served {
  route: Route;
  query: URLSearchParams;
  body: unknown;
  /** The body, if it is no JSON. */
  bytes?: Buffer;
  headers: IncomingHttpHeaders;
  /** The rate limit headers are added to this object, so that a refusal has them as well. */
  rateHeaders: Record<string, string>;
  /**
   * The name of the user who makes the request, if it is another one than the user of the account: a fault plan can write as somebody else.
   */
  by?: string;
}

/** The account and the settings of a twin, which all its operations share. */
interface TwinContext {
  account: Account;
  switches: Switches;
  now: () => number;
  options: TwinOptions;
  /** The list of what clients sent beyond the public schema. */
  outside: Outside[];
  /** Returns the account as a read by this operation sees it: a fault may show an earlier state. */
  shown(operation: string): Account;
}

/** Returns the members of an operation that identify it in the twin's list of what clients send beyond the public schema. */
const identityOf = ({ method, path, operationId }: CatalogOperation) => ({
  method,
  path,
  ...(operationId === null ? {} : { operationId }),
});

/**
 * Returns the function with which a twin serves one request of an operation: it finds the owner of the objects, counts the call for the
 * rate limits, calls the handler of the operation, and, after a write, notes an event and saves the account. Throws an `ApiError` for a
 * refusal. `context`: the account and the settings of the twin.
 */
export function operationServer(context: TwinContext): (served: Served) => Answer {
  const { account, switches, now, options } = context;
  const { rateLimits: mode = 'off', limitWindowMs: windowMs } = options;
  const limits = mode === 'off' ? undefined : rateLimits(now, { isAssumed: mode === 'assumed', windowMs });
  return (served) => {
    const { route, query, body, headers, rateHeaders, by: username } = served;
    const { operation } = route;
    const { authorization } = headers;
    const owner = findRequestOwner(account, { route, query, body, authorization }, switches);
    const name = nameOf(operation);
    const isWrite = operation.method !== 'GET';
    const handler = findHandler(operation);
    if (limits) Object.assign(rateHeaders, limits.count(countedCallOf(account, served, owner)));
    const call = createCall(context, served, owner);
    const { user } = account;
    const author =
      username === undefined ? user : { ...user, id: `user_${username}`, username, name: username };
    const result = asUser(account, author, () => handler.serve(call));
    if (isWrite) {
      const answerBody = result instanceof Answer ? result.body : result;
      noteEvent(call, { name, group: operation.group }, answerBody, author);
      if (options.statePath !== undefined) saveAccount(options.statePath, account);
    }
    const answer = result instanceof Answer ? result : new Answer(200, result);
    // The documented form of an operation carries nothing out, so `doctor --calibrate` must not compare such an answer.
    return operationOfResource(name) ? answer : new Answer(answer.status, answer.body, formOnlyHeaders);
  };
}

/** The header of answers by the published form of an operation alone. */
const formOnlyHeaders = { 'x-twin-answer': 'form-only' };

/** Returns the operation of a resource that has this name. Without one, the twin knows at most the documented form of the operation. */
const operationOfResource = (name: string): Operation | undefined =>
  [operations, clientOperations].find((table) => Object.hasOwn(table, name))?.[name];

/** Returns what serves an operation: the code of a resource, otherwise its documented form. Throws 501 if the twin has neither. */
function findHandler(operation: CatalogOperation): Operation {
  const name = nameOf(operation);
  const handler = operationOfResource(name) ?? documentedOf(operation)?.operation;
  if (handler === undefined) throw notImplemented(`${name} (${operation.method} ${operation.path})`);
  return handler;
}

/** Returns a request as rate limits count it: for a team, which the path or the query names, or for the user. */
function countedCallOf(account: Account, { route, body }: Served, owner: Owner): CountedCall {
  const { operation, params } = route;
  const ownerInPath = params.teamId === undefined ? undefined : findOwner(account, params.teamId);
  const { id: ownerId, team } = ownerInPath ?? owner;
  return {
    ...{ operationId: nameOf(operation), isWrite: operation.method !== 'GET', body },
    ...{ ownerId, userId: account.user.id, plan: team && teamPlan },
  };
}

/**
 * Returns a request as the handler of its operation sees it. A read may see an earlier state of the account, because a fault simulates that
 * the platform shows writes late. A lenient twin notes members of the body that the public schema does not know.
 */
function createCall(
  { account, switches, now, options, outside, shown }: TwinContext,
  { route, query, body, bytes, headers }: Served,
  owner: Owner,
): Call {
  const { operation, params } = route;
  const visibleAccount = operation.method === 'GET' ? shown(nameOf(operation)) : account;
  return {
    ...makingFor({ account: visibleAccount, switches, now, emptyProject }, owner),
    params,
    query,
    body,
    ...(bytes ? { bytes } : {}),
    outside: options.lenient
      ? {
          note: (member, was) => countOutside(outside, { ...identityOf(operation), member, was }),
          isKept,
        }
      : undefined,
    pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
    headers,
    forgetProject: (id) => forgetProject(account, id),
  };
}

/** Runs `work` while another person is the user of the account, so that new objects name that person as their creator. */
function asUser<T>(account: Account, user: Account['user'], work: () => T): T {
  const usualUser = account.user;
  account.user = user;
  try {
    return work();
  } finally {
    account.user = usualUser;
  }
}
