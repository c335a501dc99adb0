import type { IncomingHttpHeaders } from 'node:http';
import type { CatalogOperation } from '../catalog.ts';
import { type Account, findOwner, teamPlan } from './account.ts';
import { Answer, type Call, makingFor } from './call.ts';
import { documentedOf } from './documented.ts';
import { notImplemented } from './errors.ts';
import { rateLimits } from './http/rate-limits.ts';
import { countOutside, type Outside } from './outside.ts';
import type { Route } from './router.ts';
import { saveAccount } from './state-file.ts';
import type { Switches } from './switches.ts';
import { clientOperations, emptyProject, forgetProject, isKept, nameOf, operations } from './tables.ts';
import { noteEvent } from './team/noted-events.ts';
import { findRequestOwner } from './token-scope.ts';
import type { TwinOptions } from './twin.ts';

/** One request that was routed and may be served. */
export interface Served {
  route: Route;
  query: URLSearchParams;
  body: unknown;
  /** The body where it is not JSON. */
  bytes?: Buffer;
  headers: IncomingHttpHeaders;
  /** Gets the rate limit headers of the answer, also if it is a refusal. */
  rateHeaders: Record<string, string>;
  /** The user's name, where it is not the account's own. */
  by?: string;
}

/**
 * Everything that operations work on. `shown` gives the account as reads by this operation are to see it: a fault may show an
 * older one.
 */
interface Ground {
  account: Account;
  switches: Switches;
  now: () => number;
  options: TwinOptions;
  /** Everything so far that the public schema does not know. */
  outside: Outside[];
  shown(operation: string): Account;
}

/** Returns the members of an operation that identify it in the list of unknown members. */
const nameAndPlace = ({ method, path, operationId }: CatalogOperation) => ({
  method,
  path,
  ...(operationId === null ? {} : { operationId }),
});

/**
 * Returns the function which serves one request: it finds the owner in the query, counts the call for the rate
 * limits, calls the handler of the operation, and saves the account after a write. Throws an `ApiError` for a
 * refusal.
 */
export function operationServer({ account, switches, now, options, outside, shown }: Ground) {
  const { rateLimits: mode = 'off', limitWindowMs: windowMs } = options;
  const limits = mode === 'off' ? undefined : rateLimits(now, { isAssumed: mode === 'assumed', windowMs });
  return ({ route, query, body, bytes, headers, rateHeaders, by: username }: Served): Answer => {
    const { operation, params } = route;
    const { authorization } = headers;
    const owner = findRequestOwner(account, { route, query, body, authorization }, switches);
    const name = nameOf(operation);
    const served =
      [operations, clientOperations].find((table) => Object.hasOwn(table, name))?.[name] ??
      documentedOf(operation)?.operation;
    if (served === undefined) throw notImplemented(`${name} (${operation.method} ${operation.path})`);
    const writes = operation.method !== 'GET';
    if (limits) {
      const { id: ownerId, team } =
        (params.teamId === undefined ? owner : findOwner(account, params.teamId)) ?? owner;
      const whose = { ownerId, userId: account.user.id, plan: team && teamPlan } as const;
      Object.assign(rateHeaders, limits.count({ operationId: name, isWrite: writes, body, ...whose }));
    }
    const shownAccount = writes ? account : shown(name);
    const call: Call = {
      ...makingFor({ account: shownAccount, switches, now, emptyProject }, owner),
      params,
      query,
      body,
      ...(bytes ? { bytes } : {}),
      outside: options.lenient
        ? {
            note: (member, was) => countOutside(outside, { ...nameAndPlace(operation), member, was }),
            isKept,
          }
        : undefined,
      pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
      headers,
      forgetProject: (id) => forgetProject(account, id),
    };
    const { user } = account;
    if (username !== undefined) account.user = { ...user, id: `user_${username}`, username, name: username };
    let result: unknown;
    try {
      result = served.serve(call);
    } finally {
      account.user = user;
    }
    if (writes) {
      const operationName = { name, group: operation.group };
      // The event of the write names the user who made it.
      const doer =
        username === undefined ? user : { ...user, id: `user_${username}`, username, name: username };
      noteEvent(
        { ...call, account: shownAccount },
        operationName,
        result instanceof Answer ? result.body : result,
        doer,
      );
    }
    if (writes && options.statePath !== undefined) saveAccount(options.statePath, account);
    return result instanceof Answer ? result : new Answer(200, result);
  };
}
