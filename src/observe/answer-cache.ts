import type { ApiObject, Kind } from '../kind/kind.ts';
import type { Endpoint, Request, Send } from '../model/request.ts';
import type { CollectionId, Live } from '../model/resource.ts';
import type { Value } from '../model/value.ts';

type Params = Record<string, Value>;

/** The platform's answers; each question is asked once. */
export interface Answers {
  /** With `items`, follows all pages of a list. */
  get(endpoint: Endpoint, params: Params, items?: Request['items']): Promise<unknown>;
  /** Uses the answer for other params, too: it is known to be the same. */
  same(endpoint: Endpoint, params: Params, others: Params): void;
}

export function openAnswers(send: Send): Answers {
  const answers = new Map<string, Promise<unknown>>();
  return {
    get(endpoint, params, items) {
      // Only what the endpoint takes: kinds at different depths may be read from one answer.
      const taken = Object.fromEntries(
        Object.entries(params).filter(([name]) => endpoint.includes(`{${name}}`)),
      );
      const key = askedFor(endpoint, taken, items);
      const answer =
        answers.get(key) ?? send({ endpoint, params: taken, ...(items === undefined ? {} : { items }) });
      answers.set(key, answer);
      return answer;
    },
    same(endpoint, params, others) {
      answers.set(askedFor(endpoint, others), answers.get(askedFor(endpoint, params))!);
    },
  };
}

/** The request as it goes over the wire, whatever its placeholders are called. */
const askedFor = (endpoint: Endpoint, params: Params, items?: Request['items']): string =>
  JSON.stringify([endpoint.replace(/\{(\w+)\}/g, (_, name) => JSON.stringify(params[name])), items]);

/**
 * The only object of a kind in an answer. Throws if it has members, but none that the kind knows: then it is something else, and must not
 * look as if nothing were set. `isAnswer`: the object is the whole answer, so it must have members.
 */
function objectKnown(object: ApiObject, kind: Kind, isAnswer: boolean): ApiObject {
  const members = Object.keys(object);
  const others = [...(kind.read.facts ?? []), ...(kind.undeclared ?? []).map((path) => path.split('.')[0])];
  const isKnown = (name: string) => Object.hasOwn(kind.fields, name) || others.includes(name);
  if (members.length === 0 ? !isAnswer : members.some(isKnown)) return object;
  throw new Error(`the response has no member of a ${kind.name}`);
}

/** The objects of an answer. Throws if it holds anything else, so that nothing is concluded from an answer that is not understood. */
export function objectsIn(value: unknown, { name }: Kind): ApiObject[] {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Error(`the response does not have the expected form for a ${name}`);
}

/** An object of which nothing is set, according to the platform. */
const unwritten: ApiObject = {};

/** The objects in one answer: a single one, or a list that a function finds in it. Notes what the answer says of the collection. */
export async function readSingle(
  kind: Kind,
  params: Params,
  { answers, live, id }: { answers: Answers; live: Live; id: CollectionId },
): Promise<ApiObject[]> {
  const { read } = kind;
  const { endpoint } = read as { endpoint: Endpoint };
  const found = await answers.get(endpoint, params).catch((error: { status?: number }) => {
    if (read.absent !== undefined && error.status === read.absent) return unwritten;
    throw error;
  });
  // An answer without a body: there is none.
  if (found === undefined && !read.items) return [];
  const [answer] = objectsIn([found], kind);
  const blocked = read.blocked?.(answer!);
  if (blocked) live.blocked.set(id, blocked);
  const writes = read.writes?.(answer!);
  if (writes !== undefined) live.writes.set(id, writes);
  if (typeof read.items === 'function') return objectsIn(read.items(answer!, params), kind);
  if (answer === unwritten) return [answer];
  const item = read.item ? read.item(answer!, params) : answer;
  return item === undefined ? [] : objectsIn([item], kind).map((one) => objectKnown(one, kind, !read.item));
}
