import { stat } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import { type Command, Option } from 'commander';
import {
  exportedSecretEnv,
  parseValuesOutput,
  requireValuesOutput,
  secretsIn,
  writeValues,
} from '../app/exporting/export-values.ts';
import { type Host, pathOn } from '../app/host.ts';
import { homeFolder } from '../app/session/home-folder.ts';
import { loadForAccount } from '../app/session/load-configuration.ts';
import { type AccountOptions, chooseScope, openAccount } from '../app/session/open-account.ts';
import { sealAccountSecrets } from '../app/session/seal-account-secrets.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { ScopeOptions } from '../app/stack-options.ts';
import { formatYaml } from '../config/format/format-yaml.ts';
import { judgeSecrets } from '../config/judge-secrets.ts';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { Source } from '../config/yaml/source.ts';
import { findPossibleSecrets } from '../export/as-found.ts';
import { type ExportedFile, toExportedFiles } from '../export/export-files.ts';
import { exportLive } from '../export/export-live.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { type Address, addressOf } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import { emptyLedger } from '../model/ledger.ts';
import { readOnly } from '../model/request.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import { shellWord } from '../model/shell-word.ts';
import { observe } from '../observe/observe.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import { collect, withScope } from './options.ts';
import { modeline } from './schema.ts';
import { terminalFor } from './terminal.ts';
import {
  type ExportPlaces,
  exportSummary,
  readFileRules,
  refuseExisting,
  writeExport,
} from './write-export.ts';

interface ExportCommandOptions extends AccountOptions, AllowOptions, ExportPlaces, ScopeOptions {
  stack?: string;
  target?: string[];
  exclude?: string[];
  values?: string[];
  by?: string[];
  color?: boolean;
}

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
      'where to put values of variables: `inline` (plain values in the YAML, others as secrets; default), `omit`, `dotenv FILE` or `sops FILE`',
    )
    .option('--force', 'overwrite existing files')
    .action((options: ExportCommandOptions) => exportAccount(provider, options, run));
}

async function exportAccount(
  provider: Provider,
  options: ExportCommandOptions,
  run: CommandRun,
): Promise<void> {
  const { host } = run;
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const valuesPlace = parseValuesOutput(options.values);
  const rules = readFileRules(options);
  const placing = { place: valuesPlace, host, force: options.force ?? false };
  await requireValuesOutput(placing);
  // Nobody is asked: what is not known to be secret is named.
  const sources = sourcesFor(options, host);
  const configuration = await loadForAccount(kinds, options, host, sources);
  const scope = chooseScope(configuration, options);
  const account = await openAccount(provider, scope, options, terminal);
  try {
    const found = await observe(
      { stack: '', resources: new Map(), inputs: [], folders: [] },
      emptyLedger('', '', ''),
      kinds,
      readOnly(account.connection.send),
      {
        facts: account.owner.facts,
        also: (kind, parent) => isOnTheWay(kind, parent, options.target),
      },
    );
    refuseUnmatchedExports(found, kinds, options);
    const { owner, baseUrl } = account;
    const known = { owner, baseUrl, twin: options.twin ?? false };
    // Where the account shows the value of such a secret, nothing tells it from other text.
    const unread = (await judgeSecrets(configuration, sources)).map((diagnostic) => ({
      ...diagnostic,
      severity: 'warning' as const,
    }));
    terminal.say(diagnosticsText(foldDiagnostics(unread), { style: terminal.errStyle }));
    const live = await sealAccountSecrets(found, kinds, configuration, known, host, sources);
    const isTarget = options.target ? matcherOf(options.target) : () => true;
    const isExcluded = matcherOf(options.exclude ?? []);
    const isChosen = (address: Address) => isTarget(address) && !isExcluded(address);
    const exported = exportLive({
      live,
      kinds,
      isTaken: valuesPlace.file ? () => false : isTakenOn(host),
      isChosen,
      values: valuesPlace.to,
      files: rules,
    });
    const platform = 'team' in scope ? { team: account.owner.slug } : { personal: true };
    const stack = options.stack ?? account.owner.slug;
    const line = await schemaLine(options, host);
    const files = toExportedFiles(exported, {
      stack,
      platform,
      isSplit: options.outDir !== undefined,
      ...secretsIn(valuesPlace, host, options.outDir ?? dirname(options.out ?? '')),
      modeline: line,
    });
    refuseSameFile(files);
    await refuseExisting(files, options, host);
    // Before the configuration that says it is there.
    const written = await writeValues(exported.secrets, placing);
    const errors = await writeExport(formatFiles(files), kinds, options, terminal);
    terminal.say(
      exportSummary(exported, findPossibleSecrets(live, kinds, isChosen, exported.newAddresses), {
        place: valuesPlace,
        written,
      }),
    );
    // Without `-f`, only trueup.yaml or the folder trueup is read.
    if (options.outDir !== undefined && normalize(options.outDir) !== 'trueup')
      terminal.say(`To plan with all files: trueup plan -f ${shellWord(options.outDir)}`);
    if (errors.length > 0) {
      terminal.say(
        'The result is not valid. Fix it in the account, or leave out what is wrong with --exclude:\n',
      );
      terminal.say(diagnosticsText(errors, { style: terminal.errStyle }));
      run.exitCode = 1;
    }
    const unreadLists = [...live.unreadable.values()].filter(({ isRefused }) => !isRefused);
    if (unreadLists.length > 0)
      run.exitCode = unreadLists.every(({ isForLater }) => isForLater)
        ? exitCodes.tryAgainLater
        : exitCodes.failed;
  } finally {
    await account.close();
  }
}

