import { accountLimits } from './accounts.ts';
import { deliveryLimits } from './delivery.ts';
import { domainLimits } from './domains.ts';
import type { BillingPlan, DocumentedLimit } from './limit.ts';
import { projectLimits } from './projects.ts';

export { type BillingPlan, type DocumentedLimit, limitsSource } from './limit.ts';

/*
 * The rate limits that the platform documents, as data for the forecast of a plan, the pacing of an apply and the twin.
 *
 * The documentation names no operations: the wording of a row decides. A clear wording is a fact, so pacing and `twin --rate-limits real`
 * obey it. An operation that a wording fits badly is in `weakOperations`: only forecasts and `twin --rate-limits assumed` count it, and an
 * apply slows down only if the answers of the platform state the limit.
 */

/** All documented limits that concern an operation of the catalog. */
export const documentedLimits: readonly DocumentedLimit[] = [
  ...projectLimits,
  ...domainLimits,
  ...deliveryLimits,
  ...accountLimits,
];

/**
 * Returns the limits of an account with this billing plan, the shortest window first. Those with a `bodyMember` come last, because runs
 * with `--limits` share the first limit of an operation, which must not depend on the body. An unknown plan counts as the free one: it has
 * the lowest limits, so a forecast promises no speed that the account may not have.
 */
export const limitsForPlan = (plan: BillingPlan = 'hobby'): DocumentedLimit[] =>
  documentedLimits
    .filter(({ plans }) => plans?.includes(plan) ?? true)
    .sort(
      (a, b) =>
        Number(a.bodyMember !== undefined) - Number(b.bodyMember !== undefined) || a.window - b.window,
    );

/**
 * True if a request with this body counts towards a limit of its operation. A team's change of its `slug`, for example, counts towards a
 * limit that its other changes do not have.
 */
export const countsBody = ({ bodyMember }: { bodyMember?: string | undefined }, body: unknown): boolean =>
  bodyMember === undefined || (typeof body === 'object' && body !== null && Object.hasOwn(body, bodyMember));
