/**
 * Reads of the account, each sent once, and the objects in their answers.
 *
 * Several collections can be part of one answer: the settings of a project come with the project itself, for example. So the readers of
 * collections share one cache of answers.
 */

import type { Kind } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import type { Endpoint, Request, Send } from '../model/request.ts';
import type { CollectionId, Live } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { isObjectValue } from '../model/value.ts';

type Params = Record<string, Value>;

/** The platform's answers to reads. The same read is sent only once, also while its answer is still awaited. */
export interface AnswerCache {
  /** Returns the answer to a read. With `items`, the answer is a list with the items of all its pages. */
  get(endpoint: Endpoint, params: Params, items?: Request['items']): Promise<unknown>;
  /**
   * Uses the answer for `params` also for `otherParams`. Used after an object was read by its name, because reading it by its id has the
   * same answer.
   */
  share(endpoint: Endpoint, params: Params, otherParams: Params): void;
}

/**
 * Creates the cache of answers for one reading of the account, for example by a plan. Several collections can
 * be part of one answer, and an object may be asked for in several ways, so each read is sent only once.
 * `share`: an object that was read by its name has the same answer when it is read by its id.
 */
export function createAnswerCache(send: Send): AnswerCache {
  const answers = new Map<string, Promise<unknown>>();
  return {
    get(endpoint, params, items) {
      // Other params are dropped, so that kinds at different depths, which have different params, can share an answer.
      const usedParams = Object.fromEntries(
        Object.entries(params).filter(([name]) => endpoint.includes(`{${name}}`)),
      );
      const key = requestKey(endpoint, usedParams, items);
      const answer = answers.get(key) ?? send({ endpoint, params: usedParams, items });
      answers.set(key, answer);
      return answer;
    },
    share(endpoint, params, otherParams) {
      answers.set(requestKey(endpoint, otherParams), answers.get(requestKey(endpoint, params))!);
    },
  };
}

/**
 * Returns a key that is equal for reads that are equal on the wire. It has the values of the placeholders instead of
 * their names, because two kinds may name the placeholder of one endpoint differently.
 */
const requestKey = (endpoint: Endpoint, params: Params, items?: Request['items']): string =>
  JSON.stringify([endpoint.replace(/\{(\w+)\}/g, (_, name) => JSON.stringify(params[name])), items]);

/**
 * Throws if an object that was read as the only one of its kind, such as the settings of a project, has no member that the kind knows. It
 * is then something else, such as an error page, and a plan must not take it for an object without any setting. Known are fields of the
 * kind, and members that are read but cannot be declared (`read.facts`, `undeclared`). An object without any member is also refused if it
 * is the whole answer (`isWholeAnswer`). As a part of an answer it is fine: no setting was made yet.
 */
function requireKnownMember(object: ApiObject, kind: Kind, isWholeAnswer: boolean): void {
  const names = Object.keys(object);
  if (names.length === 0 && !isWholeAnswer) return;
  const pathsBesideFields = [...(kind.read.facts ?? []), ...(kind.undeclared ?? [])];
  const namesBesideFields = pathsBesideFields.map((path) => path.split('.')[0]);
  const isKnown = (name: string) => Object.hasOwn(kind.fields, name) || namesBesideFields.includes(name);
  if (!names.some(isKnown)) throw new Error(`the response has no member of a ${kind.name}`);
}

/** Returns the words for an answer that is no object of a kind, for the message about a collection that could not be read. */
export const unexpectedForm = (kindName: string): string =>
  `the response does not have the expected form for a ${kindName}`;

/**
 * Returns the objects in an answer or a part of it. Throws if it is anything but a list of objects. Otherwise an
 * answer in an unknown form would make existing objects look absent, and a plan would create them again.
 */
export function parseObjects(value: unknown, { name }: Kind): ApiObject[] {
  if (Array.isArray(value) && value.every(isObjectValue)) return value;
  throw new Error(unexpectedForm(name));
}

/** The answer for an object that exists with its parent and in which nothing was set yet (`read.absent`). */
const unsetObject: ApiObject = {};

/**
 * Returns the objects of a kind under one parent that come in one answer without pages, as a plan reads them: a single object such as
 * settings (the answer itself, or `read.item` takes it out), or a short list that `read.items` finds in the answer. An error with the
 * status `read.absent` means an object without any setting. Records in `live` if the objects cannot be changed now (`blocked`), and the
 * number of writes so far.
 */
export async function readFromOneAnswer(
  kind: Kind,
  params: Params,
  { answers, live, id }: { answers: AnswerCache; live: Live; id: CollectionId },
): Promise<ApiObject[]> {
  const { read } = kind;
  const { endpoint } = read as { endpoint: Endpoint };
  const body = await answers.get(endpoint, params).catch((error: { status?: number }) => {
    if (read.absent !== undefined && error.status === read.absent) return unsetObject;
    throw error;
  });
  // An answer without a body means that the object does not exist.
  if (body === undefined && !read.items) return [];
  // Throws if the answer is no object.
  const [answer] = parseObjects([body], kind);
  const blocked = read.blocked?.(answer!);
  if (blocked) live.blocked.set(id, blocked);
  const writes = read.writes?.(answer!);
  if (writes !== undefined) live.writes.set(id, writes);
  if (typeof read.items === 'function') return parseObjects(read.items(answer!, params), kind);
  if (answer === unsetObject) return [answer];
  const item = read.item ? read.item(answer!, params) : answer;
  if (item === undefined) return [];
  const objects = parseObjects([item], kind);
  for (const object of objects) requireKnownMember(object, kind, !read.item);
  return objects;
}
