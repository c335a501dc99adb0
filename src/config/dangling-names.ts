import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import type { ReadBlock } from './block.ts';
import { hintFor } from './suggest.ts';

/** Says which names in `ref` fields lead to nothing. */
export function danglingNames(
  read: ReadBlock[],
  uncertain: ReadonlySet<CollectionId>,
  kinds: Kinds,
): Diagnostic[] {
  const declared = new Map<Address, string>();
  for (const { block, units } of read)
    for (const address of [block.address, ...units.map((unit) => unit.address)])
      declared.set(address, block.kind.name);
  return read.flatMap(({ block, links }) =>
    links
      .filter(
        ({ to, type, kind }) =>
          type === 'named' && !declared.has(to) && !uncertain.has(collectionOf(to, kind)),
      )
      .map(({ to, kind, at }) => {
        const prefix = to.slice(0, to.lastIndexOf('/') + 1);
        const siblings = [...declared.keys()].filter(
          (address) => address.startsWith(prefix) && declared.get(address) === kind && !/#\d+$/.test(address),
        );
        const near = hintFor(
          to.slice(prefix.length),
          siblings.map((address) => address.slice(prefix.length)),
          'declared are',
        );
        return problem('ref/undeclared', `${to} is not declared`, {
          at,
          address: block.address,
          hint: `${near ? `${near} ` : ''}If it is not managed here, declare it with \`$existing: true\` under \`${kinds.get(kind)?.section}\`.`,
        });
      }),
  );
}

/** The collection that a named resource would be in: behind its parent's address stand a section and a name. */
const collectionOf = (address: Address, kind: string): CollectionId =>
  collectionId(kind, address.split('/').slice(0, -2).join('/') || undefined);
