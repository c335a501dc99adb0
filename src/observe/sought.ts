import { decodeFields, idOf, namesOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';

/** What is mentioned of a collection, as it can be looked for. */
export interface Sought {
  /** Of each mentioned address that is not certainly known from these objects: the ids and the natural addresses that lack. */
  lacking(objects: ApiObject[]): { ids: string[]; names: Address[] }[];
  /** Whether an object is one of them, or in the place of one. */
  isMeant(object: ApiObject): boolean;
  /** Where an object is found by its name. */
  naturalOf(object: ApiObject): Address | undefined;
}

/**
 * An address is known once the object with the ledger's id and the one that has its name were looked for: an object that was renamed
 * outside keeps its address, and another one may have its name by now. Under the old name, too, where that is an alias.
 */
export function soughtIn(
  kind: Kind,
  parent: Address | undefined,
  mentioned: Iterable<Address>,
  { ledger, aliases }: { ledger: Ledger; aliases: ReadonlyMap<Address, Address> },
): Sought {
  const isHere = (address: Address) =>
    address === addressOf(parent, kind.section, [escapeName(lastNameOf(address))]);
  const old = new Map<Address, Address[]>();
  for (const [from, to] of aliases) if (isHere(from)) old.set(to, [...(old.get(to) ?? []), from]);
  const wanted = [...mentioned].map((address) => {
    const entry = ledger.entries[address];
    return { ids: entry?.kind === kind.name ? entry.ids : [], names: [address, ...(old.get(address) ?? [])] };
  });
  const ids = new Set(wanted.flatMap((one) => one.ids));
  const names = new Set(wanted.flatMap((one) => one.names));
  /** Asked of each object after each page. */
  const known = new WeakMap<ApiObject, Address>();
  const naturalOf = (object: ApiObject) => {
    const fields = known.has(object) ? undefined : decodeFields(kind, object, { to: () => undefined });
    if (fields) known.set(object, addressOf(parent, kind.section, namesOf(kind, fields)));
    return known.get(object);
  };
  return {
    naturalOf,
    isMeant: (object) => ids.has(idOf(kind, object)) || names.has(naturalOf(object) ?? ''),
    lacking(objects) {
      const foundIds = new Set(objects.map((object) => idOf(kind, object)));
      const foundNames = new Set(objects.map(naturalOf));
      return wanted
        .map((one) => ({
          ids: one.ids.filter((id) => !foundIds.has(id)),
          names: one.names.filter((name) => !foundNames.has(name)),
        }))
        .filter((one) => one.ids.length + one.names.length > 0);
    },
  };
}
