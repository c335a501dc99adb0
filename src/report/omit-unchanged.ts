import type { Change } from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';

/** A plan without its unchanged objects, and their numbers. */
interface ReducedPlan {
  plan: Plan;
  /** The number of objects that were left out, by kind, as people count them. */
  omitted: Record<string, number>;
}

/**
 * Leaves the unchanged and the unmanaged objects out of a plan, for `--changes-only`: a stack of 5,000 objects with 19 changes is a
 * document of 3 MB, nearly all of it about objects that stay as they are. An object stays in the plan if its ledger entry changes, or if it
 * waits for another stack. `omitted`: the number of unchanged objects by kind.
 */
export function omitUnchanged(plan: Plan): ReducedPlan {
  const byOmission = groupBy(plan.changes, isUnchanged);
  const omitted = [...groupBy(byOmission.get(true) ?? [], ({ kind }) => kind)]
    .map(([kind, changes]) => [kind, countLogicalChanges(changes)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    plan: { ...plan, changes: byOmission.get(false) ?? [], unmanaged: [] },
    omitted: Object.fromEntries(omitted),
  };
}

const isUnchanged = ({ action, changesLedgerOnly, handover }: Change): boolean =>
  action === 'noop' && !changesLedgerOnly && handover === undefined;
