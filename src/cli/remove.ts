import type { Command } from 'commander';
import { type RemoveOptions, type RemovePort, removeObjects } from '../app/removing.ts';
import type { Provider } from '../kind/provider.ts';
import { problem } from '../model/diagnostic.ts';
import { count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { withConfiguration, withSources } from './options.ts';

/** Declares `trueup remove`. It removes objects from the YAML, because a block that is simply deleted can leave references to it behind. */
export function removeCommand(command: Command, provider: Provider, run: CommandRun): void {
  withSources(withConfiguration(command))
    .argument('<addresses...>', 'what to remove: addresses or address globs')
    .option('--auto-approve', 'write without asking')
    .action((addresses: string[], options: RemoveOptions) =>
      removeObjects(provider, addresses, options, removePort(terminalFor(run, options), options)),
    );
}

/** Returns a terminal for `trueup remove`, with its question before it writes YAML (`--auto-approve` answers it). */
const removePort = (terminal: Terminal, { autoApprove }: RemoveOptions): RemovePort => ({
  ...terminal,
  confirm: async (files) =>
    autoApprove ||
    isYes(terminal, {
      question: `Write ${count(files.length, 'file')}?`,
      no: 'Nothing was written.',
      unattended: problem(
        'cli/unattended',
        'remove needs a terminal or --auto-approve; nothing was written',
        { hint: 'pass --auto-approve where the diff is reviewed later, as in a pull request' },
      ),
    }),
});
