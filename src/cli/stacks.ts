import type { Command } from 'commander';
import {
  type ChosenStacks,
  inFolder,
  readWorkspaceStacks,
  type WorkspaceStack,
} from '../app/planning/workspace-stacks.ts';
import { isLedgerFile } from '../app/session/ledger-choice.ts';
import { openLedgerDocuments } from '../app/session/open-ledger.ts';
import { type StackOptions, type StacksOptions, standardOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { tryParseJson } from '../model/json-in.ts';
import { shellWord } from '../model/shell-word.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import type { MatrixRow } from '../report/stacks/stacks-json.ts';
import type { CommandRun } from './command-run.ts';
import {
  changedSinceOption,
  ledgerHelp,
  ledgerIndexOption,
  withConfigurationOf,
  workspaceOption,
} from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface StacksCommandOptions extends StackOptions, StacksOptions {
  json?: boolean;
}

export function stacksCommand(command: Command, provider: Provider, run: CommandRun): void {
  withConfigurationOf(command)
    .addOption(changedSinceOption())
    .addOption(workspaceOption())
    .option('--json', 'print a CI job matrix: {"include":[{"path":"shop","stage":"staging",...}]}')
    .option('--ledger <path>', ledgerHelp)
    .addOption(ledgerIndexOption())
    .option('--twin', "the embedded twin's ledgers")
    .action(async (given: StacksCommandOptions) => {
      const options = { ...given, ...standardOptions };
      const terminal = terminalFor(run, options);
      const chosenStacks = await readWorkspaceStacks(provider, options, run);
      for (const note of chosenStacks.notes) terminal.say(cleanLine(note));
      const place = (stack: WorkspaceStack) => formatLedgerPlace(stack, chosenStacks, options, run);
      if (options.json)
        terminal.out(
          jsonText({
            include: await Promise.all(
              chosenStacks.chosen.map(async (stack) => matrixRowOf(stack, await place(stack))),
            ),
          }),
        );
      else
        for (const stack of chosenStacks.chosen)
          terminal.out(stackLineOf(stack, await place(stack), terminal));
      if (!options.json)
        terminal.say(
          chosenStacks.chosen.length === chosenStacks.all.length
            ? `${count(chosenStacks.all.length, 'stack')}.`
            : `${chosenStacks.chosen.length} of ${count(chosenStacks.all.length, 'stack')}.`,
        );
      for (const { id, configuration } of chosenStacks.chosen.filter((workspaceStack) =>
        hasErrors(workspaceStack.configuration.diagnostics),
      )) {
        terminal.say(`\n${cleanLine(id)} cannot be read:`);
        terminal.say(diagnosticsText(configuration.diagnostics, { style: terminal.errStyle }));
        run.exitCode = 1;
      }
      for (const text of await leftLedgers(chosenStacks, options, run)) terminal.say(cleanLine(text));
    });
}

/** A row of a matrix: what `plan -f FILE --stage STAGE` takes, and what people look for. */
const matrixRowOf = (
  { id, path, stage, needs, configuration, entry }: WorkspaceStack,
  ledger: string,
): MatrixRow => ({
  id,
  path,
  file: entry.file,
  stage,
  stack: configuration.desired.stack === '' ? undefined : configuration.desired.stack,
  needs,
  ledger,
});

function stackLineOf(
  { id, needs, configuration }: WorkspaceStack,
  ledger: string,
  { outStyle }: Terminal,
): string {
  const { stack } = configuration.desired;
  const about = [
    `stack ${stack || 'unknown'}`,
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(stack === '' ? [] : [`ledger ${ledger}`]),
  ];
  return cleanLine(`${id}  ${outStyle.quiet(about.join('; '))}`);
}

async function formatLedgerPlace(
  { configuration }: WorkspaceStack,
  { folder }: ChosenStacks,
  options: StacksCommandOptions,
  run: CommandRun,
): Promise<string> {
  const { stack } = configuration.desired;
  return stack === '' ? '' : (await openLedgerDocuments(stack, options, inFolder(run, folder).host)).place;
}

/** The ledgers beside those of the workspace that none of its stacks has: a stack that was taken out leaves its objects behind. */
async function leftLedgers(
  { all, folder }: ChosenStacks,
  options: StacksCommandOptions,
  run: CommandRun,
): Promise<string[]> {
  // Of a stack whose name is not known nobody can tell which ledger is its own.
  if (all.some(({ configuration }) => configuration.desired.stack === '')) return [];
  const { host } = inFolder(run, folder);
  const known = new Set(all.map(({ configuration }) => configuration.desired.stack));
  const [first] = known;
  if (first === undefined) return [];
  const documents = await openLedgerDocuments(first, options, host);
  const others = await documents.readOtherLedgers().catch((error: Error) => {
    const where = isLedgerFile(options, host)
      ? 'the folder of the ledgers'
      : documents.place.replace(/^.* at /, '');
    return [{ place: where, text: '', error }];
  });
  return others.flatMap((one) => {
    if ('error' in one) return [`The ledgers at ${one.place} cannot be listed: ${one.error.message}`];
    const stack = stackIn(one.text ?? '');
    if (stack === undefined || known.has(stack)) return [];
    return [
      `The ledger ${one.place} is of the stack ${stack}, which is not in the workspace. If that stack is gone, restore its configuration and run \`trueup destroy\`, or keep its objects: \`trueup ledger retire ${shellWord(stack)}\`.`,
    ];
  });
}

/** The stack of a ledger that owns something; one that was retired has nothing left to decide about. */
function stackIn(text: string): string | undefined {
  const { stack, entries } = (tryParseJson(text) ?? {}) as { stack?: unknown; entries?: object };
  if (Object.keys(entries ?? {}).length === 0) return undefined;
  return typeof stack === 'string' ? stack : undefined;
}
