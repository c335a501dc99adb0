import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isReadable } from '../kind/define-kind.ts';
import { type RecordedDigestOptions, recordedDigestAt } from '../kind/digests.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { LedgerKey } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { objectsOfCollection } from '../model/refreshed-resources.ts';
import type { Request } from '../model/request.ts';
import {
  collectionId,
  createIdLookup,
  findReadFailure,
  type Live,
  type LiveResource,
  objectsAt,
  withAlternatives,
} from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import { createdBy } from './intents.ts';
import { resume } from './resume.ts';

interface FindOutcomeInput {
  request: Request;
  /** The changes of the request whose outcome its answer does not show for sure. */
  changes: Change[];
  /** The account, read after the request. */
  live: Live;
  /** The ledger with the intents of the run. */
  ledger: Ledger;
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** Returns the entry that the ledger gets once a change is done. */
  expectedEntry(change: Change): LedgerEntry | undefined;
}

/** The outcome of a request as the account shows it. Addresses in neither map are still open: their change may yet happen. */
export interface FoundOutcome {
  /** The addresses whose change is done, with their current ids; no ids if the change deleted the object. */
  idsOfDone: Map<Address, string[]>;
  /** The addresses whose change is done as far as fields can be read, with the changed paths that cannot be read. */
  unverifiablePaths: Map<Address, string[]>;
}

/** The outcome of one change: done, with the current ids, or done except for fields that cannot be read. */
type ChangeOutcome = { ids: string[] } | { unverifiablePaths: string[] };

/**
 * Finds out from the account whether a request of an apply was done, after an answer that got lost, cannot be read,
 * lacks ids, or is a refusal that a proxy may have sent. Without this, the next run could create an object twice. A
 * collection that could not be read proves nothing, not even that an object is gone. Returns the ids at each address
 * that is done, and the paths that cannot be checked. An address in neither map is still open: it may yet be changed.
 */
export function findOutcome(input: FindOutcomeInput): FoundOutcome {
  const { changes, live, kinds } = input;
  const idsOfCreated = findCreatedIds(input);
  const droppedByAddress = groupBy(input.request.drops ?? [], ({ address }) => address);
  const outcome: FoundOutcome = { idsOfDone: new Map(), unverifiablePaths: new Map() };
  for (const change of changes.filter((candidate) => !findReadFailure(live, candidate))) {
    const { address } = change;
    const kind = kinds.get(change.kind)!;
    const createdIds = idsOfCreated.get(address);
    const deletedIds = (droppedByAddress.get(address) ?? []).map(({ id }) => id);
    const changeOutcome = createdIds
      ? { ids: createdIds }
      : findChangeOutcome(change, kind, deletedIds, input);
    if (changeOutcome && 'ids' in changeOutcome) outcome.idsOfDone.set(address, changeOutcome.ids);
    else if (changeOutcome) outcome.unverifiablePaths.set(address, changeOutcome.unverifiablePaths);
  }
  return outcome;
}

/**
 * Returns the ids of the objects that a request created, by address, as far as the account shows them. Used
 * when the answer to a creation is missing: a new object that matches the intent (the note of a creation in
 * the ledger) proves that the creation was done. The conditions are those by which a later run resumes an
 * interrupted one.
 */
function findCreatedIds({
  request,
  changes,
  live,
  ledger,
  kinds,
  key,
}: FindOutcomeInput): Map<Address, string[]> {
  const createdAddresses = new Set(createdBy(request));
  // A request that returns nothing names no created addresses, so that the actions of its changes count.
  const creates = ({ address, action }: Change) =>
    createdAddresses.size > 0 ? createdAddresses.has(address) : action === 'create';
  const intents = Object.fromEntries(
    changes.flatMap((change) => {
      const intent = creates(change) ? ledger.begun?.[change.address] : undefined;
      return intent ? [[change.address, intent] as const] : [];
    }),
  );
  // Resuming with only these intents gives each created object an entry with its id. Nothing else of the result is used.
  const resumption = resume({ ...ledger, begun: intents }, live, {
    kinds,
    key,
    listsShowAllWrites: false,
    isDeclared: () => true,
  });
  return new Map(
    Object.keys(intents).flatMap((address) => {
      // If resuming removed the entry, only the old object is gone: the request created no new one.
      const entry = resumption.changedAddresses.has(address) ? resumption.ledger.entries[address] : undefined;
      return entry ? [[address, entry.ids] as const] : [];
    }),
  );
}

