import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Entry } from './fold-changes.ts';

/** Entries of one project, one domain, ...; `root` is empty where they are in several. */
export interface RootEntries {
  root: Address;
  entries: Entry[];
}

/** `projects/web`, of whatever is in it. */
const rootOf = (address: Address): Address => address.split('/').slice(0, 2).join('/');

/** Entries by what they are in at the top, in their order. */
export function byRoot(entries: Entry[]): RootEntries[] {
  const groups = groupBy(entries, ({ wholes }) => {
    const roots = new Set(wholes.flat().map(({ address }) => rootOf(address)));
    return roots.size === 1 ? [...roots][0]! : '';
  });
  return [...groups].map(([root, entries]) => ({ root, entries }));
}
