/*
 * Turns the changes of a plan into drafts. A draft is requests that belong together; `kind/write.ts` explains its place between change and
 * operation.
 *
 *   | function             | does                                                                                            |
 *   | -------------------- | ----------------------------------------------------------------------------------------------- |
 *   | `arrangeCollections` | shows each collection all of its changes, and returns the function which drafts its requests     |
 *   | `draftRequests`      | drafts the requests of the selected changes, with a value for each placeholder of an endpoint     |
 *   | `joinIntoDocuments`  | writes the content of a new container with one request, if the platform has one for all of it   |
 */

import { ancestorsOf } from '../kind/define-kind.ts';
import type { DraftWriter, Kind, Kinds, WholeDocument } from '../kind/kind.ts';
import { stepOf, verbOf } from '../kind/step.ts';
import type { Draft, Step } from '../kind/write.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { ArrangedChange, Change, DecidedChange } from '../model/change.ts';
import { problem, type Reporter } from '../model/diagnostic.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { isTeamEndpoint, type Request } from '../model/request.ts';
import { type CollectionId, collectionId, groupByCollection, type LiveResource } from '../model/resource.ts';
import type { Fields, Value } from '../model/value.ts';
import { type Decisions, isExclusive } from './comparison.ts';
import { factsUnder, type PlanInput } from './input.ts';
import { findListPosition } from './list-position.ts';

/** All objects of one kind under one parent. */
export interface Collection {
  kind: Kind;
  parent: Address | undefined;
}

/** A collection whose shape has seen all of its changes, with the function to draft the requests of the selected ones. */
interface ArrangedCollection extends Collection {
  live: readonly LiveResource[];
  draft: DraftWriter;
}

/**
 * Shows each collection (objects of one kind under one parent) all of its changes. Returns the changes, completed with facts that only all
 * of them together show, such as the new position of an item, and the collections, which draft their requests. Called before some changes
 * are selected, since an order concerns all siblings.
 */
export function arrangeCollections(
  changes: readonly DecidedChange[],
  input: PlanInput,
  report: Reporter,
): { changes: ArrangedChange[]; collections: ReadonlyMap<CollectionId, ArrangedCollection> } {
  const { ledger, kinds } = input;
  const liveByCollection = groupByCollection(input.live.resources);
  // An unverified ledger may be forged, so its orders are not used.
  const orders = input.unverifiedReason === undefined ? (ledger.orders ?? {}) : {};
  const arranged = Array.from(groupChanges(changes), ([id, siblings]) => {
    const { kind: name, parent } = siblings[0]!;
    const kind = kinds.get(name)!;
    const live = liveByCollection.get(id) ?? [];
    const arrangement = kind.shape.arrange({
      kind,
      changes: siblings,
      live,
      isExclusive: isExclusive({ input, parent, kind }),
      ...findListPosition(siblings, live, input, report),
      entryOf: (address) => ledger.entries[address],
      recordedOrder: orders[id],
    });
    return { id, collection: { kind, parent, live, draft: arrangement.draft }, changes: arrangement.changes };
  });
  return {
    changes: arranged.flatMap((collection) => collection.changes),
    collections: new Map(arranged.map(({ id, collection }) => [id, collection])),
  };
}

/**
 * Groups changes by collection (the objects of one kind under one parent), because each collection drafts the requests of all its changes
 * together.
 */
const groupChanges = <C extends DecidedChange>(changes: readonly C[]): Map<CollectionId, C[]> =>
  groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));

/** A draft in the planner: with the collection to which its requests belong, and with values for all placeholders of their endpoints. */
export interface PlacedDraft extends Draft {
  collection: Collection;
  /** The draft as the shape returned it. The members `after` of its siblings name it. */
  origin: Draft;
}

/**
 * Returns drafts for the changes that `--target` and `--exclude` leave. A draft is requests that belong together; `scheduleOperations` puts
 * drafts into an order. Each collection (the objects of one kind under one parent) drafts its own. Then `placeDraft` fills the placeholders
 * of their endpoints, and `joinIntoDocuments` merges drafts that one request can replace. `collections`: from `arrangeCollections`.
 */
export function draftRequests(
  changes: Change[],
  collections: ReadonlyMap<CollectionId, ArrangedCollection>,
  { unverifiedSecrets }: Decisions,
  input: PlanInput,
): PlacedDraft[] {
  const { live } = input;
  const changeOf = indexByAddress(changes);
  const drafts = [...groupChanges(changes)].flatMap(([id, siblings]) => {
    const collection = collections.get(id)!;
    const { parent } = collection;
    const collectionDrafts = collection.draft(siblings, {
      live: collection.live,
      // Without objects that only leave the ledger: no request may write these.
      desired: siblings.flatMap(({ after, action }) => (after && action !== 'forget' ? [after] : [])),
      parent,
      unverified: unverifiedSecrets,
      // An object that is only mentioned by its id was never read, but exists.
      exists: (address) => address.startsWith('#') || live.resources.has(address),
      facts: factsUnder(parent, input),
      versions: live.versions.get(id),
      // A version that an earlier run staged and did not promote.
      leftoverVersion: live.staged.get(id),
    });
    return collectionDrafts.map((draft) => placeDraft(draft, collection, changeOf, input));
  });
  return joinIntoDocuments(drafts, changeOf, input);
}

/** A document in one container, such as the whole configuration of a firewall. */
interface ContainedDocument {
  document: WholeDocument;
  /** The kind right below the container. The joined draft counts as one of this kind. */
  root: Kind;
  container: Address;
}

