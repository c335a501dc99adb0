import { createHash, randomUUID } from 'node:crypto';
import { type Alarm, type Clock, systemAlarm, systemClock } from '../http/clock.ts';
import type { BucketState, Budget } from '../model/budget.ts';
import { raise } from '../model/diagnostic.ts';
import { type DatabaseConnection, readDatabaseConnection } from '../stores/postgres/connection.ts';
import { inTransaction, isMissingTableError, type PoolClient, sharedPool } from '../stores/postgres/pool.ts';
import { classifyPostgresError } from '../stores/postgres/postgres-error.ts';
import { readDatabaseUrl } from '../stores/store-url.ts';
import { createContact, type DatabaseContact, withTimeout } from './database-contact.ts';
import { DatabaseShare } from './database-share.ts';
import { DueRequests } from './due-requests.ts';
import { grantCalls, otherRunsUse, removeRun } from './grant-calls.ts';
import { type BudgetStore, parseSharedBucket, type SharedBucket } from './shared-bucket.ts';

interface BudgetOptions {
  /** The URL of the database. */
  limits: string;
  /** True if the URL comes from the command line. There it must not contain a password. */
  isArgument: boolean;
  env: Record<string, string | undefined>;
  baseUrl: string;
  token: string;
  say(text: string): void;
}

/**
 * Opens the database of `--limits`, in which runs with the same token divide its rate limits. Throws `Problems` for
 * an error that needs the user, such as a wrong password. If the database only does not answer or is busy, tells the
 * user once, and the run goes on without it until it answers again.
 */
export async function openBudget(options: BudgetOptions): Promise<SharedBudget> {
  const { limits, isArgument, env, baseUrl, token, say } = options;
  const connection = readDatabaseConnection(readDatabaseUrl(limits, isArgument, 'limits'), env, 'limits');
  const password = connection.config.password as string | undefined;
  const store = await openPostgresStore(fingerprintOf(baseUrl, token), connection);
  const faultOf = (error: Error) => classifyPostgresError(error, password);
  const onSilence = (error: Error) =>
    say(
      `The limits at ${connection.shown} do not answer (${faultOf(error).why}): continuing with this run's share of the last known limits.`,
    );
  const isTemporary = (error: Error) =>
    ['ledger/unreachable', 'ledger/postgres-busy'].includes(faultOf(error).code);
  return joinBudget({ store, onSilence }, isTemporary).catch((error: Error) => {
    const { why, hint } = faultOf(error);
    raise('limits/database', `the limits at ${connection.shown} cannot be used: ${why}`, {
      hint,
    });
  });
}

const budgetColumns =
  'account text, bucket text, state text not null, changed timestamptz not null default now(), primary key (account, bucket)';
// No run writes a longer state. A longer one is cut, fails to parse and counts as unknown.
const state = 'left(state, 100000) as state';
const databaseTime = 'extract(epoch from clock_timestamp()) * 1000 as now';
/** How long a transaction may wait for a row, and may keep other runs waiting. */
const transactionLimits = { lock: '3s', idle: '3s' };
const connecting = { connectionTimeoutMillis: 4000, query_timeout: 4000 };

/** Returns the name of a token in the database. The token cannot be derived from it. */
const fingerprintOf = (baseUrl: string, token: string): string =>
  createHash('sha256').update(`trueup limits\0${baseUrl}\0${token}`).digest('hex').slice(0, 32);

/**
 * Opens the table in which all runs with a token share its rate limits (`--limits`): a row for each limit. The
 * first run creates the table. Each change is one short transaction. `account`: a digest of the token, so that the
 * database does not contain the token.
 */
async function openPostgresStore(account: string, connection: DatabaseConnection): Promise<BudgetStore> {
  const { schema } = connection;
  const pool = await sharedPool(
    { ...connection, config: { ...connection.config, ...connecting } },
    '--limits',
  );
  const table = `"${schema}".limits`;

  return {
    change: (bucket, change) =>
      inTransaction(
        pool,
        { schema, tables: { limits: budgetColumns }, limits: transactionLimits },
        async (client) => {
          const row = await lockRow(client, table, [account, bucket]);
          const readAt = Number(row.now);
          const bucketState = parseSharedBucket(row.state, readAt);
          const result = change(bucketState, readAt);
          await client.query(
            `update ${table} set state = $3, changed = now() where account = $1 and bucket = $2`,
            [account, bucket, JSON.stringify(bucketState)],
          );
          return result;
        },
      ),
    async read() {
      const selected = await pool
        .query<LimitRow & { bucket: string }>(
          `select bucket, ${state}, ${databaseTime} from ${table} where account = $1 limit 2000`,
          [account],
        )
        .catch((error) => {
          if (isMissingTableError(error)) return { rows: [] };
          throw error;
        });
      const readAt = Number(selected.rows[0]?.now ?? 0);
      const buckets = new Map<string, SharedBucket>();
      for (const row of selected.rows) buckets.set(row.bucket, parseSharedBucket(row.state, readAt));
      return { buckets, now: readAt };
    },
  };
}

