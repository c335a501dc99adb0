import { ancestorsOf } from '../kind/define-kind.ts';
import { copyDrafts, type VerbDraft } from '../kind/draft.ts';
import type { Kind } from '../kind/kind.ts';
import type { LowerContext, Lowering, WholeDocument } from '../kind/shape.ts';
import { type Step, stepOf, verbOf } from '../kind/step.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { isOfTeam, type Request } from '../model/request.ts';
import { type CollectionId, collectionId, groupByCollection } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { type Decisions, isExclusive } from './comparison.ts';
import { factsUnder, type PlanInput, type Report } from './input.ts';
import { findListPosition } from './list-position.ts';

/** A draft with all that scheduling needs to know. */
export interface LocatedDraft extends VerbDraft {
  kind: Kind;
  parent: Address | undefined;
}

/** Turns the changes of each collection into requests. */
type Lowerings = ReadonlyMap<CollectionId, Lowering>;

/** Asks the kinds' shapes how to lower changes; shapes may add to the changes. */
export function arrangeCollections(changes: Change[], input: PlanInput, report: Report): Lowerings {
  const { live, ledger, kinds } = input;
  const group = groupByCollection(live.resources);
  // Somebody without the key may have written an unverified ledger, so it tells nothing about others.
  const orders = input.unverifiedReason === undefined ? (ledger.orders ?? {}) : {};
  return new Map(
    Array.from(
      groupBy(changes, ({ kind, parent }) => collectionId(kind, parent)),
      ([id, siblings]) => {
        const { kind: name, parent } = siblings[0]!;
        const kind = kinds.get(name)!;
        const lowering = kind.shape.arrange({
          kind,
          changes: siblings,
          live: group.get(id) ?? [],
          isExclusive: isExclusive({ input, parent, kind }),
          ...findListPosition(siblings, group.get(id) ?? [], input, report),
          entryOf: (address) => ledger.entries[address],
          ...(orders[id] ? { recordedOrder: orders[id] } : {}),
        });
        return [id, lowering];
      },
    ),
  );
}

/** Turns the selected changes into requests, one collection at a time. */
export function draftRequests(
  changes: Change[],
  lowerings: Lowerings,
  decisions: Decisions,
  input: PlanInput,
): LocatedDraft[] {
  const collections = groupBy(changes, ({ kind, parent }) => collectionId(kind, parent));
  return [...collections].flatMap(([id, of]) => {
    const kind = input.kinds.get(of[0]!.kind)!;
    const { parent } = of[0]!;
    const drafts = lowerings.get(id)!(of, contextOf(id, of, decisions, input));
    return copyDrafts(drafts, (draft) => ({
      ...draft,
      kind,
      parent,
      ...filledDraft(draft, kind, of, parent, input),
    }));
  });
}

function contextOf(
  id: CollectionId,
  changes: Change[],
  { unverifiedSecrets }: Decisions,
  input: PlanInput,
): LowerContext {
  const { live } = input;
  const { parent } = changes[0]!;
  return {
    live: groupByCollection(live.resources).get(id) ?? [],
    desired: changes.flatMap(({ after, action }) => (after && action !== 'forget' ? [after] : [])),
    parent,
    unverified: unverifiedSecrets,
    // What was never read, but is mentioned by its id, is there as well.
    exists: (address) => address.startsWith('#') || live.resources.has(address),
    facts: factsUnder(parent, input),
    versions: live.versions.get(id),
    leftoverVersion: live.staged.get(id),
  };
}

/** Fills the endpoints of a draft's requests. A request about a team in an account without one is a problem, and leaves no requests. */
function filledDraft(
  draft: VerbDraft,
  kind: Kind,
  changes: Change[],
  parent: Address | undefined,
  input: PlanInput,
): Pick<VerbDraft, 'requests' | 'problem'> {
  const [address] = draft.changes;
  const position = changes.find((change) => change.address === address)?.at;
  if (typeof input.facts.teamId !== 'string' && draft.requests.some(({ endpoint }) => isOfTeam(endpoint)))
    return {
      requests: [],
      problem: problem('account/team', `${address} belongs to a team, but this is a personal account`, {
        address: address!,
        ...(position ? { at: position } : {}),
        hint: 'name the team in the header, `platform: { team: ... }`, or remove this',
      }),
    };
  return {
    requests: draft.requests.map((request) => filled(request, kind, address!, changes, parent, input)),
  };
}

