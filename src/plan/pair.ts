import { childKinds } from '../kind/define-kind.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { byCollection, collectionId } from '../model/resource.ts';
import { attributeIn, type Claims, type PlanInput } from './input.ts';

/**
 * Moves live objects to the declared address that has their name, if the ledger knows them under one that is no longer declared.
 * Somebody renamed them in the account and then here, or went back on a rename.
 */
export function claimedByName(input: PlanInput): PlanInput {
  const { desired, live, ledger, kinds } = input;
  const resources = new Map(live.resources);
  const claims = new Map(input.claims);
  for (const one of live.resources.values()) {
    const { address, renamedTo, kind } = one;
    if (renamedTo === undefined || one.alternatives || desired.resources.has(address)) continue;
    const isFree =
      desired.resources.has(renamedTo) && !resources.has(renamedTo) && !ledger.entries[renamedTo];
    // What is in it was read under its old address.
    if (!isFree || !ledger.entries[address] || childKinds(kinds, kind).length > 0) continue;
    const { renamedTo: _, ...rest } = one;
    resources.delete(address);
    resources.set(renamedTo, { ...rest, address: renamedTo });
    claims.set(renamedTo, address);
  }
  return { ...input, claims, ledger: withClaims(ledger, claims), live: { ...live, resources } };
}

/** The ledger with entries under the addresses that claim them. */
function withClaims(ledger: Ledger, claims: Claims): Ledger {
  const entries = { ...ledger.entries };
  for (const [address, old] of claims) {
    const entry = entries[old];
    if (!entry) continue;
    delete entries[old];
    entries[address] = entry;
  }
  return { ...ledger, entries };
}

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
