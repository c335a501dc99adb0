import { decodeFields, idOf, listItemsOf, naturalAddressOf, singleReadOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { AccountFacts, ApiObject } from '../kind/read.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { isProgramError } from '../model/describe-errors.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger } from '../model/ledger.ts';
import { type Endpoint, type Pages, type Request, readAllPages, type Send } from '../model/request.ts';
import type { Value } from '../model/value.ts';
import { type AnswerCache, parseObjects, unexpectedForm } from './answer-cache.ts';
import type { DecodeContext } from './decode-collection.ts';

/**
 * Reads only the mentioned objects of a long collection, instead of all its pages.
 *
 * Terms: a mentioned address is one that the configuration or the ledger has. The natural address of an object is the one that its current
 * name makes. An object that was renamed in the account keeps the address of its ledger entry, and another object may have its old name
 * by now. So a mentioned address is only settled after searching for both
 *
 *   1. the object with the id that the ledger has for it, and
 *   2. the object with its name (and with its old name, if `$was` renames it).
 */

/** The ids and natural addresses by which one mentioned object is searched. */
interface SearchTerms {
  ids: string[];
  names: Address[];
}

/** The sources of ids and former names. `aliases`: by former address, the one that `$was` renames it to. `chosenIds`: the ids in `$id`. */
type SearchSources = Pick<DecodeContext, 'ledger' | 'aliases' | 'chosenIds'>;

/** The mentioned objects of one collection, to find them among API objects. */
interface MentionedIndex {
  /** Returns, for each mentioned object, the search terms that none of `objects` has. Objects with all terms matched are left out. */
  missingFrom(objects: ApiObject[]): SearchTerms[];
  /** True if an object has the id or the name of a mentioned object. */
  includes(object: ApiObject): boolean;
  /** Returns the address that an object's current name makes; undefined if it cannot be declared. */
  naturalOf(object: ApiObject): Address | undefined;
}

/**
 * Creates the index of the mentioned objects of a collection: those under one parent that the configuration
 * or the ledger has. A plan asks it after each page of a list whether all of them were found, so that it
 * reads no more pages. An object is missing until both its recorded ids and its names were found, since another
 * object may have its name. `naturalOf` of the result returns the address that an object's current name makes.
 */
export function indexMentioned(
  kind: Kind,
  parent: Address | undefined,
  mentioned: Iterable<Address>,
  sources: SearchSources,
): MentionedIndex {
  const terms = searchTermsOf(mentioned, kind, parent, sources);
  const ids = new Set(terms.flatMap((term) => term.ids));
  const names = new Set(terms.flatMap((term) => term.names));
  // Cached, because every object is asked again after each page.
  const naturalAddresses = new WeakMap<ApiObject, Address>();
  const naturalOf = (object: ApiObject) => {
    const fields = naturalAddresses.has(object)
      ? undefined
      : decodeFields(kind, object, { to: () => undefined });
    if (fields) naturalAddresses.set(object, naturalAddressOf(kind, parent, fields));
    return naturalAddresses.get(object);
  };
  return {
    naturalOf,
    includes: (object) => ids.has(idOf(kind, object)) || names.has(naturalOf(object) ?? ''),
    missingFrom(objects) {
      const foundIds = new Set(objects.map((object) => idOf(kind, object)));
      const foundNames = new Set(objects.map(naturalOf));
      return terms
        .map((term) => ({
          ids: term.ids.filter((id) => !foundIds.has(id)),
          names: term.names.filter((name) => !foundNames.has(name)),
        }))
        .filter((term) => term.ids.length + term.names.length > 0);
    },
  };
}

/**
 * Returns the ids and names by which each mentioned object (declared or recorded) of a kind under one parent
 * is searched: the id that the ledger has, and the name in the address; if `$was` renames it, also the old
 * name. An object may have been renamed in the account, so neither alone is enough. Objects that the platform
 * reads only by id are searched by the recorded id and the one in `$id`.
 */
