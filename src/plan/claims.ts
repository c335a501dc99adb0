import { childKinds } from '../kind/define-kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { PlanInput } from './input.ts';

/** Addresses that took over what the ledger knows under another one: new to old. */
export type Claims = ReadonlyMap<Address, Address>;

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
export function withClaims(ledger: Ledger, claims: Claims): Ledger {
  const entries = { ...ledger.entries };
  for (const [address, old] of claims) {
    const entry = entries[old];
    if (!entry) continue;
    delete entries[old];
    entries[address] = entry;
  }
  return { ...ledger, entries };
}
