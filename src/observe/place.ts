import { namesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, addressOf, lastNameOf } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** Which address the ledger has an object under, by its id. */
export interface Owners {
  /** `natural`: where its name puts it; a row has several units, each of them a place in it. */
  of(id: string, natural: Address): Address | undefined;
  knows(id: string): boolean;
}

/** Of the addresses in a collection those that the ledger knows, by id: an object that was renamed keeps its address. */
export function ownersOf(ledger: Ledger, kind: Kind, addresses: Iterable<Address>): Owners {
  const owners = new Map<string, Address>();
  const ids = new Set<string>();
  // The name of a unit says where in its row it is as well.
  const keyOf = (id: string, address: Address) =>
    kind.rows?.placeIn ? `${id} ${kind.rows.placeIn(address.slice(address.lastIndexOf('/') + 1))}` : id;
  // A singleton has no id of its own.
  for (const address of kind.key.length === 0 ? [] : addresses) {
    const entry = ledger.entries[address];
    if (entry?.kind !== kind.name) continue;
    for (const id of entry.ids) {
      ids.add(id);
      owners.set(keyOf(id, address), address);
    }
  }
  return {
    of(id, natural) {
      // Known under its own name, whatever else that row is known for.
      const isHere = kind.rows && ledger.entries[natural]?.ids.includes(id);
      return isHere ? natural : owners.get(keyOf(id, natural));
    },
    knows: (id) => ids.has(id),
  };
}

/** Puts one found object where it belongs: under the ledger's address, an alias, or its natural one. */
export function place(
  found: Map<Address, LiveResource>,
  kind: Kind,
  parent: LiveResource | undefined,
  { ledger, owners, aliases }: { ledger: Ledger; owners: Owners; aliases: ReadonlyMap<Address, Address> },
  one: Pick<LiveResource, 'id' | 'fields' | 'index' | 'version' | 'updatedAt' | 'facts'>,
): void {
  const { id, fields } = one;
  const natural = addressOf(parent?.address, kind.section, namesOf(kind, fields));
  const alias = aliases.get(natural);
  // Of a set that the ledger knows only those rows are meant that it knows.
  const isKnownSet = kind.rows?.merge !== undefined && alias !== undefined && ledger.entries[alias];
  const owner = owners.of(id, natural);
  const address = owner ?? (isKnownSet ? undefined : alias) ?? natural;
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
    // What has another name than the others is what has to be seen of the set.
    const [first, second] = address === natural ? [other.fields, fields] : [fields, other.fields];
    const merged = kind.rows.merge(first, second) ?? first;
    const { renamedTo, ...rest } = other;
    found.set(address, {
      ...rest,
      ...(renamedTo !== undefined && renamedTo === resource.renamedTo ? { renamedTo } : {}),
      fields: merged,
      ids: [...other.ids, id],
      rows: [...other.rows!, ...resource.rows!],
    });
  } else if (owner === address && other.renamedTo === undefined && !owners.knows(other.id)) {
    // The ledger's id decides; the other one only has the name.
    found.set(address, { ...resource, alternatives: [...(other.alternatives ?? [other]), resource] });
  } else found.set(address, { ...other, alternatives: [...(other.alternatives ?? [other]), resource] });
}
