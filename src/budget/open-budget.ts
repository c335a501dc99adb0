import { Problems, problem } from '../model/diagnostic.ts';
import { connectionOf } from '../stores/postgres/connection.ts';
import { postgresFault } from '../stores/postgres/postgres-error.ts';
import { readDatabaseUrl } from '../stores/store-url.ts';
import { fingerprintOf, postgresRows } from './postgres-rows.ts';
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
  const connection = connectionOf(readDatabaseUrl(limits, isArgument, 'limits'), env, 'limits');
  const password = connection.config.password as string | undefined;
  const rows = await postgresRows(fingerprintOf(baseUrl, token), connection);
  const faultOf = (error: Error) => postgresFault(error, password);
  const onSilence = (error: Error) =>
    say(
      `The limits at ${connection.shown} do not answer (${faultOf(error).why}): continuing with this run's share of what was last known.`,
    );
  const isPassing = (error: Error) => /-(unreachable|busy)$/.test(faultOf(error).code);
  return joinBudget({ rows, onSilence }, isPassing).catch((error: Error) => {
    const { why, hint } = faultOf(error);
    throw new Problems([
      problem('limits/database', `the limits at ${connection.shown} cannot be used: ${why}`, { hint }),
    ]);
  });
}
