import type { Command } from 'commander';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { shownPlan } from '../approval/shown-plan.ts';
import type { Provider } from '../kind/provider.ts';
import { cleanLine } from '../report/clean.ts';
import { planExitCode } from './exit-code.ts';
import { flagOf } from './flag-of.ts';
import { type Format, formatOption, jsonOption } from './formats.ts';
import type { Run } from './host.ts';
import { withColor } from './options.ts';
import { readPlanFile } from './plan-file.ts';
import { printPlan } from './print-plan.ts';
import { terminalFor } from './terminal.ts';

interface Options {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
  color?: boolean;
  detailedExitcode?: boolean;
}

export function showCommand(command: Command, provider: Provider, run: Run): void {
  withColor(command)
    .argument('<file>', 'a plan that `plan --out` saved')
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', 'cut nothing')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action(async (file: string, options: Options) => {
      const terminal = terminalFor(run, options);
      const saved = await readPlanFile(file, run.host);
      const plan = shownPlan(saved);
      const fine = printPlan(plan, options, terminal, provider.pace);
      terminal.err(aboutText(saved));
      run.exitCode = planExitCode(plan, { fine, detailed: options.detailedExitcode });
    });
}

/** What the plan itself does not say: what it is for, and with which options it was made. */
function aboutText({ stack, owner, baseUrl, options }: SavedPlan): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (Array.isArray(value)) return value.map((one) => `${flag} '${one}'`);
    return value === true ? [flag] : [`${flag} ${value}`];
  });
  const made = flags.length > 0 ? `, made with ${flags.join(' ')}` : '';
  return cleanLine(`A saved plan for the stack ${stack} of ${owner} at ${baseUrl}${made}.`);
}