function searchTermsOf(
  mentioned: Iterable<Address>,
  kind: Kind,
  parent: Address | undefined,
  { ledger, aliases, chosenIds }: SearchSources,
): SearchTerms[] {
  const isInCollection = (address: Address) =>
    address === addressOf(parent, kind.section, [escapeName(lastNameOf(address))]);
  const formerNames = new Map<Address, Address[]>();
  for (const [former, address] of aliases) if (isInCollection(former)) addTo(formerNames, address, former);
  return [...mentioned].map((address): SearchTerms => {
    const entry = ledger.entries[address];
    const recordedIds = entry?.kind === kind.name ? entry.ids : [];
    // The platform reads these objects only by id, so a read by name would fail.
    if (kind.read.single?.takes === 'id') {
      const chosenId = chosenIds.get(address);
      return { ids: [...new Set([...recordedIds, ...(chosenId ? [chosenId] : [])])], names: [] };
    }
    return {
      ids: recordedIds,
      names: [address, ...(formerNames.get(address) ?? [])],
    };
  });
}

/** The most objects that are read one by one instead of the remaining pages, whose number is unknown. */
const maxSingleReads = 3;

/** The data needed to read the mentioned objects of a list. `kind` has `read.single` and a list with pages. */
interface MentionedReader extends SingleReader {
  mentioned: MentionedIndex;
  send: Send;
}

/**
 * Returns objects that only have their recorded id, for the mentioned objects of a kind that the platform neither lists nor reads (such a
 * kind has the id as its key). Their other fields are unknown, so the plan compares the configuration with the values that were applied
 * last. Entries of parents that are not ours (`existing`) are left out.
 */
export const objectsFromLedger = (
  { entries }: Ledger,
  kind: Kind,
  mentioned: Iterable<Address>,
): ApiObject[] =>
  [...mentioned].flatMap((address) => {
    const entry = entries[address];
    const isOurs = entry?.kind === kind.name && !entry.existing;
    return isOurs ? entry.ids.map((id) => ({ [kind.key[0]!]: id })) : [];
  });

/**
 * Returns the mentioned objects (declared or recorded) of a list, without reading all of a long one. Reads
 * pages until only a few of them are missing (`maxSingleReads`), and then sends one read for each of these.
 * Returns the whole list instead if it ends first, or if a single read fails. `readAll` of the result reads
 * the remaining pages, in case all objects turn out to be needed; absent if `objects` is the whole list.
 */
export async function readMentioned(
  reader: MentionedReader,
): Promise<{ objects: ApiObject[]; readAll?: () => Promise<ApiObject[]> }> {
  const { kind, params, mentioned, send } = reader;
  const { endpoint } = kind.read as { endpoint: Endpoint };
  const items = listItemsOf(kind.read) as Request['items'];
  let pages = (await send({ endpoint, params, items, pages: true })) as Pages;
  const objectsSoFar = () => parseObjects(pages.items(), kind);
  while (pages.readNext && mentioned.missingFrom(objectsSoFar()).length > maxSingleReads)
    pages = await pages.readNext();
  const listed = objectsSoFar();
  if (!pages.readNext) return { objects: listed };
  const readAll = async () => parseObjects(await readAllPages(pages), kind);
  try {
    const objects = [...listed, ...(await readMissingOneByOne(listed, reader))];
    const byId = new Map(objects.map((object) => [idOf(kind, object), object]));
    return { objects: [...byId.values()].filter(mentioned.includes), readAll };
  } catch {
    return { objects: await readAll() };
  }
}

/**
 * Reads the mentioned objects (declared or recorded) that `listed` does not have, first by their recorded ids and then by their names.
 * Returns those that exist. Throws if one of the reads does not prove whether its object exists, since the plan would create or forget it.
 */
export async function readMissingOneByOne(
  listed: ApiObject[],
  reader: Omit<MentionedReader, 'send'>,
): Promise<ApiObject[]> {
  const { kind, mentioned } = reader;
  const missingIds = mentioned.missingFrom(listed).flatMap(({ ids }) => ids);
  const foundById = (
    await Promise.all(missingIds.map((id) => readOne(id, reader, (object) => idOf(kind, object) === id)))
  ).flat();
  const missingNames = mentioned.missingFrom([...listed, ...foundById]).flatMap(({ names }) => names);
  const foundByName = await Promise.all(
    missingNames.map((name) =>
      readOne(lastNameOf(name), reader, (object) => mentioned.naturalOf(object) === name),
    ),
  );
  return [...foundById, ...foundByName.flat()];
}

