import { pluralOfKind } from './plural-of-kind.ts';

/** What a deletion deletes: the object, and its contents if it is a container. `src/plan/count-deletions.ts` counts. */
export interface DeletionCount {
  /** The number of objects as people count, with the deleted one itself. */
  objects: number;
  /** The same number by kind. */
  byKind: Readonly<Record<string, number>>;
  /** The kinds of contents that were not read: their objects are deleted, too, and not counted. */
  unread: readonly string[];
}

/** Formats counted objects by kind, for messages about deletions: `12 projectEnvVars, 1 project`. The most frequent kinds come first. */
export const formatKindCounts = (byKind: Readonly<Record<string, number>>): string =>
  Object.entries(byKind)
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, number]) => `${number} ${number === 1 ? kind : pluralOfKind(kind)}`)
    .join(', ');

/**
 * Names, for messages about a deletion, the kinds of contents that were not read and so not counted: `deployments and 26 other kinds`. May
 * be empty.
 */
export function formatUnreadKinds(unread: readonly string[]): string {
  const [first, ...others] = unread.map(pluralOfKind);
  if (first === undefined) return '';
  if (others.length === 0) return first;
  return `${first} and ${others.length === 1 ? others[0] : `${others.length} other kinds`}`;
}

/**
 * Formats what a deletion deletes, for messages: `15 objects (14 projectEnvVars, 1 project); not counted: deployments and 26 other kinds`.
 */
export function formatDeletionCount({ objects, byKind, unread }: DeletionCount): string {
  const counted = `${objects} ${objects === 1 ? 'object' : 'objects'} (${formatKindCounts(byKind)})`;
  return unread.length === 0 ? counted : `${counted}; not counted: ${formatUnreadKinds(unread)}`;
}
