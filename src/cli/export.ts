import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Command, Option } from 'commander';
import { modeline } from '../app/editor-schema.ts';
import { createNameFinder, createSources, loadForAccount } from '../app/session/load-configuration.ts';
import { type AccountOptions, chooseAccount, openAccount } from '../app/session/open-account.ts';
import type { ScopeOptions } from '../config/choose-scope.ts';
import { judgeSecrets } from '../config/judge-secrets.ts';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { toExportedFiles } from '../export/export-files.ts';
import { exportLive } from '../export/export-live.ts';
import { exportSummary } from '../export/export-summary.ts';
import { sealAccountSecrets } from '../export/seal-account-secrets.ts';
import { findPossibleSecrets, hasOtherValueIn } from '../export/secret-names.ts';
import {
  type ExportPlaces,
  listPlanFiles,
  parseValuesOutput,
  prepareExport,
  readFileRules,
  refuseDuplicateFiles,
  refuseUnmatchedExports,
  requireValuesOutput,
  secretsIn,
  writeExport,
  writeValues,
} from '../export/write-export.ts';
import { type Host, resolvePath } from '../host.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import type { Address } from '../model/address.ts';
import { asWarning } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import type { Live } from '../model/resource.ts';
import { mayContainMatch, observeAccount } from '../observe/observe-account.ts';
import { homeFolder } from '../stores/ledger-choice.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes, problemsCode, worstCode } from './exit-codes.ts';
import { collect, withScope } from './options.ts';

interface ExportCommandOptions extends AccountOptions, AllowOptions, ExportPlaces, ScopeOptions {
  stack?: string;
  target?: string[];
  exclude?: string[];
  values?: string[];
  by?: string[];
  color?: boolean;
}

/** Declares `trueup export`. It writes the objects of an account as YAML, to begin to manage them. */
export function exportCommand(command: Command, provider: Provider, run: CommandRun): void {
  withScope(command)
    .option('--stack <name>', 'the stack name (default: the team name)')
    .option(
      '--target <address-glob>',
      'only this; use `projects/web/**` for its contents; repeatable',
      collect,
    )
    .option('--exclude <address-glob>', 'everything except this; repeatable', collect)
    .option('--out <file>', 'write one file (default: print it)')
    .addOption(new Option('--out-dir <folder>', 'write one file per area').conflicts('out'))
    .option(
      '--by <glob=file>',
      "write what matches to its own file, next to the main one: 'projects/site-*=web.yaml'; repeatable",
      collect,
    )
    .option(
      '--values <where...>',
      'where to put values of variables: `inline` (plain values in the YAML, others as secrets; default), `plain` (the same without the others), `omit`, `dotenv FILE` or `sops FILE`',
    )
    .option('--force', 'overwrite existing files')
    .action((options: ExportCommandOptions) => exportAccount(provider, options, run));
}

/** The account of an export, with its secret values sealed. */
interface ExportedAccount {
  live: Live;
  /** The name of the account in URLs, by default also the name of the stack. */
  slug: string;
  /** The value of `platform` in the configuration. */
  platform: { team: string } | { personal: true };
}

/**
 * Runs `trueup export`: reads an account, writes it as YAML and the values of its variables where `--values` says, and reports on the
 * result. Refuses a wrong destination of the values before it reads anything, and existing files before it writes anything.
 */
