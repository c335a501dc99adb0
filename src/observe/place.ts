import { namesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, addressOf, lastNameOf } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';

/** Finds the address under which the ledger has an object, by its id. */
interface Owners {
  /** `natural`: the address that its name makes; a row has several units, each with its own. */
  of(id: string, natural: Address): Address | undefined;
  knows(id: string): boolean;
}

/** Finds, by id, which of the addresses in a collection the ledger knows: an object that was renamed keeps its address. */
export function ownersOf(ledger: Ledger, kind: Kind, addresses: Iterable<Address>): Owners {
  const owners = new Map<string, Address>();
  // A singleton has no id of its own.
  for (const address of kind.key.length === 0 ? [] : addresses) {
    const entry = ledger.entries[address];
    if (entry?.kind === kind.name) for (const id of entry.ids) owners.set(id, address);
  }
  return {
    of: (id, natural) =>
      // A row of a set is known under its own name, whatever other set knew it once.
      ledger.entries[natural]?.ids.includes(id) ? natural : owners.get(id),
    knows: (id) => owners.has(id),
  };
}

/** The same for units, of which a row may have several: renamed ones are recognised by their place in the row. */
export function ownersOfUnits(
  ledger: Ledger,
  kind: Kind,
  addresses: Iterable<Address>,
  units: readonly { id: string; natural: Address }[],
): Owners {
  const isKnown = (id: string, address: Address) => ledger.entries[address]?.ids.includes(id) ?? false;
  const owners = new Map<string, Address>();
  const here = new Set(units.map(({ id, natural }) => `${id} ${natural}`));
  let open = units.filter(({ id, natural }) => !isKnown(id, natural));
  let missing = [...addresses].flatMap((address) => {
    const entry = ledger.entries[address];
    const isHere = entry?.kind !== kind.name || entry.ids.some((id) => here.has(`${id} ${address}`));
    return isHere ? [] : entry.ids.map((id) => ({ id, address }));
  });
  const placeOf = (id: string, address: Address, index: number) =>
    `${id} ${kind.shape.rowPositionsOf!(address.slice(address.lastIndexOf('/') + 1))[index]}`;
  for (const index of open.length > 0 && missing.length > 0 ? [0, 1] : []) {
    const byPlace = groupBy(missing, ({ id, address }) => placeOf(id, address, index));
    for (const [place, of] of groupBy(open, ({ id, natural }) => placeOf(id, natural, index))) {
      const [one, ...others] = byPlace.get(place) ?? [];
      if (one && others.length === 0 && of.length === 1)
        owners.set(`${one.id} ${of[0]!.natural}`, one.address);
    }
    const taken = new Set(owners.values());
    open = open.filter(({ id, natural }) => !owners.has(`${id} ${natural}`));
    missing = missing.filter(({ address }) => !taken.has(address));
  }
  return {
    of: (id, natural) => (isKnown(id, natural) ? natural : owners.get(`${id} ${natural}`)),
    knows: (id) => units.some((unit) => unit.id === id && isKnown(id, unit.natural)),
  };
}

/** Puts one found object where it belongs: under the ledger's address, an alias, or its natural one. */
export function place(
  found: Map<Address, LiveResource>,
  kind: Kind,
  parent: LiveResource | undefined,
  { ledger, owners, aliases }: { ledger: Ledger; owners: Owners; aliases: ReadonlyMap<Address, Address> },
  one: Pick<
    LiveResource,
    'id' | 'fields' | 'index' | 'version' | 'updatedAt' | 'facts' | 'undeclared' | 'pending'
  >,
): void {
  const { id, fields } = one;
  const natural = addressOf(parent?.address, kind.section, namesOf(kind, fields));
  const alias = aliases.get(natural);
  // If the ledger knows a set, only the rows that it knows are meant.
  const isKnownSet = kind.shape.mergeRows !== undefined && alias !== undefined && ledger.entries[alias];
  const owner = owners.of(id, natural);
  const address = owner ?? (isKnownSet ? undefined : alias) ?? natural;
  const resource: LiveResource = {
    ...one,
    address,
    kind: kind.name,
    ...(parent ? { parent: parent.address } : {}),
    ids: [id],
    fields:
      !kind.shape.isNamed && address !== natural
        ? { ...fields, [kind.key[0]!]: lastNameOf(address) }
        : fields,
    ...(kind.shape.byAddress ? { rows: [{ id, fields }] } : {}),
    // An object without a name of its own is never renamed.
    ...(address === natural || !kind.shape.isNamed ? {} : { renamedTo: natural }),
  };
  const other = found.get(address);
  if (!other) found.set(address, resource);
  else if (kind.shape.mergeRows) {
    // A row with another name than the others is the one that the set has to show.
    const [first, second] = address === natural ? [other.fields, fields] : [fields, other.fields];
    const merged = kind.shape.mergeRows(first, second) ?? first;
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
