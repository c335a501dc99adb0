/*
 * Makes the draft (planned requests) of one change from the endpoints that its kind declares (`Write`). `write.ts` explains steps and
 * drafts.
 */
import type { Change } from '../model/change.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { Path, Result, Value } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { otherNamesOf } from './other-names.ts';
import { isUpdateOnly, stepOf } from './step.ts';
import { traitsOf } from './traits.ts';
import {
  type Draft,
  type Step,
  sendsFullBody,
  type Verb,
  type Write,
  type WriteRequest,
  writeRequests,
} from './write.ts';

/**
 * Creates the draft (planned requests) of one change from the requests that its kind declares for a verb. So that an apply can keep the
 * ledger up to date, the requests also say where the ids of created objects are in the answers (`returns`), and which ids no longer exist
 * after a deletion (`drops`). `members`: values that only the caller has, such as the new index of a moved item.
 */
export function createDraft(kind: Kind, verb: Verb, change: Change, members: Partial<Step> = {}): Draft {
  const step = stepOf(kind, verb, change, members);
  const draft = { ...draftOfStep(kind, kind[verb]!, step), verb };
  // Also if the deletion is the first half of a replacement: it is recorded even if the second half fails.
  if (verb === 'delete') return { ...draft, requests: dropIds(draft.requests, change) };
  if (verb !== 'create' || draft.problem) return draft;
  return { ...draft, requests: completeCreation(kind, step, draft.requests) };
}

/**
 * Completes the requests of a creation that a kind declares (`requests`). The first gets `returns`, by which a run records the id of the
 * new object in the ledger: the path of the id in its answer, or the id itself if the fields have it. It also gets `shows`: the path of a
 * secret that only this answer shows, by which a run delivers it. An update follows for fields that the create endpoint refuses. If the
 * kind declares where the id is, that stays. A kind without a key (a singleton, such as settings of a project) has no ids.
 */
function completeCreation(kind: Kind, step: Step, requests: Request[]): Request[] {
  const { address } = step;
  const [first, ...others] = requests;
  const kindDeclaresIds = requests.some(({ returns }) => returns);
  const declaredId = first?.returns?.find((returned) => returned.address === address);
  const idName = typeof kind.id === 'string' ? kind.id : 'id';
  // An id that the fields have does not come from the answer.
  const id = isIdInFields(kind, idName) ? { id: step.after!.fields[idName]! } : { path: [idName] };
  const idPath = declaredId && 'path' in declaredId ? declaredId.path : [idName];
  return [
    {
      ...first!,
      returns: kindDeclaresIds || kind.key.length === 0 ? first!.returns : [{ address, ...id }],
      shows: kind.shows && { address, path: [kind.shows.secret] },
    },
    ...others,
    ...updateAfterCreation(kind, step, idPath),
  ];
}

/**
 * Lets the last request of a deletion drop the object's ids from the ledger, unless the kind declares which request does. An apply removes
 * the object from the ledger as soon as that request has succeeded.
 */
function dropIds(requests: Request[], { address, before }: Change): Request[] {
  if (requests.some(({ drops }) => drops)) return requests;
  const drops = before!.ids.map((id) => ({ address, id }));
  return requests.map((request, index) => (index === requests.length - 1 ? { ...request, drops } : request));
}

/** True if the fields of a block have the id of its object before the object is created: as a part of the key, or found by its name. */
const isIdInFields = (kind: Kind, name: string): boolean =>
  kind.key.includes(name) || otherNamesOf(kind)?.idField === name;

/**
 * Returns the update that follows a creation in an apply, with the fields that the create endpoint refuses and the update endpoint accepts;
 * no request if none of them is set. `idPath`: the path at which the answer to the creation has the id.
 */
