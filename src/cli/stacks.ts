import type { Command } from 'commander';
import {
  type ChosenStacks,
  inFolder,
  type WorkspaceStack,
  workspaceStacks,
} from '../app/planning/workspace-stacks.ts';
import { isFile } from '../app/session/ledger-choice.ts';
import { documentsFor } from '../app/session/ledger-place.ts';
import { type StackOptions, type StacksOptions, standard } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { jsonIn } from '../model/json-in.ts';
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
      const options = { ...given, ...standard };
      const terminal = terminalFor(run, options);
      const chosenStacks = await workspaceStacks(provider, options, run);
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
      for (const { id, look } of chosenStacks.chosen.filter((workspaceStack) =>
        hasErrors(workspaceStack.look.diagnostics),
      )) {
        terminal.say(`\n${cleanLine(id)} cannot be read:`);
        terminal.say(diagnosticsText(look.diagnostics, { style: terminal.errStyle }));
        run.exitCode = 1;
      }
      for (const text of await leftLedgers(chosenStacks, options, run)) terminal.say(cleanLine(text));
    });
}

/** A row of a matrix: what `plan -f FILE --stage STAGE` takes, and what people look for. */
const matrixRowOf = ({ id, path, stage, needs, look, entry }: WorkspaceStack, ledger: string): MatrixRow => ({
  id,
  path,
  file: entry.file,
  stage,
  stack: look.desired.stack === '' ? undefined : look.desired.stack,
  needs,
  ledger,
});

function stackLineOf({ id, needs, look }: WorkspaceStack, ledger: string, { outStyle }: Terminal): string {
  const { stack } = look.desired;
  const about = [
    `stack ${stack || 'unknown'}`,
    ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : []),
    ...(stack === '' ? [] : [`ledger ${ledger}`]),
  ];
  return cleanLine(`${id}  ${outStyle.quiet(about.join('; '))}`);
}

async function formatLedgerPlace(
  { look }: WorkspaceStack,
  { folder }: ChosenStacks,
  options: StacksCommandOptions,
  run: CommandRun,
): Promise<string> {
  const { stack } = look.desired;
  return stack === '' ? '' : (await documentsFor(stack, options, inFolder(run, folder).host)).place;
}

/** The ledgers beside those of the workspace that none of its stacks has: a stack that was taken out leaves its objects behind. */
async function leftLedgers(
  { all, folder }: ChosenStacks,
  options: StacksCommandOptions,
  run: CommandRun,
): Promise<string[]> {
  // Of a stack whose name is not known nobody can tell which ledger is its own.
  if (all.some(({ look }) => look.desired.stack === '')) return [];
  const { host } = inFolder(run, folder);
  const known = new Set(all.map(({ look }) => look.desired.stack));
  const [first] = known;
  if (first === undefined) return [];
  const documents = await documentsFor(first, options, host);
  const others = await documents.readOtherLedgers().catch((error: Error) => {
    const where = isFile(options, host)
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
  const { stack, entries } = (jsonIn(text) ?? {}) as { stack?: unknown; entries?: object };
  if (Object.keys(entries ?? {}).length === 0) return undefined;
  return typeof stack === 'string' ? stack : undefined;
}
