import { addTo, type Endpoint, type Pace } from '#kind';
import { catalog } from '../catalog.ts';
import { type BillingPlan, countsBody, limitsForPlan } from './index.ts';

/** The endpoints of each operation, by `operationId`. An operation has several if its path has several spellings. */
const endpointsOf = new Map<string | null, Endpoint[]>();
for (const { operationId, method, path } of catalog)
  endpointsOf.set(operationId, [...(endpointsOf.get(operationId) ?? []), `${method} ${path}` as Endpoint]);

const toEndpoints = (operationIds: readonly string[] = []): Endpoint[] =>
  operationIds.flatMap((id) => endpointsOf.get(id) ?? []);

/**
 * Returns the pace of the platform for an account: its documented rate limits, by which an apply paces its requests and a plan forecasts
 * its duration, and the usual duration of a request, an assumption for forecasts. `plan`: the billing plan of the account, if known.
 * `weakEndpoints`: those that only probably count towards a limit.
 */
export const paceOf = (plan?: BillingPlan): Pace => ({
  requestSeconds: 0.3,
  limits: limitsForPlan(plan).map(
    ({ operations, weakOperations, scope, name, what, bodyMember, allowed, window }) => ({
      name,
      what,
      allowed,
      window,
      counts: bodyMember === undefined ? undefined : (body) => countsBody({ bodyMember }, body),
      endpoints: toEndpoints(operations),
      weakEndpoints: toEndpoints(weakOperations),
      isOfUser: scope === 'user',
    }),
  ),
});

/** Returns the billing plan that the answer about a team or user names; undefined if it names none that is known. */
export function billingPlanOf({ billing }: Record<string, unknown>): BillingPlan | undefined {
  const plan = (billing as { plan?: unknown } | null | undefined)?.plan;
  return (['hobby', 'pro', 'enterprise'] as const).find((name) => name === plan);
}

const noLimits: readonly PacedLimit[] = [];

/** A documented limit as pacing counts it. The window is in milliseconds. */
export interface PacedLimit {
  name: string;
  allowed: number;
  window: number;
  counts?: Pace['limits'][number]['counts'];
}

/**
 * Creates the function which returns the limits that a call surely counts towards, the shortest window first, so that an apply does not
 * exceed them. `name`: the operation as in the catalog, `POST /v1/webhooks`. The limits are indexed once, because it is called for each
 * request.
 */
export function createLimitFinder({ limits }: Pace): (name: string, body?: unknown) => readonly PacedLimit[] {
  const limitsOf = new Map<string, PacedLimit[]>();
  for (const { name, allowed, window, counts, endpoints } of limits)
    for (const endpoint of endpoints)
      addTo(limitsOf, endpoint, { name, allowed, window: window * 1000, counts });
  return (name, body) => {
    const operationLimits = limitsOf.get(name) ?? noLimits;
    return operationLimits.some(({ counts }) => counts)
      ? operationLimits.filter(({ counts }) => counts?.(body) ?? true)
      : operationLimits;
  };
}

/** The limits of a billing plan as a connection uses them. */
interface Pacing {
  pace: Pace;
  limitsOf: ReturnType<typeof createLimitFinder>;
}

const pacings = new Map<BillingPlan | undefined, Pacing>();

/**
 * Returns the documented rate limits of a billing plan, with their index by operation (`limitsOf`). Connections slow
 * their calls down to them. Computed once for each plan, because a command for many stacks opens a connection for each.
 * Nothing here changes, so connections can share it: what they have sent is counted elsewhere.
 */
export function pacingOf(plan?: BillingPlan): Pacing {
  const cached = pacings.get(plan);
  if (cached) return cached;
  const pace = paceOf(plan);
  const pacing = { pace, limitsOf: createLimitFinder(pace) };
  pacings.set(plan, pacing);
  return pacing;
}
