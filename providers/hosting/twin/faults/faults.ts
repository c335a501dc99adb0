import type { Account } from '../account.ts';
import type { Answer } from '../call.ts';
import { ApiError } from '../errors.ts';
import type { Delivery } from '../http/messages.ts';
import { loggedPath } from '../http/request-log.ts';
import { route } from '../router.ts';
import type { Served } from '../serve-operation.ts';
import { lists, nameOf } from '../tables.ts';
import { type FaultPlan, readFaultPlan } from './fault-plan.ts';
import { type Asked, type ForeignAction, faultSchedule } from './fault-schedule.ts';
import { type Steps, stepsOf } from './fault-steps.ts';

/** What a fault plan changes in the handling of one request. The server calls `before`, serves the request, and calls `after`. */
export interface Interference {
  /** The number of the request since the plan was set, from 1; 0 for a page about the twin. */
  request: number;
  /** The faults that happened, in words; complete after `after`. */
  done: string[];
  /** The body to serve instead of that of the request. */
  body?: unknown;
  /** The time to wait before the answer is sent, in milliseconds. */
  delay?: number;
  delivery: Delivery;
  /**
   * Does what happens before the request is served, such as a write of another user. Throws the error to answer if it must not be served.
   */
  before(serve: (request: Served) => unknown): void;
  /** Returns the answer to send instead of this one. */
  after(answer: Answer): Answer | ApiError;
}

/** A fault plan in use by a twin. */
export interface Faults {
  /** Counts a request, and returns what the plan does to it. */
  next(method: string, url: URL, text: string): Interference;
  /** Returns the account as a read by this operation sees it now. */
  shown(operation: string): Account;
}

/** Returns the parts of a request that a fault plan selects requests by. */
function askedOf(method: string, path: string, text: string): Asked {
  const tried = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch {
      return undefined;
    }
  };
  const matched = tried(() => route(method, path));
  const body: unknown = text === '' ? undefined : tried(() => JSON.parse(text));
  return { method, path, operation: matched ? nameOf(matched.operation) : null, body };
}

/** Earlier states of the account. Reads show them for a while after a write. */
interface StaleAccounts {
  /** Stores a copy of the account before a write. Lists show it for `ms` milliseconds; with `byId`, so do all reads. */
  keep(account: Account, ms: number, byId: boolean): void;
  /** Returns the account that a read sees now: as it was before the earliest write that is still hidden from it. */
  shown(live: Account, isList: boolean): Account;
}

/**
 * Returns a store of earlier states of the account. Reads answer with an earlier state for a while, to simulate that
 * the platform shows a write late.
 */
function staleAccounts(now: () => number): StaleAccounts {
  let snapshots: { account: Account; until: number; byId: boolean }[] = [];
  return {
    keep(account, ms, byId) {
      snapshots.push({ account: structuredClone(account), until: now() + ms, byId });
    },
    shown(live, isList) {
      snapshots = snapshots.filter(({ until }) => until > now());
      return snapshots.find(({ byId }) => isList || byId)?.account ?? live;
    },
  };
}

/**
 * Changes the account like another person, as the fault plan requests, and describes the change. A write without a
 * scope gets the scope of `query`. A refusal is only mentioned in the description.
 */
function writeAsOther(
  action: ForeignAction,
  query: URLSearchParams,
  account: Account,
  serve: (request: Served) => unknown,
): string {
  if (action.type === 'foreignChange') {
    action.change(account);
    return 'before it, the account is changed from code';
  }
  const { method, path, as: username } = action;
  const url = new URL(path, 'http://twin');
  if (!['teamId', 'slug'].some((name) => url.searchParams.has(name)))
    for (const name of ['teamId', 'slug']) if (query.has(name)) url.searchParams.set(name, query.get(name)!);
  const matched = route(method, url.pathname)!;
  const what = `before it, ${username}: ${method} ${loggedPath(path)}`;
  // A copy for each use: handlers may store parts of a body.
  const body = structuredClone(action.body);
  try {
    serve({ route: matched, query: url.searchParams, body, headers: {}, rateHeaders: {}, by: username });
    return what;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${what} (refused: ${error.status} ${error.code})`;
  }
}

const isEmpty = (answer: Answer) => answer.body === undefined || answer.status === 204;

/** Starts a fault plan for an account. Throws a `FaultPlanError` for an invalid plan. */
export function openFaults(plan: FaultPlan, account: Account, now: () => number): Faults {
  const take = faultSchedule(readFaultPlan(plan));
  const stale = staleAccounts(now);
  return {
    shown: (operation) => stale.shown(account, Object.hasOwn(lists, operation)),
    next(method, url, text) {
      const asked = askedOf(method, url.pathname, text);
      // Requests about the twin itself are neither disturbed nor counted.
      const { request, foreign, action } = url.pathname.startsWith('/__twin/')
        ? { request: 0, foreign: [] }
        : take(asked);
      let steps: Steps | undefined;
      return {
        request,
        done: [],
        delivery: 'whole',
        before(serve) {
          for (const foreignAction of foreign)
            this.done.push(writeAsOther(foreignAction, url.searchParams, account, serve));
          if (action === undefined) return;
          steps = stepsOf(action, asked, now);
          this.body = steps.body;
          this.delay = steps.delay;
          this.delivery = steps.delivery ?? 'whole';
          if (steps.stale) stale.keep(account, steps.stale.ms, steps.stale.byId);
          if (steps.refuse) throw steps.refuse;
        },
        after(answer) {
          if (steps === undefined) return answer;
          const finished = steps.finish ? steps.finish(answer) : answer;
          if (finished === undefined) this.delivery = 'whole';
          else this.done.push(steps.text);
          // An empty answer cannot be cut in half.
          if (this.delivery === 'half, then cut' && isEmpty(answer)) this.delivery = 'none';
          return finished ?? answer;
        },
      };
    },
  };
}
