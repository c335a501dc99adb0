import { Problems, problem } from '../model/diagnostic.ts';

/** Turns what the queue's database or the network says into a problem that says what to do. `secret` is not repeated. */
export function queueProblems(place: string, error: Error, secret: string | undefined): Problems {
  if (error instanceof Problems) return error;
  const { code = '' } = error as { code?: string };
  const [first = ''] = (error.message || code).split('\n');
  const message = secret ? first.replaceAll(secret, '***') : first;
  const hint = code.startsWith('28')
    ? 'set PGUSER and PGPASSWORD, or the file that PGPASSFILE names'
    : code === '42501'
      ? 'the user must be allowed to make the schema of the queue, or to use it; whoever may make it runs a command of the fleet once'
      : code === '3D000'
        ? 'make the database, or correct its name'
        : 'check host, port, network and certificate, then run trueup again';
  return new Problems([
    problem('fleet/queue', `the queue ${place} cannot be used: ${message || code}`, { hint }),
  ]);
}
