import { type Command, Option } from 'commander';
import type { StackOptions } from '../app/stack-options.ts';
import type { SideComparison } from '../compare/compare-sides.ts';
import { groupComparison, hasDifferences, summarizeComparison } from '../compare/comparison-entries.ts';
import { comparisonText } from '../compare/comparison-text.ts';
import {
  compareNamedSides,
  isConfigurationWithItsAccount,
  type OpenedComparison,
} from '../compare/open-sides.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { jsonText } from '../report/show.ts';
import type { Style } from '../report/style.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { confirmFiles } from './confirm-files.ts';
import { exitCodes } from './exit-codes.ts';
import { jsonOption } from './formats.ts';
import { withAccount } from './options.ts';

interface DiffOptions extends StackOptions {
  detailedExitcode?: boolean;
  format?: keyof typeof comparisonFormats;
  json?: boolean;
  /** Addresses or globs of A, whose settings B gets. */
  promote?: string[];
  autoApprove?: boolean;
}

/** The formats of a comparison. Their code is loaded when it is needed. */
const comparisonFormats = {
  text: async (comparison: SideComparison, style: Style, verbose: boolean) =>
    comparisonText(comparison, { style, verbose }),
  json: async (comparison: SideComparison) =>
    jsonText((await import('../compare/comparison-json.ts')).comparisonJson(comparison)),
  markdown: async (comparison: SideComparison) =>
    (await import('../compare/comparison-markdown.ts')).comparisonMarkdown(comparison),
};

/** Declares `trueup diff`, which compares two stages, stacks, commits or accounts. */
export function diffCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument('<a>', 'a stage, stack, stack@stage or commit; its account with `live:` before it')
    .argument('[b]', 'what to compare it with (default: the configuration as it is now)')
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(Object.keys(comparisonFormats))
        .conflicts('promote'),
    )
    .addOption(jsonOption())
    .option('--detailed-exitcode', 'exit with 2 if there is a difference')
    .option('--promote <address-glob...>', 'write the settings of these objects of A into the YAML of B')
    .option('--auto-approve', 'with --promote: write without asking')
    .action(async (a: string, b: string | undefined, options: DiffOptions) => {
      const terminal = terminalFor(run, options);
      const opened = await compareNamedSides(provider, { a, b }, options, terminal);
      const { comparison } = opened;
      const { verbose = false, detailedExitcode, promote } = options;
      if (promote) return promoteObjects(opened, promote, provider, options, terminal);
      const format = options.format ?? (options.json ? 'json' : 'text');
      terminal.out(await comparisonFormats[format](comparison, terminal.outStyle, verbose));
      if (isConfigurationWithItsAccount(opened))
        terminal.say('`trueup plan` also knows what was applied last, and what it would change.');
      const isDifferent = hasDifferences(summarizeComparison(groupComparison(comparison)));
      if (detailedExitcode && isDifferent) run.exitCode = exitCodes.changes;
    });
}

/** Carries out `trueup diff A B --promote ADDRESS`: edits the files so that the objects of side B get the settings that they have on side A. */
async function promoteObjects(
  opened: OpenedComparison,
  globs: string[],
  provider: Provider,
  { autoApprove }: DiffOptions,
  terminal: Terminal,
): Promise<void> {
  const { promoteSides } = await import('../compare/promote/promote-sides.ts');
  return promoteSides(opened, globs, kindsOf(provider.kinds), {
    ...terminal,
    confirm: async (files) => autoApprove || confirmFiles(terminal, files, '--promote'),
  });
}
