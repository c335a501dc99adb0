/** A billing plan of the platform, as its answers name it. The free plan is `hobby`. */
export type BillingPlan = 'hobby' | 'pro' | 'enterprise';

/** A rate limit that the platform documents: a counter of requests, which allows so many in each window. */
export interface DocumentedLimit {
  /** The name of the counter. It is ours, except for names that an answer of the platform has shown. */
  name: string;
  /** The requests that count, for people, in the plural: `DNS record creations`. */
  what: string;
  /** The operations that count together, by `operationId`. */
  operations: readonly string[];
  /** Operations that only probably count: the documentation names none, and its wording fits them badly. */
  weakOperations?: readonly string[];
  /** The member that the body of a request must have to count. Absent if all requests of the operations count. */
  bodyMember?: string;
  /** The number of requests in each window. */
  allowed: number;
  /** The length of a window in seconds. */
  window: number;
  /** The owner of a counter: the account (a team, or the user outside a team), or the user in all accounts. */
  scope: 'owner' | 'user';
  /** The billing plans for which the number holds. Absent for all. */
  plans?: readonly BillingPlan[];
  /** Its source, if that is not `limitsSource`. */
  source?: string;
}

/** The source of the numbers. The page changed again on 2026-09-16, and no copy of that version was available. */
export const limitsSource = { page: 'https://vercel.com/docs/limits', date: '2026-02' };

export const minute = 60;
export const hour = 3600;
export const day = 24 * hour;

export const paid: readonly BillingPlan[] = ['pro', 'enterprise'];
