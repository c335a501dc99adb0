import { namesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Address, addressOf, isWithin } from '../model/address.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { mapMembers } from '../model/members.ts';
import { collectionId, collectionParts, type Desired } from '../model/resource.ts';
import { isRef } from '../model/value.ts';

/** The ledger as the configuration calls things now. */
export interface Rebased {
  ledger: Ledger;
  /** Old natural addresses whose objects are meant by a new one: of units without an id of their own, or that the ledger never knew. */
  aliases: Map<Address, Address>;
  diagnostics: Diagnostic[];
}

/**
 * Follows every `$was`: the entry under the old address and all below it move to the new one. Happens once: where the new
 * address has an entry already, the `$was` is history. Without an old entry only `adoptRenamed` lets it count.
 */
export function rebase(
  ledger: Ledger,
  desired: Desired,
  { adoptRenamed = false, kinds }: { adoptRenamed?: boolean; kinds?: Kinds } = {},
): Rebased {
  const aliases = new Map<Address, Address>();
  const diagnostics: Diagnostic[] = [];
  const oldOf = new Map<Address, Address>();
  const entries = { ...ledger.entries };
  const staged = { ...ledger.staged };
  let { begun } = ledger;
  // An entry of several units may have one more than under its old name.
  const knownGroups = new Set(
    [...desired.resources.values()]
      .filter(({ address, meta }) => entries[address] || (meta.was !== undefined && entries[meta.was]))
      .map(({ group }) => group),
  );
  for (const { address, meta, at, group } of desired.resources.values()) {
    if (meta.was === undefined || entries[address]) continue;
    const { was } = meta;
    if (desired.resources.has(was))
      diagnostics.push(
        problem('was/both-declared', `${address} says it was ${was}, which is declared too`, {
          address,
          at,
          hint: 'remove the old block, or the `$was`',
        }),
      );
    else if (entries[was]) {
      aliases.set(was, address);
      oldOf.set(address, was);
      const moved = (old: Address) => (isWithin(old, was) ? address + old.slice(was.length) : old);
      for (const [old, { dependsOn, ...entry }] of Object.entries(entries)) {
        delete entries[old];
        entries[moved(old)] = { ...entry, ...(dependsOn ? { dependsOn: dependsOn.map(moved) } : {}) };
      }
      for (const [id, entry] of Object.entries(staged)) {
        const [parent, kind] = collectionParts(id);
        delete staged[id];
        staged[collectionId(kind, parent && moved(parent))] = { ...entry, of: entry.of.map(moved) };
      }
      begun = begun && Object.fromEntries(Object.entries(begun).map(([of, one]) => [moved(of), one]));
    } else if (adoptRenamed) aliases.set(was, address);
    // Done, where it is to be forgotten: the ledger has neither name any more.
    else if (!meta.forget && (group === undefined || !knownGroups.has(group)))
      diagnostics.push(
        problem('was/unknown', `${address} says it was ${was}, which this stack never applied`, {
          address,
          at,
          hint: 'remove the `$was`, or run with --adopt-renamed to rename the object of that name in the account',
        }),
      );
  }
  // A name that is made of a reference changes with what it refers to.
  for (const { address, kind: name, parent, fields } of kinds ? desired.resources.values() : []) {
    if (entries[address]) continue;
    const kind = kinds!.get(name)!;
    const before = mapMembers(fields, (value) =>
      isRef(value) ? { ...value, $ref: oldOf.get(value.$ref) ?? value.$ref } : value,
    );
    const old = addressOf(parent, kind.section, namesOf(kind, before));
    if (!entries[old] || desired.resources.has(old)) continue;
    entries[address] = entries[old];
    delete entries[old];
  }
  const isStaged = Object.keys(staged).length > 0;
  const rebased = { ...ledger, entries, ...(isStaged ? { staged } : {}), ...(begun ? { begun } : {}) };
  return { ledger: rebased, aliases, diagnostics };
}
