import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger, LedgerEntry, StagedContent } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { CollectionId, Live } from '../model/resource.ts';
import type { Path } from '../model/value.ts';

/** The mark of a request that stages a version (it has `version` then), or that promotes or discards it. */
type Stages = NonNullable<Request['stages']>;

/** True if a request adds content to a staged version. A request of a staged collection without `version` promotes or discards it. */
export const isStagingRequest = (stages: Stages | undefined): stages is Stages & { version: Path } =>
  stages?.version !== undefined;

interface StagingOptions {
  plan: Pick<Plan, 'operations'>;
  live: Live;
  changeOf: ReadonlyMap<Address, Change>;
  /** Returns the entry that the ledger gets once a change is done. */
  expectedEntry(change: Change): LedgerEntry | undefined;
  /** True if a change still has holes that earlier requests of this run fill. */
  hasHoles(change: Change): boolean;
  /** Called when the ledger's record of a collection has changed, so that it is stored again. */
  touch(collection: CollectionId): void;
}

/**
 * Keeps the versions that a run stages in the ledger. If the run is interrupted before it promotes a version, the next run recognizes the
 * version by its content as this stack's, and can continue or discard it (see `staged-answer.ts` for the terms).
 *
 * A version is recorded before the run's first request if its content is known by then. Otherwise it is recorded before its first staging
 * request, and the whole ledger is stored once more.
 */
export class Staging {
  readonly #ledger: Pick<Ledger, 'staged'>;
  readonly #options: StagingOptions;
  /** Writes to the ledger that wait for the promotion of their version. */
  readonly #heldWrites = new Map<CollectionId, (() => void)[]>();
  /** The collections whose version is recorded with all content that this run stages, even that of later requests. */
  readonly #recorded = new Set<CollectionId>();
  /** The recorded collections for which no staging request was sent yet. */
  readonly #unsent = new Set<CollectionId>();

  /**
   * Starts to record in the ledger which versions (prepared contents that go live only when they are
   * promoted) this run stages. The ones whose content is known are recorded now, before the first request. So
   * if the run is interrupted, the next one recognizes them as ours.
   */
  constructor(ledger: Pick<Ledger, 'staged'>, options: StagingOptions) {
    this.#ledger = ledger;
    this.#options = options;
    ledger.staged = { ...ledger.staged };
    for (const { requests } of options.plan.operations)
      for (const { stages } of requests) if (this.#isContentKnownAtStart(stages)) this.#record(stages);
    this.#removeMemberIfEmpty();
  }

  /**
   * Changes a ledger entry by running `write`: for a staging request (its content goes live only when its version is promoted) after the
   * promotion, for other requests at once. Until the promotion the version may still be discarded, and the entries would then describe
   * content that never was live.
   */
  writeOncePromoted(stages: Stages | undefined, write: () => void): void {
    if (isStagingRequest(stages)) addTo(this.#heldWrites, stages.collection, write);
    else write();
  }

  /**
   * Called before an apply sends a request. If the request stages content (it goes live only when its version is promoted), records in the
   * ledger that this run stages in that collection, unless this is recorded already: a collection has one staged version at a time, for all
   * staging requests up to its promotion. True if it was recorded now: the caller then stores the whole ledger before sending, because the
   * run may be killed before the answer.
   */
  recordSending(stages: Stages | undefined): boolean {
    if (!isStagingRequest(stages)) return false;
    const isUnrecorded = !this.#recorded.has(stages.collection);
    if (isUnrecorded) this.#record(stages);
    // `#record` adds the collection. `close` removes the records of collections for which nothing was sent.
    this.#unsent.delete(stages.collection);
    return isUnrecorded;
  }

  /**
   * Takes note of the answer to a request that promotes or discards a staged version (content that goes live
   * only when it is promoted). Until then, the ledger kept a record of the version for the next run, and entries of its objects waited to
   * be written, because the content was not live. Now the record is removed. After a promotion the entries are written; a run only discards
   * a version that an earlier run left, before any entry waits. Other requests change nothing.
   */
  recordAnswer(stages: Stages): void {
    if (isStagingRequest(stages)) return;
    const { collection } = stages;
    for (const write of this.#heldWrites.get(collection) ?? []) write();
    this.#heldWrites.delete(collection);
    this.#recorded.delete(collection);
    this.#remove(collection);
  }

  /**
   * Called at the end of an apply. Removes from the ledger the staged versions that were recorded at its start, but for which it sent no
   * request, so that the next run does not look for them.
   */
  close(): void {
    for (const collection of this.#unsent) this.#remove(collection);
  }

  /**
   * True for a staging request (it adds content to a version that goes live later) whose content can be
   * recorded in the ledger before the run sends anything: no change in it waits for the answer to an earlier
   * request. False if the list is recorded already, or if the account had a staged version of it when the
   * plan was made, because the ledger must describe that version until this run discards it.
   */
  #isContentKnownAtStart(stages: Stages | undefined): stages is Stages {
    if (!isStagingRequest(stages) || this.#recorded.has(stages.collection)) return false;
    const { live, changeOf, hasHoles } = this.#options;
    if (live.versions.get(stages.collection)?.staged !== undefined) return false;
    return (stages.of ?? []).every((address) => {
      const change = changeOf.get(address);
      return change === undefined || !hasHoles(change);
    });
  }

  /**
   * Records in the ledger the version that an apply stages (content that goes live only when it is promoted):
   * the live version that it is based on, and the content of each changed address. If the run is interrupted,
   * the next one recognizes the version as ours by it, and may discard it. Until a request is sent, the record is one
   * that `close` removes. `touch`: has the collection stored.
   */
  #record({ collection, of: addresses = [] }: Stages): void {
    const base = this.#options.live.versions.get(collection)?.live;
    this.#recorded.add(collection);
    this.#unsent.add(collection);
    this.#ledger.staged ??= {};
    this.#ledger.staged[collection] = {
      base,
      of: Object.fromEntries(addresses.map((address) => [address, this.#contentOf(address)])),
    };
    this.#options.touch(collection);
  }

  /**
   * Removes the record of a staged version (content that goes live only when it is promoted) from the ledger, if there is one: the version
   * was promoted, discarded or never sent, so the next run has nothing to continue or discard.
   */
  #remove(collection: CollectionId): void {
    if (this.#ledger.staged?.[collection] === undefined) return;
    delete this.#ledger.staged[collection];
    this.#options.touch(collection);
    this.#removeMemberIfEmpty();
  }

  /** Removes the member for staged versions from the ledger if it is empty, because a ledger has no empty members. */
  #removeMemberIfEmpty(): void {
    for (const _ in this.#ledger.staged) return;
    delete this.#ledger.staged;
  }

  /**
   * Returns the content of an address in the staged version: the ids of the live objects that it replaces, and its
   * new values if it has any. The next run compares a staged version with it, to see whether the version is ours.
   */
  #contentOf(address: Address): StagedContent {
    const { live, changeOf, expectedEntry } = this.#options;
    const change = changeOf.get(address);
    const resource = live.resources.get(address);
    // All objects at the address, also further ones with the same name (`alternatives`).
    const replaced = [change?.before, ...(resource?.alternatives ?? [resource])];
    const ids = replaced.flatMap((object) => object?.ids ?? []);
    const entry = change && expectedEntry(change);
    return {
      ids: [...new Set(ids)],
      entry: entry && {
        form: entry.form,
        salt: entry.salt,
        fields: entry.fields,
        secrets: entry.secrets,
      },
    };
  }
}
