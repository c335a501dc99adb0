import type { ByApi } from '#kind';

/** Operations that `trueup api` alone calls: a program's, not a person's. */
export const byApi: readonly ByApi[] = [];
