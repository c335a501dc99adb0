import type { Change, FieldCause } from '../model/change.ts';
import { count } from './count.ts';

/** How many fields differ for a cause. What an adoption finds was nobody's before, so nothing about it is in doubt. */
export const fieldsWith = (changes: Change[], cause: FieldCause): number =>
  changes
    .filter(({ action }) => action !== 'adopt')
    .flatMap(({ fields }) => fields)
    .filter((field) => field.cause === cause).length;

/** What a yes to the plan means where both sides have changed; nothing where there is no conflict. */
export function conflictText(changes: Change[]): string[] {
  const conflicts = fieldsWith(changes, 'conflict');
  return conflicts === 0
    ? []
    : [
        `${count(conflicts, 'field')} changed both outside and here: approving this plan, or --overwrite-conflicts, overwrites what was changed outside.`,
      ];
}