async function exportAccount(
  provider: Provider,
  options: ExportCommandOptions,
  run: CommandRun,
): Promise<void> {
  const { host } = run;
  const { outDir } = options;
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const valuesPlace = parseValuesOutput(options.values);
  const fileRules = readFileRules(options, kinds);
  const valuesOutput = { place: valuesPlace, host, force: options.force ?? false };
  await requireValuesOutput(valuesOutput);
  const { live, slug, platform } = await readAccountToExport(provider, kinds, options, terminal);
  const exported = exportLive({
    live,
    kinds,
    // A secret gets another name if the environment variable of its name is taken. A file of values has its own names.
    isTaken: valuesPlace.file ? () => false : hasOtherValueIn(host),
    isChosen: createChoice(options),
    values: valuesPlace.to,
    files: fileRules,
  });
  const files = toExportedFiles(exported, {
    stack: options.stack ?? slug,
    platform,
    isSplit: outDir !== undefined,
    ...secretsIn(valuesPlace, host, outDir ?? dirname(options.out ?? '')),
    modeline: await schemaLine(options, host),
  });
  refuseDuplicateFiles(files, options, valuesPlace, host);
  await prepareExport(files, options, host);
  // The values come first, because the configuration says where they are.
  const written = await writeValues(exported.secrets, valuesOutput);
  const errors = await writeExport(files, kinds, options, terminal);
  const isExported = (address: Address) => exported.converted.has(address);
  const unchangedFields = findPossibleSecrets(live, kinds, isExported, exported.newAddresses);
  const planFiles = listPlanFiles(files, options);
  terminal.say(exportSummary(exported, unchangedFields, { place: valuesPlace, written, planFiles }));
  if (errors.length > 0) {
    terminal.say(
      'The result is not valid. Fix it in the account, or leave out the invalid objects with --exclude:\n',
    );
    sayDiagnostics(errors, terminal);
  }
  run.exitCode = worstCode([run.exitCode, problemsCode(errors), unreadableCode(live)]);
}

/** Returns the test whether `--target` and `--exclude` let an object be exported. */
function createChoice({ target, exclude = [] }: ExportCommandOptions): (address: Address) => boolean {
  const isTarget = target ? createAddressMatcher(target) : () => true;
  const isExcluded = createAddressMatcher(exclude);
  return (address) => isTarget(address) && !isExcluded(address);
}

/**
 * Reads the account of an export, and seals (hides) the values that may be secrets. Warns about secrets of the configuration that may not
 * be read here: without them, their values in the account look like any other text. Throws `Problems` if an option names objects that do
 * not exist.
 */
async function readAccountToExport(
  provider: Provider,
  kinds: Kinds,
  options: ExportCommandOptions,
  terminal: Terminal,
): Promise<ExportedAccount> {
  const { host } = terminal.run;
  // An export asks no questions, so secrets that may not be read are only reported.
  const sources = createSources(options, host);
  const configuration = await loadForAccount(kinds, options, host, sources);
  const scope = await chooseAccount(provider, configuration, options, terminal);
  const declared = createNameFinder(configuration, kinds, options.target);
  const account = await openAccount(provider, scope, { ...options, declared }, terminal);
  try {
    const { owner, baseUrl } = account;
    const observed = await observeAccount(account, kinds, (kind, parent) =>
      mayContainMatch(kind, parent, options.target),
    );
    refuseUnmatchedExports(observed, kinds, options);
    const refusals = await judgeSecrets(configuration, sources);
    sayDiagnostics(refusals.map(asWarning), terminal);
    // The ledger has digests of secrets, by which more of them are recognized.
    const ledgerChoice = await settleLedger({ twin: options.twin }, { configuration, sources }, terminal);
    const secretsAccount = { owner, baseUrl, ledgerChoice };
    const live = await sealAccountSecrets(observed, kinds, configuration, secretsAccount, host, sources);
    const platform = 'team' in scope ? { team: owner.slug } : { personal: true as const };
    return { live, slug: owner.slug, platform };
  } finally {
    await account.close();
  }
}

/**
 * Returns the exit code for the lists of the account that could not be read, because the export is incomplete then; `done` if there are
 * none. A list that the token may not read does not count.
 */
function unreadableCode({ unreadable }: Live): number {
  const failures = [...unreadable.values()].filter(({ isRefused }) => !isRefused);
  if (failures.length === 0) return exitCodes.done;
  return failures.every(({ isForLater }) => isForLater) ? exitCodes.tryAgainLater : exitCodes.failed;
}

/**
 * Returns the first line of a file of `trueup export`, without its `# `. It tells editors where the JSON Schema is. Undefined if the export
 * is printed, or if `init` has not written a schema.
 */
async function schemaLine({ out, outDir }: ExportCommandOptions, host: Host): Promise<string | undefined> {
  const folder = outDir ?? (out === undefined ? undefined : dirname(out));
  const schema = join(homeFolder, 'schema.json');
  if (folder === undefined || !(await stat(resolvePath(host, schema)).catch(() => undefined)))
    return undefined;
  return modeline(relative(folder, schema)).replace(/^# /, '');
}
