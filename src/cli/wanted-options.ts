import { type Command, Option } from 'commander';
import { Problems, problem } from '../model/diagnostic.ts';
import { pair } from './api-request.ts';
import type { AccountOptions } from './open-account.ts';
import { number, type ScopeOptions, withScope } from './options.ts';
import type { RowsOptions } from './print-rows.ts';

/** The options of `get`; those of `wait` are among them. */
export interface GetOptions extends AccountOptions, ScopeOptions, RowsOptions {
  of?: string;
  where?: string[];
  limit: number;
  list?: boolean;
  watch?: boolean;
  timeout: number;
  ledger?: string;
  color?: boolean;
  unicode?: boolean;
}

/** The options that say which objects are meant. */
export function withWanted(command: Command): Command {
  return withScope(command)
    .option(
      '--of <address>',
      'the object it belongs to: `projects/web`, or just the name for top-level objects',
    )
    .option(
      '--where <name=value>',
      'filter by a field or a query parameter of the platform; repeatable',
      pair,
    )
    .option('--ledger <place>', 'where the ledger is, to resolve --of');
}

/** How long something is watched, or waited for. */
export const timeoutOption = (): Option =>
  new Option('--timeout <seconds>', 'how long to wait').argParser(number(0)).default(900);

/** Whoever names something expects it to be there. */
export const noneOf = (what: string, name: string) =>
  new Problems([
    problem('asked/none', `there is no ${what} ${JSON.stringify(name)} in the account`, {
      hint: `\`trueup get ${what}\` shows what exists`,
    }),
  ]);
