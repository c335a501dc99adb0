import { ancestorsOf } from '../kind/define-kind.ts';
import type { Draft, Kind, Kinds, Step } from '../kind/kind.ts';
import { request, resultOf } from '../kind/request.ts';
import { isWhole, type Write, type WriteRequest, writeRequests } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import { byCollection } from '../model/by-collection.ts';
import type { Change } from '../model/change.ts';
import type { Request } from '../model/plan.ts';
import { collectionId, type LiveResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { bodyOf, isUpdateOnly, wholeOf } from './body.ts';
import type { Decisions } from './case.ts';
import { asksForWrite } from './diff.ts';
import { factsUnder } from './facts.ts';
import type { PlanInput } from './input.ts';
import type { OrderedList, OrderedLists } from './order.ts';
import { stagedDraft } from './staged-draft.ts';

/** A draft with what scheduling needs to know of it. */
export interface Lowered extends Draft {
  kind: Kind;
  parent: Address | undefined;
  verb: Step['action'];
}

/** Changes as requests, one collection at a time, through the kind's own writers. */
export function lower(
  changes: Change[],
  lists: OrderedLists,
  decisions: Decisions,
  input: PlanInput,
): Lowered[] {
  const collections = new Map<string, Change[]>();
  for (const change of changes) {
    const id = collectionId(change.kind, change.parent);
    collections.set(id, [...(collections.get(id) ?? []), change]);
  }
  return [...collections].flatMap(([id, of]) => {
    const kind = input.kinds.get(of[0]!.kind)!;
    const { parent } = of[0]!;
    const drafts = kind.ordered
      ? kind.api.staged
        ? placedDrafts(kind, of, lists.get(id))
        : orderedDrafts(kind, of, lists.get(id))
      : kind.api.batch
        ? batchDrafts(kind, of, decisions, input)
        : of.flatMap((change) => singleDrafts(kind, change));
    return copied(stagedDraft(kind, parent, drafts, input.live), (draft) => ({
      ...draft,
      kind,
      parent,
      requests: draft.requests.map((one) => filled(one, kind, draft.changes[0]!, of, parent, input.kinds)),
    }));
  });
}

/** A copy of each draft, with `after` naming the copies. */
function copied<A extends Draft, B extends Draft>(drafts: A[], copy: (draft: A) => B): B[] {
  const copies = new Map<Draft, B>(drafts.map((draft) => [draft, copy(draft)]));
  for (const made of copies.values())
    if (made.after) made.after = made.after.map((other) => copies.get(other)!);
  return [...copies.values()];
}

type Verbed = Draft & { verb: Step['action'] };

const verbOf = ({ action, fields }: Change): Exclude<Step['action'], 'move'> | undefined => {
  if (action === 'create' || action === 'delete' || action === 'replace') return action;
  return (action === 'update' || action === 'adopt') && fields.some(asksForWrite) ? 'update' : undefined;
};

function singleDrafts(kind: Kind, change: Change): Verbed[] {
  const verb = verbOf(change);
  if (verb === undefined) return [];
  if (verb !== 'replace') return [written(kind, verb, change)];
  // What has no name of its own can be there twice: nothing is missing in between, and nothing is lost if it cannot be made.
  if (kind.identity) {
    const creation = written(kind, 'create', change);
    return [creation, { ...written(kind, 'delete', change, { id: change.before!.id }), after: [creation] }];
  }
  const deletion = written(kind, 'delete', change);
  return [deletion, { ...written(kind, 'create', change), after: [deletion] }];
}

function batchDrafts(kind: Kind, changes: Change[], { unverified }: Decisions, input: PlanInput): Verbed[] {
  const steps = changes.flatMap((change) => {
    const verb = verbOf(change);
    return verb === undefined ? [] : [stepOf(kind, verb, change)];
  });
  if (steps.length === 0) return [];
  const { kind: name, parent } = changes[0]!;
  const live = [...(byCollection(input.live.resources).get(collectionId(name, parent)) ?? [])];
  const desired = changes.flatMap(({ after, action }) => (after && action !== 'forget' ? [after] : []));
  const verb = new Map(steps.map(({ address, action }) => [address, action]));
  // What was never read, but is mentioned by its id, is there as well.
  const exists = (address: Address) => address.startsWith('#') || input.live.resources.has(address);
  const facts = factsUnder(parent, input);
  const drafts = kind.api.batch!(steps, { live, desired, parent, unverified, exists, facts });
  return copied(drafts, (draft) => ({ ...draft, verb: verb.get(draft.changes[0]!) ?? 'update' }));
}

function orderedDrafts(kind: Kind, changes: Change[], list: OrderedList | undefined): Verbed[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return (list?.steps ?? []).map((step) => {
    if (step.type === 'move') return written(kind, 'move', byAddress.get(step.key)!, { to: step.to });
    if (step.type === 'insert') return written(kind, 'create', byAddress.get(step.key)!);
    if (step.type === 'update') return written(kind, 'update', byAddress.get(step.key)!);
    // By id: the address may have several objects, of which this one goes.
    const { address, id } = list!.live.get(step.key)!;
    const draft = written(kind, 'delete', byAddress.get(address)!, { id });
    return { ...draft, requests: draft.requests.map((one) => ({ ...one, drops: [{ address, id }] })) };
  });
}

/**
 * A staged list is seen by nobody before it is promoted, so the way to the wanted order is the plain one: what goes or moves is
 * taken out, then whatever comes or moves is put behind the one that is before it in the end.
 */
function placedDrafts(kind: Kind, changes: Change[], list: OrderedList | undefined): Verbed[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const { steps, live, goal } = list ?? { steps: [], live: new Map(), goal: [] };
  const has = (type: string, key: string) => steps.some((step) => step.type === type && step.key === key);
  const change = (key: string) => byAddress.get(live.get(key)?.address ?? key)!;
  const removed = steps.filter(({ type, key }) => type === 'remove' || (type === 'move' && live.has(key)));
  const gone = removed.map(({ key }) => live.get(key)!);
  return [
    ...(gone.length > 0 ? [removal(kind, gone, change(removed[0]!.key))] : []),
    ...goal
      .filter((key) => has('update', key) && !has('move', key))
      .map((key) => written(kind, 'update', change(key))),
    ...goal.flatMap((key, index) => {
      if (!has('insert', key) && !has('move', key)) return [];
      const before = goal[index - 1];
      if (before === undefined) return [written(kind, 'create', change(key))];
      const isPut = has('insert', before) || has('move', before);
      const behind = isPut ? { $ref: change(before).address, attr: 'id' } : live.get(before)!.id;
      return [written(kind, 'create', change(key), { behind })];
    }),
  ];
}

/** All that is taken out of a staged list, at once. */
function removal(kind: Kind, gone: LiveResource[], first: Change): Verbed {
  const draft = written(kind, 'delete', first, { id: gone.map(({ id }) => id) });
  const drops = gone.map(({ address, id }) => ({ address, id }));
  return {
    ...draft,
    changes: gone.map(({ address }) => address),
    requests: draft.requests.map((one) => ({ ...one, drops })),
  };
}

function stepOf(kind: Kind, action: Step['action'], change: Change, rest: Partial<Step> = {}): Step {
  return {
    action,
    address: change.address,
    id: { $ref: change.address, attr: 'id' },
    body: bodyOf(kind, action, change),
    whole: wholeOf(kind, change),
    ...(change.before ? { before: change.before } : {}),
    ...(change.after ? { after: change.after } : {}),
    fields: change.fields.filter(asksForWrite),
    ...(change.parent === undefined ? {} : { parent: { $ref: change.parent, attr: 'id' } }),
    ...rest,
  };
}

function written(
  kind: Kind,
  verb: Exclude<Step['action'], 'replace'>,
  change: Change,
  rest: Partial<Step> = {},
): Verbed {
  const step = stepOf(kind, verb, change, rest);
  const draft = { ...draftOf(kind, kind.api[verb]!, step), verb };
  // Of a replacement, too, the first half is known as soon as it is done.
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
        ...(kind.api.shows ? { shows: { address: change.address, path: [kind.api.shows] } } : {}),
      },
      ...others,
      ...afterCreation(kind, step, idName),
    ],
  };
}

