import type { Command } from 'commander';
import { findFiles } from '../config/find-files.ts';
import { describeFirstChange, formatBytes, formatFile } from '../config/format/format-files.ts';
import type { Provider } from '../kind/provider.ts';
import { Reporter, raise, raiseErrors } from '../model/diagnostic.ts';
import { listUnownedRemovals } from '../model/find-removal.ts';
import { standardInput } from '../model/resource.ts';
import { cleanLine, count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { collect, withColor } from './options.ts';

interface FormatCommandOptions {
  file?: string[];
  check?: boolean;
  color?: boolean;
}

/** Declares `trueup fmt`, which formats the YAML files of the configuration. Also names entries of `removed:` that are done. */
export function fmtCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[paths...]', 'files and folders, or `-` from standard input to standard output')
    .option(
      '-f, --file <path>',
      'a file or folder of the configuration; repeatable (default: trueup.yaml or trueup/)',
      collect,
    )
    .option('--check', 'write nothing; show what would change, and exit with 1 if anything would')
    .action(async (positionalPaths: string[], options: FormatCommandOptions) => {
      const { file = [], check: isCheck = false } = options;
      const paths = [...positionalPaths, ...file];
      const terminal = terminalFor(run, options);
      const isStandardInput = paths.includes(standardInput);
      if (isStandardInput && paths.length > 1)
        raise('cli/options', '`-` (standard input) cannot be combined with files', {
          hint: 'format the files in a separate run',
        });
      if (isStandardInput) return formatStandardInput(isCheck, terminal);
      const hasRemovedEntries = await formatFiles(paths, isCheck, terminal);
      if (hasRemovedEntries) await nameFinishedRemovals(provider, paths, terminal);
    });
}

/**
 * Formats for `trueup fmt` the named files, or those of the configuration, and lists the changed ones. A file with errors is skipped, and
 * its errors are thrown after the other files are done. Returns true if one of the files has `removed:`, so that only then the ledger is
 * read for entries that are done. `isCheck`: write no file.
 */
async function formatFiles(paths: string[], isCheck: boolean, terminal: Terminal): Promise<boolean> {
  const { cwd } = terminal.run.host;
  const { files, diagnostics } = await findFiles(cwd, paths.length > 0 ? paths : undefined, {
    withTests: true,
  });
  const report = new Reporter(diagnostics);
  let changedCount = 0;
  let hasRemovedEntries = false;
  for (const file of files) {
    const result = await formatFile(file, isCheck);
    if (result.diagnostics) report.add(result.diagnostics);
    else {
      hasRemovedEntries ||= /^["']?removed["']?\s*:/m.test(result.before);
      if (result.isChanged) {
        changedCount++;
        const details = isCheck ? describeFirstChange(result.before, result.after) : [];
        terminal.out([file.name, ...details].join('\n'));
      }
    }
  }
  raiseErrors(report.diagnostics);
  terminal.say(formatSummary(changedCount, files.length, isCheck));
  if (isCheck && changedCount > 0) terminal.run.exitCode = exitCodes.failed;
  return hasRemovedEntries;
}

/**
 * Names the entries of `removed:` that can be dropped, because the ledger has nothing of them. Prints nothing if the ledger is not a file of
 * this checkout, if the configuration has errors, or if it has stages, because each has a ledger of its own. A plan names them in any case.
 */
async function nameFinishedRemovals(provider: Provider, paths: string[], terminal: Terminal): Promise<void> {
  // Loaded only here, because editors format each file that they save, and formatting itself needs no configuration.
  const { loadWithLedgerFile } = await import('./ledger-file.ts');
  const file = paths.length > 0 ? paths : undefined;
  const loaded = await loadWithLedgerFile(provider, { file, maxWait: 0 }, terminal.run).catch(
    () => undefined,
  );
  if (!loaded?.ledger || loaded.configuration.stages.length > 0) return;
  const { removed = [] } = loaded.configuration.desired;
  const finished = listUnownedRemovals(removed, loaded.ledger);
  if (finished.length === 0) return;
  const names = finished.map(({ address, at }) => `${address} (${at.file}:${at.line})`).join(', ');
  terminal.say(
    cleanLine(`The ledger has nothing of these entries of \`removed\`, so they can be dropped: ${names}`),
  );
}

/** Says at the end of `fmt` how many of all files were formatted, or with `isCheck` would be. */
function formatSummary(changedCount: number, fileCount: number, isCheck: boolean): string {
  const files = count(fileCount, 'file');
  if (changedCount === 0) return `${files}: nothing to format.`;
  return `${files}: ${changedCount} ${isCheck ? 'would be reformatted; run `trueup fmt`' : 'formatted'}.`;
}

/** Formats standard input to standard output, for editors. With `isCheck` it only shows the first difference. */
async function formatStandardInput(isCheck: boolean, terminal: Terminal): Promise<void> {
  const { stdin, stdout } = terminal.run.host;
  const name = '<stdin>';
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  const result = formatBytes(name, Buffer.concat(chunks));
  if (result.diagnostics) raise(result.diagnostics);
  if (!isCheck) return void stdout.write(result.after);
  if (!result.isChanged) return;
  terminal.out([name, ...describeFirstChange(result.before, result.after)].join('\n'));
  terminal.run.exitCode = exitCodes.failed;
}
