import type { Configuration } from '../../config/configuration.ts';
import { load } from '../../config/load.ts';
import { extractCommit } from '../../git/commits.ts';
import { ConfigurationReader } from '../../history/configuration-reader.ts';
import { type OpenHistory, openHistory } from '../../history/read-history.ts';
import { findUndoBase, type UndoBase } from '../../history/undo-base.ts';
import {
  findCommitTarget,
  findRunTarget,
  readUndoneCommit,
  type UndoTarget,
  warnOfLaterChanges,
  warnOfPartialRun,
} from '../../history/undo-target.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors, problem, raise } from '../../model/diagnostic.ts';
import { type PreparedUndo, prepareUndo } from '../../plan/prepare-undo.ts';
import type { ApplyCommandOptions } from '../planning/plan-options.ts';
import type { Port, Run } from '../port.ts';
import { createLoadOptions, createSources, loadForRun } from '../session/load-configuration.ts';
import { openSession } from '../session/open-session.ts';
import { requireWritable, type Session } from '../session/session.ts';
import type { StackAccounts } from '../session/stack-accounts.ts';
import type { StackOptions } from '../stack-options.ts';
import { Undoing } from './undoing.ts';

/** What `undo` goes back from: a run by its number, or a commit by its full id. */
export type UndoSubject = { run: number } | { commit: string };

/**
 * Prepares the undo of a run or commit in one stack: finds its changes and the configuration from before, and opens a session on that configuration.
 * `accounts`: those of the command if it undoes a commit in several stacks. `onHistory`: called with the history before the run or commit is looked
 * up, so that the command can report doubts about it. Throws `Problems` if it cannot be undone.
 */
export async function openUndo(
  subject: UndoSubject,
  provider: Provider,
  options: ApplyCommandOptions,
  port: Port,
  { accounts, onHistory }: { accounts?: StackAccounts; onHistory?(history: OpenHistory): void } = {},
): Promise<Undoing> {
  const { run } = port;
  const loaded = await loadForRun(provider, options, port);
  const { stack } = loaded.configuration.desired;
  const history = await openHistory(stack, options, run.host);
  onHistory?.(history);
  const reader = new ConfigurationReader({
    stack,
    today: loaded.configuration,
    configurationAt: (commit) => loadConfigurationAt(commit, provider, options, run),
  });
  const target =
    'run' in subject
      ? findRunTarget(subject.run, history)
      : findCommitTarget(await readUndoneCommit(subject.commit, reader, run.host), history);
  const base = await findUndoBase({ target, reader, kinds: kindsOf(provider.kinds), host: run.host });
  const session = await openSession(provider, options, port, {
    writes: true,
    guards: 'apply',
    loaded: { ...loaded, configuration: base.configuration },
    accounts,
  });
  try {
    requireWritable(session, options);
    const undo = prepareNotedUndo(session, target, base, history);
    const forgetReads = () => accounts?.forgetReads();
    return new Undoing({ session, undo, target, base, options, port, forgetReads });
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * Prepares what to declare for `trueup undo`, with notes for the user about everything that it may revert besides the run, such as later changes
 * of the same fields.
 */
function prepareNotedUndo(
  { kinds, ledger }: Session,
  { changes, record, previous }: UndoTarget,
  base: UndoBase,
  history: OpenHistory,
): PreparedUndo {
  const undo = prepareUndo({
    changes,
    desiredBefore: base.configuration.desired,
    desiredOfRun: base.configurationOfRun.desired,
    ledger,
    kinds,
  });
  const laterChanges = warnOfLaterChanges(undo, record.head.run, history);
  return { ...undo, notes: [...undo.notes, ...base.notes, ...laterChanges, ...warnOfPartialRun(previous)] };
}

/**
 * Loads the configuration that the files of a commit declare, for `undo`. It may read the sources that are allowed today. Throws `Problems` with all of
 * its errors.
 */
async function loadConfigurationAt(
  commit: string,
  provider: Provider,
  options: StackOptions,
  run: Run,
): Promise<Configuration> {
  const { host } = run;
  const files = await extractCommit(commit, host);
  try {
    const sources = createSources(options, { env: host.env, cwd: files.cwd }, undefined, files.tracking);
    const configuration = await load({
      ...createLoadOptions(provider, options, run),
      cwd: files.cwd,
      sources,
    });
    const diagnostics = [...configuration.diagnostics, ...configuration.notAllowed];
    if (!hasErrors(diagnostics)) return configuration;
    raise([
      problem(
        'undo/configuration',
        `the configuration at ${commit.slice(0, 12)} cannot be read in its original form`,
        {
          hint: 'pass the same --stage, --var, --var-file and --file as that run',
        },
      ),
      ...diagnostics.filter(({ severity }) => severity === 'error'),
    ]);
  } finally {
    await files.remove();
  }
}
