/*
 * Follows up what an interrupted run has left: its intents and its staged versions.
 *
 * Terms
 * - intent: the ledger's record of a creation that a run is about to do, at the address of the new object. It has the entry that the object
 *   would get, and digests of the ids that were there before.
 * - earlier object: an object whose id the intent has as being there before the run.
 * - unit and rows: some objects (units) are stored in several platform objects (rows), for example a DNS set with one row per value.
 * - label: an object without a name of its own is found in the account by its id, and its address is the label that the configuration gives
 *   it.
 *
 * Premise: a run may have been killed between sending a creation and storing the answer. Then the account has an object that the ledger
 * does not know.
 *
 * An object belongs to an intent if
 *   1. it is at the intent's address or, for an object without a name, in the same collection,
 *   2. it is not an earlier object and no other entry of the ledger has its id, and
 *   3. its content is what the intent says.
 * One such object becomes ours. If equal objects belong to several intents, each intent gets one of them (`assignCreations`). If there are
 * more objects than intents, they are reported, since we cannot know which ones are ours. Without one, the intent stays open until lists
 * must show all writes (`listsShowAllWrites`).
 *
 * Steps
 *   1. Find the objects of each intent, unless its collection could not be read: rows for a unit (`resumeUnit`), else `resumeObject`.
 *   2. Record the contents of staged versions that were promoted meanwhile (`findPromotedEntries`).
 *   3. Keep the open intents and, of the staged versions, those that are still staged.
 *
 * Example: a run was killed after it had sent the creation of `projects/web`. The ledger has an intent there, and no entry. If the account
 * has a project `web` that is new and has the intended content, the ledger gets an entry with its id. If it has none, the intent stays
 * open; once lists must show all writes, the intent is dropped, and the plan creates the project.
 */
import { isFoundOnlyById, parentOf } from '../kind/define-kind.ts';
import { isObjectOfEntry, type RecordedDigestOptions } from '../kind/digests.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf, escapeName, lastNameOf } from '../model/address.ts';
import { type Diagnostic, problem, Reporter, warning } from '../model/diagnostic.ts';
import { type LedgerKey, shortIdDigest } from '../model/digest.ts';
import type { Intent, Ledger, LedgerEntry } from '../model/ledger.ts';
import {
  collectionId,
  createIdLookup,
  findReadFailure,
  type Live,
  type LiveResource,
  type LiveRow,
  objectsAt,
} from '../model/resource.ts';
import { atPath } from '../model/value.ts';
import { dropUndefined } from '../model/walk.ts';
import { assignCreations } from './hide-objects-of-others.ts';
import { findPromotedEntries, versionsStillStaged } from './staged-versions.ts';

/** The result of following up an interrupted run. */
interface Resumption {
  /** The ledger, with the objects that the interrupted run created, and without those that it deleted. */
  ledger: Ledger;
  /** The account, with each recovered object without a name under the label that it was created for. */
  live: Live;
  /** The addresses whose ledger entries have changed here. */
  changedAddresses: ReadonlySet<Address>;
  diagnostics: Diagnostic[];
}

interface ResumeOptions {
  kinds: Kinds;
  key?: LedgerKey | undefined;
  /** True if enough time has passed that the platform's lists must show all writes of the last run; see `isSettled`. */
  listsShowAllWrites: boolean;
  /** True for an address that the configuration declares. */
  isDeclared(address: Address): boolean;
}

/**
 * Returns the ledger and the account with the effects of an interrupted run, as if its requests had been answered. Used before planning, so
 * that no object is created twice, and after an unclear answer, to see if the request was done. The ledger has an intent for each creation
 * or replacement that may have been sent, and the versions that were uploaded but not promoted (made live) yet (`staged`).
 * `listsShowAllWrites`: true if the last write is so long ago that lists must show it. Pure.
 */
