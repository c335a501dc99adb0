import { createHash } from 'node:crypto';
import { lists } from '../tables.ts';
import type { Fault, FaultAction } from './fault-plan.ts';
import { partOf } from './partial.ts';

/** The parts of a request by which a fault plan selects it. */
export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  /** The name of the operation in the twin's tables (`nameOf`); null if there is no such operation. */
  operation: string | null;
  body: unknown;
}

/** An action of another user before a request. */
export type ForeignAction = Extract<FaultAction, { type: 'foreignWrite' | 'foreignChange' }>;
/** An action on the request itself, or on its answer. */
export type OwnAction = Exclude<FaultAction, ForeignAction>;

/** The actions that are due for one request. */
export interface Due {
  /** The number of the request since the plan was set, from 1. */
  request: number;
  /** The changes that others make before it. */
  foreign: ForeignAction[];
  action?: OwnAction;
}

/** Returns a number from 0 to 1 (excluded) that depends only on the text, instead of a random one. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** True if the action of a fault is possible for this request. Whether a list can be cut shows only in its answer. */
function fits(action: FaultAction, { method, operation, body }: Asked): boolean {
  if (action.type === 'stale') return method !== 'GET';
  if (action.type === 'partialBatch') return partOf(operation, body, action.done) !== undefined;
  if (action.type === 'cutList') return Object.hasOwn(lists, operation ?? '');
  return true;
}

const isForeign = (action: FaultAction): action is ForeignAction =>
  action.type === 'foreignWrite' || action.type === 'foreignChange';

/**
 * Returns a function which counts requests and returns the actions of the plan that are due for each: all changes by
 * others, and the first other action that is possible.
 */
export function faultSchedule(faults: readonly Fault[]): (asked: Asked) => Due {
  let requests = 0;
  const counts = faults.map(() => 0);
  const times = new Map<string, number>();

  const isDue = ({ at, only }: Fault, index: number, asked: Asked): boolean => {
    if (only !== undefined && (only === 'reads') !== (asked.method === 'GET')) return false;
    if ('operation' in at && at.operation !== asked.operation) return false;
    counts[index]! += 1;
    const count = counts[index]!;
    if ('request' in at) return count === at.request;
    if ('every' in at) return count % at.every === 0;
    if ('operation' in at) return at.nth === undefined || count === at.nth;
    const requestLine = `${asked.method} ${asked.path}`;
    return draw(`${at.seed} ${index} ${requestLine} ${times.get(requestLine)}`) < at.share;
  };

  return (asked) => {
    requests += 1;
    const requestLine = `${asked.method} ${asked.path}`;
    times.set(requestLine, (times.get(requestLine) ?? 0) + 1);
    const due = faults.filter((fault, index) => isDue(fault, index, asked)).map((fault) => fault.do);
    const action = due.find((due): due is OwnAction => !isForeign(due) && fits(due, asked));
    return { request: requests, foreign: due.filter(isForeign), ...(action ? { action } : {}) };
  };
}
