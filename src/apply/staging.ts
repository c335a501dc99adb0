import type { Ledger } from '../model/ledger.ts';
import type { Request } from '../model/plan.ts';
import type { CollectionId } from '../model/resource.ts';
import { lookUp } from '../model/value.ts';

type Stages = Request['stages'];

/** What a run staged: kept in the ledger, so that the next run knows it as its own. */
export interface Staging {
  /** Writes an entry down: at once, or once its collection is promoted. What is staged nobody has, and it may never come to more. */
  enter(stages: Stages, write: () => void): void;
  /** A request is about to stage. Whether that has to be known before it is sent: nobody may hear the answer. */
  begins(stages: Stages): boolean;
  /** A request that stages, promotes or discards was answered. */
  answered(stages: NonNullable<Stages>, answer: unknown): void;
}

export function openStaging(ledger: Pick<Ledger, 'staged'>): Staging {
  const held = new Map<CollectionId, (() => void)[]>();
  return {
    enter(stages, write) {
      if (stages?.version === undefined) write();
      else held.set(stages.collection, [...(held.get(stages.collection) ?? []), write]);
    },
    begins(stages) {
      if (stages?.version === undefined || ledger.staged?.[stages.collection] !== undefined) return false;
      ledger.staged = { ...ledger.staged, [stages.collection]: { of: stages.of ?? [] } };
      return true;
    },
    answered({ collection, version, of = [] }, answer) {
      if (version === undefined) {
        for (const write of held.get(collection) ?? []) write();
        held.delete(collection);
      }
      const { [collection]: _, ...others } = ledger.staged ?? {};
      const id = version && lookUp(answer, version);
      const entry = id === undefined ? {} : { [collection]: { id: String(id), of } };
      ledger.staged = { ...others, ...entry };
      if (Object.keys(ledger.staged).length === 0) delete ledger.staged;
    },
  };
}
