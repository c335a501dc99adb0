import type { Command } from 'commander';
import type { StackOptions } from '../app/stack-options.ts';
import { findPermissions } from '../doctor/command/examining.ts';
import type { Provider } from '../kind/provider.ts';
import { isSufficient, permissionsText } from '../permissions/check-needs.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { withConfiguredAccount } from './options.ts';

interface PermissionsOptions extends StackOptions {
  check?: boolean;
  json?: boolean;
}

/** Declares `trueup permissions`, which lists what each command needs with a configuration, so that CI jobs get the least token. */
export function permissionsCommand(command: Command, provider: Provider, run: CommandRun): void {
  withConfiguredAccount(command)
    .option('--check', 'compare with the token in use; exit with 1 if it is refused')
    .option('--json', 'print one JSON document')
    .action(async ({ json, ...options }: PermissionsOptions) => {
      const terminal = terminalFor(run, options);
      const { needs, checks } = await findPermissions(provider, options, terminal);
      terminal.out(
        json
          ? jsonText({ formatVersion: '1.0', commands: needs, checks })
          : permissionsText(needs, checks, terminal.outStyle),
      );
      if (checks && !isSufficient(checks)) run.exitCode = exitCodes.failed;
    });
}
