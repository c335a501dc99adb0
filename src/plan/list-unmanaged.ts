import { byAddress } from '../model/address.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Account, Plan, UnmanagedObject } from '../model/plan.ts';
import type { Decisions } from './comparison.ts';

/*
 * Marks the unmanaged objects that belong to other stacks. A plan changes no unmanaged object, but a reader looks for those that no stack
 * manages.
 */

/** Returns the unmanaged objects of a plan, sorted. Those in the ledger of another stack are marked. */
export const listUnmanaged = ({ unmanaged, ofOtherStacks }: Decisions): UnmanagedObject[] =>
  unmanaged
    .map((object): UnmanagedObject => {
      const { kind, address, ids } = object;
      const isOfOtherStack = ofOtherStacks?.has(object) ? (true as const) : undefined;
      return { kind, address, id: ids.join(','), isOfOtherStack };
    })
    .sort(byAddress);

/**
 * Returns the plans of several stacks with those unmanaged objects marked that another of these stacks of the same account declares, since
 * before the first apply no ledger has them.
 */
export function markDeclaredElsewhere(plans: readonly Plan[]): Plan[] {
  const declaredByAccount = new Map<string, Set<string>>();
  for (const { account, changes } of plans)
    for (const { kind, address, action } of changes) {
      if (action === 'delete' || action === 'release' || action === 'forget') continue;
      const declared = declaredByAccount.get(keyOf(account)) ?? new Set();
      declaredByAccount.set(keyOf(account), declared.add(`${kind} ${addressWithoutTarget(address)}`));
    }
  return plans.map((plan) => {
    const declared = declaredByAccount.get(keyOf(plan.account));
    if (!declared || plan.unmanaged.length === 0) return plan;
    const unmanaged = plan.unmanaged.map((object) =>
      declared.has(`${object.kind} ${addressWithoutTarget(object.address)}`)
        ? { ...object, isOfOtherStack: true as const }
        : object,
    );
    return { ...plan, unmanaged };
  });
}

/** Returns a text that is equal for stacks of one account. */
const keyOf = (account: Account | undefined): string =>
  account === undefined ? '' : JSON.stringify([account.type, account.name, account.baseUrl]);
