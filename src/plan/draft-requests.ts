import { ancestorsOf } from '../kind/define-kind.ts';
import { copyDrafts, type VerbDraft } from '../kind/draft.ts';
import type { Kind } from '../kind/kind.ts';
import type { DraftContext, DraftWriter, WholeDocument } from '../kind/shape.ts';
import { type Step, stepOf, verbOf } from '../kind/step.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem, type Reporter } from '../model/diagnostic.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { isOfTeam, type Request } from '../model/request.ts';
import { type CollectionId, collectionId, groupByCollection } from '../model/resource.ts';
import type { Fields, Value } from '../model/value.ts';
import { type Decisions, isExclusive } from './comparison.ts';
import { factsUnder, type PlanInput } from './input.ts';
import { findListPosition } from './list-position.ts';

/** A draft with the collection that it belongs to. Used to order drafts of different collections. */
export interface LocatedDraft extends VerbDraft {
  kind: Kind;
  parent: Address | undefined;
}

/** The functions that turn the changes of collections into requests, by collection. */
type DraftWriters = ReadonlyMap<CollectionId, DraftWriter>;

/**
 * Shows each collection all of its changes, and returns how the shape of its kind turns them into requests. Completes the changes with what only
 * all of them together show, such as the new position of an item. Called before some changes are selected, since an order concerns all siblings.
 */
export function arrangeCollections(
  changes: Change[],
  input: PlanInput,
  report: Reporter,
): { changes: Change[]; writers: DraftWriters } {
  const { live, ledger, kinds } = input;
  const liveByCollection = groupByCollection(live.resources);
  // An unverified ledger may be forged, so its orders are not used.
  const orders = input.unverifiedReason === undefined ? (ledger.orders ?? {}) : {};
  const arrangements = Array.from(
    groupBy(changes, ({ kind, parent }) => collectionId(kind, parent)),
    ([id, siblings]) => {
      const { kind: name, parent } = siblings[0]!;
      const kind = kinds.get(name)!;
      const arrangement = kind.shape.arrange({
        kind,
        changes: siblings,
        live: liveByCollection.get(id) ?? [],
        isExclusive: isExclusive({ input, parent, kind }),
        ...findListPosition(siblings, liveByCollection.get(id) ?? [], input, report),
        entryOf: (address) => ledger.entries[address],
        ...(orders[id] ? { recordedOrder: orders[id] } : {}),
      });
      return { id, ...arrangement };
    },
  );
  return {
    changes: arrangements.flatMap((arrangement) => arrangement.changes),
    writers: new Map(arrangements.map(({ id, draft }) => [id, draft])),
  };
}

/** Turns the selected changes into drafts, which are requests with open values, one collection at a time. */
export function draftRequests(
  changes: Change[],
  writers: DraftWriters,
  decisions: Decisions,
  input: PlanInput,
): LocatedDraft[] {
  const collections = groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));
  return [...collections].flatMap(([id, siblings]) => {
    const { kind: name, parent } = siblings[0]!;
    const kind = input.kinds.get(name)!;
    const drafts = writers.get(id)!(siblings, createDraftContext(id, siblings, decisions, input));
    return copyDrafts(drafts, (draft) => ({
      ...draft,
      kind,
      parent,
      ...fillDraft(draft, { kind, changes: siblings, parent }, input),
    }));
  });
}

