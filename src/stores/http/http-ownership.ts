import { Conflict, type OwnershipStore } from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import type { OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { mapConcurrently } from '../../model/map-concurrently.ts';

/** The means of `httpDocuments` to reach the ledgers of a server. */
export interface LedgerList {
  /** Returns the addresses of all ledgers. Throws `Problems` if one is on another server. */
  list(): Promise<string[]>;
  /** Returns the version of the document at an address; undefined if the server does not tell. */
  findVersion(address: string): Promise<string | undefined>;
  /** Reads the ledger at an address with its version; undefined if there is none. */
  read(address: string): Promise<(OtherLedgerText & { version: string | undefined }) | undefined>;
  /** Returns the shards in the document with the list. */
  readShards(): Promise<Readonly<Record<string, string>>>;
  /** Replaces the shards while the lock of that document is held. */
  changeShards(change: (shards: Readonly<Record<string, string>>) => Record<string, string>): Promise<void>;
}

/** How many documents are read at once. */
const maxReadsAtOnce = 16;

/**
 * Opens the ownership index (it lists which stack owns which objects, so that a plan need not read all ledgers) of the ledgers on a server.
 * Its parts, the shards, are in the document that lists the ledgers (`ledgers`). The version of a ledger is the entity tag of its document,
 * which a HEAD request tells. So it also changes with the lease. `address`: that of the own ledger.
 */
export function httpOwnership(address: string, ledgers: LedgerList): OwnershipStore {
  const memberOf = (folder: string, shard: string) => `${folder}-${shard}`;
  return {
    ownName: address,
    mayBegin: true,
    readShards: async (folder, names) => {
      const shards = await ledgers.readShards();
      return new Map(
        names.flatMap((name) => {
          const text = shards[memberOf(folder, name)];
          return text === undefined ? [] : [[name, toStoredDocument(text)] as const];
        }),
      );
    },
    writeShards: (folder, writes) =>
      ledgers.changeShards((shards) => {
        for (const { name, expected } of writes) {
          const current = shards[memberOf(folder, name)];
          const stored = current === undefined ? undefined : toStoredDocument(current);
          if (stored?.version !== expected) throw new Conflict(stored);
        }
        const changed = writes.map(({ name, text }) => [memberOf(folder, name), text] as const);
        return { ...shards, ...Object.fromEntries(changed) };
      }),
    listNames: ledgers.list,
    listVersions: async () => {
      const addresses = await ledgers.list();
      const versions = await mapConcurrently(addresses, maxReadsAtOnce, ledgers.findVersion);
      return new Map(addresses.map((ledgerAddress, index) => [ledgerAddress, versions[index]]));
    },
    readLedgers: async (names) => {
      const ledgersRead = await mapConcurrently(names, maxReadsAtOnce, ledgers.read);
      return names.flatMap((name, index) => (ledgersRead[index] ? [{ name, ...ledgersRead[index] }] : []));
    },
  };
}
