import type { LimitedCall } from '../../src/http/call-queues.ts';
import { createOperationFinder, type NamedOperation } from '../../src/http/endpoint.ts';
import type { Connection, Owner } from '../../src/kind/provider.ts';
import type { Budget, Pace } from '../../src/model/budget.ts';
import { digest } from '../../src/model/digest.ts';
import type { Endpoint, Method } from '../../src/model/request.ts';
import { catalog } from './catalog.ts';
import { extraOperations } from './extra-operations.ts';
import { billingPlanOf, type PacedLimit, pacingOf } from './limits/pace.ts';

/** Returns the operation of the platform that an endpoint belongs to, by whose name limits and permissions are found. */
export const match: (endpoint: Endpoint) => NamedOperation = createOperationFinder([
  ...catalog,
  ...extraOperations,
]);

/**
 * Returns a call of an endpoint as the limiter takes it: the name of its operation and its documented rate limits. Used to reserve room for
 * it.
 */
export function limitedCallOf(
  endpoint: Endpoint,
  { limitsOf }: AccountLimits,
): { operation: string; call: LimitedCall } {
  const { name: operation, path } = match(endpoint);
  const call = { method: operation.split(' ')[0] as Method, path, documented: limitsOf(operation) };
  return { operation, call };
}

/** The documented rate limits of an account. */
interface AccountLimits {
  pace: Pace;
  /** Returns the limits that a call of an operation surely counts towards, the shortest window first. */
  limitsOf(operation: string, body?: unknown): readonly PacedLimit[];
  /** Returns the name under which runs with `--limits` share a rate limit. */
  sharedAs(bucket: string): string;
}

/**
 * Returns the documented rate limits of an account, for pacing and for the forecast of plans; the lowest ones while its owner has not been
 * read yet. `sharedAs`: returns the name under which runs with `--limits` share a bucket (a rate limit). The platform counts some for each
 * user and the others for each account, so the name of the latter contains the account.
 */
export function limitsOfAccount(owner?: Owner): AccountLimits {
  const { pace, limitsOf } = pacingOf(owner && billingPlanOf(owner.facts));
  const userBuckets = new Set(pace.limits.flatMap(({ isOfUser, name }) => (isOfUser ? [name] : [])));
  // The database of `--limits` gets no id of the account.
  const account = owner && digest('shared limits', owner.id);
  return {
    pace,
    limitsOf,
    sharedAs: (bucket: string) => (!owner || userBuckets.has(bucket) ? bucket : `${account} ${bucket}`),
  };
}

/**
 * Returns the methods of a connection that concern other runs with the same token, which share its rate limits in a `budget`: `announce`
 * tells them how many requests are planned, and `paceNow` returns the documented limits with the state of each at the moment. Without a
 * budget nothing is shared.
 */
export function shareLimits(
  budget: Budget | undefined,
  currentLimits: () => AccountLimits,
): Pick<Connection, 'announce' | 'paceNow'> {
  return {
    announce(endpoints) {
      if (!budget) return;
      const { limitsOf, sharedAs } = currentLimits();
      const counts = new Map<string, number>();
      for (const endpoint of endpoints) {
        const { name } = match(endpoint);
        // Runs share only the first bucket of an operation, like the limiter.
        const bucket = sharedAs(limitsOf(name)[0]?.name ?? name);
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      }
      budget.announce(counts);
    },
    async paceNow() {
      const { pace, sharedAs } = currentLimits();
      if (!budget) return pace;
      const states = await budget.states(pace.limits.map(({ name }) => sharedAs(name)));
      return {
        ...pace,
        limits: pace.limits.map((limit) => ({ ...limit, now: states.get(sharedAs(limit.name)) })),
      };
    },
  };
}
