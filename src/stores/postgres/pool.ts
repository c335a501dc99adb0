import type { Pool, PoolClient } from 'pg';
import { loadClientPackage } from '../client-package.ts';
import type { DatabaseConnection } from './connection.ts';

export type { PoolClient };

/** How long a transaction waits for a locked row, and may hold one while it is idle. Intervals in the syntax of PostgreSQL. */
interface TransactionLimits {
  lock: string;
  idle: string;
}

/** True if the table or its schema does not exist. A missing permission for the schema is another error. */
export const isMissingTableError = (error: unknown): boolean =>
  ['42P01', '3F000'].includes((error as { code: string }).code);

/**
 * Runs `work` in one transaction, so that an error changes nothing, and returns its result. If a table does not
 * exist yet, creates the tables and runs `work` once more in a new transaction. `limits`: how long a query waits
 * for a lock, and the transaction for a query.
 */
export async function inTransaction<T>(
  pool: Pool,
  { schema, tables, limits = { lock: '30s', idle: '60s' } }: Tables & { limits?: TransactionLimits },
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The current query is rejected with the same error. Without a listener the event would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const runOnce = async (prepare: () => Promise<void>): Promise<T> => {
    try {
      // Set explicitly, because a database can have other defaults. A run that hangs must not hold a row forever.
      await client.query(
        `begin isolation level read committed; set local lock_timeout = '${limits.lock}'; set local idle_in_transaction_session_timeout = '${limits.idle}'`,
      );
      await prepare();
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(onError);
      throw error;
    }
  };
  try {
    return await runOnce(async () => {}).catch((error: unknown) => {
      if (broken || !isMissingTableError(error)) throw error;
      return runOnce(() => createTables(client, { schema, tables }));
    });
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** The tables that a transaction needs. */
interface Tables {
  schema: string;
  /** The definition of the columns by name of the table. */
  tables: Record<string, string>;
}

/**
 * Creates the schema and the tables that are missing, at the first write of a ledger or of shared limits to
 * PostgreSQL. Two runs may do that at the same time, so a lock of the database orders them.
 */
async function createTables(client: PoolClient, { schema, tables }: Tables): Promise<void> {
  // The lock is needed because two transactions that create the same table at the same time fail.
  await client.query("select pg_advisory_xact_lock(hashtext('trueup'))");
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`create schema "${schema}"`);
  for (const [name, columns] of Object.entries(tables))
    await client.query(`create table if not exists "${schema}".${name} (${columns})`);
}

const pools = new Map<string, Promise<Pool>>();

/**
 * Returns the pool of connections to a database. All stores of the process with the same settings share it. Idle
 * connections close and do not keep the process running. `what`: the feature that needs the database, for messages.
 */
export function sharedPool({ config }: DatabaseConnection, what?: string): Promise<Pool> {
  const name = JSON.stringify(config);
  const pool = pools.get(name);
  if (pool) return pool;
  const opened = openPool(config, what);
  pools.set(name, opened);
  // Forgotten after a failure, so that a package that is installed meanwhile is found.
  opened.catch(() => pools.delete(name));
  return opened;
}

/**
 * Opens a pool of connections to a database, with limits so that no query hangs forever. Rejects with `Problems` if
 * the package `pg` is missing. `what`: the feature that needs the database, for that message.
 */
async function openPool(config: DatabaseConnection['config'], what?: string): Promise<Pool> {
  const { Pool } = await loadClientPackage('pg', () => import('pg'), what);
  const pool = new Pool({
    application_name: 'trueup',
    max: 4,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 5000,
    query_timeout: 120_000,
    allowExitOnIdle: true,
    ...config,
  });
  // An idle connection that ends is no error, because the next query opens another one.
  pool.on('error', () => {});
  return pool;
}
