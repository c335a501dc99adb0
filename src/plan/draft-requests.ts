/*
 * Turns the changes of a plan into drafts. A draft is requests that belong together. The passes, in their order:
 *
 *   | function             | does                                                                                            |
 *   | -------------------- | ----------------------------------------------------------------------------------------------- |
 *   | `arrangeCollections` | shows each collection all of its changes, and returns the function which drafts its requests     |
 *   | `draftRequests`      | drafts the requests of the selected changes                                                     |
 *   | `joinIntoDocuments`  | writes the content of a new container with one request, if the platform has one for all of it   |
 *   | `fillEndpoints`      | fills the placeholders of the endpoints with ids                                                |
 */

import { ancestorsOf } from '../kind/define-kind.ts';
import { copyDrafts } from '../kind/draft.ts';
import type { DraftContext, DraftWriter, Kind, Kinds, WholeDocument } from '../kind/kind.ts';
import { stepOf, verbOf } from '../kind/step.ts';
import type { Draft, Step } from '../kind/write.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, type Reporter } from '../model/diagnostic.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { isTeamEndpoint, type Request } from '../model/request.ts';
import { type CollectionId, collectionId, groupByCollection } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { type Decisions, isExclusive } from './comparison.ts';
import { factsUnder, type PlanInput } from './input.ts';
import { findListPosition } from './list-position.ts';

/** The functions that turn the changes of collections into requests, by collection. */
type DraftWriters = ReadonlyMap<CollectionId, DraftWriter>;

/**
 * Shows each collection (objects of one kind under one parent) all of its changes. Returns the changes, completed with facts that only all
 * of them together show, such as the new position of an item, and the functions that draft their requests. Called before some changes are
 * selected, since an order concerns all siblings.
 */
export function arrangeCollections(
  changes: readonly Change[],
  input: PlanInput,
  report: Reporter,
): { changes: Change[]; writers: DraftWriters } {
  const { live, ledger, kinds } = input;
  const liveByCollection = groupByCollection(live.resources);
  // An unverified ledger may be forged, so its orders are not used.
  const orders = input.unverifiedReason === undefined ? (ledger.orders ?? {}) : {};
  const arrangements = Array.from(groupChanges(changes), ([id, siblings]) => {
    const { kind: name, parent } = siblings[0]!;
    const kind = kinds.get(name)!;
    const arrangement = kind.shape.arrange({
      kind,
      changes: siblings,
      live: liveByCollection.get(id) ?? [],
      isExclusive: isExclusive({ input, parent, kind }),
      ...findListPosition(siblings, liveByCollection.get(id) ?? [], input, report),
      entryOf: (address) => ledger.entries[address],
      recordedOrder: orders[id],
    });
    return { id, ...arrangement };
  });
  return {
    changes: arrangements.flatMap((arrangement) => arrangement.changes),
    writers: new Map(arrangements.map(({ id, draft }) => [id, draft])),
  };
}

/** Groups changes by the collection in which their objects are. */
const groupChanges = (changes: readonly Change[]): Map<CollectionId, Change[]> =>
  groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));

/** All objects of one kind under one parent. */
export interface Collection {
  kind: Kind;
  parent: Address | undefined;
}

/** A draft in the planner, with the collection to which its requests belong. */
export type PlacedDraft = Draft & { collection: Collection };

/**
 * Turns the selected changes into drafts (the requests of a change, before they have an order), one collection at a time. Their endpoints still have
 * placeholders. `writers`: the result of `arrangeCollections`.
 */
export function draftRequests(
  changes: Change[],
  writers: DraftWriters,
  decisions: Decisions,
  input: PlanInput,
): PlacedDraft[] {
  const liveByCollection = groupByCollection(input.live.resources);
  return [...groupChanges(changes)].flatMap(([id, siblings]) => {
    const { kind, parent } = siblings[0]!;
    const collection = { kind: input.kinds.get(kind)!, parent };
    const drafts = writers.get(id)!(siblings, {
      live: liveByCollection.get(id) ?? [],
      ...createDraftContext(id, siblings, decisions, input),
    });
    return copyDrafts(drafts, (draft) => ({ ...draft, collection }));
  });
}

/**
 * Collects the data that a shape (the form of a collection, such as an ordered list) needs besides the live objects, to turn the changes of a
 * collection into requests.
 */
function createDraftContext(
  id: CollectionId,
  changes: Change[],
  { unverifiedSecrets }: Decisions,
  input: PlanInput,
): Omit<DraftContext, 'live'> {
  const { live } = input;
  const { parent } = changes[0]!;
  return {
    desired: changes.flatMap(({ after, action }) => (after && action !== 'forget' ? [after] : [])),
    parent,
    unverified: unverifiedSecrets,
    // An object that is only mentioned by its id was never read, but exists.
    exists: (address) => address.startsWith('#') || live.resources.has(address),
    facts: factsUnder(parent, input),
    versions: live.versions.get(id),
    leftoverVersion: live.staged.get(id),
  };
}

/** A document in one container, such as the whole configuration of a firewall. */
interface ContainedDocument {
  document: WholeDocument;
  /** The kind right below the container. The joined draft counts as one of this kind. */
  root: Kind;
  container: Address;
}