/**
 * Joins the drafts (each the requests of one or several changes) that write parts of one document, such as the configuration of a firewall,
 * into a single draft that writes the whole document, if that takes fewer requests. Only in a container (a project, for example) that this
 * plan creates: nothing else is in it yet, so a half-written state does no harm.
 */
function joinIntoDocuments(
  drafts: PlacedDraft[],
  changeOf: ReadonlyMap<Address, Change>,
  input: PlanInput,
): PlacedDraft[] {
  const documentOf = createDocumentFinder(changeOf, input.kinds);
  const countRequests = (counted: Draft[]) => counted.reduce((sum, { requests }) => sum + requests.length, 0);
  // A draft outside of all documents is a group of its own.
  return [...groupBy(drafts, (draft) => documentOf(draft) ?? draft)].flatMap(([group, parts]) => {
    if (!('document' in group) || parts.some((part) => part.problem)) return parts;
    const joined = writeDocument(group, parts, changeOf, input);
    return countRequests([joined]) < countRequests(parts) ? [joined] : parts;
  });
}

/**
 * Creates the function which returns the document that a draft writes in part, such as the configuration of a firewall, so that the drafts
 * of one document can be grouped by it: they get the same object. Undefined if a draft writes no document, or if this plan does not create
 * the container around it, such as a project (`joinIntoDocuments` says why).
 */
function createDocumentFinder(
  changeOf: ReadonlyMap<Address, Change>,
  kinds: Kinds,
): (draft: PlacedDraft) => ContainedDocument | undefined {
  const documents = new Map<WholeDocument, Map<Address, ContainedDocument>>();
  return ({ collection: { kind, parent } }) => {
    const { document } = kind.shape;
    if (!document) return undefined;
    const ancestors = ancestorsOf(kinds, kind, parent);
    const index = ancestors.findIndex((ancestor) => ancestor.kind.lifecycle.container);
    const container = ancestors[index]?.address;
    if (container === undefined || changeOf.get(container)?.action !== 'create') return undefined;
    const byContainer = documents.get(document) ?? new Map<Address, ContainedDocument>();
    // The ancestors begin with the nearest one, so this is the kind right below the container.
    const root = ancestors[index - 1]?.kind ?? kind;
    const contained = byContainer.get(container) ?? { document, root, container };
    documents.set(document, byContainer.set(container, contained));
    return contained;
  };
}

/**
 * Creates a draft (requests that belong together) that writes a whole document at once, such as the firewall of a new project. The caller
 * takes it instead of `parts`, the drafts that write parts of the document, if it has fewer requests. The steps of each kind are in the
 * order of the configuration, because the document has lists whose order counts.
 */
function writeDocument(
  { document, root, container }: ContainedDocument,
  parts: Draft[],
  changeOf: ReadonlyMap<Address, Change>,
  input: PlanInput,
): PlacedDraft {
  const addresses = new Set(parts.flatMap((part) => part.changes));
  const changes = [...addresses]
    .map((address) => changeOf.get(address)!)
    .sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0));
  // A step is a change as the shape of its kind receives it.
  const stepsByKind = new Map<string, Step[]>();
  for (const change of changes)
    addTo(stepsByKind, change.kind, stepOf(input.kinds.get(change.kind)!, verbOf(change)!, change));
  const draft: Draft = { ...document.write(stepsByKind), verb: 'create' };
  return placeDraft(draft, { kind: root, parent: container }, changeOf, input);
}

/**
 * Returns a draft (requests that belong together) with the collection to which it belongs (its kind and
 * parent) and a value for each placeholder of its endpoints, such as `{project}`; a run can then send it. A
 * draft that needs a team in a personal account gets a problem.
 */
function placeDraft(
  draft: Draft,
  collection: Collection,
  changeOf: ReadonlyMap<Address, Change>,
  input: PlanInput,
): PlacedDraft {
  const address = draft.changes[0]!;
  const change = changeOf.get(address);
  const placed = { ...draft, collection, origin: draft };
  const needsTeam = draft.requests.some(({ endpoint }) => isTeamEndpoint(endpoint));
  if (needsTeam && typeof input.facts.teamId !== 'string')
    return {
      ...placed,
      requests: [],
      problem: problem('account/team', `${address} belongs to a team, but this is a personal account`, {
        address,
        at: change?.at,
        hint: 'name the team in the header, `platform: { team: ... }`, or remove this',
      }),
    };
  const subject = { address, collection, fields: change?.after?.fields };
  return { ...placed, requests: draft.requests.map((request) => fillPlaceholders(request, subject, input)) };
}

/**
 * Returns a request with a value for each placeholder of its endpoint (`/projects/{project}/env/{id}`): the id of an ancestor, of the team
 * or of the object itself, or a field. Values that the kind gave for placeholders stay, and no other params do. An id that does not exist
 * yet is a reference, and the apply fills it in.
 */
function fillPlaceholders(
  { params = {}, ...request }: Request,
  { address, collection, fields }: { address: Address; collection: Collection; fields?: Fields | undefined },
  { kinds, facts }: PlanInput,
): Request {
  const placeholders = [...request.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (placeholders.length === 0) return request;
  const idOf = (object: Address): Value => ({ $ref: object, attr: 'id' });
  const ancestors = ancestorsOf(kinds, collection.kind, collection.parent);
  const fillPlaceholder = (placeholder: string): Value => {
    const ancestor = ancestors.find((above) => above.kind.name === placeholder);
    if (ancestor) return idOf(ancestor.address);
    if (placeholder === 'teamId') return facts.teamId as string;
    return placeholder === 'id' ? idOf(address) : (fields?.[placeholder] ?? null);
  };
  return {
    ...request,
    params: Object.fromEntries(placeholders.map((name) => [name, params[name] ?? fillPlaceholder(name)])),
  };
}
