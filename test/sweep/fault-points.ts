import type { FaultPlan, LoggedRequest } from '../../providers/hosting/twin/index.ts';
import { lists } from '../../providers/hosting/twin/lists.ts';
import { partOf } from '../../providers/hosting/twin/partial-batch.ts';

export type Action = FaultPlan['faults'][number]['do'];

/** What happens to one request of a run, and what the run may make of it. */
export interface FaultPoint {
  /** The request's number, from 1; `every`: all requests of its operation, as long as the run goes on. */
  request: number;
  every?: true;
  /** `foreign`: others make something beside it, just before. `lie`: it is done, and answered in another form. */
  do: Action | { type: 'foreign' } | { type: 'lie'; form: keyof typeof lies };
  /** Nobody hears the answer, whatever it is. */
  lost?: true;
}

/** Answers that say nothing of what was done to whoever knows only the usual form. */
export const lies = {
  wrapped: (answer: unknown): unknown => ({ envs: answer }),
  listed: (answer: unknown): unknown => [answer],
  nothing: (): unknown => undefined,
  'of other types': (): unknown => ({
    id: null,
    created: 'all',
    updated: 1,
    deleted: {},
    failed: true,
    version: [],
  }),
};

/** Longer than a run may wait. */
export const tooLong = 3600;
/** Lists may be behind for so long. */
export const behind = 30_000;

const onReads: Action[] = [
  { type: 'rateLimit' },
  { type: 'rateLimit', retryAfter: tooLong },
  { type: 'status', status: 502 },
  { type: 'connectionReset' },
  { type: 'connectionReset', when: 'during' },
  { type: 'cutJson' },
];

const onWrites: Action[] = [
  { type: 'rateLimit', retryAfter: 2 },
  { type: 'rateLimit', retryAfter: tooLong },
  { type: 'status', status: 500 },
  { type: 'status', status: 503, when: 'after' },
  { type: 'connectionReset' },
  { type: 'connectionReset', when: 'after' },
  { type: 'connectionReset', when: 'during' },
  { type: 'cutJson' },
  { type: 'stale', ms: behind },
  { type: 'stale', ms: behind, byId: true },
];

/** All that can happen to these requests, each one alone. */
export function faultPoints(requests: readonly LoggedRequest[]): FaultPoint[] {
  const seen = new Set<string>();
  return requests.flatMap(({ method, operationId = '', body }, index): FaultPoint[] => {
    const request = index + 1;
    const at = (actions: FaultPoint['do'][]) => actions.map((action) => ({ request, do: action }));
    const isFirst = !seen.has(operationId);
    seen.add(operationId);
    const foreign = at([{ type: 'foreign' }]);
    if (method === 'GET')
      return [
        ...at(onReads),
        ...(Object.hasOwn(lists, operationId) ? at([{ type: 'cutList' }, { type: 'cutList', keep: 0 }]) : []),
        ...(isFirst ? [{ request, every: true as const, do: { type: 'status', status: 500 } as const }] : []),
        ...foreign,
      ];
    const isBatch = partOf(operationId, body) !== undefined;
    return [
      ...at(onWrites),
      ...Object.keys(lies).map((form) => ({
        request,
        do: { type: 'lie' as const, form: form as keyof typeof lies },
      })),
      { request, do: { type: 'stale', ms: behind }, lost: true },
      { request, do: { type: 'stale', ms: behind, byId: true }, lost: true },
      ...(isFirst
        ? [{ request, every: true as const, do: { type: 'status', status: 500, when: 'after' } as const }]
        : []),
      ...(isBatch ? at([{ type: 'partialBatch' }, { type: 'partialBatch', done: 1 }]) : []),
      ...foreign,
    ];
  });
}
