/*
 * Output that `get`, `wait` and `run` share: objects of a kind or of a lookup, and the lists of actions and lookups.
 */
import { type Command, Option } from 'commander';
import type { AccountOptions } from '../app/session/open-account.ts';
import type { ScopeOptions } from '../config/choose-scope.ts';
import { environmentSecrets } from '../config/read-secret-values.ts';
import { requireNamed } from '../config/suggest.ts';
import { formatPlainYaml } from '../export/print-yaml.ts';
import {
  type ActionSummary,
  formatActionOrLookup,
  formatActionsOrLookups,
  type LookupSummary,
} from '../manual/day-two.ts';
import { problem } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import { Sealed } from '../model/sealed.ts';
import { createSecretFinder } from '../model/secret-finder.ts';
import { isHole } from '../model/value.ts';
import { mapTree, visitMembers } from '../model/walk.ts';
import { fieldsText, tableText } from '../report/rows-text.ts';
import { jsonText, jsonValue } from '../report/show.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { collectPair, number, withScope } from './options.ts';

export const formats = ['table', 'json', 'yaml'] as const;

export interface RowsOptions {
  format?: (typeof formats)[number];
  json?: boolean;
  fields?: string[];
}

interface PrintedRows {
  subjectType: 'kind' | 'lookup';
  /** The name of the kind or lookup, such as `deployment`. */
  subject: string;
  rows: readonly Record<string, unknown>[];
  /** The fields of a table unless `--fields` names others. */
  columns: readonly string[];
  /** True if there are further objects that are not printed. */
  hasMore?: boolean;
  /** True to print a single object with one line per field instead of a table. */
  isSingle?: boolean;
}

/**
 * Prints the objects that `get` or `wait` found, as a table, JSON or YAML; a single object (`isSingle`) with one line per field instead of
 * a table. `fields` chooses members. Says whether there are more objects than those.
 * The platform may return a secret in any field, so secrets are hidden twice: a text of an object that contains a secret of the environment
 * is replaced as a whole, and in the printed text `masking` hides each stretch of the secrets that this run has used, such as the token.
 */
export function printRows(
  { subjectType, subject, rows, columns, hasMore = false, isSingle = false }: PrintedRows,
  { format, json, fields }: RowsOptions,
  masking: Masking,
  terminal: Terminal,
): void {
  const maskedRows = maskSecrets(rows, terminal);
  const chosenRows = fields ? maskedRows.map((row) => pickMembers(row, fields)) : maskedRows;
  const print = (text: string) => terminal.out(masking.mask(text));
  const chosenFormat = json ? 'json' : (format ?? 'table');
  if (chosenFormat !== 'table') {
    const document = {
      formatVersion: '1.0',
      [subjectType]: subject,
      objects: chosenRows.map(jsonValue),
      more: hasMore ? true : undefined,
    };
    print(chosenFormat === 'json' ? jsonText(document) : formatPlainYaml(document));
    return;
  }
  if (rows.length === 0) terminal.say(`There is no ${subject}.`);
  else if (isSingle && rows.length === 1) print(fieldsText(chosenRows[0]!, terminal.outStyle));
  else print(tableText(chosenRows, fields ?? columns, terminal.outStyle));
  if (hasMore) terminal.say('There are more: raise --limit to show them.');
}

/**
 * Replaces texts of listed objects that contain a secret from the environment of this run, because the platform may return it under a name
 * that is not secret.
 */
function maskSecrets(rows: PrintedRows['rows'], { run }: Terminal): PrintedRows['rows'] {
  const isSecret = createSecretFinder(environmentSecrets(run.host));
  return mapTree(rows, (value) => {
    if (typeof value === 'string') return isSecret(value) ? '(secret)' : value;
    return value instanceof Sealed || isHole(value) ? value : visitMembers;
  }) as PrintedRows['rows'];
}

const pickMembers = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

/** The options of `get`. `wait` has most of them. */
export interface GetOptions extends AccountOptions, ScopeOptions, RowsOptions {
  of?: string;
  where?: string[];
  limit: number;
  list?: boolean;
  watch?: boolean;
  timeout: number;
  ledger?: string;
  color?: boolean;
}

/** Adds the options of `get` and `wait` that select objects of a lookup, such as `--of projects/web` for the deployments of one project. */
export function withObjectSelection(command: Command): Command {
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

/** Returns `--timeout`, for commands that watch or wait. */
export const timeoutOption = (): Option =>
  new Option('--timeout <seconds>', 'how long to wait').argParser(number(0)).default(900);

/** Returns the problem with a name or glob of `get` or `wait` that matches no object. A list without a name may be empty, but a name should match. */
export const noMatchProblem = (subject: string, name: string) =>
  problem('asked/none', `there is no ${subject} ${JSON.stringify(name)} in the account`, {
    hint: `\`trueup get ${subject}\` lists the existing ones`,
  });

/**
 * Prints the actions (one-off operations) or the lookups (queries) that exist, for `run --list` and `get --list`, or describes the one with
 * the given name. Throws `Problems` for an unknown name.
 */
export function printActionsOrLookups(
  summaries: readonly (ActionSummary | LookupSummary)[],
  name: string | undefined,
  listName: 'actions' | 'lookups',
  { json }: { json?: boolean },
  terminal: Terminal,
): void {
  const { outStyle: style } = terminal;
  const print = (document: object, text: string) =>
    terminal.out(json ? jsonText({ formatVersion: '1.0', ...document }) : text);
  if (name === undefined) print({ [listName]: summaries }, formatActionsOrLookups(summaries, style));
  else {
    const byName = new Map(summaries.map((summary) => [summary.name, summary]));
    const [noun, command] = listName === 'actions' ? ['action', 'run'] : ['lookup', 'get'];
    const summary = requireNamed(name, byName, noun, `trueup ${command} --list`);
    print(summary, formatActionOrLookup(summary, style));
  }
}
