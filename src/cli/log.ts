import type { Command } from 'commander';
import { createSources, loadConfiguration } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { formatLog, toLogJson } from '../history/log-text.ts';
import { type OpenHistory, openHistory, parseRunNumber, unknownRunProblem } from '../history/read-history.ts';
import type { RunRecord } from '../history/record.ts';
import { parseLogTime, selectLogEntries } from '../history/select-log-entries.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { raise } from '../model/diagnostic.ts';
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
  const since = options.since === undefined ? undefined : parseLogTime(options.since, run.host.clock.now());
  const number = options.run === undefined ? undefined : parseRunNumber(options.run);
  const sources = createSources(options, run.host);
  const configuration = await loadConfiguration(provider, options, run, { sources, isOnlyShown: true });
  const { stack } = configuration.desired;
  const ledgerChoice = await settleLedger(options, { configuration, sources }, terminal);
  const history = await openHistory(stack, ledgerChoice, run.host);
  const { records } = history;
  if (number !== undefined && !records.some(({ head }) => head.run === number))
    raise(unknownRunProblem(number, history));
  const entries = selectLogEntries(records, { number, since, glob }).reverse();
  sayDoubts(history, terminal);
  if (options.json) return terminal.out(jsonText(toLogJson(entries, history.doubts, stack)));
  const details = glob !== undefined || number !== undefined;
  terminal.out(formatLog(entries, { style: terminal.outStyle, details, hasKey: history.key !== undefined }));
  if (glob !== undefined) sayWithoutChanges(records, terminal);
  if (entries.length === 0)
    terminal.say(records.length === 0 ? 'No runs are recorded yet.' : 'No run matches.');
}

/**
 * Says for `trueup log ADDRESS` up to which run the history has no changes any more, so that it cannot know which of these runs changed the
 * address.
 */
function sayWithoutChanges(records: readonly RunRecord[], terminal: Terminal): void {
  const newest = records.findLast(({ details }) => !details);
  if (newest) terminal.say(`What run ${newest.head.run} and earlier runs changed is no longer kept.`);
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
