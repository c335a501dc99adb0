import type { Plan } from '../../model/plan.ts';

/**
 * A plan without what only the ledger learns: Terraform brings its state up to date before it plans, and has no word for that. What is gone
 * on both sides is no resource any more.
 */
export const asTerraformHasIt = <T extends Pick<Plan, 'changes'>>(plan: T): T => ({
  ...plan,
  changes: plan.changes
    .filter(({ action, renews }) => !(renews && action === 'forget'))
    .map((change) => (change.renews ? { ...change, action: 'noop' as const } : change)),
});
