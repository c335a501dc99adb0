import type { Plan } from '../../model/plan.ts';
import { sentIn } from '../summary-of.ts';
import { actionsOf } from './resource-change.ts';

/** How much of what Terraform counts: a replacement is added and removed, what is let go is not counted. */
export interface Counts {
  add: number;
  change: number;
  import: number;
  remove: number;
}

export function countsOf({ changes, operations }: Pick<Plan, 'changes' | 'operations'>): Counts {
  const sent = sentIn({ operations });
  const counts: Counts = { add: 0, change: 0, import: 0, remove: 0 };
  for (const change of changes) {
    const actions: string[] = actionsOf(change, sent.has(change.address));
    if (actions.includes('create')) counts.add++;
    if (actions.includes('update')) counts.change++;
    if (actions.includes('delete')) counts.remove++;
    if (change.action === 'adopt') counts.import++;
  }
  return counts;
}

/** `Plan: 1 to import, 5 to add, 4 to change, 6 to destroy.` */
export const countsText = (counts: Counts): string =>
  `Plan: ${counts.import > 0 ? `${counts.import} to import, ` : ''}${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy.`;
