import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { annotate } from './actions-run.ts';
import { type StackOptions, withConfiguration } from './options.ts';
import { loadConfiguration } from './session.ts';
import { terminalFor } from './terminal.ts';

export function validateCommand(program: Command, provider: Provider): void {
  withConfiguration(program.command('validate'))
    .description('check the configuration, without an account and without secrets')
    .option('--twin', 'accepted as everywhere; no account is asked')
    .action(async (options: StackOptions) => {
      const terminal = terminalFor(options);
      const { desired, diagnostics } = await loadConfiguration(provider, options);
      terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
      annotate(diagnostics, terminal);
      terminal.out(
        `The configuration is valid: ${count(desired.resources.size, 'resource')} in ${count(desired.inputs.length, 'file')}.`,
      );
    });
}
