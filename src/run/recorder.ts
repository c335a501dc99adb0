/*
 * Records a run in the ledger as it goes.
 *
 * Terms
 * - intent: a creation that the ledger announces before it is sent (`intents.ts`).
 * - labelled object: an object without a name of its own. Only its id identifies it, and its address is a label from the configuration.
 * - owed secret: a secret that the platform shows only in the answer to a creation. Until it is delivered, its object is `tainted`.
 * - `drops`, `returns`: the ids that a request deletes and creates, by address.
 *
 * Order of calls: `recordSending` before each request, then `recordAnswer` (and `recordFound` for what only the
 * account shows) or `recordRefusal`. `recordDone` once all requests of a change are answered. `close` at the end of
 * the run.
 */
import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, escapeName, indexByAddress } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import { type LedgerKey, secretId } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { Masking } from '../model/masking.ts';
import type { Move } from '../model/move.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { isRead, type Request } from '../model/request.ts';
import type { Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { holesIn, type Path, valuesAtPath } from '../model/value.ts';
import { dropUndefined } from '../model/walk.ts';
import { createLedgerEntry, unfinishedEntry } from './create-ledger-entry.ts';
import { Intents } from './intents.ts';
import { KnownObjects } from './known-objects.ts';
import { LedgerEntries } from './ledger-entries.ts';
import { ListOrders } from './list-orders.ts';
import { findChangedRowTargets, unitsAfterRun } from './row-targets.ts';
import { Staging } from './staging.ts';
import { isId, readBatchAnswer } from './unclear-answer.ts';
import { WriteTimes } from './write-times.ts';

export interface RecorderOptions {
  plan: Plan;
  live: Live;
  ledger: Ledger;
  /** The renames that the account does not have yet. */
  moves: Move[];
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Masks the secrets of the run in texts of the platform. */
  masking: Masking;
  key?: LedgerKey | undefined;
  /** The configuration's files, for the ledger. */
  inputs: string[];
  /** Returns the time in milliseconds. */
  now(): number;
}

/** The addresses of a request that its answer does not show to be done. */
interface RecordedAnswer {
  /** Items of a batch that the platform refused, with the reasons. */
  refused: ReadonlyMap<Address, Error>;
  /** Addresses whose outcome the answer leaves open, each with any text of the answer that may be about it. */
  unknown: ReadonlyMap<Address, string | undefined>;
}

/** The current ids of objects by address. */
type IdsByAddress = ReadonlyMap<Address, string[]>;

/**
 * Records in the ledger what a run has done so far, and nothing that has not happened: the ids of objects, the applied values of finished
 * changes, and the creations that are under way. If the run is interrupted, the next one continues from this ledger.
 */
export class Recorder {
  /** The current ledger, with the addresses of the configuration. It changes with every record. */
  readonly ledger: Ledger;
  /** The current ids and attributes of objects. */
  readonly objects: KnownObjects;
  readonly #options: RecorderOptions;
  readonly #changeOf: ReadonlyMap<Address, Change>;
  readonly #parentKinds: ReadonlySet<string>;
  readonly #entries: LedgerEntries;
  readonly #writeTimes: WriteTimes;
  readonly #staging: Staging;
  readonly #intents: Intents;
  readonly #orders: ListOrders;
  /** The addresses whose changes are done. */
  readonly #done = new Set<Address>();
  /** The variables that take the secret of an object and are not written yet, by the object that shows the secret once. */
  readonly #pendingVariables: ReadonlyMap<Address, Set<Address>>;

  /**
   * Prepares the ledger of a run, in which it records everything that it has done. Creates the parts that
   * keep ids, times of writes, staged versions (prepared contents that are not live yet), intents (notes of
   * creations before they are sent), and orders of lists. The run stores this ledger before its first write
   * and after its changes.
   */
  constructor(options: RecorderOptions) {
    const { plan, live, ledger, moves, now } = options;
    const changeOf = indexByAddress(plan.changes);
    this.#options = options;
    this.#changeOf = changeOf;
    this.#pendingVariables = indexSecretVariables(plan.changes);
    this.#parentKinds = new Set([...options.kinds.values()].flatMap(({ parent }) => parent ?? []));
    this.objects = new KnownObjects(options);
    this.#entries = new LedgerEntries(plan, ledger.entries, moves);
    this.ledger = ledgerAtStart(options, this.#entries.byAddress);
    // The first request may have its effect although its answer gets lost.
    if (plan.operations.length > 0) this.ledger.lastWrite = new Date(now()).toISOString();
    this.#writeTimes = new WriteTimes(plan, this.#entries);
    this.#staging = new Staging(this.ledger, {
      plan,
      live,
      changeOf,
      expectedEntry: (change) => this.expectedEntry(change),
      hasHoles: (change) => holesIn(this.objects.fillReferences(change).after?.fields).length > 0,
      touch: (collection) => this.#entries.touchList(collection),
    });
    this.#intents = new Intents(this.ledger, {
      ...options,
      fillReferences: (change) => this.objects.fillReferences(change),
    });
    this.#orders = new ListOrders(this.ledger, options);
    // So that the first save stores the intents of this run.
    this.#touchIntents();
  }

  /** Returns the ledger to store now: objects that are not renamed in the account yet have their old addresses. */
  storedLedger(): Ledger {
    return this.#entries.toStored(this.ledger);
  }

  /** Returns the addresses whose entries have changed since the last call. Used to store only these. */
  takeTouched(): Address[] {
    return this.#entries.takeTouched();
  }

  /** True if the ledger has an entry for this address, so that the object is ours or recorded as a parent. */
  hasEntry(address: Address): boolean {
    return this.#entries.byAddress[address] !== undefined;
  }

  /**
   * Returns the current ids of an operation's objects, for the progress that the user sees while the run goes
   * on. Returns none for a kind whose ids are secret. If an object has several ids, the last one is current.
   */
  shownIds({ kind, changes }: Operation): Record<Address, string> {
    if (secretIdOf(this.#kindOf(kind)) !== undefined) return {};
    return Object.fromEntries(
      changes.flatMap((address) => {
        const id = this.objects.idsOf(address).at(-1);
        return id === undefined ? [] : [[address, id]];
      }),
    );
  }

  /**
   * Returns the entry that the ledger gets once a change is done; undefined if its address then leaves the ledger. Used to record a
   * finished change and, if its answer was lost, to see whether the account shows the values of this entry.
   */
  expectedEntry(change: Change): LedgerEntry | undefined {
    const { address } = change;
    return createLedgerEntry(
      this.objects.fillReferences(change),
      this.#kindOf(change.kind),
      this.objects.idsOf(address),
      this.#entries.byAddress[address],
      this.#options.key,
    );
  }

  /**
   * Records in the ledger that a change is done, so that an interrupted run does not repeat it: its entry gets the new values or, after a
   * deletion, is removed. The entries of objects in a deleted parent are removed before it, because the platform deletes these with it. The
   * note of its creation goes, too. Also records if it was the last variable to take a secret, or a rename.
   */
  recordDone(change: Change): void {
    const { address, action } = change;
    const entry = this.expectedEntry(change);
    const updatedAt = this.#writeTimes.timeAfter(change, this.objects.idsOf(address));
    if (action === 'delete') this.#removeContents(change);
    if (entry) this.#entries.put(address, updatedAt === undefined ? entry : { ...entry, updatedAt });
    else this.#entries.removeWithParents(address);
    this.#intents.remove(address);
    this.#done.add(address);
    this.#recordSecretWritten(change);
    this.#entries.recordRenameDone(address, () => Object.keys(this.ledger.begun ?? {}));
  }

  /**
   * Records that a request is about to be sent, because the run may be killed before the answer, and the next
   * run must know that the request was possibly sent. `following`: the later requests of its operation. Returns
   * where the ledger has to be stored before sending:
   *
   * - `everywhere` that it is kept, if the request stages a version (prepared content) that is not recorded yet.
   *   Also a run on another machine must recognize the version as ours.
   * - `here`, in the journal on this machine, if the request creates objects or moves items of a list. The ledger
   *   has the intents of all creations everywhere since the start of the run; the journal adds the requests that were sent,
   *   and that the order of the list is in doubt.
   * - undefined: no need to store it.
   */
  recordSending(
    request: Request,
    following: Request[],
    { changes }: Pick<Operation, 'changes'>,
  ): 'here' | 'everywhere' | undefined {
    if (isRead(request)) return undefined;
    this.ledger.lastWrite = new Date(this.#options.now()).toISOString();
    const created = this.#intents.recordSending(request, following);
    for (const address of created) this.#entries.touch(address);
    const reorderedLists = this.#orders.recordSending(changes);
    for (const id of reorderedLists) this.#entries.touchList(id);
    const isNewlyStaged = this.#staging.recordSending(request.stages);
    if (isNewlyStaged) return 'everywhere';
    return created.length > 0 || reorderedLists.length > 0 ? 'here' : undefined;
  }

  /**
   * Records in the ledger the ids that the answer to a request of an apply shows to be created or deleted, the end of the doubt about its
   * creations and staged version, and the times of its writes. Returns the addresses that it refused, and those that it does not show to be
   * done (`unknown`, with text of the answer about them): the caller looks for these in the account. `unclear`: the addresses that the
   * answer cannot show, if the request failed in a way that leaves its outcome open.
   */
  recordAnswer(
    request: Request,
    answer: unknown,
    kindName: string,
    unclear: readonly Address[] = [],
  ): RecordedAnswer {
    const { drops = [], returns = [] } = request;
    const kind = this.#kindOf(kindName);
    // The creation of a parent can have a batch of objects of another kind.
    const batchKind = this.#kindOfBatch(request) ?? kind;
    const { refused, finishedIds, ...batch } = readBatchAnswer(request, answer, batchKind, {
      masking: this.#options.masking,
      isUnclear: unclear.length > 0,
      isKnownId: (id) => this.#isKnownId(batchKind, id),
    });
    const returnedIds = this.#readReturnedIds(request, answer, kind);
    const addressesWithoutId = returnedIds.flatMap(({ address, id }) => (isId(id) ? [] : [address]));
    const unknown = new Map<Address, string | undefined>([
      ...unclear.map((address) => [address, undefined] as const),
      ...batch.unknown,
      ...addressesWithoutId.map((address) => [address, undefined] as const),
    ]);
    const isDone = ({ address }: { address: Address }) => !refused.has(address) && !unknown.has(address);
    this.#removeDroppedIds(request, drops.filter(isDone), kind);
    // The new id of an object without a name replaces the old one, which `#setNewIds` keeps elsewhere. Others get one more id.
    for (const { address, id } of returnedIds.filter(isDone))
      if (isLabelled(kind)) this.#setNewIds(request, kind, address, this.#idsToRecord(kind, String(id)));
      else this.#setIds(request, kind, address, [...this.objects.idsOf(address), String(id)]);
    if (request.stages) this.#staging.recordAnswer(request.stages);
    this.#intents.recordAnswer(request, unknown);
    // A batch answers with the ids of its items. Those of `drops` and `returns` were recorded above.
    const handledAddresses = new Set([...drops, ...returns].map(({ address }) => address));
    for (const [address, id] of finishedIds)
      if (!handledAddresses.has(address))
        this.#setNewIds(request, batchKind, address, this.#idsToRecord(batchKind, id));
    for (const answeredKind of new Set([kind, batchKind]))
      this.#writeTimes.recordAnswer(answeredKind, answer);
    return { refused, unknown };
  }

  /**
   * Returns the id that each object created by a request has, as the request itself or its answer says (`returns`). An id that the answer
   * lacks is undefined, or no valid id.
   */
  #readReturnedIds(
    { returns = [] }: Request,
    answer: unknown,
    kind: Kind,
  ): { address: Address; id: unknown }[] {
    return returns.map((result) => ({
      address: result.address,
      id: 'id' in result ? result.id : this.#createdIdAt(answer, result.path, kind),
    }));
  }

  /**
   * Records in the ledger what an apply has found out about a request whose answer was lost, by reading the
   * account again: `idsOfDone` has the current ids at each address where the request was done. Without this,
   * the next run would do it again. `recordAnswer` does the same from an answer. A labelled kind has no names of
   * its own: its addresses have labels from the configuration.
   */
  recordFound(request: Request, idsOfDone: IdsByAddress, kindName: string): void {
    const kind = this.#kindOf(kindName);
    // Until it was deleted, the replaced object had an entry at the address with its id instead of its label.
    if (isLabelled(kind))
      for (const { address, id } of request.drops ?? [])
        if (idsOfDone.has(address)) this.#entries.remove(unlabelledAddress(address, id));
    for (const [address, ids] of idsOfDone) {
      const hasNewIds = ids.some((id) => !this.objects.idsOf(address).includes(id));
      if (hasNewIds) this.#setNewIds(request, kind, address, ids);
      else this.#setIds(request, kind, address, ids);
      this.#intents.recordFound(address);
    }
  }

  /**
   * Records that a request failed without any effect, except perhaps at the addresses in doubt: their intents (notes of creations in the
   * ledger) stay for the next run.
   */
  recordRefusal(request: Request, addressesInDoubt: ReadonlyMap<Address, unknown>): void {
    // A failed read does not show whether the write before it was done.
    if (!isRead(request)) this.#intents.recordRefusal(request, addressesInDoubt);
  }

  /** Records that the secret that the creation of an object showed was delivered, so that the object need not be replaced. */
  recordDelivery(address: Address): void {
    const { tainted: _, ...entry } = this.#entries.byAddress[address]!;
    this.#entries.put(address, entry);
  }

  /**
   * Records in the ledger whether the account kept the canary: the change that an apply sends first and alone to an account that is new to
   * the ledger. `notKept`: the digests of what the account shows instead, by address; undefined if it kept the change. Later plans then do
   * not report these values as changed outside.
   */
  recordCanary(notKept: ReadonlyMap<Address, NonNullable<LedgerEntry['notKept']>> | undefined): void {
    if (!notKept) delete this.ledger.unverifiedFirstChange;
    for (const [address, digests] of notKept ?? [])
      this.#entries.put(address, { ...this.#entries.byAddress[address]!, notKept: digests });
  }

  /**
   * Completes the ledger when the changes of a run are done: notes of creations (intents) stay only if their outcome is unknown, or if the
   * old object of a renamed block was deleted and the new one not created. Records of staged versions for which nothing was sent go. The
   * order of lists and the targets of variables are added, with which the next plan compares the account. Actions that follow may change
   * and store the ledger again.
   */
  close(): void {
    this.#touchIntents();
    this.#intents.close((address) => this.#isHalfReplacedRename(address));
    this.#staging.close();
    this.#orders.close((address) => this.#done.has(address), this.#entries.byAddress);
    this.#recordRowTargets();
  }

  /**
   * True if the old object of a renamed block (`$was`) was deleted to be replaced, and its new one was not created, in this run or an
   * earlier one. Without its intent, the next plan would take `$was` for a name that this stack never had.
   */
  #isHalfReplacedRename(address: Address): boolean {
    const isRenamed = this.#options.moves.some(({ renamedBy }) => renamedBy === address);
    return isRenamed && this.#entries.byAddress[address] === undefined;
  }

  /**
   * Records in the ledger, at the end of an apply, in which targets (`production`, `preview`) each variable of this stack now is. The next
   * plan compares with that: a further target was added by somebody else, got our value, and can be removed.
   *
   * In the account, a variable is one row with all its targets; in a plan, each target is a unit with an address of its own. A target that
   * was found to be added by somebody else (`joinedUnits`) and is still there is not recorded (`findChangedRowTargets`), so that later
   * plans find it again.
   */
  #recordRowTargets(): void {
    const { plan, live, kinds } = this.#options;
    const entries = this.#entries.byAddress;
    const changedRowTargets = findChangedRowTargets({
      units: unitsAfterRun({ plan, live, kinds, objects: this.objects, entries }),
      entries,
      // The units that somebody else added to a row of ours since the last apply.
      joinedUnits: new Set(plan.joinedUnits),
    });
    for (const [address, targets] of changedRowTargets)
      this.#entries.put(address, { ...this.#entries.byAddress[address]!, targets });
  }

  /**
   * Records that a secret which the platform shows only once was delivered, if this change wrote the last of the variables that take it
   * and this run got the secret from the answer to a creation. Until then the ledger entry of its object says `tainted`, so that the next
   * run replaces the object if this run ends too early.
   */
  #recordSecretWritten({ address, after }: Change): void {
    const object = after?.meta.secretOf?.object;
    if (object === undefined) return;
    const pending = this.#pendingVariables.get(object)!;
    pending.delete(address);
    if (pending.size === 0 && this.objects.hasShownSecret(object)) this.recordDelivery(object);
  }

  /**
   * Returns the id of a created object at a path in the answer to its creation. A path such as `['keys', {
   * name: 'ci' }, 'id']` goes through a list of objects: there, ids that an earlier object has do not count.
   * Returns undefined unless exactly one id is left: the run then looks for the object in the account.
   */
  #createdIdAt(answer: unknown, path: Path, kind: Kind): unknown {
    const ids = valuesAtPath(answer, path);
    const isListed = path.some((step) => typeof step === 'object');
    const newIds = isListed ? ids.filter((id) => !this.#isKnownId(kind, String(id))) : ids;
    return newIds.length === 1 ? newIds[0] : undefined;
  }

  /**
   * True if an earlier object has this id from an answer. An id that is a secret is also compared as the digest that is recorded for it.
   */
  #isKnownId(kind: Kind, id: string): boolean {
    return [id, ...this.#idsToRecord(kind, id)].some((knownId) => this.objects.isKnownId(kind, knownId));
  }

  /**
   * Returns the kind of the objects in a request's batch; undefined if it has none. It is not the kind of the operation if one request
   * creates a parent together with the objects in it (`join-creations.ts`).
   */
  #kindOfBatch({ batch = [] }: Request): Kind | undefined {
    // Each item of a batch can stand for several addresses.
    const [address] = batch.flat();
    const change = address === undefined ? undefined : this.#changeOf.get(address);
    return change && this.#kindOf(change.kind);
  }

  #kindOf(name: string): Kind {
    return this.#options.kinds.get(name)!;
  }

  /**
   * Marks all addresses with an intent for storing in the journal. Called at the start and the end of a run, when
   * intents appear and disappear.
   */
  #touchIntents(): void {
    for (const address of Object.keys(this.ledger.begun ?? {})) this.#entries.touch(address);
  }

  /**
   * Removes the ids that a request has deleted, so that the ledger does not claim objects that are gone: from their addresses, and from
   * the unlabelled ones at which `#setNewIds` keeps replaced objects.
   */
  #removeDroppedIds(request: Request, drops: { address: Address; id: string }[], kind: Kind): void {
    for (const { address, id } of drops) {
      if (isLabelled(kind)) this.#entries.remove(unlabelledAddress(address, id));
      const remainingIds = this.objects.idsOf(address).filter((otherId) => otherId !== id);
      this.objects.markDeleted(id);
      this.#setIds(request, kind, address, remainingIds);
    }
  }

  /** Sets the current ids of an address. The ledger gets them, too: at once or, if they are only staged, when their version is promoted. */
  #setIds(request: Request, kind: Kind, address: Address, ids: string[]): void {
    this.objects.setIds(address, ids);
    this.#staging.writeOncePromoted(request.stages, () => this.#recordIds(address, kind, ids));
  }

  /**
   * Records the ids of an object that a request has just created. If a labelled object (without a name of its own, such as a
   * webhook: its address has a label from the configuration) is replaced, the old one exists beside its replacement until it is
   * deleted. Its entry is therefore kept at its unlabelled address (with the id instead of the label), so that the next run still
   * deletes it if this one is interrupted.
   */
  #setNewIds(request: Request, kind: Kind, address: Address, ids: string[]): void {
    const entry = this.#entries.byAddress[address];
    if (isLabelled(kind) && entry)
      for (const oldId of this.#changeOf.get(address)?.before?.ids ?? [])
        if (!ids.includes(oldId))
          this.#entries.put(unlabelledAddress(address, oldId), { ...entry, ids: [oldId] });
    this.#setIds(request, kind, address, ids);
  }

  /**
   * Records in the ledger the ids of an address whose change an apply has not finished. Without any id, the entry is
   * removed: this run deleted the object, so the next plan must not report it, or its content (if it is replaced), as
   * deleted outside. `operationKind`: the kind for an address without a change.
   */
  #recordIds(address: Address, operationKind: Kind, ids: string[]): void {
    const change = this.#changeOf.get(address);
    if (ids.length === 0) {
      if (change?.action === 'replace') this.#removeContents(change);
      this.#entries.removeWithParents(address);
      return;
    }
    const recordedEntry = this.#entries.byAddress[address];
    const kind = change ? this.#kindOf(change.kind) : operationKind;
    const filledChange = change && this.objects.fillReferences(change);
    const entry = unfinishedEntry(filledChange, kind, ids, recordedEntry, this.#options.key);
    // `tainted`: the secret that only the answer to the creation shows is not delivered yet. Without new ids, only an old object went.
    const hasNewIds = ids.some((id) => !recordedEntry?.ids.includes(id));
    const isSecretOwed = kind.shows && createsObject(change) && hasNewIds;
    this.#entries.put(address, isSecretOwed ? { ...entry, tainted: true } : entry);
  }

  /** Removes the entries of the objects in a deleted or replaced one, because the platform has deleted them with it. */
  #removeContents({ address, kind }: Change): void {
    // Most kinds have no children, and searching all entries for each deletion would be slow.
    if (!this.#parentKinds.has(kind)) return;
    for (const child of this.#entries.addressesWithin(address)) this.#entries.remove(child);
  }

  /**
   * Returns an id in the form in which the ledger may keep it, because others can read the ledger. An id that
   * is itself a secret becomes a digest with a key; without a key it is left out.
   */
  #idsToRecord(kind: Kind, id: string): string[] {
    const { key } = this.#options;
    if (secretIdOf(kind) === undefined) return [id];
    return key ? [secretId(key, id)] : [];
  }
}