function updateAfterCreation(kind: Kind, step: Step, idPath: Path): Request[] {
  const body = Object.fromEntries(
    Object.entries(step.after!.fields).filter(([name, value]) => isUpdateOnly(kind, name) && value !== null),
  );
  if (Object.keys(body).length === 0) return [];
  // A singleton or an object whose name is its id is named by its address; any other id is in the answer to the creation (request 0).
  const isIdKnown = kind.key.length === 0 || isIdInFields(kind, String(idPath.at(-1)));
  const id: Value = isIdKnown ? step.id : resultOf(0, ...idPath);
  return draftOfStep(kind, kind.update!, { ...step, action: 'update', id, body }).requests;
}

/**
 * Creates the draft (planned requests) of one change from the requests that its kind declares for the verb (`write`). `step`: the change,
 * with the values that fill its requests. Requests whose `when` does not hold are left out. If the kind refuses one of them, the draft has
 * a problem and no requests, and the plan reports it, except for the update that follows a creation.
 *
 * The draft gets the `phase` of the first request that has one. An apply sends such requests first or last among those of their container,
 * because they close or open a gate, such as the firewall.
 */
function draftOfStep(kind: Kind, write: Write, step: Step): Draft {
  const applicable = writeRequests(write).filter(({ when }) => when?.(step) ?? true);
  const changes = [step.address];
  const problem = applicable
    .map(({ refuses }) => refuses?.(step))
    .find((diagnostic) => diagnostic !== undefined);
  if (problem) return { changes, requests: [], problem };
  const phase = applicable.map((writeRequest) => writeRequest.phase).find((value) => value !== undefined);
  return {
    changes,
    requests: applicable.map((writeRequest) => fillWriteRequest(kind, writeRequest, step)),
    phase,
  };
}

/**
 * Creates a request of the plan from one that a kind declares, for the change in `step`: with its body, its parameters, and the conditions
 * (`expects`) that its answer has to meet. With `sameVersion`, the object must still have the version that the plan saw; otherwise nothing
 * more is sent. `late`: the error codes after which a run repeats the request for a while; `etag`: the run adds the header `etag` to the
 * answer; `file`: the run sends the content of a file.
 */
function fillWriteRequest(kind: Kind, write: WriteRequest, step: Step): Request {
  const { version } = kind.read;
  const { endpoint, params, returns, etag, expects = [], sameVersion, file, late } = write;
  const plannedVersion = sameVersion && version !== undefined ? step.before?.version : undefined;
  const conditions = [
    ...expects,
    ...(plannedVersion === undefined ? [] : [{ path: [version!], value: plannedVersion }]),
  ];
  return {
    ...createRequest(endpoint, bodyFor(kind, write, step), { id: step.id, ...params?.(step) }),
    file,
    etag,
    late,
    expects: write.expects || sameVersion ? conditions : undefined,
    returns: returns?.(step),
  };
}

/**
 * Returns the body of a declared request. If the request declares a `body` function, that makes it. Otherwise GET and DELETE have no body,
 * and other methods get the fields of the step: only the changed ones, or all if the platform replaces the object. A PATCH never has
 * immutable fields, because the platform would refuse them.
 */
function bodyFor(kind: Kind, write: WriteRequest, step: Step): unknown {
  if (write.body) return write.body(step);
  if (/^(GET|DELETE) /.test(write.endpoint)) return undefined;
  if (step.action !== 'update' || !sendsFullBody(write)) return step.body;
  if (!write.endpoint.startsWith('PATCH ')) return step.fullBody;
  const isImmutable = (name: string) => kind.fields[name] && traitsOf(kind.fields[name]).immutable === true;
  return Object.fromEntries(Object.entries(step.fullBody).filter(([name]) => !isImmutable(name)));
}

/**
 * Creates a request as data, for a draft or for a version that a run promotes. The planner fills placeholders of the endpoint that `params`
 * leaves open.
 */
export const createRequest = (
  endpoint: Endpoint,
  body?: unknown,
  params?: Record<string, Value>,
): Request => ({ endpoint, params, body });

/**
 * Returns a hole for a part of the answer to request number `index` of the same operation. The run fills it before it sends a later
 * request.
 */
export const resultOf = (index: number, ...path: Path): Result => ({ $result: index, path });
