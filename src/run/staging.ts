import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger, LedgerEntry, StagedContent } from '../model/ledger.ts';
import type { Request } from '../model/plan.ts';
import type { CollectionId, Live } from '../model/resource.ts';

type Stages = Request['stages'];

/** What a run stages: kept in the ledger, so that the next run knows it as its own. */
export interface Staging {
  /** Writes an entry down: at once, or once its collection is promoted. What is staged nobody has, and it may never come to more. */
  enter(stages: Stages, write: () => void): void;
  /** A request is about to stage. Whether that has to be known before it is sent: nobody may hear the answer. */
  begins(stages: Stages): boolean;
  /** A request that stages, promotes or discards was answered. */
  answered(stages: NonNullable<Stages>): void;
}

export interface StagingOptions {
  live: Live;
  changeOf: ReadonlyMap<Address, Change>;
  /** What the ledger will keep of a change once it is done. */
  expected(change: Change): LedgerEntry | undefined;
}

export function openStaging(
  ledger: Pick<Ledger, 'staged'>,
  { live, changeOf, expected }: StagingOptions,
): Staging {
  const held = new Map<CollectionId, (() => void)[]>();
  /** Those that are in the ledger with all that this run stages of them, be it in many requests. */
  const noted = new Set<CollectionId>();

  const contentOf = (address: Address): StagedContent => {
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
  };

  return {
    enter(stages, write) {
      if (stages?.version === undefined) write();
      else held.set(stages.collection, [...(held.get(stages.collection) ?? []), write]);
    },
    begins(stages) {
      if (stages?.version === undefined || noted.has(stages.collection)) return false;
      const { collection, of = [] } = stages;
      const base = live.versions.get(collection)?.live;
      noted.add(collection);
      ledger.staged = {
        ...ledger.staged,
        [collection]: {
          ...(base === undefined ? {} : { base }),
          of: Object.fromEntries(of.map((address) => [address, contentOf(address)])),
        },
      };
      return true;
    },
    answered({ collection, version }) {
      if (version !== undefined) return;
      for (const write of held.get(collection) ?? []) write();
      held.delete(collection);
      noted.delete(collection);
      const { [collection]: _, ...others } = ledger.staged ?? {};
      ledger.staged = others;
      if (Object.keys(others).length === 0) delete ledger.staged;
    },
  };
}
