import { dirname } from 'node:path';
import type { Command } from 'commander';
import { inFolder, readWorkspaceStacks } from '../app/planning/workspace-stacks.ts';
import { createSources } from '../app/session/load-configuration.ts';
import { type StackOptions, type StacksOptions, standardOptions } from '../app/stack-options.ts';
import type { WorkspaceStack } from '../config/workspace-stacks.ts';
import type { Host } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import { settleLedger } from '../ledger-place/settle-ledger.ts';
import { hasErrors, shellWord } from '../model/diagnostic.ts';
import { memoize } from '../model/graph.ts';
import { jsonText } from '../report/show.ts';
import type { MatrixRow } from '../report/stacks/stacks-json.ts';
import { cleanLine, count } from '../report/text.ts';
import { chosenLedgerFile, type SettledLedgerChoice } from '../stores/ledger-choice.ts';
import { findLeftLedgers, openLedgerDocuments } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { changedSinceOption, withConfigurationOf, withLedgerPlace, workspaceOption } from './options.ts';

/** Decides where the ledger of a stack is. */
type Settle = (stack: WorkspaceStack) => Promise<SettledLedgerChoice>;

interface StacksCommandOptions extends StackOptions, StacksOptions {
  json?: boolean;
}

/** Declares `trueup stacks`, which lists the stacks of the workspace for people, or as the matrix of a CI workflow. */
export function stacksCommand(command: Command, provider: Provider, run: CommandRun): void {
  const withJson = withConfigurationOf(command)
    .addOption(changedSinceOption())
    .addOption(workspaceOption())
    .option('--json', 'print a CI job matrix: {"include":[{"path":"shop","stage":"staging",...}]}');
  withLedgerPlace(withJson, "the embedded twin's ledgers").action((options: StacksCommandOptions) =>
    listStacks(provider, { ...options, ...standardOptions }, run),
  );
}

/**
 * Lists for `trueup stacks` the chosen stacks, or with `--json` prints them as the matrix of a CI workflow. Then reports the problems of
 * the configurations that cannot be read (exit code 1), and ledgers with objects whose stack is not in the workspace.
 */
async function listStacks(provider: Provider, options: StacksCommandOptions, run: CommandRun): Promise<void> {
  const terminal = terminalFor(run, options);
  const { chosen, all, folder } = await readWorkspaceStacks(provider, options, terminal);
  const inWorkspace = inFolder(run, folder);
  const { host } = inWorkspace;
  const sources = createSources(options, host);
  const settle: Settle = memoize(({ configuration }) =>
    settleLedger(options, { configuration, sources }, { run: inWorkspace }),
  );
  if (options.json) {
    const include = await Promise.all(chosen.map((stack) => toMatrixRow(stack, host, settle)));
    terminal.out(jsonText({ include }));
  } else {
    for (const stack of chosen)
      terminal.out(formatStack(stack, await ledgerPlaceOf(stack, host, settle), terminal));
    const total = count(all.length, 'stack');
    terminal.say(chosen.length === all.length ? `${total}.` : `${chosen.length} of ${total}.`);
  }
  reportUnreadable(chosen, terminal);
  const names = new Set(all.map(({ configuration }) => configuration.desired.stack));
  const choices = await Promise.all(all.map((stack) => settle(stack)));
  for (const choice of onePerPlace(choices, host)) await sayLeftLedgers(names, choice, host, terminal);
}

/** Prints the problems of the stacks whose configuration has errors, and sets the exit code if there is one. */
function reportUnreadable(stacks: readonly WorkspaceStack[], terminal: Terminal): void {
  const unreadable = stacks.filter(({ configuration }) => hasErrors(configuration.diagnostics));
  for (const { id, configuration } of unreadable) {
    terminal.say(`\n${cleanLine(id)} cannot be read:`);
    sayDiagnostics(configuration.diagnostics, terminal);
    terminal.run.exitCode = 1;
  }
}

/**
 * Returns one choice for each place with ledgers of the stacks, since their ledgers are listed together. Files of one folder are one place.
 */
function onePerPlace(choices: readonly SettledLedgerChoice[], host: Host): Iterable<SettledLedgerChoice> {
  const choicesByPlace = new Map(
    choices.map((choice) => {
      const file = chosenLedgerFile(choice, host);
      return [file === undefined ? choice.repositoryLedger?.place : dirname(file), choice];
    }),
  );
  return choicesByPlace.values();
}

/**
 * Says for `trueup stacks` which ledgers with objects are at a place although their stack is not in the workspace (`names`): no configuration manages
 * these objects any more.
 */
async function sayLeftLedgers(
  names: ReadonlySet<string>,
  choice: SettledLedgerChoice,
  host: Host,
  terminal: Terminal,
): Promise<void> {
  const ledgersWithoutStack = await findLeftLedgers(names, choice, host);
  if ('error' in ledgersWithoutStack) {
    const { place, error } = ledgersWithoutStack;
    return terminal.say(cleanLine(`The ledgers at ${place} cannot be listed: ${error.message}`));
  }
  for (const { place, stack } of ledgersWithoutStack)
    terminal.say(
      cleanLine(
        `The ledger ${place} is of the stack ${stack}, which is not in the workspace. If that stack is gone, restore its configuration and run \`trueup destroy\`, or keep its objects: \`trueup ledger retire ${shellWord(stack)}\`.`,
      ),
    );
}

/**
 * Returns the row of `trueup stacks --json` for one stack, from which CI starts a job: the values of `plan -f FILE --stage STAGE`, and names for
 * people.
 */
async function toMatrixRow(stack: WorkspaceStack, host: Host, settle: Settle): Promise<MatrixRow> {
  const { id, path, stage, needs, configuration, entry } = stack;
  return {
    id,
    path,
    file: entry.file,
    stage,
    stack: configuration.desired.stack === '' ? undefined : configuration.desired.stack,
    needs,
    ledger: await ledgerPlaceOf(stack, host, settle),
  };
}

/** Formats one stack for the list of `trueup stacks`: its id, its name, the stacks that it needs, and the place of its ledger. */
function formatStack(
  { id, needs, configuration }: WorkspaceStack,
  ledger: string,
  { outStyle }: Terminal,
): string {
  const { stack } = configuration.desired;
  const facts = [
    `stack ${stack || 'unknown'}`,
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(stack === '' ? [] : [`ledger ${ledger}`]),
  ];
  return cleanLine(`${id}  ${outStyle.quiet(facts.join('; '))}`);
}

/** Returns the place of a stack's ledger for `trueup stacks`; an empty text if the configuration is too broken to name its stack. */
async function ledgerPlaceOf(workspaceStack: WorkspaceStack, host: Host, settle: Settle): Promise<string> {
  const { stack } = workspaceStack.configuration.desired;
  if (stack === '') return '';
  return (await openLedgerDocuments(stack, await settle(workspaceStack), host)).place;
}