export function resume(
  ledger: Ledger,
  live: Live,
  { kinds, key, listsShowAllWrites, isDeclared }: ResumeOptions,
): Resumption {
  if (!ledger.begun && !ledger.staged) return { ledger, live, changedAddresses: new Set(), diagnostics: [] };
  const digestOptions: DigestOptions = { key, idOf: createIdLookup(live) };
  const recordedUnnamed = recordedUnnamedIn(ledger, kinds);
  const progress: ResumeProgress = {
    entries: { ...ledger.entries },
    intents: { ...ledger.begun },
    resources: new Map(live.resources),
    changedAddresses: new Set(),
    report: new Reporter(),
    digestOptions,
    recordedUnnamed,
    assignedAddresses: assignUnnamed(ledger, live, recordedUnnamed, { kinds, ...digestOptions }),
    listsShowAllWrites,
    isDeclared,
  };
  for (const [address, intent] of Object.entries(progress.intents)) {
    const kind = kinds.get(intent.entry.kind);
    const parent = kind && parentOf(address, kind);
    if (!kind || findReadFailure(live, { kind: kind.name, parent, address })) continue;
    // A unit is one object that the platform stores in several rows, such as a DNS set: the run may have created only some of them.
    const isUnit = kind.shape.byAddress;
    if (isUnit) resumeUnit(address, intent, kind, progress);
    else resumeObject(address, intent, kind, progress);
  }
  const { entries, intents, resources, changedAddresses, report } = progress;
  // Objects whose staged content has become live.
  const promoted = findPromotedEntries(ledger.staged, { ...live, resources }, entries, {
    kinds,
    digestOptions,
  });
  for (const [address, entry] of promoted) setEntry(progress, address, entry);
  const { begun: _, staged: __, ...otherMembers } = ledger;
  const hasOpenIntents = Object.keys(intents).length > 0;
  // Until then, a reading that shows no staged version does not prove that it is gone.
  const staged = listsShowAllWrites ? versionsStillStaged(ledger.staged, live) : ledger.staged;
  return {
    ledger: dropUndefined({ ...otherMembers, entries, staged, begun: hasOpenIntents ? intents : undefined }),
    live: { ...live, resources },
    changedAddresses,
    diagnostics: report.diagnostics,
  };
}

/** The findings so far. The functions below record in it what they find out about each intent. */
interface ResumeProgress
  extends Pick<Live, 'resources'>,
    Pick<ResumeOptions, 'listsShowAllWrites' | 'isDeclared'> {
  entries: Record<Address, LedgerEntry>;
  /** The intents that are still open. */
  intents: Record<Address, Intent>;
  changedAddresses: Set<Address>;
  report: Reporter;
  digestOptions: DigestOptions;
  /** The objects without names that the ledger has (`recordedUnnamedIn`). */
  recordedUnnamed: ReadonlySet<string>;
  /** The address of the creation that each other object without a name is assigned to, by its id (`assignUnnamed`). */
  assignedAddresses: ReadonlyMap<string, Address>;
}

/** The key and ids to compare digests with. */
type DigestOptions = Pick<RecordedDigestOptions, 'key' | 'idOf'>;

/**
 * Sets the ledger entry of an address, or deletes it (`entry` undefined), while the outcome of an interrupted run is found. Records that it
 * differs from the stored ledger, so that the next apply writes it.
 */
function setEntry(
  { entries, changedAddresses }: ResumeProgress,
  address: Address,
  entry: LedgerEntry | undefined,
): void {
  if (entry) entries[address] = entry;
  else delete entries[address];
  changedAddresses.add(address);
}

/**
 * True if an object with this id existed before the run that recorded the intent. Then that run cannot have created
 * it.
 */
const isEarlierObject = ({ entry, seen }: Intent, id: string): boolean =>
  seen.includes(shortIdDigest(entry.salt, id));

/**
 * Returns a key for an object without a name: its id, with its kind and parent, because an id may be made of the id of another kind's
 * object.
 */
const keyInCollection = ({ kind, parent, id }: Pick<LiveResource, 'kind' | 'parent' | 'id'>): string =>
  `${collectionId(kind, parent)} ${id}`;

/**
 * Returns the objects without names in a ledger, each as a key of kind, parent and id (`keyInCollection`). These objects have an entry, so
 * none of them can be what an interrupted run created without recording it. Not by address: during a run, such an object may have the
 * address of its id instead of its label.
 */
