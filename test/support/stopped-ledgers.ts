import { join } from 'node:path';
import type { Documents } from '../../src/ledger/documents.ts';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { gitDocuments } from '../../src/ledger/git-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import type { LeasedLedger } from '../../src/ledger/transfer-ledger.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { here } from './here.ts';
import { gitEnv, repository, temporary } from './ledger-places.ts';

/** What stops a run: the operation with this number, counted over all places, before or after it is done. */
export interface Stop {
  at: number;
  when: 'before' | 'after';
  seen: number;
}

export const key = ledgerKeyFrom('a key for tests, long enough');

/** Where the ledgers of several stacks are kept. */
export type Store = (stack: string) => Documents;

/** A new store of each sort: a folder, and a remote. */
export const stores: Record<'files' | 'git', () => { of: Store; path: string }> = {
  files: () => {
    const path = temporary();
    return { path, of: (stack) => fileDocuments(join(path, `${stack}.json`), here) };
  },
  git: () => {
    const path = repository().clone();
    return { path, of: (stack) => gitDocuments({ stack, remote: 'origin', cwd: path, env: gitEnv }) };
  },
};

/** The ledger of a stack, whose writes may stop. */
export async function leased(of: Store, stack: string, stop?: Stop): Promise<LeasedLedger> {
  const real = of(stack);
  const through = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!stop) return work();
    const at = stop.seen++;
    if (at === stop.at && stop.when === 'before') throw new Error('stopped');
    const done = await work();
    if (at === stop.at) throw new Error('stopped');
    return done;
  };
  const documents: Documents = {
    ...real,
    write: (...args) => through(() => real.write(...args)),
    remove: (...args) => through(() => real.remove(...args)),
  };
  const journal = openJournal(await real.journalPath(), key);
  return {
    stack,
    documents,
    store: createLedgerStore(documents, { key, journal, now: () => 0 }),
    lease: { confirm: async () => {} },
  };
}

/** Does something anew for each write of it, which is stopped there; then `after` looks at it. Gives back how many there were. */
export async function stoppedEverywhere(
  work: (stop: Stop) => Promise<unknown>,
  after: (label: string) => Promise<void>,
): Promise<number> {
  let stops = 0;
  for (const when of ['before', 'after'] as const)
    for (let at = 0; ; at++) {
      const isDone = await work({ at, when, seen: 0 }).then(
        () => true,
        (error: Error) => {
          if (error.message !== 'stopped') throw error;
          return false;
        },
      );
      if (isDone) break;
      stops++;
      await after(`${when} ${at}`);
    }
  return stops;
}
