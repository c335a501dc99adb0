import type { Documents, StoredDocument } from '../../ledger/documents.ts';
import { Conflict, recordNamesIn } from '../../ledger/documents.ts';

/** Documents of a stack that exist only in this process. */
export interface MemoryDocuments extends Documents {
  /** Returns a copy, so that a test starts from a ledger without changing it. */
  copy(): MemoryDocuments;
}

/**
 * Creates the documents of a stack in memory, for tests: no run of a test may touch the real ledger, and none needs its own after the test.
 * `initial`: the documents at the start. A `copy` has the same documents, and an empty history.
 */
export function createMemoryDocuments(initial?: ReadonlyMap<string, StoredDocument>): MemoryDocuments {
  const documents = new Map(initial);
  const records = new Map<string, string>();
  let writes = 0;
  const requireVersion = (name: string, expected: string | undefined) => {
    const stored = documents.get(name);
    if (stored?.version !== expected) throw new Conflict(stored);
  };
  const updateHistory = (changes: Iterable<readonly [string, string | undefined]>) => {
    for (const [name, text] of changes)
      if (text === undefined) records.delete(name);
      else records.set(name, text);
  };
  return {
    place: 'the ledger of the test',
    copy: () => createMemoryDocuments(documents),
    journalPath: async () => '',
    read: async (name) => documents.get(name),
    readOtherLedgers: async () => [],
    history: {
      names: async () => recordNamesIn(records.keys()),
      read: async (names) => new Map([...records].filter(([name]) => names.includes(name))),
    },
    write: async (name, text, { expected, historyUpdate }) => {
      requireVersion(name, expected);
      const version = String(++writes);
      documents.set(name, { text, version });
      updateHistory(historyUpdate?.records ?? []);
      return version;
    },
    remove: async (name, { expected, historyUpdate }) => {
      requireVersion(name, expected);
      documents.delete(name);
      updateHistory(historyUpdate?.records ?? []);
    },
  };
}
