import type { Queue } from '../fleet/queue.ts';
import type { Host } from '../host.ts';
import { createHolder, formatUserAtHost } from '../ledger/lease-record.ts';
import { raise } from '../model/diagnostic.ts';
import { readDatabaseConnection } from '../stores/postgres/connection.ts';
import { readDatabaseUrl } from '../stores/store-url.ts';

/** The options of every fleet command. */
export interface QueueOptions {
  queue?: string;
  color?: boolean;
}

/** The oldest version of Node.js that the package of the queue supports. */
const oldestNode = [22, 12] as const;

/**
 * Opens the queue of the fleet (a database of jobs, `--queue`), calls `use` with it, and closes it. Every `trueup
 * fleet` command calls it. `isWorker`: this process takes jobs, so it also does the queue's maintenance. Throws
 * `Problems` if no queue is configured, or if the database cannot be used.
 */
export async function useFleetQueue<T>(
  options: QueueOptions,
  port: { run: { host: Host }; say(text: string): void },
  use: (queue: Queue) => Promise<T>,
  { isWorker = false } = {},
): Promise<T> {
  const { host } = port.run;
  refuseOldNode(host);
  const url =
    options.queue ??
    (host.env.TRUEUP_FLEET || undefined) ??
    raise('fleet/no-queue', 'the queue of the fleet is not configured', {
      hint: 'name the database with --queue postgres://HOST/DATABASE, or TRUEUP_FLEET',
    });
  const connection = readDatabaseConnection(
    readDatabaseUrl(url, options.queue !== undefined, 'queue'),
    host.env,
    'queue',
  );
  const { openPostgresQueue } = await import('./postgres-queue.ts');
  const holder = createHolder(host);
  const queue = await openPostgresQueue(connection, {
    isWorker,
    who: `${formatUserAtHost(holder)}/${holder.pid}`,
    warn: port.say,
    now: host.clock.monotonic,
  });
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

/**
 * Throws `Problems` if this version of Node.js is too old for pg-boss, the package of the fleet's queue. Other
 * commands work with it.
 */
function refuseOldNode({ engine }: Host): void {
  const [major = 0, minor = 0] = engine.version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  raise(
    'fleet/node',
    `\`trueup fleet\` needs Node.js ${oldestNode.join('.')}, since its queue does, and this is ${engine.version}`,
    {
      hint: 'run fleet commands with a newer Node.js; everything else works with this one',
    },
  );
}
