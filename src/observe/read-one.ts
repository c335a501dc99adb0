import { idOf, singleReadOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { AccountFacts, ApiObject } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import { isProgramError } from '../model/program-error.ts';
import type { Value } from '../model/value.ts';
import { type AnswerCache, parseObjects } from './answer-cache.ts';

/** The data needed to read single objects of a collection. The platform must have an operation for it (`singleReadOf`). */
export interface SingleReader {
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
export async function readOne(
  idOrName: string,
  { kind, params, answers, facts }: SingleReader,
  isRequested: (object: ApiObject) => boolean,
): Promise<ApiObject[]> {
  const { endpoint, item, within, emptyIfMissing } = singleReadOf(kind)!;
  const requestParams = { ...params, id: idOrName };
  try {
    const body = await answers.get(endpoint, requestParams);
    if (body === undefined && emptyIfMissing) return [];
    const [answer] = parseObjects([body], kind);
    const itemOfAnswer = typeof item === 'string' ? answer![item] : item ? item(answer!) : answer;
    const [object] = parseObjects([itemOfAnswer], kind);
    if (!isRequested(object!)) throw new Error(`${idOrName} returned something else`);
    answers.share(endpoint, requestParams, { ...params, id: idOf(kind, object!) });
    return within === undefined || liesInParent(object!, within, { kind, params, facts }) ? [object!] : [];
  } catch (error) {
    if ((error as { status?: number }).status === 404) return [];
    throw error;
  }
}

/**
 * True if an object lies in the parent that is being read or, for a kind at the top, in the account. Throws if the
 * object does not say where it lies. The platform may find an object by its id wherever it lies, and one in another
 * parent is not in this collection.
 *
 * @param member The member of the object with the id of its parent or account.
 */
function liesInParent(
  object: ApiObject,
  member: string,
  { kind, params, facts }: Omit<SingleReader, 'answers'>,
): boolean {
  const parentId = object[member];
  if (typeof parentId !== 'string') throw new Error(`the response has a ${kind.name} without \`${member}\``);
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
export async function readUnlisted(
  listed: ApiObject[],
  recorded: ReadonlyMap<string, Address>,
  reader: SingleReader,
): Promise<ApiObject[]> {
  const { kind } = reader;
  const listedIds = new Set(listed.map((object) => idOf(kind, object)));
  const unlisted = [...recorded].filter(([id]) => !listedIds.has(id));
  const objects = await Promise.all(
    unlisted.map(([id, address]) =>
      readOne(id, reader, (object) => idOf(kind, object) === id).catch((error) => {
        throw createUnlistedReadError(error, address, kind);
      }),
    ),
  );
  return objects.flat();
}

/**
 * Wraps the error of a read by id, so that it names the object. Copies the request and whether to try later, but not the status: a 403 for
 * one object does not mean that the collection is refused.
 */
function createUnlistedReadError(error: unknown, address: Address, { name }: Kind): Error {
  const { message, method, path, isForLater } = error as Error & Record<string, unknown>;
  const why = isProgramError(error) ? `the response does not have the expected form for a ${name}` : message;
  return Object.assign(
    new Error(`the list does not show ${address}, and reading it by its id failed: ${why}`, { cause: error }),
    { method, path, isForLater, address },
  );
}
