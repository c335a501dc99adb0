import { idOf, singleReadOf } from '../kind/define-kind.ts';
import type { AccountFacts, ApiObject, Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { isProgramError } from '../model/program-error.ts';
import type { Value } from '../model/value.ts';
import { type Answers, objectsIn } from './answers.ts';

/** What it takes to read objects of a collection one by one. `kind` has an operation for it. */
export interface SingleReader {
  kind: Kind;
  /** Values for the placeholders of its endpoints. */
  params: Record<string, Value>;
  answers: Answers;
  facts: AccountFacts;
}

/**
 * Reads one object of a collection: the object alone, or nothing if there is none or it is elsewhere by now. Throws if the answer is
 * another object than the one asked for (a name may look like an id), since that proves nothing.
 */
export async function readOne(
  idOrName: string,
  { kind, params, answers, facts }: SingleReader,
  isAsked: (object: ApiObject) => boolean,
): Promise<ApiObject[]> {
  const { endpoint, item, within, emptyIfMissing } = singleReadOf(kind)!;
  const asked = { ...params, id: idOrName };
  try {
    const body = await answers.get(endpoint, asked);
    if (body === undefined && emptyIfMissing) return [];
    const [answer] = objectsIn([body], kind);
    const found = typeof item === 'string' ? answer![item] : item ? item(answer!) : answer;
    const [object] = objectsIn([found], kind);
    if (!isAsked(object!)) throw new Error(`${idOrName} returned something else`);
    answers.same(endpoint, asked, { ...params, id: idOf(kind, object!) });
    return within === undefined || isWithin(object!, within, { kind, params, facts }) ? [object!] : [];
  } catch (error) {
    if ((error as { status?: number }).status === 404) return [];
    throw error;
  }
}

/** True if an object says that it lies in the parent or, at the top, in the account. Throws if it does not say where it lies. */
function isWithin(
  object: ApiObject,
  member: string,
  { kind, params, facts }: Omit<SingleReader, 'answers'>,
): boolean {
  const place = object[member];
  if (typeof place !== 'string') throw new Error(`the response has a ${kind.name} without \`${member}\``);
  const expected = kind.parent === undefined ? facts.teamId : params[kind.parent];
  return expected === undefined || place === expected;
}

/**
 * Reads the objects of the ledger that a list does not show, each by its id, and returns those that exist. A list may lag behind, or lose
 * a row; an object that is only missing there must be neither created again nor forgotten. Throws if one cannot be read: nobody knows
 * then whether it exists.
 *
 * @param recorded The ids in the ledger, each with an address.
 */
export async function readMissing(
  listed: ApiObject[],
  recorded: ReadonlyMap<string, Address>,
  reader: SingleReader,
): Promise<ApiObject[]> {
  const { kind } = reader;
  const shown = new Set(listed.map((object) => idOf(kind, object)));
  const missing = [...recorded].filter(([id]) => !shown.has(id));
  const objects = await Promise.all(
    missing.map(([id, address]) =>
      readOne(id, reader, (object) => idOf(kind, object) === id).catch((error) => {
        throw notReadByItself(error, address, kind);
      }),
    ),
  );
  return objects.flat();
}

/** Keeps of the error what says where and whether to try again, but not its status: that is no answer about the collection. */
function notReadByItself(error: unknown, address: Address, { name }: Kind): Error {
  const { message, method, path, isForLater } = error as Error & Record<string, unknown>;
  const why = isProgramError(error) ? `the response does not have the expected form for a ${name}` : message;
  return Object.assign(
    new Error(`the list does not show ${address}, and reading it by its id failed: ${why}`, { cause: error }),
    { method, path, isForLater, address },
  );
}
