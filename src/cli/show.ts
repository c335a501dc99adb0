import type { Command } from 'commander';
import { keyOf } from '../app/session/ledger-place.ts';
import { checkSeal, parseSavedPlan, type Sealing, shownPlan } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import {
  checkStacksSeal,
  isSavedStacks,
  parseSavedStacks,
  type SavedStacks,
} from '../approval/saved-stacks.ts';
import type { Provider } from '../kind/provider.ts';
import { asksForNothing } from '../model/plan.ts';
import { shellQuoted, shellWord } from '../model/shell-word.ts';
import { cleanLine } from '../report/clean.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes, stacksCode } from './exit-codes.ts';
import { type Format, formatOption, jsonOption, printPlan } from './formats.ts';
import { withColor } from './options.ts';
import { planExitCode } from './plan-exit-code.ts';
import { flagOf, readText, shownStacks } from './plan-file.ts';
import { printStacks } from './show-stacks.ts';
import { type Terminal, terminalFor } from './terminal.ts';

/** The options for showing a saved plan. */
export interface ShowOptions {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
  color?: boolean;
  detailedExitcode?: boolean;
}

export function showCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('<file>', 'a plan saved by `plan --out`')
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', 'do not truncate')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action(async (file: string, options: ShowOptions) => {
      const terminal = terminalFor(run, options);
      const text = await readText(file, run.host);
      if (isSavedStacks(text)) return showStacksOf(parseSavedStacks(text, file), options, terminal, provider);
      const saved = parseSavedPlan(text, file);
      const plan = shownPlan(saved);
      const fine = await printPlan(plan, options, terminal, provider.pace);
      const seal = checkSeal(saved, await keyOf({ twin: saved.baseUrl === 'twin:' }, run.host));
      terminal.say(aboutText(saved));
      terminal.say(cleanLine(sealText(seal)));
      run.exitCode = planExitCode(plan, {
        fine: fine && seal.state !== 'broken',
        detailed: options.detailedExitcode,
      });
    });
}

/** The same of the plans of several stacks. */
async function showStacksOf(
  saved: SavedStacks,
  options: ShowOptions,
  terminal: Terminal,
  { pace }: Provider,
): Promise<void> {
  const { run } = terminal;
  const stacks = shownStacks(saved);
  const fine = printStacks(stacks, options, terminal, pace);
  const isTwin = saved.parts[0]!.plan.baseUrl === 'twin:';
  const key = await keyOf({ twin: isTwin }, run.host);
  const seals = [checkStacksSeal(saved, key), ...saved.parts.map(({ plan }) => checkSeal(plan, key))];
  for (const { plan } of saved.parts) terminal.say(aboutText(plan));
  const worst = seals.find(({ state }) => state !== 'sealed') ?? seals[0]!;
  terminal.say(cleanLine(sealText(worst)));
  const isChanged = saved.parts.some(({ plan }) => !asksForNothing(shownPlan(plan)));
  const failedCode = worst.state === 'broken' ? exitCodes.failed : stacksCode(stacks);
  run.exitCode =
    !fine || worst.state === 'broken'
      ? failedCode
      : options.detailedExitcode && isChanged
        ? exitCodes.changes
        : exitCodes.done;
}

/** Tells who made the plan, as far as the key here can say, and what follows from it. */
function sealText(seal: Sealing): string {
  switch (seal.state) {
    case 'sealed':
      return `Sealed with the key ${seal.key}, which is available here: a run with that key made this plan and it is unchanged. The account may have changed: apply plans again and applies exactly this, or nothing.`;
    case 'none':
      return 'Not sealed: anyone who could write the file may have made or changed it. It can be read but not applied.';
    case 'unknown':
      return `Origin unknown: it claims to be sealed with the key ${seal.key}, which is not available here. Anyone could claim that; apply verifies it.`;
    case 'broken':
      return `Not trustworthy: the key ${seal.key} did not seal it in this form. It was changed after it was made and cannot be applied.`;
  }
}

/** Tells what the plan is for and which options made it, which the plan itself does not show. */
function aboutText({ stack, owner, baseUrl, generation, options }: SavedPlan): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (Array.isArray(value)) return value.map((one) => `${flag} ${shellQuoted(String(one))}`);
    return value === true ? [flag] : [`${flag} ${shellWord(String(value))}`];
  });
  const made = flags.length > 0 ? `, made with ${flags.join(' ')}` : '';
  return cleanLine(
    `A saved plan for the stack ${stack} of ${owner} at ${baseUrl}, on generation ${generation} of its ledger${made}.`,
  );
}
