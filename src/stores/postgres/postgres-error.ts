import { Problems, problem } from '../../model/diagnostic.ts';

type Doing = 'read' | 'written';

/** What is wrong with a database, and what to do about it. */
interface Fault {
  sort: 'tls' | 'denied' | 'database' | 'unreachable' | 'failed';
  why: string;
  hint: string;
}

const networkCodes = /^(E[A-Z]+|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/;

/** Reads what the server or the network says. `secret` is not repeated. */
export function postgresFault(error: Error, secret: string | undefined): Fault {
  const { code = '' } = error as { code?: string };
  const [first = ''] = (error.message || code).split('\n');
  const why = secret ? first.replaceAll(secret, '***') : first;
  if (/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /does not support SSL/.test(why))
    return {
      sort: 'tls',
      why,
      hint: 'the server needs a certificate that is checked; name the file of a private authority with `?sslrootcert=FILE` or PGSSLROOTCERT',
    };
  // Class 28 is about who somebody is, 42501 about what they may; without a password pg says so itself.
  if (code.startsWith('28') || /password must be a string|no password/i.test(why))
    return {
      sort: 'denied',
      why,
      hint: 'set PGUSER and PGPASSWORD, or the file that PGPASSFILE names',
    };
  if (code === '42501')
    return {
      sort: 'denied',
      why,
      hint: 'the user must be allowed to use the schema and its tables; the first write makes them, or whoever may runs it once',
    };
  if (code === '3D000')
    return {
      sort: 'database',
      why,
      hint: 'make the database, or correct its name: `createdb trueup`',
    };
  if (networkCodes.test(code) || /timeout|terminated|closed/i.test(why) || /^(08|57P)/.test(code))
    return {
      sort: 'unreachable',
      why: why || code,
      hint: 'check host, port and network, then run trueup again; if a write was under way, the next run sees whether it arrived',
    };
  return {
    sort: 'failed',
    why: why || code,
    hint: 'correct what the server says, then run trueup again',
  };
}

/** The problem with a ledger in a database that fails. `secret` is not repeated. */
export function postgresProblems(
  place: string,
  doing: Doing,
  error: Error,
  secret: string | undefined,
): Problems {
  const { sort, why, hint } = postgresFault(error, secret);
  return new Problems([
    problem(`ledger/postgres-${sort}`, `the ledger ${place} cannot be ${doing}: ${why}`, { hint }),
  ]);
}