const recordedUnnamedIn = ({ entries }: Ledger, kinds: Kinds): ReadonlySet<string> =>
  new Set(
    Object.entries(entries).flatMap(([address, { kind: name, ids }]) => {
      const kind = kinds.get(name);
      if (kind?.shape.isNamed !== false) return [];
      const parent = parentOf(address, kind);
      return ids.map((id) => keyInCollection({ kind: name, parent, id }));
    }),
  );

/**
 * Assigns objects without names (webhooks, for example) to the creations that an interrupted run noted in the ledger (`begun`), so that
 * equal objects are not all taken for one creation. Returns the address of the creation, by the object's id. Objects that the ledger has
 * already are left out (`recordedUnnamed`).
 */
function assignUnnamed(
  { stack, begun = {} }: Ledger,
  { resources }: Live,
  recordedUnnamed: ReadonlySet<string>,
  options: DigestOptions & { kinds: Kinds },
): ReadonlyMap<string, Address> {
  const isUnnamed = ({ kind }: { kind: string }) => options.kinds.get(kind)?.shape.isNamed === false;
  const creations = Object.entries(begun)
    .filter(([, { entry }]) => isUnnamed(entry))
    .map(([address, intent]) => ({ stack, address, intent }));
  if (creations.length === 0) return new Map();
  const objects = [...resources.values()].filter(
    (object) => isUnnamed(object) && !recordedUnnamed.has(keyInCollection(object)),
  );
  const assigned = assignCreations(objects, creations, options);
  return new Map([...assigned].map(([object, creation]) => [object.id, creation.address]));
}

/**
 * Finds out what an interrupted run did to a unit: an object that is stored in several rows of the platform, such as a DNS set with one row
 * per value, so that none of them is created twice. Also used after an unclear answer in the same run. The run may have created all, some
 * or none of the rows, and deleted old ones. New rows become ours, and an entry without any remaining row is removed. Without a new row,
 * the intent (the note of the creation) is kept until lists must show all writes.
 */
function resumeUnit(address: Address, intent: Intent, kind: Kind, progress: ResumeProgress): void {
  const { digestOptions, listsShowAllWrites } = progress;
  const recordedEntry = progress.entries[address];
  const rows = objectsAt(progress, address).flatMap((unit) => unit.rows ?? []);
  const isRecorded = ({ id }: LiveRow) => recordedEntry?.ids.includes(id) ?? false;
  const isNewWithContent = ({ id, fields }: LiveRow) =>
    !isEarlierObject(intent, id) && isObjectOfEntry(fields, intent.entry, kind, digestOptions);
  const createdRows = rows.filter((row) => !isRecorded(row) && isNewWithContent(row));
  const ourRows = [...rows.filter(isRecorded), ...createdRows];
  if (createdRows.length > 0)
    setEntry(progress, address, entryOfUnit(ourRows, intent.entry, recordedEntry, kind, digestOptions));
  else if (recordedEntry && ourRows.length === 0) setEntry(progress, address, undefined);
  if (createdRows.length > 0 || listsShowAllWrites) delete progress.intents[address];
}

/**
 * Finds out what an interrupted run did to an object that is not split into rows, by the creation that the run noted in the ledger (its
 * intent), and corrects ledger and live objects accordingly:
 *
 *   | objects that belong to the intent | then                                                                            |
 *   | several                           | the user must choose: reports them, and keeps the intent                        |
 *   | one                               | it is ours; an old object of the same name is kept in the entry until it goes    |
 *   | none                              | see `resumeMissing`                                                             |
 *
 * An entry with an id that is newer than the intent is complete, because the run recorded the answer. Then only the intent goes.
 */
function resumeObject(address: Address, intent: Intent, kind: Kind, progress: ResumeProgress): void {
  const { entries, intents, report } = progress;
  const recordedEntry = entries[address];
  // An id that is newer than the intent shows that the run recorded the answer, so the entry is complete.
  if (recordedEntry?.ids.some((id) => !isEarlierObject(intent, id))) {
    delete intents[address];
    return;
  }
  const candidates = candidatesOfIntent(address, kind, progress);
  const matching = candidates.filter((object) => belongsToIntent(object, address, intent, kind, progress));
  // Of several equal objects without names, each intent gets one.
  const isOfOtherIntent = ({ id }: LiveResource) => {
    const assignedAddress = progress.assignedAddresses.get(id);
    return assignedAddress !== undefined && assignedAddress !== address;
  };
  const [created, ...others] =
    matching.length > 1 ? matching.filter((object) => !isOfOtherIntent(object)) : matching;
  if (!created) resumeMissing(address, candidates, kind, progress);
  else if (others.length > 0) report.add(ambiguousCreation(address, [created, ...others]));
  else resumeCreated(address, created, candidates, kind, progress);
}

