import type { Command } from 'commander';
import { acceptChanges } from '../accept/command/accept-changes.ts';
import type { AcceptOptions, AcceptPort } from '../accept/command/accept-run.ts';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { confirmFiles } from './confirm-files.ts';
import { problemsCode } from './exit-codes.ts';
import { collect, withAccount } from './options.ts';

/** Declares `trueup accept`. It writes changes that were made outside into the YAML, because the next apply would revert them. */
export function acceptCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument('[addresses...]', 'what to accept: addresses or address globs')
    .option('--all', 'everything that was changed outside since the last apply')
    .option('--auto-approve', 'write without asking')
    .option(
      '--values <address-glob>',
      'write the values of these variables even though they may be secrets; repeatable',
      collect,
    )
    .option(
      '--new <address-glob>',
      'also declare live objects that are not declared yet; repeatable',
      collect,
    )
    .action((addresses: string[], options: AcceptOptions) =>
      acceptChanges(provider, addresses, options, acceptPort(terminalFor(run, options), options)),
    );
}

/**
 * Returns a terminal for `trueup accept`: its question before it writes YAML (`--auto-approve` answers it), and the exit code if a requested part
 * of the account could not be read.
 */
const acceptPort = (terminal: Terminal, { autoApprove }: AcceptOptions): AcceptPort => ({
  ...terminal,
  reportUnread(problems, isRequested) {
    sayDiagnostics(problems, terminal);
    if (isRequested) terminal.run.exitCode = problemsCode(problems);
  },
  confirm: async (files) => autoApprove || confirmFiles(terminal, files, 'accept'),
});
