import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Ledger, LedgerEntry, StagedContent } from '../model/ledger.ts';
import type { Request } from '../model/request.ts';
import type { CollectionId, Live } from '../model/resource.ts';

type Stages = Request['stages'];

interface StagingOptions {
  live: Live;
  changeOf: ReadonlyMap<Address, Change>;
  /** The entry that the ledger gets once a change is done. */
  expected(change: Change): LedgerEntry | undefined;
}

/** Keeps the staged changes of a run in the ledger, so that the next run knows them as its own. */
export class Staging {
  readonly #ledger: Pick<Ledger, 'staged'>;
  readonly #options: StagingOptions;
  readonly #held = new Map<CollectionId, (() => void)[]>();
  /** Collections whose staged changes are all in the ledger, even those of later requests. */
  readonly #noted = new Set<CollectionId>();

  constructor(ledger: Pick<Ledger, 'staged'>, options: StagingOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** Writes an entry at once, or once its collection is promoted: a staged change is live for nobody, and may never be. */
  enter(stages: Stages, write: () => void): void {
    if (stages?.version === undefined) write();
    else addTo(this.#held, stages.collection, write);
  }

  /** Called before a request is sent. True if it stages, and the ledger has to know that before: its answer may get lost. */
  begins(stages: Stages): boolean {
    if (stages?.version === undefined || this.#noted.has(stages.collection)) return false;
    const { collection, of = [] } = stages;
    const base = this.#options.live.versions.get(collection)?.live;
    this.#noted.add(collection);
    this.#ledger.staged = {
      ...this.#ledger.staged,
      [collection]: {
        ...(base === undefined ? {} : { base }),
        of: Object.fromEntries(of.map((address) => [address, this.#contentOf(address)])),
      },
    };
    return true;
  }

  /** Called after a request that stages, promotes or discards was answered. */
  answered({ collection, version }: NonNullable<Stages>): void {
    if (version !== undefined) return;
    for (const write of this.#held.get(collection) ?? []) write();
    this.#held.delete(collection);
    this.#noted.delete(collection);
    const { [collection]: _, ...others } = this.#ledger.staged ?? {};
    this.#ledger.staged = others;
    if (Object.keys(others).length === 0) delete this.#ledger.staged;
  }

  #contentOf(address: Address): StagedContent {
    const { live, changeOf, expected } = this.#options;
    const change = changeOf.get(address);
    const found = live.resources.get(address);
    const ids = [change?.before, ...(found?.alternatives ?? [found])].flatMap((one) => one?.ids ?? []);
    const entry = change && expected(change);
    return {
      ids: [...new Set(ids)],
      ...(entry
        ? { entry: { form: entry.form, salt: entry.salt, fields: entry.fields, secrets: entry.secrets } }
        : {}),
    };
  }
}