/** The requests of a deletion: the last one takes the ids away, where none says so itself. */
function dropping(requests: Request[], { address, before }: Change): Request[] {
  if (requests.some(({ drops }) => drops)) return requests;
  const drops = before!.ids.map((id) => ({ address, id }));
  return requests.map((one, index) => (index === requests.length - 1 ? { ...one, drops } : one));
}

/** Fields that the create endpoint refuses follow in a second request. */
function afterCreation(kind: Kind, step: Step, idName: string): Request[] {
  const body = Object.fromEntries(
    Object.entries(step.after!.fields).filter(([name, value]) => isUpdateOnly(kind, name) && value !== null),
  );
  if (Object.keys(body).length === 0) return [];
  const isKnown = kind.key.length === 0 || kind.key.includes(idName);
  const id: Value = isKnown ? step.id : resultOf(0, idName);
  return draftOf(kind, kind.api.update!, { ...step, action: 'update', id, body }).requests;
}

function draftOf(kind: Kind, write: Write, step: Step): Draft {
  const made = writeRequests(write).filter(({ when }) => when?.(step) ?? true);
  const changes = [step.address];
  const problem = made.map(({ refuses }) => refuses?.(step)).find((one) => one !== undefined);
  if (problem) return { changes, requests: [], problem };
  const phase = made.map((one) => one.phase).find((one) => one !== undefined);
  return {
    changes,
    requests: made.map((one) => requestOf(kind, one, step)),
    ...(phase ? { phase } : {}),
  };
}

function requestOf({ version }: Kind, write: WriteRequest, step: Step): Request {
  const { endpoint, params, returns, etag, expects = [], sameVersion } = write;
  const planned = sameVersion && version !== undefined ? step.before?.version : undefined;
  const conditions = [...expects, ...(planned === undefined ? [] : [{ path: [version!], value: planned }])];
  return {
    ...request(endpoint, bodyFor(write, step), { id: step.id, ...params?.(step) }),
    ...(etag ? { etag } : {}),
    ...(write.expects || sameVersion ? { expects: conditions } : {}),
    ...(returns ? { returns: returns(step) } : {}),
  };
}

function bodyFor(write: WriteRequest, step: Step): unknown {
  if (write.body) return write.body(step);
  if (/^(GET|DELETE) /.test(write.endpoint)) return undefined;
  return step.action === 'update' && isWhole(write) ? step.whole : step.body;
}

/** The request with every placeholder of its endpoint filled or named: the object's own id, an ancestor's, a field. */
function filled(
  { params = {}, ...one }: Request,
  kind: Kind,
  address: Address,
  changes: Change[],
  parent: Address | undefined,
  kinds: Kinds,
): Request {
  const fields = changes.find((change) => change.address === address)?.after?.fields ?? {};
  const idOf = (resource: Address): Value => ({ $ref: resource, attr: 'id' });
  const filling = (name: string): Value => {
    const ancestor = ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === name);
    if (ancestor) return idOf(ancestor.address);
    return name === 'id' ? idOf(address) : (fields[name] ?? null);
  };
  const names = [...one.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return one;
  return { ...one, params: Object.fromEntries(names.map((name) => [name, params[name] ?? filling(name)])) };
}
