import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';
import { isLoopback } from '../../http/settings.ts';
import { systemText } from '../../model/system-error.ts';
import { refused, refuseOthers, type UrlUse } from '../store-url.ts';

type Env = Record<string, string | undefined>;

/** The address of a database, and the settings of a connection to it. */
export interface Connection {
  /** For people, without user and password: `postgres://db.example.com/trueup`. */
  shown: string;
  schema: string;
  config: PoolConfig;
}

const known = ['schema', 'host', 'sslmode', 'sslrootcert', 'password'];

/**
 * Reads the URL of a database; what it leaves out comes from the variables that all clients of PostgreSQL know. TLS is checked
 * whatever they say, unless the host is this machine. Throws `Problems`.
 */
export function connectionOf(url: URL, env: Env, use: UrlUse = 'ledger'): Connection {
  const query = url.searchParams;
  refuseOthers(query, known, use);
  // The queue's package makes and changes what is in its schema by itself.
  const usualSchema = use === 'queue' ? 'trueup_fleet' : 'trueup';
  const schema = query.get('schema') ?? usualSchema;
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema))
    throw refused(
      `the schema of the ${use} is not a valid name`,
      'use lower-case letters, digits and underscores: `?schema=trueup`',
      use,
    );
  const host = query.get('host') || decodeURIComponent(url.hostname) || env.PGHOST || 'localhost';
  const port = Number(url.port || env.PGPORT || 5432);
  const user = decodeURIComponent(url.username) || env.PGUSER || env.USER || env.LOGNAME;
  const database = decodeURIComponent(url.pathname.slice(1)) || env.PGDATABASE || user;
  const password = decodeURIComponent(url.password) || query.get('password') || env.PGPASSWORD || undefined;
  const isLocal = host.startsWith('/') || isLoopback(host) || host === '::1';
  const at = host.startsWith('/') ? '' : `${host}${port === 5432 ? '' : `:${port}`}`;
  return {
    shown: `postgres://${at}/${database ?? ''}${schema === usualSchema ? '' : `?schema=${schema}`}`,
    schema,
    config: {
      host,
      port,
      ...(user === undefined ? {} : { user }),
      ...(database === undefined ? {} : { database }),
      // Without one the client looks into the file that PGPASSFILE names.
      ...(password === undefined ? {} : { password }),
      ssl: tlsOf(
        query.get('sslmode') ?? env.PGSSLMODE,
        isLocal,
        { ca: query.get('sslrootcert') ?? env.PGSSLROOTCERT, cert: env.PGSSLCERT, key: env.PGSSLKEY },
        use,
      ),
    },
  };
}

const unchecked = ['disable', 'allow', 'prefer', 'no-verify'];
const checked = ['require', 'verify-ca', 'verify-full'];

function tlsOf(
  mode: string | undefined,
  isLocal: boolean,
  files: Record<'ca' | 'cert' | 'key', string | undefined>,
  use: UrlUse,
): Exclude<PoolConfig['ssl'], undefined> {
  if (mode !== undefined && ![...unchecked, ...checked].includes(mode))
    throw refused(`the sslmode of the ${use} is not supported`, `use one of ${checked.join(', ')}`, use);
  if (isLocal && (mode === undefined || unchecked.includes(mode))) return false;
  if (mode !== undefined && unchecked.includes(mode))
    throw refused(
      `sslmode=${mode} would let anybody on the network read and change the ${use}: certificates of other machines are always checked`,
      'remove it; for a private authority pass its file with `?sslrootcert=FILE` or PGSSLROOTCERT',
      use,
    );
  const read = Object.entries(files).flatMap(([name, path]) =>
    path === undefined || path === '' || path === 'system' ? [] : [[name, textOf(path, use)]],
  );
  return { rejectUnauthorized: true, ...Object.fromEntries(read) };
}

function textOf(path: string, use: UrlUse): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw refused(
      `the file ${path} cannot be read: ${systemText(error as Error)}`,
      `it is for the TLS of the ${use}: correct its path`,
      use,
    );
  }
}