/** Collects what a shape may use of a collection while it turns changes into requests. */
function createDraftContext(
  id: CollectionId,
  changes: Change[],
  { unverifiedSecrets }: Decisions,
  input: PlanInput,
): DraftContext {
  const { live } = input;
  const { parent } = changes[0]!;
  return {
    live: groupByCollection(live.resources).get(id) ?? [],
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

/** A draft's collection: its kind, its parent and all changes in it. */
interface DraftedCollection {
  kind: Kind;
  parent: Address | undefined;
  changes: Change[];
}

/**
 * Returns the requests of a draft with the placeholders of their endpoints filled. A request about a team in a personal account cannot be sent: then
 * returns a problem, and no requests.
 */
function fillDraft(
  draft: VerbDraft,
  collection: DraftedCollection,
  input: PlanInput,
): Pick<VerbDraft, 'requests' | 'problem'> {
  const [address] = draft.changes;
  const change = collection.changes.find((sibling) => sibling.address === address);
  if (typeof input.facts.teamId !== 'string' && draft.requests.some(({ endpoint }) => isOfTeam(endpoint)))
    return {
      requests: [],
      problem: problem('account/team', `${address} belongs to a team, but this is a personal account`, {
        address: address!,
        at: change?.at,
        hint: 'name the team in the header, `platform: { team: ... }`, or remove this',
      }),
    };
  const fields = change?.after?.fields ?? {};
  return {
    requests: draft.requests.map((request) =>
      fillEndpoint(request, { ...collection, address: address!, fields }, input),
    ),
  };
}

/**
 * Returns a request with a value for each placeholder of its endpoint: the id of an ancestor (`{project}`), of the team or of the object itself, or a
 * field. An id that is not known yet is a reference, which the run fills.
 */
function fillEndpoint(
  { params = {}, ...request }: Request,
  { kind, parent, address, fields }: DraftedCollection & { address: Address; fields: Fields },
  { kinds, facts }: PlanInput,
): Request {
  const idOf = (object: Address): Value => ({ $ref: object, attr: 'id' });
  const fillPlaceholder = (placeholder: string): Value => {
    const ancestor = ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === placeholder);
    if (ancestor) return idOf(ancestor.address);
    if (placeholder === 'teamId') return facts.teamId as string;
    return placeholder === 'id' ? idOf(address) : (fields[placeholder] ?? null);
  };
  const placeholders = [...request.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (placeholders.length === 0) return request;
  return {
    ...request,
    params: Object.fromEntries(placeholders.map((name) => [name, params[name] ?? fillPlaceholder(name)])),
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
 * Joins the drafts that write members of one document into a single draft, if that takes fewer requests. Only in a container that this plan creates:
 * everything in it is ours, and its half-written state affects nobody.
 */
export function joinIntoDocuments(
  drafts: LocatedDraft[],
  changes: Change[],
  input: PlanInput,
): LocatedDraft[] {
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  const documents = new Map<WholeDocument, Map<Address, ContainedDocument>>();
  const documentOf = ({ kind, parent }: LocatedDraft): ContainedDocument | undefined => {
    const { document } = kind.shape;
    if (!document) return undefined;
    const ancestors = ancestorsOf(input.kinds, kind, parent);
    const index = ancestors.findIndex((ancestor) => ancestor.kind.lifecycle.container);
    const container = ancestors[index]?.address;
    if (container === undefined || changeOf.get(container)?.action !== 'create') return undefined;
    const byContainer = documents.get(document) ?? new Map<Address, ContainedDocument>();
    const root = ancestors[index - 1]?.kind ?? kind;
    const contained = byContainer.get(container) ?? { document, root, container };
    documents.set(document, byContainer.set(container, contained));
    return contained;
  };
  const countRequests = (counted: LocatedDraft[]) =>
    counted.reduce((sum, { requests }) => sum + requests.length, 0);
  return [...groupBy(drafts, (draft) => documentOf(draft) ?? draft)].flatMap(([key, members]) => {
    if (!('document' in key) || members.some(({ problem }) => problem)) return members;
    const whole = writeDocument(key, members, changeOf, input);
    return countRequests([whole]) < countRequests(members) ? [whole] : members;
  });
}

/** Writes the changes of several drafts as one document. */
function writeDocument(
  { document, root, container }: ContainedDocument,
  members: LocatedDraft[],
  changeOf: ReadonlyMap<Address, Change>,
  input: PlanInput,
): LocatedDraft {
  const addresses = new Set(members.flatMap((member) => member.changes));
  const changes = [...addresses]
    .map((address) => changeOf.get(address)!)
    .sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0));
  const stepsByKind = new Map<string, Step[]>();
  for (const change of changes)
    addTo(stepsByKind, change.kind, stepOf(input.kinds.get(change.kind)!, verbOf(change)!, change));
  const draft: VerbDraft = { ...document.write(stepsByKind), verb: 'create' };
  return {
    ...draft,
    kind: root,
    parent: container,
    ...fillDraft(draft, { kind: root, changes, parent: container }, input),
  };
}
