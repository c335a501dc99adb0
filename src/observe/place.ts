import { namesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, addressOf, lastNameOf } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** Of the addresses in a collection those that the ledger knows, by id: an object that was renamed keeps its address. */
export function ownersOf(ledger: Ledger, kind: Kind, addresses: Iterable<Address>): Map<string, Address> {
  const owners = new Map<string, Address>();
  // With units, one id may stand for several addresses, and an address says where a unit is: nothing to follow.
  if (kind.rows || kind.key.length === 0) return owners;
  for (const address of addresses) {
    const entry = ledger.entries[address];
    if (entry?.kind === kind.name) for (const id of entry.ids) owners.set(id, address);
  }
  return owners;
}

/** Puts one found object where it belongs: under the ledger's address, an alias, or its natural one. */
export function place(
  found: Map<Address, LiveResource>,
  kind: Kind,
  parent: LiveResource | undefined,
  { owners, aliases }: { owners: Map<string, Address>; aliases: ReadonlyMap<Address, Address> },
  one: Pick<LiveResource, 'id' | 'fields' | 'index' | 'version' | 'updatedAt' | 'facts'>,
): void {
  const { id, fields } = one;
  const natural = addressOf(parent?.address, kind.section, namesOf(kind, fields));
  // A set of rows cannot change its name as one: under another name it is another set.
  const alias = kind.rows?.merge ? undefined : aliases.get(natural);
  const address = owners.get(id) ?? alias ?? natural;
  const resource: LiveResource = {
    ...one,
    address,
    kind: kind.name,
    ...(parent ? { parent: parent.address } : {}),
    ids: [id],
    fields:
      kind.identity && address !== natural ? { ...fields, [kind.key[0]!]: lastNameOf(address) } : fields,
    ...(kind.rows ? { rows: [{ id, fields }] } : {}),
    // What has no name of its own is never called anything else.
    ...(address === natural || kind.identity ? {} : { renamedTo: natural }),
  };
  const other = found.get(address);
  if (!other) found.set(address, resource);
  else if (kind.rows?.merge) {
    const merged = kind.rows.merge(other.fields, fields) ?? other.fields;
    found.set(address, {
      ...other,
      fields: merged,
      ids: [...other.ids, id],
      rows: [...other.rows!, ...resource.rows!],
    });
  } else if (owners.get(id) === address && other.renamedTo === undefined && !owners.has(other.id)) {
    // The ledger's id decides; the other one only has the name.
    found.set(address, { ...resource, alternatives: [...(other.alternatives ?? [other]), resource] });
  } else found.set(address, { ...other, alternatives: [...(other.alternatives ?? [other]), resource] });
}
