import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { topologicalOrder } from '../../model/graph.ts';
import { type CollectionId, collectionId, type Resource } from '../../model/resource.ts';
import type { ReadBlock } from '../blocks/block.ts';
import { hintFor } from '../suggest.ts';

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

const manyCycles = 20;

/** Resources that need each other: by reference, by name, by `$dependsOn`, or as parent. */
export function findCycles(read: ReadBlock[], resources: ReadonlyMap<Address, Resource>): Diagnostic[] {
  const needs = new Map<Address, Set<Address>>();
  const places = new Map<string, ReadBlock['links'][number]['at']>();
  for (const { units, links } of read)
    for (const { address, parent } of units) {
      const all = needs.get(address) ?? new Set();
      for (const { to, at } of links)
        if (resources.has(to)) {
          all.add(to);
          if (!places.has(`${address} ${to}`)) places.set(`${address} ${to}`, at);
        }
      if (parent !== undefined && resources.has(parent)) all.add(parent);
      needs.set(address, all);
    }
  const diagnostics: Diagnostic[] = [];
  let nodes = [...resources.keys()];
  for (;;) {
    const inside = new Set(nodes);
    const result = topologicalOrder(nodes, (node) =>
      [...(needs.get(node) ?? [])].filter((to) => inside.has(to)),
    );
    if ('order' in result || diagnostics.length >= manyCycles) return diagnostics;
    const { cycle } = result;
    const place = (i: number) =>
      places.get(`${cycle[i]} ${cycle[(i + 1) % cycle.length]}`) ?? resources.get(cycle[i]!)!.at;
    diagnostics.push(
      problem('ref/cycle', `these need each other: ${[...cycle, cycle[0]].join(' → ')}`, {
        at: place(0),
        address: cycle[0],
        hint: 'remove one of the references',
        related: cycle.slice(1).map((address, i) => ({ message: address, at: place(i + 1) })),
      }),
    );
    const seen = new Set(cycle);
    nodes = nodes.filter((node) => !seen.has(node));
  }
}