/**
 * Joins the drafts that write parts of one document (the configuration of a firewall, for example) into a single draft, if that takes fewer
 * requests. Only in a container that this plan creates: nothing else is in it yet, so a half-written state does no harm.
 */
export function joinIntoDocuments(
  drafts: PlacedDraft[],
  changes: Change[],
  { kinds }: PlanInput,
): PlacedDraft[] {
  const changeOf = indexByAddress(changes);
  const documents = new Map<WholeDocument, Map<Address, ContainedDocument>>();
  const documentOf = ({ collection: { kind, parent } }: PlacedDraft): ContainedDocument | undefined => {
    const { document } = kind.shape;
    if (!document) return undefined;
    const ancestors = ancestorsOf(kinds, kind, parent);
    const index = ancestors.findIndex((ancestor) => ancestor.kind.lifecycle.container);
    const container = ancestors[index]?.address;
    if (container === undefined || changeOf.get(container)?.action !== 'create') return undefined;
    const byContainer = documents.get(document) ?? new Map<Address, ContainedDocument>();
    const root = ancestors[index - 1]?.kind ?? kind;
    const contained = byContainer.get(container) ?? { document, root, container };
    documents.set(document, byContainer.set(container, contained));
    return contained;
  };
  const countRequests = (counted: Draft[]) => counted.reduce((sum, { requests }) => sum + requests.length, 0);
  return [...groupBy(drafts, (draft) => documentOf(draft) ?? draft)].flatMap(([key, members]) => {
    if (!('document' in key) || members.some((member) => member.problem)) return members;
    const joined = writeDocument(key, members, changeOf, kinds);
    return countRequests([joined]) < countRequests(members) ? [joined] : members;
  });
}

/**
 * Creates the draft that writes several changes with one request, for a platform object that is one document with everything in it, such as the
 * configuration of a new firewall.
 */
function writeDocument(
  { document, root, container }: ContainedDocument,
  members: Draft[],
  changeOf: ReadonlyMap<Address, Change>,
  kinds: Kinds,
): PlacedDraft {
  const addresses = new Set(members.flatMap((member) => member.changes));
  const changes = [...addresses]
    .map((address) => changeOf.get(address)!)
    .sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0));
  const stepsByKind = new Map<string, Step[]>();
  for (const change of changes)
    addTo(stepsByKind, change.kind, stepOf(kinds.get(change.kind)!, verbOf(change)!, change));
  return {
    ...document.write(stepsByKind),
    verb: 'create',
    collection: { kind: root, parent: container },
  };
}

/**
 * Returns the drafts with a value for each placeholder of their endpoints, such as `{project}`; a run can then send them. A draft that needs a team
 * in a personal account gets a problem.
 */
export function fillEndpoints(drafts: PlacedDraft[], changes: Change[], input: PlanInput): PlacedDraft[] {
  const changeOf = indexByAddress(changes);
  return copyDrafts(drafts, (draft) => {
    const address = draft.changes[0]!;
    const change = changeOf.get(address);
    if (
      typeof input.facts.teamId !== 'string' &&
      draft.requests.some(({ endpoint }) => isTeamEndpoint(endpoint))
    )
      return { ...draft, requests: [], problem: createTeamProblem(address, change) };
    const fillPlaceholder = createPlaceholderLookup(address, change, draft.collection, input);
    return {
      ...draft,
      requests: draft.requests.map((request) => fillPlaceholders(request, fillPlaceholder)),
    };
  });
}

/**
 * Creates the problem that an object exists only in teams, but the account of this run is a personal one. Its requests would lack the team
 * id.
 */
const createTeamProblem = (address: Address, change: Change | undefined) =>
  problem('account/team', `${address} belongs to a team, but this is a personal account`, {
    address,
    at: change?.at,
    hint: 'name the team in the header, `platform: { team: ... }`, or remove this',
  });

/**
 * Creates the function which returns the value of a placeholder in the endpoint of a request (`/projects/{project}/env/{id}`): the id of an ancestor,
 * of the team or of the object itself, or a field. An id that does not exist yet is a reference, and the apply fills it in.
 */
function createPlaceholderLookup(
  address: Address,
  change: Change | undefined,
  { kind, parent }: Collection,
  { kinds, facts }: PlanInput,
): (placeholder: string) => Value {
  const idOf = (object: Address): Value => ({ $ref: object, attr: 'id' });
  return (placeholder) => {
    const ancestor = ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === placeholder);
    if (ancestor) return idOf(ancestor.address);
    if (placeholder === 'teamId') return facts.teamId as string;
    return placeholder === 'id' ? idOf(address) : (change?.after?.fields[placeholder] ?? null);
  };
}

/**
 * Returns a request of a plan with a value for each placeholder of its endpoint, such as `{project}`, so that an apply can send it. Values that the
 * kind gave stay.
 */
function fillPlaceholders(
  { params = {}, ...request }: Request,
  fillPlaceholder: (placeholder: string) => Value,
): Request {
  const placeholders = [...request.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (placeholders.length === 0) return request;
  return {
    ...request,
    params: Object.fromEntries(placeholders.map((name) => [name, params[name] ?? fillPlaceholder(name)])),
  };
}
