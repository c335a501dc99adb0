import type { Change } from './change.ts';
import type { DeletionCount } from './deletion-count.ts';
import { groupLogicalChanges } from './logical-changes.ts';

/**
 * Counts the objects that changes delete, with the contents of deleted containers, by kind. Every report, question and limit shows this
 * number, so that a reader of the plan never sees one deletion counted in two ways. Replaced objects do not count: each report lists them
 * on their own. `unread`: the kinds of contents that the plan did not read, so that they are deleted without being counted.
 */
export function countPlannedDeletions(changes: readonly Change[]): DeletionCount {
  const byKind = new Map<string, number>();
  const unread = new Set<string>();
  for (const [change] of groupLogicalChanges(changes.filter(({ action }) => action === 'delete'))) {
    const { kind, deletes } = change!;
    for (const [name, number] of Object.entries(deletes?.byKind ?? { [kind]: 1 }))
      byKind.set(name, (byKind.get(name) ?? 0) + number);
    for (const name of deletes?.unread ?? []) unread.add(name);
  }
  const counts = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    objects: counts.reduce((sum, [, number]) => sum + number, 0),
    byKind: Object.fromEntries(counts),
    unread: [...unread],
  };
}
