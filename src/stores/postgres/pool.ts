import type { Pool, PoolClient } from 'pg';
import { clientPackage } from '../client-package.ts';
import type { Connection } from './connection.ts';

/** The time that a transaction waits for a row, and may hold one while idle: intervals as PostgreSQL reads them. */
interface Patience {
  lock: string;
  idle: string;
}

/** No such table, or no such schema. That one may not look into a schema is another error. */
export const isWithoutTables = (error: unknown): boolean =>
  ['42P01', '3F000'].includes((error as { code: string }).code);

/**
 * Does something in one transaction, which makes the tables of the schema first where there are none, as `columns` say by table. What
 * fails changes nothing.
 */
export async function inTransaction<T>(
  pool: Pool,
  { schema, tables, patience = { lock: '30s', idle: '60s' } }: Tables & { patience?: Patience },
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The question that is under way is told, too; without a listener it would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    for (let tried = 0; ; tried++)
      try {
        // Whatever the database's own defaults are. What hangs while it holds a row lets go of it.
        await client.query(
          `begin isolation level read committed; set local lock_timeout = '${patience.lock}'; set local idle_in_transaction_session_timeout = '${patience.idle}'`,
        );
        if (tried > 0) await makeTables(client, { schema, tables });
        const done = await work(client);
        await client.query('commit');
        return done;
      } catch (error) {
        await client.query('rollback').catch((failed: Error) => {
          broken = failed;
        });
        if (tried > 0 || broken || !isWithoutTables(error)) throw error;
      }
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

interface Tables {
  schema: string;
  /** Their columns by their names. */
  tables: Record<string, string>;
}

async function makeTables(client: PoolClient, { schema, tables }: Tables): Promise<void> {
  // Two that make them at once get into each other's way otherwise.
  await client.query("select pg_advisory_xact_lock(hashtext('trueup'))");
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`create schema "${schema}"`);
  for (const [name, columns] of Object.entries(tables))
    await client.query(`create table if not exists "${schema}".${name} (${columns})`);
}

const pools = new Map<string, Promise<Pool>>();

/** The connections to a database, which all of a process share that reach it alike; they let the process end, and close when nobody asks for a while. */
export function poolFor({ config }: Connection, what?: string): Promise<Pool> {
  const name = JSON.stringify(config);
  const pool = pools.get(name);
  if (pool) return pool;
  const opened = open(config, what);
  pools.set(name, opened);
  // What is installed meanwhile is found.
  opened.catch(() => pools.delete(name));
  return opened;
}

async function open(config: Connection['config'], what?: string): Promise<Pool> {
  const { Pool } = await clientPackage('pg', () => import('pg'), what);
  const pool = new Pool({
    application_name: 'trueup',
    max: 4,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 5000,
    query_timeout: 120_000,
    allowExitOnIdle: true,
    ...config,
  });
  // A connection that ends while nobody uses it: the next question opens another one.
  pool.on('error', () => {});
  return pool;
}