/** The request with each placeholder of its endpoint filled or named: the object's own id, an ancestor's, the account's team, a field. */
function filled(
  { params = {}, ...one }: Request,
  kind: Kind,
  address: Address,
  changes: Change[],
  parent: Address | undefined,
  { kinds, facts }: PlanInput,
): Request {
  const fields = changes.find((change) => change.address === address)?.after?.fields ?? {};
  const idOf = (resource: Address): Value => ({ $ref: resource, attr: 'id' });
  const filling = (name: string): Value => {
    const ancestor = ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === name);
    if (ancestor) return idOf(ancestor.address);
    if (name === 'teamId') return facts.teamId as string;
    return name === 'id' ? idOf(address) : (fields[name] ?? null);
  };
  const names = [...one.endpoint.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (names.length === 0) return one;
  return { ...one, params: Object.fromEntries(names.map((name) => [name, params[name] ?? filling(name)])) };
}

/** A document in one container. */
interface Place {
  document: WholeDocument;
  /** The kind right below the container, which stands for the whole. */
  root: Kind;
  container: Address;
}

/**
 * Joins the drafts that write parts of a document into one, in a container that this plan makes, if that takes fewer requests.
 * Everything in such a container is ours, and nobody sees it half made.
 */
export function joinIntoDocuments(
  drafts: LocatedDraft[],
  changes: Change[],
  input: PlanInput,
): LocatedDraft[] {
  const { kinds } = input;
  const changeOf = new Map(changes.map((change) => [change.address, change]));
  const places = new Map<WholeDocument, Map<Address, Place>>();
  const placeOf = ({ kind, parent }: LocatedDraft): Place | undefined => {
    const { document } = kind.shape;
    if (!document) return undefined;
    const above = ancestorsOf(kinds, kind, parent);
    const index = above.findIndex((one) => one.kind.lifecycle.container);
    const container = above[index]?.address;
    if (container === undefined || changeOf.get(container)?.action !== 'create') return undefined;
    const known = places.get(document) ?? new Map<Address, Place>();
    const place = known.get(container) ?? { document, root: above[index - 1]?.kind ?? kind, container };
    places.set(document, known.set(container, place));
    return place;
  };
  return [...groupBy(drafts, (draft) => placeOf(draft) ?? draft)].flatMap(([key, of]) => {
    if (!('document' in key) || of.some(({ problem }) => problem)) return of;
    const lowered = wholeOf(key, of, changeOf, input);
    const count = (lowereds: LocatedDraft[]) =>
      lowereds.reduce((sum, { requests }) => sum + requests.length, 0);
    return count([lowered]) < count(of) ? [lowered] : of;
  });
}

function wholeOf(
  { document, root, container }: Place,
  parts: LocatedDraft[],
  changeOf: ReadonlyMap<Address, Change>,
  input: PlanInput,
): LocatedDraft {
  const { kinds } = input;
  const changes = [...new Set(parts.flatMap((lowered) => lowered.changes))].map(
    (address) => changeOf.get(address)!,
  );
  const steps = changes
    .sort((a, b) => (a.after?.index ?? 0) - (b.after?.index ?? 0))
    .map((change): [string, Step] => {
      const kind = kinds.get(change.kind)!;
      return [kind.name, stepOf(kind, verbOf(change)!, change)];
    });
  const byKind = new Map(
    [...groupBy(steps, ([name]) => name)].map(([name, of]) => [name, of.map(([, step]) => step)]),
  );
  const draft = document.write(byKind);
  return {
    ...draft,
    kind: root,
    parent: container,
    verb: 'create',
    ...filledDraft({ ...draft, verb: 'create' }, root, changes, container, input),
  };
}
