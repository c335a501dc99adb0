import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';
import { isLoopback } from '../../http/settings.ts';
import { describeSystemError } from '../../model/describe-errors.ts';
import { raise } from '../../model/diagnostic.ts';
import { refuseUnknownParameters, type UrlUse, urlProblem } from '../store-url.ts';

type PostgresEnv = Record<string, string | undefined>;

/** The address of a database and the settings of connections to it. */
export interface DatabaseConnection {
  /** The address in messages, without user and password: `postgres://db.example.com/trueup`. */
  shown: string;
  schema: string;
  config: PoolConfig;
}

const knownParameters = ['schema', 'host', 'sslmode', 'sslrootcert', 'password'];

/**
 * Determines the settings of a connection from the URL of a database and, for members that the URL lacks, from the environment variables of
 * all PostgreSQL clients (PGHOST, PGUSER, ...). TLS certificates are always checked unless the host is this machine. Throws `Problems`.
 */
export function readDatabaseConnection(
  url: URL,
  env: PostgresEnv,
  use: UrlUse = 'ledger',
): DatabaseConnection {
  const query = url.searchParams;
  refuseUnknownParameters(query, knownParameters, use);
  // The queue has a schema of its own, because its package creates and changes the tables there.
  const defaultSchema = use === 'queue' ? 'trueup_fleet' : 'trueup';
  const schema = requireSchemaName(query.get('schema') ?? defaultSchema, use);
  const host = query.get('host') || decodeURIComponent(url.hostname) || env.PGHOST || 'localhost';
  const port = Number(url.port || env.PGPORT || 5432);
  const user = decodeURIComponent(url.username) || env.PGUSER || env.USER || env.LOGNAME;
  const database = decodeURIComponent(url.pathname.slice(1)) || env.PGDATABASE || user;
  const password = decodeURIComponent(url.password) || query.get('password') || env.PGPASSWORD || undefined;
  const isLocal = host.startsWith('/') || isLoopback(host) || host === '::1';
  const shownPort = port === 5432 ? '' : `:${port}`;
  // A host that begins with a slash is the folder of a socket on this machine.
  const shownHost = host.startsWith('/') ? '' : `${host}${shownPort}`;
  const shownSchema = schema === defaultSchema ? '' : `?schema=${schema}`;
  return {
    shown: `postgres://${shownHost}/${database ?? ''}${shownSchema}`,
    schema,
    config: {
      host,
      port,
      user,
      database,
      // Without a password the client reads the file that PGPASSFILE names.
      password,
      ssl: readTlsSettings(
        query.get('sslmode') ?? env.PGSSLMODE,
        isLocal,
        { ca: query.get('sslrootcert') ?? env.PGSSLROOTCERT, cert: env.PGSSLCERT, key: env.PGSSLKEY },
        use,
      ),
    },
  };
}

const uncheckedModes = ['disable', 'allow', 'prefer', 'no-verify'];
const checkedModes = ['require', 'verify-ca', 'verify-full'];

/**
 * Returns the name of a schema. Throws `Problems` if it is not a plain name, because it becomes a part of statements. `use`: what needs the
 * database.
 */
function requireSchemaName(schema: string, use: UrlUse): string {
  if (/^[a-z_][a-z\d_]{0,62}$/.test(schema)) return schema;
  return raise(
    urlProblem(
      `the schema of the ${use} is not a valid name`,
      'use lower-case letters, digits and underscores: `?schema=trueup`',
      use,
    ),
  );
}

/**
 * Returns the TLS settings of a database connection (`false`: none), from the `sslmode` and certificate files of its
 * URL or environment. Throws `Problems` for a file that cannot be read, and for a mode that is unknown or would not
 * check the server's certificate. `isLocal`: the server is this machine, where no TLS is needed. `use`: the feature
 * that needs the database, for messages.
 */
function readTlsSettings(
  mode: string | undefined,
  isLocal: boolean,
  files: Record<'ca' | 'cert' | 'key', string | undefined>,
  use: UrlUse,
): Exclude<PoolConfig['ssl'], undefined> {
  if (mode !== undefined && ![...uncheckedModes, ...checkedModes].includes(mode))
    raise(
      urlProblem(`the sslmode of the ${use} is not supported`, `use one of ${checkedModes.join(', ')}`, use),
    );
  if (isLocal && (mode === undefined || uncheckedModes.includes(mode))) return false;
  if (mode !== undefined && uncheckedModes.includes(mode))
    raise(
      urlProblem(
        `sslmode=${mode} would let anyone on the network read and change the ${use}: certificates of other machines are always checked`,
        'remove it; for a private authority pass its file with `?sslrootcert=FILE` or PGSSLROOTCERT',
        use,
      ),
    );
  // `sslrootcert=system` means the authorities of the operating system.
  const contents = Object.entries(files).flatMap(([name, path]) =>
    path === undefined || path === '' || path === 'system' ? [] : [[name, readTlsFile(path, use)]],
  );
  return { rejectUnauthorized: true, ...Object.fromEntries(contents) };
}

/**
 * Reads a certificate or key that the URL of a PostgreSQL database or the environment names for the TLS connection.
 * Throws `Problems` if the file cannot be read.
 */
function readTlsFile(path: string, use: UrlUse): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    raise(
      urlProblem(
        `the file ${path} cannot be read: ${describeSystemError(error as Error)}`,
        `it is needed for the TLS connection of the ${use}: correct its path`,
        use,
      ),
    );
  }
}
