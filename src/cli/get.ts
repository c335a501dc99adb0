import { type Command, Option } from 'commander';
import { createLookupReader, refuseUnknownFields } from '../action/create-lookup-reader.ts';
import { readKindRows } from '../action/find-subject.ts';
import { type LookupRow, progressOf } from '../action/read-lookup.ts';
import { splitPairs } from '../api/call-input.ts';
import { openReadOnlyAccount, type ReadOnlyAccount } from '../app/actions/read-only-account.ts';
import { createSources } from '../app/session/load-configuration.ts';
import { requireNamed } from '../config/suggest.ts';
import { sealAccountSecrets } from '../export/seal-account-secrets.ts';
import type { Kind } from '../kind/kind.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { lookupList } from '../manual/day-two.ts';
import { raise } from '../model/diagnostic.ts';
import type { Live } from '../model/resource.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { followLookup } from '../terminal/follow-lookup.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { collect, number } from './options.ts';
import {
  formats,
  type GetOptions,
  noMatchProblem,
  printActionsOrLookups,
  printRows,
  timeoutOption,
  withObjectSelection,
} from './print-rows.ts';

/** Declares `trueup get`, which prints objects of the account: those of a kind, or those of a lookup, such as deployments. */
export function getCommand(command: Command, provider: Provider, run: CommandRun): void {
  withObjectSelection(command)
    .argument('[lookup]', 'a kind or a lookup: `project`, `deployment`')
    .argument('[name]', 'a single object, or a glob: `web`, `site-*`, `projects/web/**`')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'))
    .option('--json', 'same as --format json')
    .option('--fields <names>', 'only these fields, comma-separated', (text, earlier?: string[]) =>
      collect(text, earlier).flatMap((names) => names.split(',')),
    )
    .option('--limit <n>', 'maximum number of rows', number(1), 20)
    .option('--list', 'list all lookups, or describe the named one')
    .option('--watch', 'keep watching while it changes; Ctrl-C to stop')
    .addOption(timeoutOption())
    .action((subject: string | undefined, name: string | undefined, options: GetOptions) =>
      printSubject(subject, name, provider, options, terminalFor(run, options)),
    );
}

/**
 * Prints objects for `trueup get`. `subject`: the name of a kind (objects that a configuration can declare) or of a lookup (a query, such
 * as `deployments`); a lookup comes before a kind of the same name. `name`: selects objects. Throws `Problems` if there is no such kind,
 * lookup or object, or if an option does not fit.
 */
async function printSubject(
  subject: string | undefined,
  name: string | undefined,
  provider: Provider,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { lookups } = await provider.actionsAndLookups();
  if (options.list) return printActionsOrLookups(lookupList(lookups), subject, 'lookups', options, terminal);
  if (subject === undefined)
    raise('asked/missing', 'no kind or lookup given', {
      hint: 'name a kind (`trueup kinds`) or a lookup (`trueup get --list`)',
    });
  const subjects = new Map<string, { kind?: Kind; lookup?: Lookup }>([
    ...provider.kinds.map((kind) => [kind.name, { kind }] as const),
    // Later entries win, so that a lookup comes before a kind of the same name.
    ...[...lookups].map(([lookupName, lookup]) => [lookupName, { lookup }] as const),
  ]);
  const { kind, lookup } = requireNamed(subject, subjects, 'kind or lookup', 'trueup get --list');
  if (lookup) return printLookup(provider, lookup, name, options, terminal);
  if (options.watch || options.where || options.of !== undefined)
    raise('asked/kind', `${subject} is a kind: --watch, --where and --of are for lookups`, {
      hint: `select by address instead: \`trueup get ${subject} 'projects/web/**'\``,
    });
  await printKind(provider, kind!, name, options, terminal);
}

/** Prints the objects of a kind for `trueup get`, as a configuration would have them, without secrets. Throws `Problems` if a name matches no object. */
async function printKind(
  provider: Provider,
  kind: Kind,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  refuseUnknownFields(options.fields ?? [], ['address', ...Object.keys(kind.fields)], { what: kind.name });
  const reading = await openReadOnlyAccount(provider, options, terminal);
  try {
    const rows = await readKindRows(kind, name, reading, await createSealer(reading, options, terminal));
    const shown = {
      subject: kind.name,
      subjectType: 'kind' as const,
      rows: rows.slice(0, options.limit),
      columns: ['address', ...Object.keys(kind.fields).slice(0, 6)],
      hasMore: rows.length > options.limit,
      isSingle: rows.length === 1,
    };
    printRows(shown, options, reading.masking, terminal);
    if (rows.length === 0 && name !== undefined) raise(noMatchProblem(kind.name, name));
  } finally {
    await reading.close();
  }
}

/** Creates the function which seals (hides) the values of an account that may be secrets, by the configuration here and its ledger. */
async function createSealer(
  { configuration, kinds, owner, baseUrl }: ReadOnlyAccount,
  options: GetOptions,
  terminal: Terminal,
): Promise<(live: Live) => Promise<Live>> {
  const { host } = terminal.run;
  const sources = createSources(options, host);
  const ledgerChoice = await settleLedger({ twin: options.twin }, { configuration, sources }, terminal);
  const account = { owner, baseUrl, ledgerChoice };
  return (live) => sealAccountSecrets(live, kinds, configuration, account, host, sources);
}

/**
 * Prints the objects of a lookup (a query, such as `deployments`) for `trueup get`. With `--watch`, shows every change, and prints when all
 * objects have come to rest, or the time is over. Throws `Problems` if a name matches no object, or if the lookup has nothing to watch.
 */
async function printLookup(
  provider: Provider,
  lookup: Lookup,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { name: lookupName, items, output } = lookup;
  refuseUnknownFields(options.fields ?? [], Object.keys(output), { what: lookupName });
  if (options.watch && !lookup.end)
    raise('wait/endless', `${lookupName} has no end state, so there is nothing to watch`, {
      hint: 'drop --watch',
    });
  const reading = await openReadOnlyAccount(provider, options, terminal);
  try {
    const selection = { name, subject: options.of, where: splitPairs(options.where), limit: options.limit };
    const read = await createLookupReader(lookup, selection, reading);
    const columns = lookup.columns ?? Object.keys(output);
    const following = {
      terminal,
      columns: options.fields ?? columns,
      within: options.timeout * 1000,
      progressOf: createJointProgress(lookup),
    };
    const { rows, isMore } = options.watch ? await followLookup(lookup, read, following) : await read();
    const shown = {
      subject: lookupName,
      subjectType: 'lookup' as const,
      rows,
      columns,
      hasMore: isMore,
      isSingle: items === undefined || rows.length === 1,
    };
    printRows(shown, options, reading.masking, terminal);
    if (rows.length === 0 && name !== undefined) raise(noMatchProblem(lookupName, name));
  } finally {
    await reading.close();
  }
}

/** Returns a function for `get --watch`, which ends at `reached`: as soon as all objects of a lookup have come to rest. */
const createJointProgress = (lookup: Lookup) => (rows: readonly LookupRow[]) =>
  rows.some((row) => progressOf(row, lookup) === 'under way') ? 'under way' : 'reached';
