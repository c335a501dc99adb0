import type { Change } from '../model/change.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import { count } from './text.ts';

/**
 * Returns how many objects a logical change deletes together with its container, to print behind the name of the container: ` (15
 * objects)`. Empty if it deletes nothing else. A reader would otherwise take the deletion of a full project for one of a single object.
 */
export function contentsText(logicalChange: readonly Change[]): string {
  const { objects } = countPlannedDeletions(logicalChange);
  return objects > 1 ? ` (${count(objects, 'object')})` : '';
}