interface SharedBudgetOptions {
  store: BudgetStore;
  /** Called once, when a query fails for the first time. */
  onSilence(error: Error): void;
  clock?: Clock;
  alarm?: Alarm;
}

/** The budget of a token that a run uses together with other runs. */
export interface SharedBudget extends Budget {
  /** Returns everything that the run holds, so that other runs need not wait until it expires. */
  close(): Promise<void>;
}

/** The stored state of a rate limit, and the time of the database. */
interface LimitRow {
  state: string;
  now: string;
}

/**
 * Selects the row of a rate limit, and locks it until the end of the transaction. Inserts an empty one if there is none. `key`: account and
 * bucket.
 */
async function lockRow(client: PoolClient, table: string, key: [string, string]): Promise<LimitRow> {
  const select = () =>
    client.query<LimitRow>(
      `select ${state}, ${databaseTime} from ${table} where account = $1 and bucket = $2 for update`,
      key,
    );
  const [existing] = (await select()).rows;
  if (existing) return existing;
  // Another run may insert the row at the same moment, so it is selected again.
  await client.query(
    `insert into ${table} (account, bucket, state) values ($1, $2, '{}') on conflict do nothing`,
    key,
  );
  return (await select()).rows[0]!;
}

/**
 * Adds a run to the rate limits that runs with the same token share in a database. Returns the object through which
 * the run asks for calls, announces its requests, and leaves at its end. Throws the error of the first query if the
 * user has to act, for example because of a wrong password. Otherwise calls `onSilence`, and the run starts without
 * the database.
 * @param isTemporary true for an error that may pass, such as an unreachable server
 */
export async function joinBudget(
  { store, onSilence, clock = systemClock, alarm = systemAlarm }: SharedBudgetOptions,
  isTemporary: (error: Error) => boolean,
): Promise<SharedBudget> {
  const run = randomUUID();
  const contact = createContact(clock, onSilence);
  const buckets = await readFirstState(store, contact, isTemporary);
  // The rate limits for which answers state no limit (`untold`), so that calls need no grants, and those with a known limit.
  const unlimitedBuckets = new Set(buckets.flatMap(([name, { untold }]) => (untold ? [name] : [])));
  const limitedBuckets = new Set(buckets.flatMap(([name, { limit }]) => (limit === undefined ? [] : [name])));
  const shares = new Map<string, DatabaseShare>();
  const dueRequests = new DueRequests({ run, store, contact, alarm, limitedBuckets });

  return {
    share(bucket, needs) {
      const share = new DatabaseShare({
        clock,
        alarm,
        contact,
        needs,
        isUnlimited: unlimitedBuckets.has(bucket),
        dueRequests: () => dueRequests.count(bucket),
        noteSent: () => dueRequests.noteSent(bucket),
        request: (request) =>
          store.change(bucket, (state, now) => grantCalls(state, { run, ...request }, now)),
      });
      shares.set(bucket, share);
      return share;
    },
    announce: (requests) => dueRequests.add(requests),
    async states(names) {
      const current = await contact.query(() => store.read());
      const states = new Map<string, BucketState>();
      for (const name of names) {
        const bucket = current?.buckets.get(name);
        const state = bucket && otherRunsUse(bucket, run, current!.now);
        if (state) states.set(name, state);
      }
      return states;
    },
    async close() {
      const closing = Promise.all([
        dueRequests.close(),
        ...[...shares.values()].map((share) => share.close()),
      ]);
      // The limits in whose state the database may have this run. It is removed from these when nothing can add it again.
      const recordedBuckets = new Set(dueRequests.announcedBuckets);
      for (const [bucket, share] of shares) if (share.isRecorded) recordedBuckets.add(bucket);
      const removeFrom = (bucket: string) => store.change(bucket, (state) => removeRun(state, run));
      const removal = closing.then(() => Promise.all([...recordedBuckets].map(removeFrom)));
      // If the removal fails, the run expires and the other runs get its calls then.
      if (contact.mayQuery()) await withTimeout(removal).catch(() => {});
      else removal.catch(() => {});
    },
  };
}

/**
 * Reads the stored state of all rate limits of a token, by name, when a run joins; empty if the database does not
 * answer. Throws an error that the user has to fix, such as a wrong password: the run must not go on as if the
 * database were only unreachable.
 */
async function readFirstState(
  store: BudgetStore,
  contact: DatabaseContact,
  isTemporary: (error: Error) => boolean,
): Promise<[name: string, bucket: SharedBucket][]> {
  // Kept outside of `contact.query`, because that takes each error for a database that does not answer.
  let permanentError: Error | undefined;
  const stored = await contact.query(() =>
    store.read().catch((error: Error) => {
      if (isTemporary(error)) throw error;
      permanentError = error;
      return undefined;
    }),
  );
  if (permanentError) throw permanentError;
  return [...(stored?.buckets ?? [])];
}
