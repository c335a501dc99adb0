import type { Kinds } from '../../src/kind/kind.ts';

/** True for a kind of objects that only their ids find, and for the kinds inside it: without a ledger a block needs `$id`. */
export function isFoundById(kindName: string, kinds: Kinds): boolean {
  const kind = kinds.get(kindName);
  if (kind === undefined) return false;
  return kind.read.single?.takes === 'id' || isFoundById(kind.parent ?? '', kinds);
}
