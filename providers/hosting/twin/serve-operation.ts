import type { IncomingHttpHeaders } from 'node:http';
import type { CatalogOperation } from '../catalog.ts';
import { type Account, findOwner, makeId, tick } from './account.ts';
import { Answer, type Call, type Handler } from './call.ts';
import { forbidden, notImplemented } from './errors.ts';
import { handlers } from './handlers.ts';
import { rateLimits } from './http/rate-limits.ts';
import { countOutside, type Outside } from './outside.ts';
import { clientOperations } from './projects/client-operations.ts';
import { nameOf, type Route } from './router.ts';
import { saveAccount } from './state-file.ts';
import type { Switches } from './switches.ts';
import type { TwinOptions } from './twin.ts';

/** One request that was routed and may be served. */
export interface Served {
  found: Route;
  query: URLSearchParams;
  body: unknown;
  headers: IncomingHttpHeaders;
  /** Gets what the answer's headers say of rate limits, also where it is a refusal. */
  told: Record<string, string>;
  /** The user's name, where it is not the account's own. */
  by?: string;
}

/** What operations work on. `shown` is the account as reads of a list, or others, are to see it. */
interface Ground {
  account: Account;
  switches: Switches;
  now: () => number;
  options: TwinOptions;
  /** What was outside of the public schema so far. */
  outside: Outside[];
  shown(operation: string): Account;
}

/** What serves an operation, be it of the catalog or known to clients only. */
function handlerOf(operation: CatalogOperation): Handler | undefined {
  const name = nameOf(operation);
  return Object.hasOwn(handlers, name)
    ? handlers[name]
    : clientOperations.find((one) => one === operation)?.serve;
}

const nameAndPlace = ({ method, path, operationId }: CatalogOperation) => ({
  method,
  path,
  ...(operationId === null ? {} : { operationId }),
});

/** Serves operations on an account; throws `ApiError`. */
export function operationServer({ account, switches, now, options, outside, shown }: Ground) {
  const limits = options.rateLimits === 'real' ? rateLimits(now) : undefined;
  return ({ found, query, body, headers, told, by }: Served): Answer => {
    const { operation, params } = found;
    const inPath = operation.path.includes('{teamId}');
    const scope = query.get('teamId') ?? query.get('slug');
    const owner = inPath ? findOwner(account, null) : findOwner(account, scope);
    if (owner === undefined) {
      throw forbidden(`Not authorized: Trying to access resource under scope "${scope}".`);
    }
    const name = nameOf(operation);
    const handler = handlerOf(operation);
    if (handler === undefined) throw notImplemented(`${name} (${operation.method} ${operation.path})`);
    const writes = operation.method !== 'GET';
    if (writes && limits !== undefined) Object.assign(told, limits.count(owner.id, name));
    const call: Call = {
      account: writes ? account : shown(name),
      owner,
      params,
      query,
      body,
      outside: options.strict
        ? undefined
        : (member, was) => countOutside(outside, { ...nameAndPlace(operation), member, was }),
      switches,
      pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
      id: (prefix, length = 24) => makeId(account, prefix, length),
      time: () => tick(account, now),
      now,
      headers,
    };
    const { user } = account;
    if (by !== undefined) account.user = { ...user, id: `user_${by}`, username: by, name: by };
    let result: unknown;
    try {
      result = handler(call);
    } finally {
      account.user = user;
    }
    if (writes && options.statePath !== undefined) saveAccount(options.statePath, account);
    return result instanceof Answer ? result : new Answer(200, result);
  };
}
