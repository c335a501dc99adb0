import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { lookupList } from '../manual/day-two-list.ts';
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
    .argument('[name]', 'one of them, or a glob: `web`, `site-*`, `projects/web/**`')
    .addOption(new Option('--format <format>', 'how it is printed').choices(formats).default('table'))
    .option('--json', 'the same as --format json')
    .option('--fields <names>', 'only these fields, with commas', (text, all?: string[]) =>
      collect(text, all).flatMap((one) => one.split(',')),
    )
    .option('--limit <n>', 'how many of a list at most', number(1), 20)
    .option('--list', 'show all lookups, or all about the one that is named')
    .option('--watch', 'go on looking while it is in motion; Ctrl-C ends that')
    .addOption(timeoutOption())
    .action(async (what: string | undefined, name: string | undefined, options: GetOptions) => {
      const terminal = terminalFor(run, options);
      const { lookups } = await provider.dayTwo();
      if (options.list) return printDayTwo(lookupList(lookups), what, 'lookups', options, terminal);
      if (what === undefined)
        throw new Problems([
          problem('asked/missing', 'nothing says what to get', {
            hint: 'a kind (`trueup kinds`) or a lookup (`trueup get --list`)',
          }),
        ]);
      const kind = lookups.has(what) ? undefined : provider.kinds.find((one) => one.name === what);
      const all = new Map([...provider.kinds.map((one) => [one.name, undefined] as const), ...lookups]);
      const lookup = kind ? undefined : named(what, all, 'kind or lookup', 'trueup get --list')!;
      if (kind) {
        if (options.watch || options.where || options.of !== undefined)
          throw new Problems([
            problem('asked/kind', `${what} is a kind: --watch, --where and --of are for lookups`, {
              hint: `name what is meant by its address: \`trueup get ${what} 'projects/web/**'\``,
            }),
          ]);
        return getKind(provider, kind, name, options, terminal);
      }
      if (!lookup) throw new Error(`${what} is neither a kind nor a lookup`);
      await getLookup(provider, lookup, name, options, terminal);
    });
}
