import { decodeFields, idOf, listItemsOf, namesOf } from '../kind/define-kind.ts';
import type { ApiObject, Kind } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { allPages, type Endpoint, type Pages, type Request, type Send } from '../model/request.ts';
import { objectsIn } from './answers.ts';
import { readOne, type SingleReader } from './read-one.ts';

/** The mentioned objects of a collection, for looking them up. */
interface Lookups {
  /** The ids and natural addresses that lack, for each mentioned address that is not certainly known from these objects. */
  lacking(objects: ApiObject[]): { ids: string[]; names: Address[] }[];
  /** True if an object is one of them, or in the place of one. */
  isMeant(object: ApiObject): boolean;
  /** The address that an object's name makes. */
  naturalOf(object: ApiObject): Address | undefined;
}

/**
 * An address is known after looking for both the object with the ledger's id and the one with its name: an object renamed outside keeps
 * its address, and another one may have its name by now. If the address is an alias, the old name is looked for, too.
 */
export function lookupsIn(
  kind: Kind,
  parent: Address | undefined,
  mentioned: Iterable<Address>,
  { ledger, aliases }: { ledger: Ledger; aliases: ReadonlyMap<Address, Address> },
): Lookups {
  const isHere = (address: Address) =>
    address === addressOf(parent, kind.section, [escapeName(lastNameOf(address))]);
  const old = new Map<Address, Address[]>();
  for (const [from, to] of aliases) if (isHere(from)) addTo(old, to, from);
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

/** The most objects that are read one by one in place of the remaining pages, whose number is unknown. */
const few = 3;

/** `kind` has `read.one` and a plain list. */
interface LookupReader extends SingleReader {
  lookups: Lookups;
  send: Send;
}

/**
 * The mentioned objects of a collection that cannot be read, as the ledger has them: an id, which is the key. Their other fields are
 * unknown, and are compared with the last apply.
 */
export const recordedIn = ({ entries }: Ledger, kind: Kind, mentioned: Iterable<Address>): ApiObject[] =>
  [...mentioned].flatMap((address) => {
    const entry = entries[address];
    const isOurs = entry?.kind === kind.name && !entry.existing;
    return isOurs ? entry.ids.map((id) => ({ [kind.key[0]!]: id })) : [];
  });

/**
 * The mentioned objects of a list. Pages are read until few are missing, and each of these is then read by itself. Returns the whole list
 * if that ends first, or if a single read leaves a doubt; otherwise `rest` reads all of it.
 */
export async function readLookups(
  reader: LookupReader,
): Promise<{ objects: ApiObject[]; rest?: () => Promise<ApiObject[]> }> {
  const { kind, params, lookups, send } = reader;
  const { endpoint } = kind.read as { endpoint: Endpoint };
  const items = listItemsOf(kind.read) as Request['items'];
  let pages = (await send({ endpoint, params, items, pages: true })) as Pages;
  const found = () => objectsIn(pages.found(), kind);
  while (pages.more && lookups.lacking(found()).length > few) pages = await pages.more();
  const listed = found();
  if (!pages.more) return { objects: listed };
  const rest = async () => objectsIn(await allPages(pages), kind);
  try {
    const objects = [...listed, ...(await readOneByOne(listed, reader))];
    const byId = new Map(objects.map((object) => [idOf(kind, object), object]));
    return { objects: [...byId.values()].filter(lookups.isMeant), rest };
  } catch {
    return { objects: await rest() };
  }
}

/** The existing objects that `listed` lacks. Throws if that cannot be told. */
export async function readOneByOne(
  listed: ApiObject[],
  reader: Omit<LookupReader, 'send'>,
): Promise<ApiObject[]> {
  const { kind, lookups } = reader;
  const byId = await Promise.all(
    lookups
      .lacking(listed)
      .flatMap(({ ids }) => ids)
      .map((id) => readOne(id, reader, (object) => idOf(kind, object) === id)),
  );
  const objects = byId.flat();
  const isNamed = (name: Address) => (object: ApiObject) => lookups.naturalOf(object) === name;
  const byName = await Promise.all(
    lookups
      .lacking([...listed, ...objects])
      .flatMap(({ names }) => names)
      .map((name) => readOne(lastNameOf(name), reader, isNamed(name))),
  );
  return [...objects, ...byName.flat()];
}
