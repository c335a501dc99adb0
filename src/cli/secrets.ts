import type { Command } from 'commander';
import { listSecrets } from '../app/secret-lines.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { secretsText } from '../report/rows-text.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { refuseSingleStackOptions } from './command-stacks.ts';
import { withConfiguration, withSources, withStacks } from './options.ts';

interface SecretsOptions extends StackOptions, StacksOptions {
  json?: boolean;
  check?: boolean;
}

/** Declares `trueup secrets`, which shows the source of each secret, the objects that need it, and if it is missing. No value is shown. */
export function secretsCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withSources(withConfiguration(command)))
    .option('--check', 'exit with 1 if a needed secret is missing')
    .option('--json', 'print one JSON document')
    .action(async ({ json, check, ...options }: SecretsOptions) => {
      const terminal = terminalFor(run, options);
      const isOfSeveral = namesSeveralStacks(options);
      if (isOfSeveral) refuseSingleStackOptions(options, run);
      const listed = await listSecrets(provider, options, terminal);
      const content = isOfSeveral ? { stacks: listed } : listed[0];
      if (json) terminal.out(jsonText({ formatVersion: '1.0', ...content }));
      else
        for (const { id, secrets } of listed)
          terminal.out(secretsText(secrets, { style: terminal.outStyle, stackId: id }));
      const isMissing = listed.some(({ secrets }) => secrets.some(({ state }) => state === 'missing'));
      if (check && isMissing) run.exitCode = 1;
    });
}
