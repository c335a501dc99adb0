import type { Pool } from 'pg';
import { clientPackage } from '../client-package.ts';
import type { Connection } from './connection.ts';

const pools = new Map<string, Promise<Pool>>();

/** The connections to a database, which all ledgers of a process share; they let the process end, and close when nobody asks for a while. */
export function poolFor({ config }: Connection): Promise<Pool> {
  const name = JSON.stringify(config);
  const known = pools.get(name);
  if (known) return known;
  const opened = open(config);
  pools.set(name, opened);
  // What is installed meanwhile is found.
  opened.catch(() => pools.delete(name));
  return opened;
}

async function open(config: Connection['config']): Promise<Pool> {
  const { Pool } = await clientPackage('pg', () => import('pg'));
  const pool = new Pool({
    ...config,
    application_name: 'trueup',
    max: 4,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 5000,
    query_timeout: 120_000,
    allowExitOnIdle: true,
  });
  // A connection that ends while nobody uses it: the next question opens another one.
  pool.on('error', () => {});
  return pool;
}
