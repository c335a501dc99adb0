import type { Command } from 'commander';
import { createPlanOptions } from '../app/planning/plan-options.ts';
import type { AccountOptions } from '../app/session/open-account.ts';
import { openSession } from '../app/session/open-session.ts';
import { standardOptions } from '../app/stack-options.ts';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { toExportedFiles } from '../export/export-files.ts';
import { prepareExport, writeExport } from '../export/write-export.ts';
import {
  type Conversion,
  type ConversionOptions,
  type ForeignFile,
  readForeignFile,
} from '../from/conversion.ts';
import { convertState } from '../from/terraform/convert-state.ts';
import { convertDnscontrol, convertZoneFile } from '../from/zone/convert-zones.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, shellWord } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { formatDifference, formatVerified } from '../report/conversion-check-text.ts';
import { openSessionPlan } from '../run/open-plan.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import { collect, withScope } from './options.ts';

/** The options of `trueup from`. */
interface FromOptions extends AccountOptions, AllowOptions, ConversionOptions {
  force?: boolean;
  /** False for `--no-plan`. */
  plan?: boolean;
  color?: boolean;
}

/** Converts a file of another tool. */
type Convert = (
  provider: Provider,
  file: ForeignFile,
  options: ConversionOptions,
  cwd: string,
) => Promise<Conversion>;

/** Declares `trueup from`, whose commands turn files of other tools into a configuration. `isExact`: any planned change is a failure. */
export function fromCommand(from: Command, provider: Provider, run: CommandRun): void {
  const convertWith =
    (convert: Convert, { isExact }: { isExact: boolean }) =>
    (file: string, options: FromOptions) =>
      convertFile(provider, { file, convert, isExact }, options, run);
  withConversionOptions(from.command('terraform'))
    .argument('<state.json>', 'the output of `terraform state pull` or `terraform show -json`')
    .description('convert the resources of a Terraform state, and verify that the result plans to no changes')
    .action(convertWith(convertState, { isExact: true }));
  withConversionOptions(from.command('dnscontrol'))
    .argument('<file.json>', 'the output of `dnscontrol print-ir`')
    .description('convert the zones of a dnscontrol configuration')
    .option('--view <zone!tag>', 'the view to convert of a zone with several; repeatable', collect)
    .action(convertWith(convertDnscontrol, { isExact: false }));
  withConversionOptions(from.command('zonefile'))
    .argument('<file>', 'a BIND zone file (RFC 1035)')
    .description('convert the records of a zone file')
    .option('--zone <domain>', 'the zone, if the file does not name it')
    .action(convertWith(convertZoneFile, { isExact: false }));
}

/**
 * Adds the options that all `from` commands share: where to write the converted configuration, and if it is
 * planned afterwards to check it.
 */
const withConversionOptions = (command: Command): Command =>
  withScope(command)
    .option('--stack <name>', 'the stack name (default: the team name)')
    .option('--out-dir <folder>', 'write one file per area (default: print a single file)')
    .option('--force', 'overwrite existing files')
    .option('--no-plan', 'skip the plan that checks the result');

/**
 * Converts a file of another tool for `trueup from`, writes or prints the configuration, reports on it, and plans it. `isExact`: the account
 * already has these objects, so any request in the plan is an error. Otherwise the objects may be new, and the plan only shows what an apply
 * would change.
 */
async function convertFile(
  provider: Provider,
  { file, convert, isExact }: { file: string; convert: Convert; isExact: boolean },
  options: FromOptions,
  run: CommandRun,
): Promise<void> {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const conversion = await convert(provider, await readForeignFile(file, host), options, host.cwd);
  const path = await writeConversion(conversion, options, terminal);
  terminal.say(conversion.summary);
  terminal.say(conversion.advice ?? '');
  if (path === undefined) return;
  const purpose = isExact ? 'To check that it plans to no changes' : 'To see what it would change';
  const plan = await planConversion(provider, path, options, terminal, purpose);
  if (!plan) return;
  const isWrong = hasErrors(plan.diagnostics);
  if (!isWrong && plan.operations.length === 0) return terminal.say(formatVerified(plan));
  await showPlan(plan, {}, terminal, await provider.pace());
  if (isExact) terminal.say(formatDifference(plan, isWrong));
  if (isExact || isWrong) run.exitCode = exitCodes.failed;
}

/**
 * Writes or prints a converted configuration, and reads it back to be sure that it is valid. Returns its folder for the plan, or
 * undefined if it was only printed or is not valid. Throws `Problems` for existing files, unless `--force` is set.
 */
async function writeConversion(
  { exported, header, kinds }: Conversion,
  options: FromOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const { outDir } = options;
  const files = toExportedFiles({ ...exported, notes: [] }, { ...header, isSplit: outDir !== undefined });
  await prepareExport(files, options, terminal.run.host);
  const errors = await writeExport(files, kinds, options, terminal);
  if (errors.length === 0) return outDir;
  terminal.say('The result is not valid:\n');
  sayDiagnostics(errors, terminal);
  terminal.run.exitCode = exitCodes.failed;
  return undefined;
}

/**
 * Plans a converted configuration. Without a token or with `--no-plan` it only shows the command for that, after the words of `purpose`,
 * and returns undefined.
 */
async function planConversion(
  provider: Provider,
  path: string,
  options: FromOptions,
  terminal: Terminal,
  purpose: string,
): Promise<Plan | undefined> {
  const { host } = terminal.run;
  const hasAccount = options.twin || options.tokenFile !== undefined || host.env.TRUEUP_TOKEN?.trim();
  if (options.plan === false || !hasAccount) {
    terminal.say(`${purpose}: trueup plan -f ${shellWord(path)}`);
    return undefined;
  }
  // `trueup from` has few options of a plan, so the others have their standard values.
  const planOptions = { ...options, ...standardOptions, maxWait: options.maxWait, file: [path] };
  const session = await openSession(provider, planOptions, terminal);
  try {
    return (await openSessionPlan(session, createPlanOptions(planOptions, host))).plan;
  } finally {
    await session.close();
  }
}
