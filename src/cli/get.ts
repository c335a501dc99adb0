import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { lookupList } from '../manual/day-two.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { getKind } from './get-kind.ts';
import { getLookup } from './get-lookup.ts';
import type { Run } from './host.ts';
import { named } from './open-reading.ts';
import { collect, number } from './options.ts';
import { printDayTwo } from './print-day-two.ts';
import { formats } from './print-rows.ts';
import { terminalFor } from './terminal.ts';
import { type GetOptions, timeoutOption, withWanted } from './wanted-options.ts';

/** Shows what is in the account: objects of a kind, or what a lookup tells. */
export function getCommand(command: Command, provider: Provider, run: Run): void {
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
        throw new Problems([
          problem('asked/missing', 'no kind or lookup given', {
            hint: 'name a kind (`trueup kinds`) or a lookup (`trueup get --list`)',
          }),
        ]);
      const kind = lookups.has(what) ? undefined : provider.kinds.find((one) => one.name === what);
      const all = new Map([...provider.kinds.map((one) => [one.name, undefined] as const), ...lookups]);
      const lookup = kind ? undefined : named(what, all, 'kind or lookup', 'trueup get --list')!;
      if (kind) {
        if (options.watch || options.where || options.of !== undefined)
          throw new Problems([
            problem('asked/kind', `${what} is a kind: --watch, --where and --of are for lookups`, {
              hint: `select by address instead: \`trueup get ${what} 'projects/web/**'\``,
            }),
          ]);
        return getKind(provider, kind, name, options, terminal);
      }
      if (!lookup) throw new Error(`${what} is neither a kind nor a lookup`);
      await getLookup(provider, lookup, name, options, terminal);
    });
}
