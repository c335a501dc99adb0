import type { Pace } from '../model/budget.ts';
import type { Operation } from '../model/plan.ts';
import type { RehearsedDuration } from '../model/rehearsal.ts';
import { type Endpoint, isRead, type Request } from '../model/request.ts';
import { forecast } from '../report/forecast.ts';

/**
 * Estimates how long an apply takes in the account, from its operations and the requests that it sent to the twin (the simulated account of
 * a rehearsal). A plan forecasts its reads; a rehearsal has counted them. The twin itself has no rate limits, so that a rehearsal does not
 * wait. `pace`: the documented speed and limits of the platform for this account.
 */
export function estimateDuration(
  operations: Operation[],
  sent: readonly Request[],
  pace: Pace,
): RehearsedDuration {
  const reads = new Map<Endpoint, number>();
  for (const request of sent)
    if (isRead(request)) reads.set(request.endpoint, (reads.get(request.endpoint) ?? 0) + 1);
  // The reads of planning (`sent`) are no part of the apply.
  const { seconds, limits } = forecast({ operations, reads: { sent: 0, ofApply: reads } }, pace);
  const uses = limits.map(({ what, requests, allowed, window }) => ({ what, requests, allowed, window }));
  return {
    seconds,
    limits: uses.sort((a, b) => b.requests / b.allowed - a.requests / a.allowed),
  };
}
