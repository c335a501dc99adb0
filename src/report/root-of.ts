import type { Address } from '../model/address.ts';
import type { Entry } from './fold-changes.ts';

/** The object without a parent that all changes of an entry are in, such as `projects/web`, if it is one. */
export function rootOf({ wholes }: Entry): Address | undefined {
  const roots = new Set(wholes.flat().map(({ address }) => address.split('/').slice(0, 2).join('/')));
  return roots.size === 1 ? [...roots][0] : undefined;
}
