import { type Diagnostic, problem } from '../../model/diagnostic.ts';

/**
 * Converts an error of PostgreSQL or the network into a problem with the ledger, with a hint, because the server's
 * own message seldom says what the user can do. `secret`: a password to mask in the message.
 */
export function toPostgresProblem(
  place: string,
  activity: 'read' | 'written',
  error: Error,
  secret: string | undefined,
): Diagnostic {
  const { code, why, hint } = classifyPostgresError(error, secret);
  return problem(code, `the ledger ${place} cannot be ${activity}: ${why}`, { hint });
}

/**
 * Returns code, message (`why`) and hint for an error of PostgreSQL or the network. The caller composes the
 * problem, because the database may hold ledgers, rate limits or jobs. `secret`: a password to mask in the message.
 */
export function classifyPostgresError(error: Error, secret: string | undefined) {
  const { code = '' } = error as { code?: string };
  const [first = ''] = (error.message || code).split('\n');
  const message = secret ? first.replaceAll(secret, '***') : first;
  const { code: problemCode, hint } = postgresErrorClasses.find(({ matches }) => matches(code, message)) ?? {
    code: 'ledger/store-failed',
    hint: 'correct the error that the server reports, then run trueup again',
  };
  return { code: problemCode, why: message || code, hint };
}

/** Errors with the same remedy. `matches` gets the code of the error and the first line of its message. */
interface PostgresErrorClass {
  code: string;
  hint: string;
  matches(code: string, message: string): boolean;
}

/** The first class which matches is used. */
const postgresErrorClasses: PostgresErrorClass[] = [
  {
    code: 'ledger/postgres-tls',
    hint: 'the server needs a certificate that can be verified; name the file of a private authority with `?sslrootcert=FILE` or PGSSLROOTCERT',
    matches: (code, message) =>
      /^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /does not support SSL/.test(message),
  },
  {
    // Class 28: authentication failed. Without a password the client itself reports the error.
    code: 'ledger/postgres-denied',
    hint: 'set PGUSER and PGPASSWORD, or the file that PGPASSFILE names',
    matches: (code, message) =>
      code.startsWith('28') || /password must be a string|no password/i.test(message),
  },
  {
    code: 'ledger/postgres-denied',
    hint: 'grant the user access to the schema and its tables; the first write creates them, so a user with that permission can also run trueup once',
    matches: (code) => code === '42501',
  },
  {
    code: 'ledger/postgres-database',
    hint: 'create the database (`createdb trueup`), or correct its name',
    matches: (code) => code === '3D000',
  },
  {
    code: 'ledger/postgres-read-only',
    hint: 'use the primary server: this one is a replica, or writes are turned off',
    matches: (code) => code === '25006',
  },
  {
    // Limits of the server: time of a statement, a lock or a transaction; number of connections; memory.
    code: 'ledger/postgres-busy',
    hint: 'run trueup again; if it persists, find the session that holds the row (`pg_stat_activity`), or raise statement_timeout, lock_timeout or the connection limit of this user',
    matches: (code) =>
      ['57014', '55P03', '25P03', '25P04', '40001', '40P01'].includes(code) || /^53[234]/.test(code),
  },
  {
    code: 'ledger/unreachable',
    hint: 'check host, port and network, then run trueup again; if a write was under way, the next run sees if it arrived',
    matches: (code, message) =>
      /^E[A-Z]+$/.test(code) || /timeout|terminated|closed/i.test(message) || /^(08|57P)/.test(code),
  },
];
