import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Endpoint, Request } from '../model/request.ts';
import type { Path, Result, Value } from '../model/value.ts';
import type { Kind } from './kind.ts';
import { isUpdateOnly, type Step, stepOf } from './step.ts';
import { traitsOf } from './traits.ts';
import { sendsFullBody, type Write, type WriteRequest, writeRequests } from './write.ts';

/** Requests that belong together; becomes one operation. */
export interface Draft {
  changes: Address[];
  requests: Request[];
  /** Drafts of the same collection that must be done first. */
  after?: Draft[];
  /** The reason for a short disruption that the changes alone do not show. */
  disrupts?: string;
  /** Why it cannot be done; the draft then has no requests. */
  problem?: Diagnostic;
  /** Its place in its lane: settings that open or close a gate come last or first. */
  phase?: 'first' | 'last';
}

/** A draft with its verb. */
export type VerbDraft = Draft & { verb: Step['action'] };

/** A copy of each draft, with `after` naming the copies. */
export function copyDrafts<A extends Draft, B extends Draft>(drafts: A[], copy: (draft: A) => B): B[] {
  const copies = new Map<Draft, B>(drafts.map((draft) => [draft, copy(draft)]));
  for (const made of copies.values())
    if (made.after) made.after = made.after.map((draft) => copies.get(draft)!);
  return [...copies.values()];
}

/** Writes one change as the kind's own requests, and notes the ids that these create and remove. */
export function createDraft(
  kind: Kind,
  verb: Exclude<Step['action'], 'replace'>,
  change: Change,
  rest: Partial<Step> = {},
): VerbDraft {
  const step = stepOf(kind, verb, change, rest);
  const draft = { ...draftOf(kind, kind[verb]!, step), verb };
  // The first half of a replacement, too, is recorded as soon as it is done.
  if (verb === 'delete') return { ...draft, requests: dropping(draft.requests, change) };
  if (verb !== 'create' || draft.problem) return draft;
  const [first, ...others] = draft.requests;
  const saysId = draft.requests.some(({ returns }) => returns);
  const idName = typeof kind.id === 'string' ? kind.id : 'id';
  // A singleton has no id of its own, and a natural one is known before the answer.
  const id = kind.key.includes(idName) ? { id: change.after!.fields[idName]! } : { path: [idName] };
  return {
    ...draft,
    requests: [
      {
        ...first!,
        ...(saysId || kind.key.length === 0 ? {} : { returns: [{ address: change.address, ...id }] }),
        ...(kind.shows ? { shows: { address: change.address, path: [kind.shows.secret] } } : {}),
      },
      ...others,
      ...afterCreation(kind, step, createdId(draft.requests, change.address) ?? [idName]),
    ],
  };
}

/** The requests of a deletion; the last one removes the ids, unless another one says so. */
function dropping(requests: Request[], { address, before }: Change): Request[] {
  if (requests.some(({ drops }) => drops)) return requests;
  const drops = before!.ids.map((id) => ({ address, id }));
  return requests.map((request, index) => (index === requests.length - 1 ? { ...request, drops } : request));
}

/** The path of the id in the answer of a creation, if the kind names one. */
function createdId([first]: Request[], address: Address): Path | undefined {
  const told = first?.returns?.find((one) => one.address === address);
  return told && 'path' in told ? told.path : undefined;
}

/** Fields that the create endpoint refuses follow in a second request. */
function afterCreation(kind: Kind, step: Step, path: Path): Request[] {
  const body = Object.fromEntries(
    Object.entries(step.after!.fields).filter(([name, value]) => isUpdateOnly(kind, name) && value !== null),
  );
  if (Object.keys(body).length === 0) return [];
  const isKnown = kind.key.length === 0 || kind.key.includes(String(path.at(-1)));
  const id: Value = isKnown ? step.id : resultOf(0, ...path);
  return draftOf(kind, kind.update!, { ...step, action: 'update', id, body }).requests;
}

function draftOf(kind: Kind, write: Write, step: Step): Draft {
  const made = writeRequests(write).filter(({ when }) => when?.(step) ?? true);
  const changes = [step.address];
  const problem = made.map(({ refuses }) => refuses?.(step)).find((diagnostic) => diagnostic !== undefined);
  if (problem) return { changes, requests: [], problem };
  const phase = made.map((writeRequest) => writeRequest.phase).find((one) => one !== undefined);
  return {
    changes,
    requests: made.map((writeRequest) => requestOf(kind, writeRequest, step)),
    ...(phase ? { phase } : {}),
  };
}

function requestOf(kind: Kind, write: WriteRequest, step: Step): Request {
  const { version } = kind.read;
  const { endpoint, params, returns, etag, expects = [], sameVersion, file, late } = write;
  const planned = sameVersion && version !== undefined ? step.before?.version : undefined;
  const conditions = [...expects, ...(planned === undefined ? [] : [{ path: [version!], value: planned }])];
  return {
    ...createRequest(endpoint, bodyFor(kind, write, step), { id: step.id, ...params?.(step) }),
    ...(file ? { file } : {}),
    ...(etag ? { etag } : {}),
    ...(late ? { late } : {}),
    ...(write.expects || sameVersion ? { expects: conditions } : {}),
    ...(returns ? { returns: returns(step) } : {}),
  };
}

function bodyFor(kind: Kind, write: WriteRequest, step: Step): unknown {
  if (write.body) return write.body(step);
  if (/^(GET|DELETE) /.test(write.endpoint)) return undefined;
  if (step.action !== 'update' || !sendsFullBody(write)) return step.body;
  if (!write.endpoint.startsWith('PATCH ')) return step.fullBody;
  const isFixed = (name: string) => kind.fields[name] && traitsOf(kind.fields[name]).immutable === true;
  return Object.fromEntries(Object.entries(step.fullBody).filter(([name]) => !isFixed(name)));
}

/** A request as data; endpoint placeholders that `params` leaves open are filled by the planner. */
export const createRequest = (
  endpoint: Endpoint,
  body?: unknown,
  params?: Record<string, Value>,
): Request => ({
  endpoint,
  ...(params ? { params } : {}),
  ...(body === undefined ? {} : { body }),
});

/** A hole for a part of the answer to request number `index` of the same operation. */
export const resultOf = (index: number, ...path: Path): Result => ({ $result: index, path });