/**
 * Returns the ledger as a run begins: with the configuration files (`inputs`) and sources of secrets of this run. If the plan begins with a
 * canary (the change that a first apply sends alone), names it as unverified, because it counts only once the account shows it. A plan that
 * sends nothing keeps the name that an earlier run left.
 */
function ledgerAtStart({ plan, ledger, inputs }: RecorderOptions, entries: Ledger['entries']): Ledger {
  const planned = new Set(plan.changes.map(({ address }) => address));
  // The plan may cover only some targets. The files of the other entries then stay in the ledger. Parents that are not ours (`existing`)
  // need no change.
  const isWholePlan = Object.keys(entries).every(
    (address) => entries[address]!.existing || planned.has(address),
  );
  const { unverifiedFirstChange, ...otherMembers } = ledger;
  const firstChange = plan.operations.length > 0 ? plan.firstContact?.firstChange : unverifiedFirstChange;
  const sources = plan.sources && Object.fromEntries(plan.sources.map(({ name, source }) => [name, source]));
  return dropUndefined({
    ...otherMembers,
    unverifiedFirstChange: firstChange,
    entries,
    inputs: isWholePlan ? inputs : [...new Set([...ledger.inputs, ...inputs])].sort(),
    sources,
  });
}

/**
 * True for a kind whose objects have no name of their own, such as webhooks. Only the id identifies such an object,
 * and its address is a label from the configuration.
 */
const isLabelled = ({ shape }: Kind): boolean => !shape.isNamed;

/**
 * Returns the address of a labelled object that no entry of the ledger names: its id takes the place of the label. An
 * old object that waits for its deletion is recorded there.
 */
const unlabelledAddress = (address: Address, id: string): Address =>
  [...address.split('/').slice(0, -1), escapeName(id)].join('/');

/**
 * Returns the variables of a plan that take the secret of an object which shows it only once, by that object. The recorder drops each
 * variable when it is written, and so notices when the secret is in all of them.
 */
function indexSecretVariables(changes: readonly Change[]): Map<Address, Set<Address>> {
  const byObject = groupBy(changes, ({ after }) => after?.meta.secretOf?.object);
  return new Map(
    [...byObject].flatMap(([object, variables]) =>
      object === undefined ? [] : [[object, new Set(variables.map(({ address }) => address))] as const],
    ),
  );
}
