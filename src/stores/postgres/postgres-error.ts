import { Problems } from '../../model/diagnostic.ts';

type Doing = 'read' | 'written';

/** Turns what the server or the network says into a problem that says what to do. `secret` is not repeated. */
export function postgresProblems(
  place: string,
  doing: Doing,
  error: Error,
  secret: string | undefined,
): Problems {
  const { code, why, hint } = postgresFault(error, secret);
  return new Problems(code, `the ledger ${place} cannot be ${doing}: ${why}`, { hint });
}

/** The same, for what is no ledger. */
export function postgresFault(error: Error, secret: string | undefined) {
  const { code = '' } = error as { code?: string };
  const [first = ''] = (error.message || code).split('\n');
  const message = secret ? first.replaceAll(secret, '***') : first;
  const { code: found, hint } = sorts.find((sort) => sort.isOne(code, message)) ?? {
    code: 'ledger/postgres-failed',
    hint: 'correct what the server says, then run trueup again',
  };
  return { code: found, why: message || code, hint };
}

interface Sort {
  code: string;
  hint: string;
  isOne(code: string, message: string): boolean;
}

/** The first that fits counts. */
const sorts: Sort[] = [
  {
    code: 'ledger/postgres-tls',
    hint: 'the server needs a certificate that is checked; name the file of a private authority with `?sslrootcert=FILE` or PGSSLROOTCERT',
    isOne: (code, message) =>
      /^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /does not support SSL/.test(message),
  },
  {
    // Class 28 is about who somebody is, 42501 about what they may; without a password pg says so itself.
    code: 'ledger/postgres-denied',
    hint: 'set PGUSER and PGPASSWORD, or the file that PGPASSFILE names',
    isOne: (code, message) => code.startsWith('28') || /password must be a string|no password/i.test(message),
  },
  {
    code: 'ledger/postgres-denied',
    hint: 'the user must be allowed to use the schema and its tables; the first write makes them, or whoever may runs it once',
    isOne: (code) => code === '42501',
  },
  {
    code: 'ledger/postgres-database',
    hint: 'make the database, or correct its name: `createdb trueup`',
    isOne: (code) => code === '3D000',
  },
  {
    code: 'ledger/postgres-read-only',
    hint: 'use the primary server: this one is a replica, or writes are turned off',
    isOne: (code) => code === '25006',
  },
  {
    // The limits of whoever runs the server: time for a statement, for a lock, in a transaction; connections and memory.
    code: 'ledger/postgres-busy',
    hint: 'run trueup again; if it persists, find the session that holds the row (`pg_stat_activity`), or raise statement_timeout, lock_timeout or the connection limit of this user',
    isOne: (code) =>
      ['57014', '55P03', '25P03', '25P04', '40001', '40P01'].includes(code) || /^53[234]/.test(code),
  },
  {
    code: 'ledger/postgres-unreachable',
    hint: 'check host, port and network, then run trueup again; if a write was under way, the next run sees whether it arrived',
    isOne: (code, message) =>
      /^E[A-Z]+$/.test(code) || /timeout|terminated|closed/i.test(message) || /^(08|57P)/.test(code),
  },
];
