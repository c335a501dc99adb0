import type { Address } from '../model/address.ts';
import type { Action } from '../model/change.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';

export type Actions = ReadonlyMap<Address, Action>;

export const actionsOf = (plan: Plan): Actions =>
  new Map(plan.changes.map(({ address, action }) => [address, action]));

/** What an operation is about: an address, and how many more there are. */
export function operationLabel({ id, changes }: Operation): string {
  const [first, ...more] = changes;
  return cleanLine(first ?? id) + (more.length > 0 ? ` and ${more.length} more` : '');
}

const doing: Partial<Record<Action, string>> = {
  create: 'creating',
  update: 'updating',
  adopt: 'updating',
  replace: 'replacing',
  delete: 'deleting',
  move: 'moving',
};

/** `creating`, or `changing` where an operation does several things at once. */
export function operationVerb(operation: Operation, actions: Actions): string {
  const verbs = new Set(
    operation.changes.map((address) => doing[actions.get(address) ?? 'noop'] ?? 'changing'),
  );
  return verbs.size === 1 ? [...verbs][0]! : 'changing';
}

/** Why something was not tried: an address stands for its failure, which is the usual reason. */
export const becauseText = (because: string): string =>
  because.includes('/') ? `${cleanLine(because)} failed` : cleanLine(because);
