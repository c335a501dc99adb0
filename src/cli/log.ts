import type { Command } from 'commander';
import { loadConfiguration } from '../app/session/load-configuration.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { openHistory, parseRunNumber, unknownRunProblems } from '../app/undoing/open-history.ts';
import { formatLog, type LogEntry, toLogJson } from '../history/log-text.ts';
import type { Provider } from '../kind/provider.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems } from '../model/diagnostic.ts';
import { jsonText } from '../report/json-value.ts';
import type { CommandRun } from './command-run.ts';
import { sayDoubts } from './ledger-texts.ts';
import { ledgerHelp, ledgerIndexOption, withConfiguration, withSources } from './options.ts';
import { terminalFor } from './terminal.ts';

interface LogOptions extends StackOptions {
  since?: string;
  run?: string;
  json?: boolean;
}

export function logCommand(command: Command, provider: Provider, run: CommandRun): void {
  withSources(withConfiguration(command))
    .argument('[address-glob]', 'only runs that changed this, and only those changes')
    .option('--since <time>', 'only runs since: `2026-01-31`, `2026-01-31T12:00:00Z`, `3d`, `12h`')
    .option('--run <run>', 'only this run, with everything it changed')
    .option('--json', 'as JSON')
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledger")
    .action(async (glob: string | undefined, options: LogOptions) => {
      const terminal = terminalFor(run, options);
      const since = options.since === undefined ? undefined : timeOf(options.since, run.host.clock.now());
      const only = options.run === undefined ? undefined : parseRunNumber(options.run);
      const sources = sourcesFor(options, run.host);
      const { desired } = await loadConfiguration(provider, options, run, { sources, isLook: true });
      const history = await openHistory(desired.stack, options, run.host);
      const { records, doubts, key } = history;
      if (only !== undefined && !records.some(({ head }) => head.run === only))
        throw unknownRunProblems(only, history);
      const fits = glob === undefined ? () => true : matcherOf([glob]);
      const entries = records.flatMap((record): LogEntry[] => {
        const { head, details } = record;
        const isMeant =
          (only === undefined || head.run === only) &&
          (since === undefined || Date.parse(head.end ?? head.start) >= since);
        const changes = details?.changes.filter(({ address }) => fits(address)) ?? [];
        return isMeant && (glob === undefined || changes.length > 0) ? [{ record, changes }] : [];
      });
      sayDoubts(history, terminal);
      entries.reverse();
      if (options.json) return terminal.out(jsonText(toLogJson(entries, doubts, desired.stack)));
      const isDetailed = glob !== undefined || only !== undefined;
      terminal.out(
        formatLog(entries, { style: terminal.outStyle, details: isDetailed, hasKey: key !== undefined }),
      );
      const short = records.filter(({ details }) => !details);
      if (glob !== undefined && short.length > 0)
        terminal.say(`What run ${short.at(-1)!.head.run} and earlier runs changed is no longer kept.`);
      if (entries.length === 0)
        terminal.say(records.length === 0 ? 'No runs are recorded yet.' : 'No run matches.');
    });
}

const sinceUnits: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** A time as people give it, in milliseconds. Throws `Problems`. */
function timeOf(text: string, now: number): number {
  const [, number, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (number !== undefined) return now - Number(number) * sinceUnits[unit!]! * 1000;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Problems('history/since', `--since: cannot parse ${JSON.stringify(text)}`, {
    hint: 'use a date (`2026-01-31`), a time (`2026-01-31T12:00:00Z`) or an age: `30m`, `12h`, `3d`, `2w`',
  });
}
