import type { Pool, PoolClient } from 'pg';
import {
  Conflict,
  type DocumentStore,
  type HistoryFiles,
  type HistoryUpdate,
  recordNamesIn,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { maxOtherLedgerBytes } from '../../ledger/other-ledgers.ts';
import { Problems, raise } from '../../model/diagnostic.ts';
import type { DatabaseConnection } from './connection.ts';
import { inTransaction, isMissingTableError, sharedPool } from './pool.ts';
import { toPostgresProblem } from './postgres-error.ts';
import { indexRowName, postgresOwnership, type SelectRows } from './postgres-ownership.ts';

const documentColumns = 'stack text, name text, text text not null, primary key (stack, name)';

/** A write of a document: the ledger, lease or plan of a stack, or a shard of the ownership index. */
interface TableWrite {
  name: string;
  /** The new text; undefined removes the document. */
  text: string | undefined;
  /** The version that the write replaces; undefined if there must be none. */
  expected: string | undefined;
  /** The changes to the history that belong to the write. */
  historyUpdate?: HistoryUpdate | undefined;
}

/**
 * Opens the documents of a stack (ledger, lease and plan) and its history in PostgreSQL. They are rows of two
 * tables. Each write is one transaction that reads, compares and writes, so that a record of the history is stored
 * together with its ledger or not at all. The first write creates the tables; a read never does.
 */
export async function postgresDocuments(
  stack: string,
  place: string,
  connection: DatabaseConnection,
): Promise<DocumentStore> {
  const { schema, shown, config } = connection;
  const pool = await sharedPool(connection);
  const definitions = { schema, tables: { documents: documentColumns, records: documentColumns } };
  const tables = { documents: `"${schema}".documents`, records: `"${schema}".records` };
  const withProblems = <T>(activity: 'read' | 'written', work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      if (error instanceof Conflict || error instanceof Problems) throw error;
      raise(toPostgresProblem(place, activity, error, config.password as string | undefined));
    });
  const selectRows: SelectRows = (sql, values) =>
    withProblems('read', selectUnlessMissing(pool, sql, values));

  /** `rowsOf`: the stack whose rows are replaced. The ownership index is stored as rows of a stack with the name `indexRowName`. */
  const replace = (documents: readonly TableWrite[], rowsOf = stack) =>
    withProblems(
      'written',
      inTransaction(pool, definitions, async (client) => {
        for (const document of documents)
          await replaceInTables(client, tables, { stack: rowsOf, ...document });
      }),
    );

  return {
    read: async (name) => {
      const question = `select text from ${tables.documents} where stack = $1 and name = $2`;
      const [row] = await selectRows<{ text: string }>(question, [stack, name]);
      return documentOf(row);
    },
    readOtherLedgers: async () => {
      const otherRows = await selectRows<{ stack: string; text: string | null }>(
        `select stack, case when octet_length(text) <= $2 then text end as text
         from ${tables.documents} where name = 'ledger' and stack <> $1 order by stack`,
        [stack, maxOtherLedgerBytes],
      );
      return otherRows.map((row) => ({ place: `${row.stack} at ${shown}`, text: row.text ?? undefined }));
    },
    ownership: postgresOwnership(stack, {
      table: tables.documents,
      shown,
      selectRows,
      replace: (shards) => replace(shards, indexRowName),
    }),
    history: postgresHistory(stack, tables.records, selectRows),
    write: async (name, text, { expected, historyUpdate }) => {
      await replace([{ name, text, expected, historyUpdate }]);
      return toStoredDocument(text).version;
    },
    remove: (name, { expected, historyUpdate }) =>
      replace([{ name, text: undefined, expected, historyUpdate }]),
  };
}

/** Runs a query, and returns its rows; none if the tables do not exist yet, because only a write creates them. */
async function selectUnlessMissing<T extends object>(
  pool: Pool,
  sql: string,
  values: unknown[],
): Promise<T[]> {
  try {
    return (await pool.query<T>(sql, values)).rows;
  } catch (error) {
    if (isMissingTableError(error)) return [];
    throw error;
  }
}

/** Returns access to the records of a stack's runs. Each is a row of `table`. */
const postgresHistory = (stack: string, table: string, selectRows: SelectRows): HistoryFiles => ({
  names: async () => {
    const rows = await selectRows<{ name: string }>(`select name from ${table} where stack = $1`, [stack]);
    return recordNamesIn(rows.map(({ name }) => name));
  },
  read: async (names) => {
    const rows = await selectRows<{ name: string; text: string }>(
      `select name, text from ${table} where stack = $1 and name = any($2)`,
      [stack, [...names]],
    );
    const texts = new Map(rows.map(({ name, text }) => [name, text]));
    // In the order of `names`.
    return new Map(names.flatMap((name) => (texts.has(name) ? [[name, texts.get(name)!]] : [])));
  },
});

/**
 * Replaces or removes a document of a stack (ledger, lease or plan), together with its history, within a
 * transaction. Throws `Conflict` if the stored document does not have the expected version, because another run has
 * written it meanwhile.
 */
async function replaceInTables(
  client: PoolClient,
  tables: { documents: string; records: string },
  { stack, name, text, expected, historyUpdate }: TableWrite & { stack: string },
): Promise<void> {
  const current = await client.query<{ text: string }>(
    `select text from ${tables.documents} where stack = $1 and name = $2 for update`,
    [stack, name],
  );
  const document = documentOf(current.rows[0]);
  if (document?.version !== expected) throw new Conflict(document);
  if (text === undefined)
    await client.query(`delete from ${tables.documents} where stack = $1 and name = $2`, [stack, name]);
  else if (document)
    await client.query(`update ${tables.documents} set text = $3 where stack = $1 and name = $2`, [
      stack,
      name,
      text,
    ]);
  else if (!(await insertRow(client, tables.documents, [stack, name, text])))
    throw new Conflict(await readRow(client, tables.documents, stack, name));
  for (const [record, recordText] of historyUpdate?.records ?? [])
    await writeRecord(client, tables.records, { stack, record, text: recordText });
}

/** Writes the record of a run, or removes it if it has no text, within the transaction that writes the ledger. */
async function writeRecord(
  client: PoolClient,
  table: string,
  { stack, record, text }: { stack: string; record: string; text: string | undefined },
): Promise<void> {
  if (text === undefined)
    await client.query(`delete from ${table} where stack = $1 and name = $2`, [stack, record]);
  else
    await client.query(
      `insert into ${table} (stack, name, text) values ($1, $2, $3)
           on conflict (stack, name) do update set text = excluded.text`,
      [stack, record, text],
    );
}

/** Converts a row to a document; undefined without a row. Its version is a digest of its text. */
const documentOf = (row: { text: string } | undefined): StoredDocument | undefined =>
  row && toStoredDocument(row.text);

/** Reads a document that another run has inserted while this run tried to, so that the `Conflict` of this run names the stored document. */
async function readRow(client: PoolClient, table: string, stack: string, name: string) {
  const { rows } = await client.query<{ text: string }>(
    `select text from ${table} where stack = $1 and name = $2`,
    [stack, name],
  );
  return documentOf(rows[0]);
}

/**
 * Inserts a document (such as a ledger) that did not exist into PostgreSQL. Returns false if a concurrent
 * transaction inserted it first: then this write is a conflict, and the other run's document stays.
 */
async function insertRow(client: PoolClient, table: string, values: string[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into ${table} (stack, name, text) values ($1, $2, $3) on conflict do nothing`,
    values,
  );
  return rowCount === 1;
}
