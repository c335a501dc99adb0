import { type Address, byAddress } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { Account, Plan, UnmanagedObject } from '../model/plan.ts';
import type { Decisions } from './comparison.ts';

/*
 * Marks the unmanaged objects that belong to other stacks. A plan changes no unmanaged object, but a reader looks for those that no stack
 * manages.
 */

/**
 * Returns the live objects that no configuration of this stack manages, sorted, for the end of a plan. Those in the ledger of another stack
 * are marked.
 */
export const listUnmanaged = ({ unmanaged, ofOtherStacks }: Decisions): UnmanagedObject[] =>
  unmanaged
    .map((object): UnmanagedObject => {
      const { kind, address, ids } = object;
      const isOfOtherStack = ofOtherStacks?.has(object) ? (true as const) : undefined;
      return { kind, address, id: ids.join(','), isOfOtherStack };
    })
    .sort(byAddress);

/**
 * Returns the plans of `plan --all`, in which an unmanaged object is marked if another one of these stacks declares it in the same account.
 * Reports then do not list it as an object that no stack manages. `listUnmanaged` knows only ledgers, and before its first apply a stack
 * has none.
 */
export function markDeclaredElsewhere(plans: readonly Plan[]): readonly Plan[] {
  if (plans.length < 2) return plans;
  /**
   * The plans that declare an object, by account and address. Their own unmanaged objects stay: an account can have a second object at an
   * address.
   */
  const declarers = new Map<string, Plan[]>();
  for (const plan of plans)
    for (const { address, action } of plan.changes) {
      if (action === 'delete' || action === 'release' || action === 'forget') continue;
      addTo(declarers, keyOf(plan.account, address), plan);
    }
  return plans.map((plan) => {
    const isDeclaredElsewhere = ({ address }: UnmanagedObject): boolean =>
      declarers.get(keyOf(plan.account, address))?.some((declarer) => declarer !== plan) ?? false;
    return {
      ...plan,
      unmanaged: plan.unmanaged.map((object) =>
        isDeclaredElsewhere(object) ? { ...object, isOfOtherStack: true as const } : object,
      ),
    };
  });
}

/** Returns a text that is equal for one object in plans of one account. */
const keyOf = (account: Account | undefined, address: Address): string =>
  JSON.stringify([account?.type, account?.name, account?.baseUrl, address]);
