import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Entry } from './fold-changes.ts';

/** Entries of one project, one domain, ...; `root` is empty where they are in several. */
export interface RootEntries {
  root: Address;
  entries: Entry[];
}

/** The object without a parent that all changes of an entry are in, such as `projects/web`, if it is one. */
export function rootOf({ wholes }: Entry): Address | undefined {
  const roots = new Set(wholes.flat().map(({ address }) => address.split('/').slice(0, 2).join('/')));
  return roots.size === 1 ? [...roots][0] : undefined;
}

/** Entries by what they are in at the top, in their order. */
export function byRoot(entries: Entry[]): RootEntries[] {
  const groups = groupBy(entries, (entry) => rootOf(entry) ?? '');
  return [...groups].map(([root, entries]) => ({ root, entries }));
}
