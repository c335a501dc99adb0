import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { formatOption, jsonOption } from './formats.ts';
import type { Run } from './host.ts';
import { withColor } from './options.ts';

/** Reports of what was made in parts. */
export function reportCommand(report: Command, provider: Provider, run: Run): void {
  withColor(report.command('merge'))
    .description('show the plans of several stacks, each saved by `plan --out`, as one report')
    .argument(
      '<files...>',
      'saved plans; one that is missing or empty stands for a stack that could not be planned',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', 'cut nothing')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action(async (files: string[], options) =>
      (await import('./merge-reports.ts')).mergeReports(provider, files, options, run),
    );
}
