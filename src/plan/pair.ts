import { knownFields } from '../kind/resolve.ts';
import { byCollection } from '../model/by-collection.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { attributeIn } from './attribute.ts';
import { withClaims } from './claims.ts';
import type { PlanInput } from './input.ts';

/** Moves live objects without a name of their own to the addresses that the configuration gives them. */
export function paired(input: PlanInput): PlanInput {
  const { desired, live, kinds, secrets, ledger } = input;
  const resources = new Map(live.resources);
  const claims = new Map(input.claims);
  const unnamed = [...desired.resources.values()].filter(({ kind }) => kinds.get(kind)?.shape.pair);
  const attribute = attributeIn(live);
  const found = byCollection(live.resources);
  for (const [id, wanted] of groupBy(unnamed, ({ kind, parent }) => collectionId(kind, parent))) {
    const kind = kinds.get(wanted[0]!.kind)!;
    const pairing = kind.shape.pair!({
      kind,
      wanted,
      found: new Map((found.get(id) ?? []).map((one) => [one.address, one])),
      fieldsOf: (want) => knownFields(kind, want, { secrets, attribute }),
      isKnown: (address) => ledger.entries[address] !== undefined,
    });
    for (const address of pairing.gone) resources.delete(address);
    for (const one of pairing.put) resources.set(one.address, one);
    for (const [now, old] of pairing.claims) claims.set(now, old);
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources } };
}