/**
 * Records that an interrupted run created an object (`created`) for the intent at `address`: the object is ours, and the intent ends. A
 * replacement with the same name exists beside the old object, which the next run still has to delete: its ids stay in the entry if the
 * account shows it (`candidates`: the objects that are there).
 */
function resumeCreated(
  address: Address,
  created: LiveResource,
  candidates: readonly LiveResource[],
  kind: Kind,
  progress: ResumeProgress,
): void {
  const { entries, intents } = progress;
  const oldIds = entries[address]?.ids ?? [];
  const { isNamed } = kind.shape;
  if (!isNamed && created.address !== address) labelObject(created, address, kind, progress);
  const remainingIds = isNamed ? oldIds.filter((id) => candidates.some(({ ids }) => ids.includes(id))) : [];
  const entry = entryOfCreated(intents[address]!, created);
  setEntry(progress, address, { ...entry, ids: [...remainingIds, ...entry.ids] });
  delete intents[address];
}

/**
 * Corrects the ledger if the account shows no object that an interrupted run created at `address`. If the old object is gone too
 * (`candidates`: the objects that are there), the run deleted it to make room, so its entry goes, unless another object is at the address.
 * If only an id finds such objects, the new one may exist: warns, and keeps the intent (the note of the creation) of a declared object,
 * because lists that do not show it prove nothing. Any other intent is kept until lists must show all writes (`listsShowAllWrites`).
 */
function resumeMissing(
  address: Address,
  candidates: readonly LiveResource[],
  kind: Kind,
  progress: ResumeProgress,
): void {
  const { entries, resources, report, intents, listsShowAllWrites } = progress;
  const recordedEntry = entries[address];
  const isOldThere = candidates.some(({ ids }) => ids.some((id) => recordedEntry?.ids.includes(id)));
  const isAddressFree = !resources.has(address);
  if (recordedEntry && !isOldThere && isAddressFree) setEntry(progress, address, undefined);
  const mayExistUnlisted = isFoundOnlyById(kind) && !recordedEntry && candidates.length === 0;
  const isDeclared = progress.isDeclared(address);
  if (mayExistUnlisted) report.add(unlistedCreation(address, isDeclared));
  const mayStillShow = !listsShowAllWrites || (mayExistUnlisted && isDeclared);
  if (!mayStillShow) delete intents[address];
}

/**
 * True if an interrupted run created this object for the intent (the creation that it noted in the ledger):
 * it was not there before the run, its content is the intended one, and no entry has its id (neither at its address nor, for a kind without
 * names, anywhere in the ledger). The next run then records it as ours instead of creating it twice.
 */
function belongsToIntent(
  resource: LiveResource,
  address: Address,
  intent: Intent,
  kind: Kind,
  { entries, digestOptions, recordedUnnamed }: ResumeProgress,
): boolean {
  const { id } = resource;
  const hasEntry = [address, resource.address].some((other) => entries[other]?.ids.includes(id));
  const isRecorded = recordedUnnamed.has(keyInCollection(resource));
  if (hasEntry || isRecorded || isEarlierObject(intent, id)) return false;
  return isObjectOfEntry(resource.fields, intent.entry, kind, digestOptions);
}

/**
 * Returns the objects that an interrupted run may have created for one intent (the creation that it noted in
 * the ledger), so that they can be compared with the noted content: those at its address or, for a kind
 * without names, all in the same collection.
 */
function candidatesOfIntent(address: Address, kind: Kind, progress: ResumeProgress): LiveResource[] {
  if (kind.shape.isNamed) return objectsAt(progress, address);
  const parent = parentOf(address, kind);
  return [...progress.resources.values()].filter(
    (resource) => resource.kind === kind.name && resource.parent === parent,
  );
}

