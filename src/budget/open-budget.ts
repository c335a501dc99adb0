import { createHash } from 'node:crypto';
import { Problems } from '../model/diagnostic.ts';
import { type Connection, readDatabaseConnection } from '../stores/postgres/connection.ts';
import { inTransaction, isMissingTableError, sharedPool } from '../stores/postgres/pool.ts';
import { classifyPostgresError } from '../stores/postgres/postgres-error.ts';
import { readDatabaseUrl } from '../stores/store-url.ts';
import { type BudgetRows, type KnownBucket, readBucket } from './shared-bucket.ts';
import { joinBudget, type SharedBudget } from './shared-budget.ts';

interface BudgetOptions {
  /** The URL of the database. */
  limits: string;
  /** It stands in the command line. */
  isArgument: boolean;
  env: Record<string, string | undefined>;
  baseUrl: string;
  token: string;
  say(text: string): void;
}

/**
 * Takes part in the budget of a token that a database has. Throws `Problems` where that can never work; where the database only does
 * not answer, it says so, and the run goes on.
 */
export async function openBudget(options: BudgetOptions): Promise<SharedBudget> {
  const { limits, isArgument, env, baseUrl, token, say } = options;
  const connection = readDatabaseConnection(readDatabaseUrl(limits, isArgument, 'limits'), env, 'limits');
  const password = connection.config.password as string | undefined;
  const rows = await postgresRows(fingerprintOf(baseUrl, token), connection);
  const faultOf = (error: Error) => classifyPostgresError(error, password);
  const onSilence = (error: Error) =>
    say(
      `The limits at ${connection.shown} do not answer (${faultOf(error).why}): continuing with this run's share of what was last known.`,
    );
  const isPassing = (error: Error) => /-(unreachable|busy)$/.test(faultOf(error).code);
  return joinBudget({ rows, onSilence }, isPassing).catch((error: Error) => {
    const { why, hint } = faultOf(error);
    throw new Problems('limits/database', `the limits at ${connection.shown} cannot be used: ${why}`, {
      hint,
    });
  });
}

const budgetColumns =
  'account text, bucket text, state text not null, changed timestamptz not null default now(), primary key (account, bucket)';
// What is longer was not written by a run, and cannot be read when it is cut.
const state = 'left(state, 100000) as state';
const databaseTime = 'extract(epoch from clock_timestamp()) * 1000 as now';
/** Nobody waits for a row longer, and nobody keeps others waiting. */
const transactionLimits = { lock: '3s', idle: '3s' };
const connecting = { connectionTimeoutMillis: 4000, query_timeout: 4000 };

/** The token's name in the database, from which nobody can derive the token. */
const fingerprintOf = (baseUrl: string, token: string): string =>
  createHash('sha256').update(`trueup limits\0${baseUrl}\0${token}`).digest('hex').slice(0, 32);

/** The buckets of a token as rows of a table, which the first run makes. Each change is one short transaction. */
async function postgresRows(account: string, connection: Connection): Promise<BudgetRows> {
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
          const find = () =>
            client.query<Row>(
              `select ${state}, ${databaseTime} from ${table} where account = $1 and bucket = $2 for update`,
              [account, bucket],
            );
          let [row] = (await find()).rows;
          if (!row) {
            await client.query(
              `insert into ${table} (account, bucket, state) values ($1, $2, '{}') on conflict do nothing`,
              [account, bucket],
            );
            [row] = (await find()).rows;
          }
          const now = Number(row!.now);
          const known = readBucket(row!.state, now);
          const done = change(known, now);
          await client.query(
            `update ${table} set state = $3, changed = now() where account = $1 and bucket = $2`,
            [account, bucket, JSON.stringify(known)],
          );
          return done;
        },
      ),
    async read() {
      const found = await pool
        .query<Row & { bucket: string }>(
          `select bucket, ${state}, ${databaseTime} from ${table} where account = $1 limit 2000`,
          [account],
        )
        .catch((error) => {
          if (isMissingTableError(error)) return { rows: [] };
          throw error;
        });
      const now = Number(found.rows[0]?.now ?? 0);
      const buckets = new Map<string, KnownBucket>();
      for (const row of found.rows) buckets.set(row.bucket, readBucket(row.state, now));
      return { buckets, now };
    },
  };
}
