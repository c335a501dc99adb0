import { catalog } from '../../providers/hosting/catalog.ts';
import type { FaultPlan, LoggedRequest } from '../../providers/hosting/twin/index.ts';
import { isList } from '../support/answered-list.ts';
import type { FaultAt } from '../support/fault-proxy.ts';
import { type Lie, lies } from '../support/lies.ts';
import { partOfBatch } from '../support/part-of-batch.ts';
import type { ProxyAction } from '../support/proxy-fault.ts';

/** What the platform alone can do: for a while no read shows a write. */
export type Stale = Extract<FaultPlan['faults'][number]['do'], { type: 'stale' }>;
export type Action = ProxyAction | Stale;

/** A fault of a run: what can be made between it and the platform is made there. */
export interface Fault {
  at: FaultAt;
  only?: 'reads' | 'writes';
  do: Action;
}

/** What happens to one request of a run. */
export interface FaultPoint {
  /** The request's number, from 1. */
  request: number;
  /** All requests of this endpoint, as long as the run goes on. */
  every?: string;
  /** `neighbour`: others make something beside it, just before. */
  do: Exclude<Action, { type: 'foreign' }> | { type: 'neighbour' };
  /** Nobody hears the answer, whatever it is. */
  lost?: true;
}

/** Longer than a run may wait. */
export const tooLong = 3600;
/** Lists may be behind for so long. */
export const behind = 30_000;

const statuses = [400, 403, 404, 409, 422];
const refusals: Action[] = statuses.map((status) => ({ type: 'status', status }));
/** What stands between says no to what was done. */
const falseRefusals: Action[] = statuses.map((status) => ({ type: 'status', status, when: 'after' }));
const allLies = Object.keys(lies).map((form) => ({ type: 'lie' as const, form: form as Lie }));

const onReads: Action[] = [
  { type: 'rateLimit' },
  { type: 'rateLimit', retryAfter: tooLong },
  { type: 'status', status: 502 },
  { type: 'connectionReset' },
  { type: 'connectionReset', when: 'during' },
  { type: 'cutJson' },
];

/** Answers that look well, and are not. */
const lyingReads: Action[] = [...allLies, ...refusals, { type: 'earlier' }];
const lyingLists: Action[] = [{ type: 'leftOut' }, { type: 'doubled' }];

const onWrites: Action[] = [
  { type: 'rateLimit', retryAfter: 2 },
  { type: 'rateLimit', retryAfter: tooLong },
  ...refusals,
  ...falseRefusals,
  { type: 'status', status: 500 },
  { type: 'status', status: 503, when: 'after' },
  { type: 'connectionReset' },
  { type: 'connectionReset', when: 'after' },
  { type: 'connectionReset', when: 'during' },
  { type: 'cutJson' },
  ...allLies,
  { type: 'stale', ms: behind },
  { type: 'stale', ms: behind, byId: true },
];

const endpointOf = ({ method, path, operationId }: LoggedRequest): string => {
  const found = catalog.find((one) => one.operationId !== null && one.operationId === operationId);
  return `${method} ${found?.path ?? path.split('?')[0]}`;
};

/** All that can happen to these requests, each one alone. Reads lie where an endpoint is asked for the first and for the last time. */
export function faultPoints(requests: readonly LoggedRequest[]): FaultPoint[] {
  const endpoints = requests.map(endpointOf);
  return requests.flatMap(({ method, path, body }, index): FaultPoint[] => {
    const request = index + 1;
    const at = (actions: Action[]) => actions.map((action) => ({ request, do: action }) as FaultPoint);
    const every = endpoints[index]!;
    const isFirst = endpoints.indexOf(every) === index;
    const isEnd = isFirst || endpoints.lastIndexOf(every) === index;
    const always = (action: ProxyAction) => (isFirst ? at([action]).map((one) => ({ ...one, every })) : []);
    const neighbour: FaultPoint = { request, do: { type: 'neighbour' } };
    if (method === 'GET')
      return [
        ...at(onReads),
        ...(isEnd ? at(lyingReads) : []),
        ...(isList(path) ? at([{ type: 'cutList' }, { type: 'cutList', keep: 0 }]) : []),
        ...(isList(path) && isEnd ? at(lyingLists) : []),
        ...always({ type: 'status', status: 500 }),
        neighbour,
      ];
    const isBatch = partOfBatch(method, path, body) !== undefined;
    const lost = at([
      { type: 'stale', ms: behind },
      { type: 'stale', ms: behind, byId: true },
    ]).map((one) => ({ ...one, lost: true as const }));
    return [
      ...at(onWrites),
      ...lost,
      ...always({ type: 'status', status: 500, when: 'after' }),
      ...always({ type: 'lie', form: 'renamed' }),
      ...always({ type: 'lie', form: 'html' }),
      ...(isBatch ? at([{ type: 'partialBatch' }, { type: 'partialBatch', done: 1 }]) : []),
      neighbour,
    ];
  });
}
