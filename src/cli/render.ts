import type { Command } from 'commander';
import { diffRendered, Rendering } from '../app/rendering.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { withConfiguration, withSources } from './options.ts';

interface RenderCommandOptions extends StackOptions {
  origins?: boolean;
  diff?: string;
  diffStage?: string;
  detailedExitcode?: boolean;
}

/** Declares `trueup render`, which prints the configuration without templates and variables, or compares two versions or stages of it. */
export function renderCommand(command: Command, provider: Provider, run: CommandRun): void {
  withSources(withConfiguration(command))
    .argument('[addresses...]', 'only these addresses or globs, and everything below')
    .option('--origins', 'show after each value where it is written')
    .option('--diff <ref>', 'compare with a commit, including its data files')
    .option('--diff-stage <stage>', 'compare with another stage')
    .option('--detailed-exitcode', 'exit with 2 if there is a difference')
    .action(async (addresses: string[], options: RenderCommandOptions) => {
      const terminal = terminalFor(run, options);
      const { diff, diffStage, stage } = options;
      const rendering = new Rendering({
        provider,
        options,
        run,
        addresses,
        isCompared: diff !== undefined || diffStage !== undefined,
        withOrigins: options.origins ?? false,
        onDiagnostics: (diagnostics) => sayDiagnostics(diagnostics, terminal),
      });
      const show = (before: string, after: string, from: string, to: string) => {
        const text = diffRendered(before, after, { from, to });
        if (text === undefined) return terminal.say(`No differences between ${from} and ${to}.`);
        terminal.out(text);
        if (options.detailedExitcode) run.exitCode = exitCodes.changes;
      };
      if (diff !== undefined && diffStage !== undefined)
        raise('cli/options', '--diff and --diff-stage exclude each other');
      if (diff !== undefined) {
        const current = await rendering.renderStages();
        return show(await rendering.renderCommit(diff), current, diff, 'now');
      }
      if (diffStage === undefined) return terminal.out((await rendering.renderStages()).trimEnd());
      if (stage === undefined)
        raise('cli/options', '--diff-stage compares the stage of --stage with another one', {
          hint: `trueup render --stage staging --diff-stage ${diffStage}`,
        });
      const otherStage = await rendering.renderStage(diffStage);
      show(otherStage, await rendering.renderStage(stage), diffStage, stage);
    });
}
