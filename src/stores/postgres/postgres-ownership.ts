import type { OwnershipStore, ShardWrite } from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { maxOtherLedgerBytes } from '../../ledger/other-ledgers.ts';
import { signedVersionOf, signedVersionOfText, versionTailLength } from '../../ledger/signed-version.ts';

/** The rows with the shards have this name instead of that of a stack. No stack has such a name. */
export const indexRowName = '_ownership';

/** Runs a query, and returns its rows; none if the tables do not exist yet. Throws `Problems`. */
export type SelectRows = <T extends object>(sql: string, values: unknown[]) => Promise<T[]>;

/** The means of `postgresDocuments` to reach its table. */
interface DocumentTable {
  /** The name of the table in SQL. */
  table: string;
  /** The database in messages. */
  shown: string;
  selectRows: SelectRows;
  /** Replaces documents of the index in one transaction. Throws `Conflict` if the expected version of one is not stored. */
  replace(documents: readonly ShardWrite[]): Promise<void>;
}

/**
 * Opens the ownership index (it lists which stack owns which objects, so that a plan need not read all ledgers) of the ledgers in a schema
 * of PostgreSQL. Its parts, the shards, are rows of the same table, as if they were documents of a stack called `indexRowName`. The server
 * finds the versions of the ledgers, from the ends of their texts.
 */
export function postgresOwnership(
  stack: string,
  { table, shown, selectRows, replace }: DocumentTable,
): OwnershipStore {
  const rowNameOf = (folder: string, shard: string) => `${folder}-${shard}`;
  return {
    ownName: stack,
    mayBegin: true,
    readShards: async (folder, names) => {
      const rows = await selectRows<{ name: string; text: string }>(
        `select name, text from ${table} where stack = $1 and name = any($2)`,
        [indexRowName, names.map((name) => rowNameOf(folder, name))],
      );
      return new Map(
        rows.map(({ name, text }) => [name.slice(folder.length + 1), toStoredDocument(text)] as const),
      );
    },
    writeShards: (folder, writes) =>
      replace(writes.map((write) => ({ ...write, name: rowNameOf(folder, write.name) }))),
    listNames: async () => {
      const rows = await selectRows<{ stack: string }>(
        `select stack from ${table} where name = 'ledger'`,
        [],
      );
      return rows.map(({ stack }) => stack);
    },
    listVersions: async () => {
      const rows = await selectRows<{ stack: string; size: number; tail: string }>(
        `select stack, octet_length(text) as size, right(text, ${versionTailLength}) as tail
         from ${table} where name = 'ledger'`,
        [],
      );
      return new Map(rows.map(({ stack, size, tail }) => [stack, signedVersionOf(size, tail)]));
    },
    readLedgers: async (names) => {
      const rows = await selectRows<{ stack: string; text: string | null }>(
        `select stack, case when octet_length(text) <= $2 then text end as text
         from ${table} where name = 'ledger' and stack = any($1)`,
        [[...names], maxOtherLedgerBytes],
      );
      return rows.map((row) => ({
        name: row.stack,
        place: `${row.stack} at ${shown}`,
        text: row.text ?? undefined,
        version: signedVersionOfText(row.text ?? ''),
      }));
    },
  };
}
