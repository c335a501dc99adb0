import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger, LedgerEntry, StagedContent } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { CollectionId, Live } from '../model/resource.ts';

type Stages = Request['stages'];

interface StagingOptions {
  plan: Pick<Plan, 'operations'>;
  live: Live;
  changeOf: ReadonlyMap<Address, Change>;
  /** The entry that the ledger gets once a change is done. */
  expected(change: Change): LedgerEntry | undefined;
  /** True if the change still has holes, which earlier requests of this run fill. */
  hasHoles(change: Change): boolean;
  /** Called when what the ledger says of a list has changed. */
  touch(collection: CollectionId): void;
}

/**
 * Keeps the staged changes of a run in the ledger, so that the next run recognizes them as this stack's.
 *
 * A list is recorded before the run's first request if its content is known by then. Otherwise it is recorded before its first staging
 * request, which costs a write of the whole ledger.
 */
export class Staging {
  readonly #ledger: Pick<Ledger, 'staged'>;
  readonly #options: StagingOptions;
  readonly #held = new Map<CollectionId, (() => void)[]>();
  /** Lists recorded with the content that this run stages, even that of later requests. */
  readonly #recorded = new Set<CollectionId>();
  /** Recorded lists for which no staging request was sent. */
  readonly #unsent = new Set<CollectionId>();

  constructor(ledger: Pick<Ledger, 'staged'>, options: StagingOptions) {
    this.#ledger = ledger;
    this.#options = options;
    ledger.staged = { ...ledger.staged };
    for (const { requests } of options.plan.operations)
      for (const { stages } of requests) if (this.#isKnownAtStart(stages)) this.#record(stages);
    this.#dropIfEmpty();
  }

  /** Writes an entry at once, or once its collection is promoted: a staged change is live for nobody, and may never be. */
  enter(stages: Stages, write: () => void): void {
    if (stages?.version === undefined) write();
    else addTo(this.#held, stages.collection, write);
  }

  /** Called before a request is sent. True if the whole ledger has to be stored first: the answer to a staging request may get lost. */
  begins(stages: Stages): boolean {
    if (stages?.version === undefined) return false;
    const isNew = !this.#recorded.has(stages.collection);
    if (isNew) this.#record(stages);
    this.#unsent.delete(stages.collection);
    return isNew;
  }

  /** Called after a request that stages, promotes or discards was answered. */
  answered({ collection, version }: NonNullable<Stages>): void {
    if (version !== undefined) return;
    for (const write of this.#held.get(collection) ?? []) write();
    this.#held.delete(collection);
    this.#recorded.delete(collection);
    this.#drop(collection);
  }

  /** Called at the end of the run: drops the lists for which it sent nothing. */
  close(): void {
    for (const collection of this.#unsent) this.#drop(collection);
  }

  /** A staged version of an earlier run is recognized by what the ledger says of it now, until it is discarded. */
  #isKnownAtStart(stages: Stages): stages is NonNullable<Stages> {
    if (stages?.version === undefined || this.#recorded.has(stages.collection)) return false;
    const { live, changeOf, hasHoles } = this.#options;
    if (live.versions.get(stages.collection)?.staged !== undefined) return false;
    return (stages.of ?? []).every((address) => {
      const change = changeOf.get(address);
      return change === undefined || !hasHoles(change);
    });
  }

  #record({ collection, of = [] }: NonNullable<Stages>): void {
    const base = this.#options.live.versions.get(collection)?.live;
    this.#recorded.add(collection);
    this.#unsent.add(collection);
    this.#ledger.staged ??= {};
    this.#ledger.staged[collection] = {
      ...(base === undefined ? {} : { base }),
      of: Object.fromEntries(of.map((address) => [address, this.#contentOf(address)])),
    };
    this.#options.touch(collection);
  }

  #drop(collection: CollectionId): void {
    if (this.#ledger.staged?.[collection] === undefined) return;
    delete this.#ledger.staged[collection];
    this.#options.touch(collection);
    this.#dropIfEmpty();
  }

  #dropIfEmpty(): void {
    for (const _ in this.#ledger.staged) return;
    delete this.#ledger.staged;
  }

  #contentOf(address: Address): StagedContent {
    const { live, changeOf, expected } = this.#options;
    const change = changeOf.get(address);
    const resource = live.resources.get(address);
    const ids = [change?.before, ...(resource?.alternatives ?? [resource])].flatMap(
      (resource) => resource?.ids ?? [],
    );
    const entry = change && expected(change);
    return {
      ids: [...new Set(ids)],
      ...(entry
        ? { entry: { form: entry.form, salt: entry.salt, fields: entry.fields, secrets: entry.secrets } }
        : {}),
    };
  }
}