/**
 * Moves an object without a name of its own, which an interrupted run created, to the label that the
 * configuration gives it: in `progress`, the ledger and live objects so far. An old object that has this
 * label moves, with its entry, to the address that it has without a label, so that it can still be deleted.
 * The caller sets the entry of the new object.
 */
function labelObject(resource: LiveResource, address: Address, kind: Kind, progress: ResumeProgress): void {
  const { resources, entries } = progress;
  const oldResource = resources.get(address);
  const oldEntry = entries[address];
  if (oldResource && oldEntry) {
    const unlabelledAddress = addressOf(resource.parent, kind.section, [escapeName(oldResource.id)]);
    resources.set(unlabelledAddress, withAddress(oldResource, unlabelledAddress, kind));
    setEntry(progress, unlabelledAddress, oldEntry);
  }
  resources.delete(resource.address);
  resources.set(address, withAddress(resource, address, kind));
}

/**
 * Returns the ledger entry of an object that an interrupted run created, from the note of the creation (the
 * intent). If the note does not say that its request was sent, somebody else may have created an equal
 * object, so unreadable secrets are left out: the next run sends them again.
 */
function entryOfCreated({ entry, sent }: Intent, resource: LiveResource): LedgerEntry {
  const secrets = Object.entries(entry.secrets).filter(
    ([path]) => sent || atPath(resource.fields, path) !== undefined,
  );
  return { ...entry, ids: resource.ids, secrets: Object.fromEntries(secrets) };
}

/**
 * Returns the ledger entry of a unit (an object that is stored in several rows of the platform) that has
 * these rows after an interrupted run: the intended entry if the rows have all its content. Otherwise some
 * rows are missing, so the former entry (or one without values) is used, and the next plan completes the
 * unit.
 */
function entryOfUnit(
  rows: LiveRow[],
  intendedEntry: LedgerEntry,
  recordedEntry: LedgerEntry | undefined,
  kind: Kind,
  digestOptions: DigestOptions,
): LedgerEntry {
  const ids = [...new Set(rows.map(({ id }) => id))].sort();
  const unitFields = rows.map(({ fields }) => fields).reduce((a, b) => kind.shape.mergeRows?.(a, b) ?? a);
  if (isObjectOfEntry(unitFields, intendedEntry, kind, digestOptions, { isWhole: true }))
    return { ...intendedEntry, ids };
  return { ...(recordedEntry ?? { ...intendedEntry, fields: {}, secrets: {} }), ids };
}

/**
 * Returns a live object without a name of its own under another address, with the last part of the address in
 * its label field. An object that an interrupted run is found to have created gets its label, so that it equals
 * the object in the configuration; an old object with that label gets the address with its id.
 */
const withAddress = (resource: LiveResource, address: Address, kind: Kind): LiveResource => ({
  ...resource,
  address,
  fields: { ...resource.fields, [kind.key[0]!]: lastNameOf(address) },
});

/**
 * Returns the warning that an interrupted run may have created an object that only its id finds. If the object is
 * declared, the plan creates it, which the platform refuses if it exists. Otherwise no later run will delete it.
 */
const unlistedCreation = (address: Address, isDeclared: boolean): Diagnostic =>
  warning(
    'resume/unlisted',
    `an interrupted run may have created ${address}, and the platform does not list such objects`,
    {
      address,
      hint: isDeclared
        ? 'look for it in the dashboard; if it is there, add `$id: ID` to its block, otherwise apply creates it'
        : 'look for it in the dashboard; if it is there, delete it there, because it is no longer declared',
    },
  );

/**
 * Returns the problem that several objects match what an interrupted run was about to create, with their ids. The
 * user has to choose, because adopting the wrong one would take somebody else's object.
 */
const ambiguousCreation = (address: Address, resources: LiveResource[]): Diagnostic =>
  problem(
    'resume/ambiguous',
    `an interrupted run was about to create ${address}, and there are ${resources.length} new matching objects: ${resources.map(({ id }) => id).join(', ')}`,
    {
      address,
      hint: 'delete all but one of them in the account, or select one with `$id: ID` in the block',
    },
  );