/**
 * Returns the outcome of a change that created nothing new; undefined if the account does not show that it is done.
 *
 *   | change                        | is done if                                                           |
 *   | deletes `deletedIds`          | no object has one of them; for a kind that cannot be read, always    |
 *   | deletes an object without id  | nothing is at its address                                            |
 *   | updates an object             | each changed field has the applied value (else see `FoundOutcome`)   |
 *   | replaces an object            | never: that is found as a creation                                   |
 */
function findChangeOutcome(
  change: Change,
  kind: Kind,
  deletedIds: string[],
  { live, ledger, key, expectedEntry }: FindOutcomeInput,
): ChangeOutcome | undefined {
  const { address, action, before } = change;
  const candidates = candidatesOf(live, change, kind);
  const recordedIds = ledger.entries[address]?.ids ?? [];
  if (deletedIds.length > 0) {
    // An object that cannot be read offers no more proof than the answer "not found".
    const isGone =
      !isReadable(kind) || !candidates.some(({ ids }) => ids.some((id) => deletedIds.includes(id)));
    return isGone ? { ids: recordedIds.filter((id) => !deletedIds.includes(id)) } : undefined;
  }
  if (action === 'delete') return live.resources.has(address) ? undefined : { ids: [] };
  const expected = action === 'replace' ? undefined : expectedEntry(change);
  const earlierIds = [...(before?.ids ?? []), ...recordedIds];
  const resource = candidates.find(({ ids }) => ids.some((id) => earlierIds.includes(id)));
  if (!resource || !expected) return undefined;
  const missingPaths = pathsNotApplied(change, resource, expected, kind, {
    key,
    idOf: createIdLookup(live),
  });
  if (missingPaths.length === 0) return { ids: resource.ids };
  const areUnreadable = missingPaths.every((path) => atPath(resource.fields, path) === undefined);
  return areUnreadable ? { unverifiablePaths: missingPaths } : undefined;
}

/**
 * Returns the live objects that a change may have written, to find out whether it was done although its answer was lost. A kind that is
 * identified by address has one at the change's address. Any other object is recognized by its id, so all objects of the collection are
 * candidates.
 */
const candidatesOf = (live: Live, { address, parent }: Change, { name, shape }: Kind): LiveResource[] =>
  shape.byAddress
    ? objectsAt(live, address)
    : withAlternatives(objectsOfCollection(live.resources, collectionId(name, parent)));

/**
 * Returns the paths that a change writes and that the account does not show with the applied value. Used when
 * the answer to an update was lost: without such paths, the update is proved done. Paths that are only
 * recorded or released are not sent, so they do not count.
 */
function pathsNotApplied(
  { fields }: Change,
  resource: LiveResource,
  expected: LedgerEntry,
  kind: Kind,
  digestOptions: Pick<RecordedDigestOptions, 'key' | 'idOf'>,
): string[] {
  const traitsByPath = new Map(
    leavesOf(comparedFields(kind), resource.fields).map((leaf) => [leaf.path, leaf.traits]),
  );
  const isApplied = (path: string, after: unknown): boolean => {
    const live = atPath(resource.fields, path);
    // `null` resets a field.
    if (live === undefined) return after === null;
    const digest = recordedDigestAt(expected, path, { form: kind.form ?? 1, ...digestOptions });
    return digest.matches(live, traitsByPath.get(path) ?? {});
  };
  return fields
    .filter(({ cause }) => cause !== 'recorded' && cause !== 'released')
    .filter(({ path, after }) => !isApplied(path, after))
    .map(({ path }) => path);
}
