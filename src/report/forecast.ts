import type { Pace, PublishedLimit } from '../model/pace.ts';
import type { Endpoint, Operation, Plan } from '../model/plan.ts';

/** What a plan will take: requests, seconds, and the published limits that it comes under. */
export interface Forecast {
  requests: number;
  seconds: number;
  /** `requests`: how many of the plan count; the first window lets `allowed` of them through at once. */
  limits: (Pick<PublishedLimit, 'what' | 'allowed' | 'window'> & { requests: number })[];
}

/** As many as work at once unless --parallelism says otherwise. */
const atOnce = 10;

/** How long a plan will take: as long as its requests do, one after the other where they must be, and until a limit lets all of them through. */
export function forecast({ operations }: Pick<Plan, 'operations'>, pace?: Pace): Forecast {
  const all = operations.flatMap(({ requests }) => requests.map(({ endpoint }) => blank(endpoint)));
  const limits = (pace?.limits ?? []).flatMap(({ endpoint, what, allowed, window }) => {
    const requests = all.filter((one) => one === blank(endpoint)).length;
    return requests > 0 ? [{ what, requests, allowed, window }] : [];
  });
  const turns = Math.max(longestChain(operations), all.length / atOnce);
  const waits = Math.max(0, ...limits.map(waitOf));
  return { requests: all.length, seconds: Math.ceil(turns * (pace?.requestSeconds ?? 0) + waits), limits };
}

/** How many seconds a limit holds the last of these requests back, if nothing of it was used before. */
export const waitOf = ({ requests, allowed, window }: Forecast['limits'][number]): number =>
  Math.max(0, Math.ceil(requests / allowed) - 1) * window;

/** Whatever the placeholders are called, and without the query. */
const blank = (endpoint: Endpoint): string => endpoint.replace(/\?.*$/, '').replace(/\{[^{}]*\}/g, '{}');

/** How many requests have to be sent one after the other; operations come after those that they depend on. */
function longestChain(operations: Operation[]): number {
  const ends = new Map<string, number>();
  let longest = 0;
  for (const { id, dependsOn, requests } of operations) {
    const begin = dependsOn.reduce((latest, other) => Math.max(latest, ends.get(other) ?? 0), 0);
    ends.set(id, begin + requests.length);
    longest = Math.max(longest, begin + requests.length);
  }
  return longest;
}
