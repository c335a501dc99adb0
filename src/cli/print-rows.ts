import { type Command, Option } from 'commander';
import { requireNamed } from '../app/actions/read-only-account.ts';
import { environmentSecrets } from '../app/session/environment-secrets.ts';
import type { AccountOptions } from '../app/session/open-account.ts';
import type { ScopeOptions } from '../app/stack-options.ts';
import { formatPlainYaml } from '../export/print-yaml.ts';
import { type ActionSummary, dayTwoListText, dayTwoText, type LookupSummary } from '../manual/day-two.ts';
import { Problems } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import { Sealed } from '../model/sealed.ts';
import { createSecretFinder } from '../model/secret-finder.ts';
import { isHole } from '../model/value.ts';
import { inside, mapTree } from '../model/walk.ts';
import { jsonText, jsonValue } from '../report/json-value.ts';
import { fieldsText, tableText } from '../report/rows-text.ts';
import { collectPair, number, withScope } from './options.ts';
import type { Terminal } from './terminal.ts';

export const formats = ['table', 'json', 'yaml'] as const;

export interface RowsOptions {
  format?: (typeof formats)[number];
  json?: boolean;
  fields?: string[];
}

interface Printed {
  /** Their kind: `deployment`. */
  what: string;
  key: 'kind' | 'lookup';
  rows: readonly Record<string, unknown>[];
  /** Those of a table, where nobody names others. */
  columns: readonly string[];
  /** There are others, which are not shown. */
  isMore?: boolean;
  /** It is one object: a line for each of its fields. */
  isOne?: boolean;
}

/** Prints objects as a table, JSON or YAML. Secrets of the run are masked in whatever the platform says. */
export function printRows(
  { what, key, rows, columns, isMore = false, isOne = false }: Printed,
  { format, json, fields }: RowsOptions,
  masking: Masking,
  terminal: Terminal,
): void {
  const isSecret = createSecretFinder(environmentSecrets(terminal.run.host));
  const shown = mapTree(rows, (value) => {
    if (typeof value === 'string') return isSecret(value) ? '(secret)' : value;
    return value instanceof Sealed || isHole(value) ? value : inside;
  }) as typeof rows;
  const chosen = fields ? shown.map((row) => picked(row, fields)) : shown;
  const say = (text: string) => terminal.out(masking.mask(text));
  const form = json ? 'json' : (format ?? 'table');
  if (form !== 'table') {
    const document = {
      formatVersion: '1.0',
      [key]: what,
      objects: chosen.map(jsonValue),
      more: isMore ? true : undefined,
    };
    say(form === 'json' ? jsonText(document) : formatPlainYaml(document));
    return;
  }
  if (rows.length === 0) terminal.say(`There is no ${what}.`);
  else if (isOne && rows.length === 1) say(fieldsText(chosen[0]!, terminal.outStyle));
  else say(tableText(chosen, fields ?? columns, terminal.outStyle));
  if (isMore) terminal.say('There are more: raise --limit to show them.');
}

const picked = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

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
      collectPair,
    )
    .option('--ledger <place>', 'where the ledger is, to resolve --of');
}

/** The time limit for watching or waiting. */
export const timeoutOption = (): Option =>
  new Option('--timeout <seconds>', 'how long to wait').argParser(number(0)).default(900);

/** Whoever names something expects it to be there. */
export const noneOf = (what: string, name: string) =>
  new Problems('asked/none', `there is no ${what} ${JSON.stringify(name)} in the account`, {
    hint: `\`trueup get ${what}\` shows what exists`,
  });

/** Prints a list of actions or lookups, or the one with a name, for `--list`. Throws `Problems` if there is none of that name. */
export function printDayTwo(
  list: readonly (ActionSummary | LookupSummary)[],
  name: string | undefined,
  what: 'actions' | 'lookups',
  { json }: { json?: boolean },
  terminal: Terminal,
): void {
  const byName = new Map(list.map((summary) => [summary.name, summary]));
  const chosen =
    name === undefined
      ? undefined
      : requireNamed(name, byName, what.slice(0, -1), `trueup ${what === 'actions' ? 'run' : 'get'} --list`);
  const document = chosen ? { ...chosen } : { [what]: list };
  if (json) terminal.out(jsonText({ formatVersion: '1.0', ...document }));
  else terminal.out(chosen ? dayTwoText(chosen, terminal.outStyle) : dayTwoListText(list, terminal.outStyle));
}
