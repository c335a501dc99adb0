import { createHash } from 'node:crypto';
import { raise } from '../model/diagnostic.ts';
import { type DatabaseConnection, readDatabaseConnection } from '../stores/postgres/connection.ts';
import { inTransaction, isMissingTableError, sharedPool } from '../stores/postgres/pool.ts';
import { classifyPostgresError } from '../stores/postgres/postgres-error.ts';
import { readDatabaseUrl } from '../stores/store-url.ts';
import { type BudgetStore, parseSharedBucket, type SharedBucket } from './shared-bucket.ts';
import { joinBudget, type SharedBudget } from './shared-budget.ts';

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
 * Opens the budget of a token in a database, so that runs with the same token share its rate limits. Throws `Problems` for an error that
 * needs the user, such as a wrong password. If the database only does not answer, reports that to the user and lets the run continue without
 * it.
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
 * Opens the buckets of a token as rows of a table, which the first run creates. So all runs with this token share its rate limit (`--limits`). Each
 * change is one short transaction.
 */
async function openPostgresStore(account: string, connection: DatabaseConnection): Promise<BudgetStore> {
  const { schema } = connection;
  const pool = await sharedPool(
    { ...connection, config: { ...connection.config, ...connecting } },
    '--limits',
  );
  const table = `"${schema}".limits`;
  type Row = { state: string; now: string };

  return {
    change: (bucket, change) =>
      inTransaction(
        pool,
        { schema, tables: { limits: budgetColumns }, limits: transactionLimits },
        async (client) => {
          const selectRow = () =>
            client.query<Row>(
              `select ${state}, ${databaseTime} from ${table} where account = $1 and bucket = $2 for update`,
              [account, bucket],
            );
          let [row] = (await selectRow()).rows;
          if (!row) {
            await client.query(
              `insert into ${table} (account, bucket, state) values ($1, $2, '{}') on conflict do nothing`,
              [account, bucket],
            );
            [row] = (await selectRow()).rows;
          }
          const now = Number(row!.now);
          const bucketState = parseSharedBucket(row!.state, now);
          const result = change(bucketState, now);
          await client.query(
            `update ${table} set state = $3, changed = now() where account = $1 and bucket = $2`,
            [account, bucket, JSON.stringify(bucketState)],
          );
          return result;
        },
      ),
    async read() {
      const selected = await pool
        .query<Row & { bucket: string }>(
          `select bucket, ${state}, ${databaseTime} from ${table} where account = $1 limit 2000`,
          [account],
        )
        .catch((error) => {
          if (isMissingTableError(error)) return { rows: [] };
          throw error;
        });
      const now = Number(selected.rows[0]?.now ?? 0);
      const buckets = new Map<string, SharedBucket>();
      for (const row of selected.rows) buckets.set(row.bucket, parseSharedBucket(row.state, now));
      return { buckets, now };
    },
  };
}
