import { type Command, Option } from 'commander';
import { standingOf } from '../action/rows.ts';
import { createLookupReader, refuseUnknownFields } from '../app/actions/create-lookup-reader.ts';
import { openReadOnlyAccount, requireNamed } from '../app/actions/read-only-account.ts';
import { mayContainMatch } from '../app/exporting/observe-account.ts';
import { sealAccountSecrets } from '../app/session/seal-account-secrets.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import { normalAddressGlob } from '../kind/address-spelling.ts';
import { lineage } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { lookupList } from '../manual/day-two.ts';
import { byAddress, lastNameOf } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { emptyLedger } from '../model/ledger.ts';
import { readOnly } from '../model/request.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import { splitPairs } from './api-request.ts';
import type { CommandRun } from './command-run.ts';
import { followLookup } from './follow-lookup.ts';
import { collect, number } from './options.ts';
import {
  formats,
  type GetOptions,
  noneOf,
  printDayTwo,
  printRows,
  timeoutOption,
  withWanted,
} from './print-rows.ts';
import { type Terminal, terminalFor } from './terminal.ts';

/** Shows what is in the account: objects of a kind, or what a lookup tells. */
export function getCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWanted(command)
    .argument('[lookup]', 'a kind or a lookup: `project`, `deployment`')
    .argument('[name]', 'a single object, or a glob: `web`, `site-*`, `projects/web/**`')
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'))
    .option('--json', 'same as --format json')
    .option('--fields <names>', 'only these fields, comma-separated', (text, all?: string[]) =>
      collect(text, all).flatMap((one) => one.split(',')),
    )
    .option('--limit <n>', 'maximum number of rows', number(1), 20)
    .option('--list', 'list all lookups, or describe the named one')
    .option('--watch', 'keep watching while it changes; Ctrl-C to stop')
    .addOption(timeoutOption())
    .action(async (what: string | undefined, name: string | undefined, options: GetOptions) => {
      const terminal = terminalFor(run, options);
      const { lookups } = await provider.dayTwo();
      if (options.list) return printDayTwo(lookupList(lookups), what, 'lookups', options, terminal);
      if (what === undefined)
        throw new Problems('asked/missing', 'no kind or lookup given', {
          hint: 'name a kind (`trueup kinds`) or a lookup (`trueup get --list`)',
        });
      const kind = lookups.has(what) ? undefined : provider.kinds.find((kind) => kind.name === what);
      const all = new Map([...provider.kinds.map((kind) => [kind.name, undefined] as const), ...lookups]);
      const lookup = kind ? undefined : requireNamed(what, all, 'kind or lookup', 'trueup get --list')!;
      if (kind) {
        if (options.watch || options.where || options.of !== undefined)
          throw new Problems('asked/kind', `${what} is a kind: --watch, --where and --of are for lookups`, {
            hint: `select by address instead: \`trueup get ${what} 'projects/web/**'\``,
          });
        return getKind(provider, kind, name, options, terminal);
      }
      if (!lookup) throw new Error(`${what} is neither a kind nor a lookup`);
      await getLookup(provider, lookup, name, options, terminal);
    });
}

/** Prints the objects of a kind, as a configuration would have them. Secrets are not shown. Throws `Problems`. */
async function getKind(
  provider: Provider,
  kind: Kind,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  refuseUnknownFields(options.fields ?? [], ['address', ...Object.keys(kind.fields)], { what: kind.name });
  const reading = await openReadOnlyAccount(provider, options, terminal);
  try {
    const { kinds, connection, configuration, owner, baseUrl, masking } = reading;
    const way = new Set(lineage(kinds, kind.name).map((kind) => kind.name));
    const isAddress = name?.includes('/') ?? false;
    const found = await observe(
      { stack: '', resources: new Map(), inputs: [], folders: [] },
      emptyLedger('', '', ''),
      kinds,
      readOnly(connection.send),
      {
        facts: owner.facts,
        also: (kind, parent) => way.has(kind.name) && (!isAddress || mayContainMatch(kind, parent, [name!])),
      },
    );
    const known = { owner, baseUrl, twin: options.twin ?? false };
    const live = await sealAccountSecrets(
      found,
      kinds,
      configuration,
      known,
      host,
      sourcesFor(options, host),
    );
    const test = name === undefined ? () => true : matcherOf([normalAddressGlob(name, kinds)]);
    const isMeant = (address: string) => test(isAddress ? address : lastNameOf(address));
    const rows = [...live.resources.values()]
      .filter((resource) => resource.kind === kind.name && isMeant(resource.address))
      .sort(byAddress)
      .map(({ address, fields }) => ({ address, ...fields }));
    refuseUnread(live, kind, rows.length);
    const shown = rows.slice(0, options.limit);
    const columns = ['address', ...Object.keys(kind.fields).slice(0, 6)];
    printRows(
      {
        what: kind.name,
        key: 'kind',
        rows: shown,
        columns,
        isMore: rows.length > shown.length,
        isOne: rows.length === 1,
      },
      options,
      masking,
      terminal,
    );
    if (rows.length === 0 && name !== undefined) throw noneOf(kind.name, name);
  } finally {
    await reading.close();
  }
}

/** A list that could not be read has no objects to show, and is not empty. */
function refuseUnread({ unreadable }: Live, { name }: Kind, count: number): void {
  const unread = [...unreadable].filter(([id]) => collectionParts(id)[1] === name || count === 0);
  if (unread.length === 0) return;
  throw new Problems(
    unread.map(([id, { why, cause }]) => {
      const [address] = collectionParts(id);
      return problem('asked/unread', `${address ?? 'the account'}: its ${name} cannot be read: ${why}`, {
        address,
        alike: { cause, are: `lists of ${name} cannot be read (${cause})` },
      });
    }),
  );
}

/** Prints what a lookup tells; with `--watch` once what is in motion rests. Throws `Problems`. */
async function getLookup(
  provider: Provider,
  lookup: Lookup,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { name: what, items, output } = lookup;
  refuseUnknownFields(options.fields ?? [], Object.keys(output), { what });
  if (options.watch && !lookup.end)
    throw new Problems('wait/endless', `${what} has no end state, so there is nothing to watch`, {
      hint: 'drop --watch',
    });
  const reading = await openReadOnlyAccount(provider, options, terminal);
  try {
    const wanted = { name, of: options.of, where: splitPairs(options.where), limit: options.limit };
    const read = await createLookupReader(lookup, wanted, reading);
    const columns = lookup.columns ?? Object.keys(output);
    const found = options.watch
      ? await followLookup(lookup, read, {
          terminal,
          columns: options.fields ?? columns,
          within: options.timeout * 1000,
          // Until all of them rest.
          stand: (rows) =>
            rows.some((row) => standingOf(row, lookup, []) === 'under way') ? 'under way' : 'reached',
        })
      : await read();
    const { rows, isMore } = found;
    const isOne = items === undefined || rows.length === 1;
    printRows({ what, key: 'lookup', rows, columns, isMore, isOne }, options, reading.masking, terminal);
    if (rows.length === 0 && name !== undefined) throw noneOf(what, name);
  } finally {
    await reading.close();
  }
}
