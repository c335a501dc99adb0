import { type Command, Option } from 'commander';
import { createPlanOptions } from '../app/planning/plan-options.ts';
import { openSession } from '../app/session/open-session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { parseSavedPlan } from '../approval/parse-saved-plan.ts';
import { readPlanText } from '../approval/plan-files.ts';
import { shownPlan } from '../approval/shown-plan.ts';
import type { Provider } from '../kind/provider.ts';
import type { Plan } from '../model/plan.ts';
import { problemsToReview } from '../report/finding-text.ts';
import { graphDot, graphMermaid, operationGraph, resourceGraph } from '../report/plan-graph.ts';
import { openSessionPlan } from '../run/open-plan.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { problemsCode } from './exit-codes.ts';
import { withAccount } from './options.ts';

const graphFormats = { dot: graphDot, mermaid: graphMermaid };

interface GraphOptions extends StackOptions {
  format: keyof typeof graphFormats;
  operations?: boolean;
}

/** Declares `trueup graph`, which prints the resources of a plan, or its operations in their order, for Graphviz or Mermaid. */
export function graphCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument('[file]', 'a plan saved by `plan --out`; needs no configuration, account or token')
    .addOption(
      new Option('--format <format>', 'output format').choices(Object.keys(graphFormats)).default('dot'),
    )
    .option('--operations', 'show the planned operations and their order')
    .action(async (file: string | undefined, options: GraphOptions) => {
      const terminal = terminalFor(run, options);
      const plan =
        file === undefined
          ? await planCurrent(provider, options, terminal)
          : shownPlan(parseSavedPlan(await readPlanText(file, run.host), file));
      terminal.out(
        graphFormats[options.format](options.operations ? operationGraph(plan) : resourceGraph(plan)),
      );
      sayDiagnostics(problemsToReview(plan), terminal);
      run.exitCode = problemsCode(plan.diagnostics);
    });
}

/** Plans the configuration that the options name, for a `trueup graph` without a saved plan. */
async function planCurrent(provider: Provider, options: GraphOptions, terminal: Terminal): Promise<Plan> {
  const session = await openSession(provider, options, terminal);
  try {
    return (await openSessionPlan(session, createPlanOptions(options, terminal.run.host))).plan;
  } finally {
    await session.close();
  }
}
