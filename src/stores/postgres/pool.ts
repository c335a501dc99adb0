import type { Pool } from 'pg';
import { clientPackage } from '../client-package.ts';
import type { Connection } from './connection.ts';

const pools = new Map<string, Promise<Pool>>();

/** The connections to a database, which all of a process share that reach it alike; they let the process end, and close when nobody asks for a while. */
export function poolFor({ config }: Connection, what?: string): Promise<Pool> {
  const name = JSON.stringify(config);
  const known = pools.get(name);
  if (known) return known;
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
