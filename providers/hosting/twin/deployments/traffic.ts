import * as z from 'zod';
import { operation, type Resource } from '../resource.ts';

const costsBody = z.looseObject({
  views: z.record(z.string(), z.looseObject({ groupBy: z.array(z.string()) })),
});

/**
 * What visitors cause: costs, logs and alerts. A twin has no visitors, so each answer is empty, in the form that the platform's command
 * line reads (`usage`, `logs`, `alerts`); none of the operations is in the public catalog.
 */
export const traffic: Resource = {
  operations: {},
  clientOperations: {
    'POST /v2/billing/costs': operation({ body: costsBody }, (call, _, { views }) => ({
      queriedAt: new Date(call.time()).toISOString(),
      metrics: [],
      results: {
        times: [],
        dimensionsMeta: {},
        views: Object.fromEntries(
          Object.entries(views).map(([name, { groupBy }]) => [name, { groupBy, results: [] }]),
        ),
      },
    })),
    'POST /v1/observability/events': operation({ body: z.looseObject({}) }, () => ({
      events: [],
      pagination: { hasMore: false, nextCursor: null },
    })),
    'GET /api/logs/request-logs': operation({}, () => ({ rows: [], hasMoreRows: false })),
    'GET /alerts/v3/groups': operation({}, () => []),
  },
};
