import { Command, Help, type Option } from 'commander';
import { isLedgerFile } from '../app/session/ledger-choice.ts';
import { loadConfiguration, readStageNames } from '../app/session/load-configuration.ts';
import { openLedgerDocuments } from '../app/session/open-ledger.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { createLedgerStore } from '../ledger/ledger-store.ts';
import type { CommandRun } from './command-run.ts';
import { withConfiguration, withSources } from './options.ts';

/** The words that fit a place of the command line. `dynamic` ones come from `trueup __complete WORD`. */
export type Words =
  | { type: 'files' }
  | { type: 'choices'; words: string[] }
  | { type: 'dynamic'; kind: DynamicKind }
  | { type: 'any' };

const dynamicKinds = ['address', 'kind', 'stage', 'code', 'action', 'lookup', 'readable'] as const;
type DynamicKind = (typeof dynamicKinds)[number];

/** A command with its options and arguments, as the completion scripts need it. */
export interface CommandLine {
  /** Empty for the program itself, `ledger show` for a command in a command. */
  path: string;
  description: string;
  commands: { name: string; description: string }[];
  options: { flags: string[]; description: string; value?: Words }[];
  arguments: { words: Words; isRepeated: boolean }[];
}

/** All commands as commander knows them, without what is hidden: the scripts say what the tool says. */
export function commandLines(command: Command, path: string[] = []): CommandLine[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const commands = visible.map((command) => ({
    name: command.name(),
    description: help.subcommandDescription(command),
  }));
  const commandLine: CommandLine = {
    path: path.join(' '),
    description: command.description(),
    commands,
    // The standard help also shows the options that `--help` keeps for `--help --all`.
    options: new Help().visibleOptions(command).map((option) => optionOf(option)),
    arguments: command.registeredArguments.map((argument) => ({
      // `kinds` calls its argument by more than what it is.
      words: argumentWordsFor(choicesForCommand(command.name(), argument.name()), argument.argChoices),
      isRepeated: argument.variadic,
    })),
  };
  const inner = visible.map((command): CommandLine[] =>
    command.name() === 'help'
      ? [
          {
            ...emptyLine(command, [...path, 'help']),
            arguments: [{ words: commandChoices(commands), isRepeated: false }],
          },
        ]
      : commandLines(command, [...path, command.name()]),
  );
  return [commandLine, ...inner.flat()];
}

/** Explains an argument, if its name in the help says less or more. */
function choicesForCommand(command: string, name: string): string {
  if (command === 'kinds') return 'kind';
  return command === 'get' && name === 'lookup' ? 'readable' : name;
}

const emptyLine = (command: Command, path: string[]): CommandLine => ({
  path: path.join(' '),
  description: command.description(),
  commands: [],
  options: [],
  arguments: [],
});

const commandChoices = (commands: CommandLine['commands']): Words => ({
  type: 'choices',
  words: commands.map(({ name }) => name).filter((name) => name !== 'help'),
});

function optionOf({ short, long, description, required, optional, flags, argChoices }: Option) {
  const name = /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: required || optional ? argumentWordsFor(name, argChoices) : undefined,
  };
}

/** The words for an argument or an option's value, by the name that the help shows for it. */
function argumentWordsFor(name: string, argChoices: readonly string[] | undefined): Words {
  if (argChoices) return { type: 'choices', words: [...argChoices] };
  if (/^(path|file|folder)s?$/.test(name)) return { type: 'files' };
  if (/^address(-glob)?(es)?$/.test(name)) return { type: 'dynamic', kind: 'address' };
  if (/^kinds?$/.test(name)) return { type: 'dynamic', kind: 'kind' };
  if (name === 'action' || name === 'lookup' || name === 'readable') return { type: 'dynamic', kind: name };
  if (name === 'code') return { type: 'dynamic', kind: 'code' };
  if (name === 'stage') return { type: 'dynamic', kind: 'stage' };
  return { type: 'any' };
}

/** Every place that takes words, with what it takes: `plan:--file` for an option, `ledger show:0` or `fmt:*` for an argument. */
export const placesOf = (lines: CommandLine[]): { place: string; words: Words }[] =>
  lines.flatMap(({ path, options, arguments: all }) => [
    ...options.flatMap(({ flags, value }) =>
      value ? flags.map((flag) => ({ place: `${path}:${flag}`, words: value })) : [],
    ),
    ...all.map(({ words, isRepeated }, index) => ({ place: `${path}:${isRepeated ? '*' : index}`, words })),
  ]);

/** The command that completion scripts call for words that only the configuration knows. */
export function completeCommand(command: Command, provider: Provider, run: CommandRun): void {
  command
    .argument('[kind]')
    .argument('[words...]', 'the words of the command line, after `--`')
    .allowUnknownOption()
    .action(async (kind: string | undefined, words: string[]) => {
      for (const word of await completionWordsOf(provider, kind, words, run))
        run.host.stdout.write(`${word}\n`);
    });
}

/**
 * The words for a place of the command line, of which `words` stand before it: the configuration that those name is looked at.
 * Nothing but files is read, and whatever is wrong there is none of a completion's business: then there are no words.
 */
async function completionWordsOf(
  provider: Provider,
  kind: string | undefined,
  words: string[],
  run: CommandRun,
): Promise<string[]> {
  if (kind === dynamicKinds[1]) return provider.kinds.map(({ name }) => name).sort();
  const { actions, lookups } = await provider.dayTwo();
  if (kind === dynamicKinds[4]) return [...actions.keys()].sort();
  if (kind === dynamicKinds[5]) return [...lookups.keys()].sort();
  if (kind === dynamicKinds[6])
    return [...new Set([...lookups.keys(), ...provider.kinds.map(({ name }) => name)])].sort();
  if (kind === dynamicKinds[3]) return (await import('./explain.ts')).explainedCodes();
  if (kind !== dynamicKinds[0] && kind !== dynamicKinds[2]) return [];
  try {
    // The option whose value is asked for has none yet.
    const isOpen = kind === dynamicKinds[2] && words.at(-1) === '--stage';
    const options = configurationIn(isOpen ? words.slice(0, -1) : words);
    if (kind === dynamicKinds[2]) return await readStageNames(provider, options, run);
    const { desired } = await loadConfiguration(provider, options, run, {
      sources: sourcesFor(options, run.host),
      isOnlyShown: true,
    });
    // What is only in the ledger is what `--delete` and `ledger forget` are about. For a word nobody waits for a remote.
    const held = isLedgerFile(options, run.host)
      ? await createLedgerStore(await openLedgerDocuments(desired.stack, options, run.host), {
          key: undefined,
        })
          .read()
          .catch(() => undefined)
      : undefined;
    return [...new Set([...desired.resources.keys(), ...Object.keys(held?.entries ?? {})])].sort();
  } catch {
    return [];
  }
}

/** The options of a line that is not finished: what is not about the configuration is passed over. */
function configurationIn(words: string[]): StackOptions {
  const command = withSources(withConfiguration(new Command()))
    .option('--ledger <path>')
    .option('--twin')
    .argument('[words...]')
    .allowUnknownOption()
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .helpOption(false);
  return command.parse(words, { from: 'user' }).opts();
}
