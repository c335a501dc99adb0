import type { Command } from 'commander';
import type { ChangedFile } from '../accept/changed-files.ts';
import { type Fate, type RemoveOptions, type RemovePort, removeObjects } from '../app/removing.ts';
import type { Provider } from '../kind/provider.ts';
import { formatDeletingEntries, type RemovedContainer } from '../remove/removed-entries.ts';
import { count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { confirmFiles } from './confirm-files.ts';
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

/**
 * Returns a terminal for `trueup remove`, with its question before it writes YAML. `--auto-approve` answers it with `release`: the entries
 * of `removed:` then release containers, such as projects, because a deleted one is lost with everything in it. To delete them, the user
 * edits the entries.
 */
const removePort = (terminal: Terminal, { autoApprove, stage }: RemoveOptions): RemovePort => ({
  ...terminal,
  async decide(files, containers) {
    const deletingEntries = formatDeletingEntries(containers, stage);
    if (autoApprove) {
      if (containers.length > 0) terminal.say(describeRelease(containers, deletingEntries));
      return 'release';
    }
    if (containers.length > 0 && terminal.canAsk)
      return askForFate(terminal, files, containers, deletingEntries);
    return (await confirmFiles(terminal, files, 'remove')) ? 'release' : undefined;
  },
});

/** Explains the counts of `remove`, which reads no account: there, a project usually has variables and domains that nobody declared. */
const countNote =
  '`objects` counts the declared ones. If the account has more in it, the plan is rejected and prints the number to write.';

/**
 * Returns the message of `trueup remove` about released containers, such as projects: that they stay in the account, and the lines that
 * delete them instead, with a note on the counts in these lines.
 */
const describeRelease = (containers: readonly RemovedContainer[], deletingEntries: string): string => {
  const pronoun = containers.length === 1 ? 'it' : 'them';
  return `The next apply stops managing ${listOf(containers)}, and deletes nothing. To delete ${pronoun} instead, change \`removed\` to:\n${deletingEntries}\n${countNote}`;
};

/** Lists containers by their addresses, for messages. */
const listOf = (containers: readonly RemovedContainer[]): string =>
  containers.map(({ address }) => address).join(', ');

/**
 * Asks what the next apply does with removed containers, such as projects, and shows the entries that would delete them. Any other answer
 * than one of the two declines, because one of them destroys data.
 */
async function askForFate(
  terminal: Terminal,
  files: readonly ChangedFile[],
  containers: readonly RemovedContainer[],
  deletingEntries: string,
): Promise<Fate | undefined> {
  const pronoun = containers.length === 1 ? 'it' : 'them';
  const objects = containers.reduce((sum, container) => sum + container.objects, 0);
  terminal.say(
    [
      `Write ${count(files.length, 'file')}? Choose what the next apply does in the account with ${listOf(containers)}:`,
      `  release  deletes nothing, and stops managing ${pronoun} (as shown above)`,
      `  delete   deletes ${pronoun} with everything inside: ${count(objects, 'declared object')}, and the plan is rejected if the account has more. Written instead of the entries shown above:`,
      deletingEntries,
    ].join('\n'),
  );
  const answer = await terminal.ask('Type `release` or `delete`, or anything else to write nothing: ');
  if (answer === 'delete' || answer === 'release') return answer;
  terminal.say('Nothing was written.');
  terminal.run.exitCode = 1;
  return undefined;
}
