import { countLogicalChanges } from '../model/logical-changes.ts';
import { canaryOperation, type Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { logicalNameOf } from './fold-changes.ts';

/**
 * Returns the sentence about the change that an apply does first on an account that is new to the ledger; empty on any other account.
 * `quote` formats a change as code.
 */
export function firstContactTexts(plan: Plan, quote: (text: string) => string): string[] {
  const { firstContact, operations, changes } = plan;
  if (!firstContact) return [];
  const canary = canaryOperation(plan);
  if (!canary)
    return ['First contact with this account: no change is harmless enough to be tried before the others.'];
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  const otherCount = countLogicalChanges(changes.filter(({ address }) => sent.has(address))) - 1;
  const firstChanges = changes.filter(({ address }) => canary.changes.includes(address));
  const verb = firstChanges.every(({ action }) => action === 'create') ? 'create' : 'update';
  const name = quote(cleanLine(`${verb} ${logicalNameOf(firstChanges)}`));
  const otherChanges = otherCount === 1 ? 'the other change' : `the other ${otherCount} changes`;
  return [
    `First contact with this account: ${name} is done first and checked by a fresh read before ${otherChanges}.`,
  ];
}