/** An area has its file already. Throws `Problems`. */
function refuseSameFile(files: ExportedFile[]): void {
  const names = files.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0)
    throw new Problems(
      twice.map((name) =>
        problem('export/by', `${name} is already the file of an area`, {
          hint: 'choose another name for --by, or use --out instead of --out-dir',
        }),
      ),
    );
}

/** Globs that name nothing are mistakes, unless what they name was not read. */
function refuseUnmatchedExports(
  { resources, unreadable }: Live,
  kinds: Kinds,
  { target = [], exclude = [], by = [] }: ExportCommandOptions,
): void {
  const closed = [...unreadable.keys()].map(collectionParts);
  const mayBeClosed = (glob: string) =>
    closed.some(([parent, name]) => isOnTheWay(kinds.get(name)!, parent, [glob]));
  // What is excluded may lie outside of the targets, and is not read then.
  const files = by.map((rule) => rule.slice(0, rule.lastIndexOf('=')));
  const globs = [...target, ...(target.length > 0 ? [] : exclude), ...files].filter(
    (glob) => !mayBeClosed(glob),
  );
  const problems = createUnmatchedGlobProblems(globs, [...resources.keys()]);
  if (problems.length > 0) throw new Problems(problems);
}

/** True if a collection may hold something that a glob names: its address agrees with the glob up to the first wildcard. */
export function isOnTheWay(
  { section }: Kind,
  parent: string | undefined,
  targets: string[] | undefined,
): boolean {
  const address = addressOf(parent, section, []);
  return (
    !targets ||
    targets.some((glob) => {
      const [fixed] = /^[^*?[{(!]*/.exec(glob)!;
      return address.startsWith(fixed) || `${fixed}/`.startsWith(`${address}/`) || fixed.startsWith(address);
    })
  );
}

/** Tells of names whether the environment has another value for a secret that is called so. */
export const isTakenOn =
  ({ env }: Host) =>
  (name: string, value: Sealed | undefined): boolean => {
    const held = env[exportedSecretEnv(name)];
    return held !== undefined && (value === undefined || held !== value.reveal());
  };

/** The line for editors, where `init` or `schema` has put a schema here. */
async function schemaLine({ out, outDir }: ExportCommandOptions, host: Host): Promise<string | undefined> {
  const folder = outDir ?? (out === undefined ? undefined : dirname(out));
  const schema = join(homeFolder, 'schema.json');
  if (folder === undefined || !(await stat(pathOn(host, schema)).catch(() => undefined))) return undefined;
  return modeline(relative(folder, schema)).replace(/^# /, '');
}

/** As `trueup fmt` would have it. */
const formatFiles = (files: ExportedFile[]): ExportedFile[] =>
  files.map(({ name, text }) => ({ name, text: formatYaml(new Source(name, text)).text ?? text }));