/** The data needed to read single objects of a collection. The platform must have an operation for it (`singleReadOf`). */
interface SingleReader {
  kind: Kind;
  /** Values for the placeholders of the kind's endpoints. */
  params: Record<string, Value>;
  answers: AnswerCache;
  facts: AccountFacts;
}

/**
 * Reads one object by its id or name. Returns it in an array, or an empty array if it does not exist or lies in another parent or account
 * by now. Used for objects that a list does not show, or to save reading a long list.
 *
 * Throws if the answer is an object for which `isRequested` is false. The platform takes ids and names in one place, so the id of one
 * object can be the name of another one. Such an answer does not prove that the requested object is absent.
 */
async function readOne(
  idOrName: string,
  { kind, params, answers, facts }: SingleReader,
  isRequested: (object: ApiObject) => boolean,
): Promise<ApiObject[]> {
  const { endpoint, item, within, emptyIfMissing, missingCode } = singleReadOf(kind)!;
  const requestParams = { ...params, id: idOrName };
  try {
    const body = await answers.get(endpoint, requestParams);
    if (body === undefined && emptyIfMissing) return [];
    const [answer] = parseObjects([body], kind);
    const takeItem = typeof item === 'string' ? (object: ApiObject) => object[item] : item;
    const itemOfAnswer = takeItem ? takeItem(answer!, idOrName) : answer;
    // The function returns null if the answer says that there is no such object.
    if (itemOfAnswer === null && typeof item === 'function') return [];
    const [object] = parseObjects([itemOfAnswer], kind);
    if (!isRequested(object!)) throw new Error(`${idOrName} returned something else`);
    // The answer to a read by name also answers a later read by id.
    answers.share(endpoint, requestParams, { ...params, id: idOf(kind, object!) });
    return within === undefined || liesInParent(object!, within, { kind, params, facts }) ? [object!] : [];
  } catch (error) {
    const { status, code } = error as { status?: number; code?: string };
    if (status === 404 || (code !== undefined && code === missingCode)) return [];
    throw error;
  }
}

/**
 * True if an object lies in the parent that is being read or, for a kind at the top, in the account. The
 * platform finds an object by its id in any parent, and one that lies in another parent must not count as
 * found here. Throws if the object does not say where it lies. `member`: the member of the object with the id
 * of its parent or account.
 */
function liesInParent(
  object: ApiObject,
  member: string,
  { kind, params, facts }: Omit<SingleReader, 'answers'>,
): boolean {
  const parentId = object[member];
  if (typeof parentId !== 'string') throw new Error(`the response has a ${kind.name} without \`${member}\``);
  // A personal account has no team id.
  const expectedId = kind.parent === undefined ? facts.teamId : params[kind.parent];
  return expectedId === undefined || parentId === expectedId;
}

/**
 * Reads the recorded objects that a list does not show, each by its id, and returns those that exist. A list may lag behind or lose a row.
 * Without this check, the plan would create such an object a second time or remove it from the ledger.
 *
 * Throws if one of them cannot be read, because then it is unknown whether the object exists.
 *
 * @param recorded The ids in the ledger, each with the address of its entry.
 */
export async function readRecordedById(
  listed: ApiObject[],
  recorded: ReadonlyMap<string, Address>,
  reader: SingleReader,
): Promise<ApiObject[]> {
  const { kind } = reader;
  const listedIds = new Set(listed.map((object) => idOf(kind, object)));
  const missing = [...recorded].filter(([id]) => !listedIds.has(id));
  const objects = await Promise.all(
    missing.map(([id, address]) =>
      readOne(id, reader, (object) => idOf(kind, object) === id).catch((error) => {
        throw createSingleReadError(error, address, kind);
      }),
    ),
  );
  return objects.flat();
}

/**
 * Wraps the error of a read by id, so that the message names the object. Copies the request and whether to
 * try later, but not the status: a 403 for one object does not mean that the whole list is refused.
 */
function createSingleReadError(error: unknown, address: Address, { name }: Kind): Error {
  const { message, method, path, isForLater } = error as Error & Record<string, unknown>;
  const why = isProgramError(error) ? unexpectedForm(name) : message;
  return Object.assign(
    new Error(`the list does not show ${address}, and reading it by its id failed: ${why}`, { cause: error }),
    { method, path, isForLater, address },
  );
}
