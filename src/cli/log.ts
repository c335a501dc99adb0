import type { Command } from 'commander';
import { createSources, loadConfiguration } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { formatLog, type LogEntry, toLogJson } from '../history/log-text.ts';
import { type OpenHistory, openHistory, parseRunNumber, unknownRunProblem } from '../history/read-history.ts';
import type { RunRecord } from '../history/record.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { raise } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { jsonText } from '../report/show.ts';
import { cleanLine } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { withConfiguration, withLedgerPlace, withSources } from './options.ts';

interface LogOptions extends StackOptions {
  since?: string;
  run?: string;
  json?: boolean;
}

/** Declares `trueup log`, which shows the recorded runs of a stack, newest first. */
export function logCommand(command: Command, provider: Provider, run: CommandRun): void {
  const configured = withSources(withConfiguration(command))
    .argument('[address-glob]', 'only runs that changed this, and only those changes')
    .option('--since <time>', 'only runs since: `2026-01-31`, `2026-01-31T12:00:00Z`, `3d`, `12h`')
    .option('--run <run>', 'only this run, with everything it changed')
    .option('--json', 'as JSON');
  withLedgerPlace(configured).action((glob: string | undefined, options: LogOptions) =>
    printLog(glob, provider, options, run),
  );
}

/** Prints the runs of a stack's history for `trueup log`. `glob`: only the runs that changed a matching address. Throws `Problems` for an unknown run. */
async function printLog(
  glob: string | undefined,
  provider: Provider,
  options: LogOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const since = options.since === undefined ? undefined : parseTime(options.since, run.host.clock.now());
  const number = options.run === undefined ? undefined : parseRunNumber(options.run);
  const sources = createSources(options, run.host);
  const configuration = await loadConfiguration(provider, options, run, { sources, isOnlyShown: true });
  const { desired } = configuration;
  const ledgerChoice = await settleLedger(options, { configuration, sources }, terminal);
  const history = await openHistory(desired.stack, ledgerChoice, run.host);
  const { records, doubts, key } = history;
  if (number !== undefined && !records.some(({ head }) => head.run === number))
    raise(unknownRunProblem(number, history));
  const entries = selectLogEntries(records, { number, since, glob }).reverse();
  sayDoubts(history, terminal);
  if (options.json) return terminal.out(jsonText(toLogJson(entries, doubts, desired.stack)));
  const isDetailed = glob !== undefined || number !== undefined;
  terminal.out(
    formatLog(entries, { style: terminal.outStyle, details: isDetailed, hasKey: key !== undefined }),
  );
  // The oldest records are kept without their changes, so a glob cannot find these.
  const newestWithoutDetails = records.findLast(({ details }) => !details);
  if (glob !== undefined && newestWithoutDetails)
    terminal.say(`What run ${newestWithoutDetails.head.run} and earlier runs changed is no longer kept.`);
  if (entries.length === 0)
    terminal.say(records.length === 0 ? 'No runs are recorded yet.' : 'No run matches.');
}

/**
 * Selects the runs for `trueup log`, oldest first, that fulfil all conditions: the run with `number`, those that ended at `since` (milliseconds)
 * or later, or began then if they have no end, and those with a change at an address that `glob` matches. Only the matching changes are included.
 */
function selectLogEntries(
  records: readonly RunRecord[],
  { number, since, glob }: { number?: number; since?: number; glob?: string },
): LogEntry[] {
  const matches = glob === undefined ? () => true : createAddressMatcher([glob]);
  return records
    .filter(({ head }) => number === undefined || head.run === number)
    .filter(({ head }) => since === undefined || Date.parse(head.end ?? head.start) >= since)
    .map((record) => ({
      record,
      changes: record.details?.changes.filter(({ address }) => matches(address)) ?? [],
    }))
    .filter(({ changes }) => glob === undefined || changes.length > 0);
}

const secondsOfUnit: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Parses the time of `log --since` to milliseconds: a date, a time, or an age such as `3d` before `now`. Throws `Problems` for other texts. */
function parseTime(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * secondsOfUnit[unit!]! * 1000;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  raise('history/since', `--since: cannot parse ${JSON.stringify(text)}`, {
    hint: 'use a date (`2026-01-31`), a time (`2026-01-31T12:00:00Z`) or an age: `30m`, `12h`, `3d`, `2w`',
  });
}

/** Warns that a history cannot be fully trusted, before `log`, `blame` or `undo` uses it: there is no key to verify it, or records are missing. */
export function sayDoubts({ doubts, key, records }: OpenHistory, terminal: Terminal): void {
  const { warn } = terminal.errStyle;
  if (records.length > 0 && !key)
    terminal.say(
      warn('Not verified: no key here. Anyone with write access to the store could have written this.'),
    );
  for (const doubt of doubts) terminal.say(warn(cleanLine(`The history is incomplete: ${doubt}.`)));
}
