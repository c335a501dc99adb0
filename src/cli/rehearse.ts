import type { Command } from 'commander';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import { chooseApproved } from '../approval/approved-stacks.ts';
import { readSavedFile, refuseShapingOptions } from '../approval/plan-files.ts';
import { resolvePath } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import { type RehearsalSettings, rehearseSaved } from '../rehearse/command/rehearse-stacks.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, terminalFor } from '../terminal/terminal.ts';
import { readPace, showPlans, withCommandStacks } from './command-stacks.ts';
import { rehearsalCode, stacksCode } from './exit-codes.ts';
import { formatOption, jsonOption, type PrintOptions } from './formats.ts';
import { withPlanning, withRehearsal } from './options.ts';

type RehearseCommandOptions = PlanningOptions & PrintOptions & RehearsalSettings;

/** Declares `trueup rehearse`, which applies a saved plan to a local twin of the account. */
export function rehearseCommand(command: Command, provider: Provider, run: CommandRun): void {
  withRehearsal(withPlanning(command))
    .argument('<file>', 'a plan saved by `plan --out`')
    .addOption(formatOption())
    .addOption(jsonOption())
    .action((file: string, options: RehearseCommandOptions) => rehearseFile(file, options, provider, run));
}

/** Runs `trueup rehearse FILE`: plans its stacks again, refuses plans that are not the saved ones, rehearses them and shows the results. */
async function rehearseFile(
  name: string,
  { crashPoints, recording, ...givenOptions }: RehearseCommandOptions,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, givenOptions);
  const { saved, approved } = await readSavedFile(name, run.host);
  refuseShapingOptions(givenOptions);
  const options = { ...givenOptions, ...saved.parts[0]?.plan.options };
  const files = [resolvePath(run.host, name)];
  await withCommandStacks(
    provider,
    options,
    terminal,
    (commandStacks) => {
      const { stacks, several } = commandStacks;
      const settings = { accounts: several?.accounts, files, approved, crashPoints, recording };
      return rehearseSaved(provider, stacks, settings, async (planned, warnings) => {
        sayDiagnostics(warnings, terminal);
        const pace = await readPace(planned, commandStacks);
        const canApply = await showPlans(planned, options, terminal, pace);
        const reports = planned.map(({ report }) => report);
        const plans = reports.flatMap(({ plan }) => plan ?? []);
        run.exitCode = canApply ? rehearsalCode(plans) : stacksCode(reports);
      });
    },
    saved.isOne ? undefined : async (stacks) => chooseApproved(approved, stacks),
  );
}
