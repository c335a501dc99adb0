import { Problems, problem } from '../../model/diagnostic.ts';

type Doing = 'read' | 'written';

const networkCodes = /^(E[A-Z]+|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/;

/** Turns what the server or the network says into a problem that says what to do. `secret` is not repeated. */
export function postgresProblems(
  place: string,
  doing: Doing,
  error: Error,
  secret: string | undefined,
): Problems {
  const { code = '' } = error as { code?: string };
  const [first = ''] = (error.message || code).split('\n');
  const message = secret ? first.replaceAll(secret, '***') : first;
  const say = (code: string, why: string, hint: string) =>
    new Problems([problem(code, `the ledger ${place} cannot be ${doing}: ${why}`, { hint })]);
  if (/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /does not support SSL/.test(message))
    return say(
      'ledger/postgres-tls',
      message,
      'the server needs a certificate that is checked; name the file of a private authority with `?sslrootcert=FILE` or PGSSLROOTCERT',
    );
  // Class 28 is about who somebody is, 42501 about what they may; without a password pg says so itself.
  if (code.startsWith('28') || /password must be a string|no password/i.test(message))
    return say(
      'ledger/postgres-denied',
      message,
      'set PGUSER and PGPASSWORD, or the file that PGPASSFILE names',
    );
  if (code === '42501')
    return say(
      'ledger/postgres-denied',
      message,
      'the user must be allowed to use the schema and its tables; the first write makes them, or whoever may runs it once',
    );
  if (code === '3D000')
    return say(
      'ledger/postgres-database',
      message,
      'make the database, or correct its name: `createdb trueup`',
    );
  if (networkCodes.test(code) || /timeout|terminated|closed/i.test(message) || /^(08|57P)/.test(code))
    return say(
      'ledger/postgres-unreachable',
      message || code,
      'check host, port and network, then run trueup again; if a write was under way, the next run sees whether it arrived',
    );
  return say(
    'ledger/postgres-failed',
    message || code,
    'correct what the server says, then run trueup again',
  );
}
