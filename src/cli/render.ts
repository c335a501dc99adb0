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
    .action((addresses: string[], options: RenderCommandOptions) =>
      renderAddresses(addresses, provider, options, run),
    );
}

/** Runs `trueup render`: prints the configuration as YAML, or the difference between two versions or stages of it. Sets the exit code. */
async function renderAddresses(
  addresses: string[],
  provider: Provider,
  options: RenderCommandOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const isCompared = options.diff !== undefined || options.diffStage !== undefined;
  const rendering = new Rendering({
    provider,
    options,
    run,
    addresses,
    isCompared,
    withOrigins: options.origins ?? false,
    onDiagnostics: (diagnostics) => sayDiagnostics(diagnostics, terminal),
  });
  if (!isCompared) return terminal.out((await rendering.renderStages()).trimEnd());
  const { from, to } = await renderSides(rendering, options);
  const text = diffRendered(from.text, to.text, { from: from.name, to: to.name });
  if (text === undefined) return terminal.say(`No differences between ${from.name} and ${to.name}.`);
  terminal.out(text);
  if (options.detailedExitcode) run.exitCode = exitCodes.changes;
}

/** One side of `render --diff` or `--diff-stage`: the rendered configuration, and its commit or stage. */
interface RenderedSide {
  name: string;
  text: string;
}

/**
 * Renders the two configurations that `render --diff` or `render --diff-stage` compares; one of these options is given. Throws `Problems` if both
 * are given, or if there is no stage to compare with the one of `--diff-stage`.
 */
async function renderSides(
  rendering: Rendering,
  { diff, diffStage, stage }: RenderCommandOptions,
): Promise<{ from: RenderedSide; to: RenderedSide }> {
  if (diff !== undefined && diffStage !== undefined)
    raise('cli/options', '--diff and --diff-stage exclude each other');
  if (diff !== undefined) {
    const to = { name: 'now', text: await rendering.renderStages() };
    return { from: { name: diff, text: await rendering.renderCommit(diff) }, to };
  }
  if (stage === undefined)
    raise('cli/options', '--diff-stage compares the stage of --stage with another one', {
      hint: `trueup render --stage staging --diff-stage ${diffStage}`,
    });
  const renderStage = async (name: string) => ({ name, text: await rendering.renderStage(name) });
  return { from: await renderStage(diffStage!), to: await renderStage(stage) };
}
