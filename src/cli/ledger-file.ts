import { createSources, loadConfiguration } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { WrittenConfiguration } from '../config/configuration.ts';
import type { Provider } from '../kind/provider.ts';
import { createLedgerStore } from '../ledger/ledger-store.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import type { Ledger } from '../model/ledger.ts';
import { decidedByOperator, isLedgerFile } from '../stores/ledger-choice.ts';
import { openLedgerDocuments } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';

/**
 * Loads a configuration, and its ledger if that is a file of this checkout, for commands that only read and have to be fast, such as a completion. A
 * ledger in git or a store is left out, because that would take long, and so is a file that cannot be read. Throws `Problems` if the configuration has
 * errors.
 */
export async function loadWithLedgerFile(
  provider: Provider,
  options: StackOptions,
  run: CommandRun,
): Promise<{ configuration: WrittenConfiguration; ledger: Ledger | undefined }> {
  const { host } = run;
  const loading = { sources: createSources(options, host), isOnlyShown: true };
  const configuration = await loadConfiguration(provider, options, run, loading);
  // Without `ledger:`, only the place that the options, the environment or the default name: looking elsewhere would make the user wait.
  const choice = configuration.ledger
    ? await settleLedger(options, { ...loading, configuration }, { run })
    : decidedByOperator(options);
  if (!isLedgerFile(choice, host)) return { configuration, ledger: undefined };
  const documents = await openLedgerDocuments(configuration.desired.stack, choice, host);
  const ledger = await createLedgerStore(documents, { key: undefined })
    .read()
    .catch(() => undefined);
  return { configuration, ledger };
}
