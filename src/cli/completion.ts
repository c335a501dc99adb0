/*
 * Completion in shells. `trueup completion SHELL` prints a script, and the script calls `trueup __complete WORD_KIND -- WORDS` for words that
 * only the configuration or the provider knows. The scripts are made from the commander declarations, so they cannot differ from the help.
 */

import { Readable } from 'node:stream';
import { Argument, Command, Help, type Option } from 'commander';
import { readStageNames } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import {
  type CommandLine,
  type CompletionWords,
  type DynamicWordKind,
  dynamicWordKinds,
} from '../completion/command-line.ts';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun, ProgramAccess } from '../terminal/command-run.ts';
import { loadWithLedgerFile } from './ledger-file.ts';
import { withConfiguration, withSources } from './options.ts';

/** The function for the script of each shell. Loaded only when a script is printed, because `__complete` has to be fast. */
const scripts: Record<string, () => Promise<(lines: CommandLine[]) => string>> = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
};

/** Declares `trueup completion`, which prints the completion script of a shell. */
export function completionCommand(
  command: Command,
  _provider: Provider,
  { host }: CommandRun,
  { createProgram }: Pick<ProgramAccess, 'createProgram'>,
): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
For the current session, or in a startup file for every session:
  bash  source <(trueup completion bash)
  zsh   source <(trueup completion zsh)     after compinit
  fish  trueup completion fish | source`,
    )
    .action(async (shell: string) => {
      const scriptFor = await scripts[shell]!();
      host.stdout.write(scriptFor(commandLines(await createProgram())));
    });
}

/** Describes a commander command and the visible commands in it for the scripts of `trueup completion`. `path`: the words that call it. */
export function commandLines(command: Command, path: string[] = []): CommandLine[] {
  const help = command.createHelp();
  const visibleCommands = help.visibleCommands(command);
  const commands = visibleCommands.map((inner) => ({
    name: inner.name(),
    description: help.subcommandDescription(inner),
  }));
  const commandLine: CommandLine = {
    path: path.join(' '),
    description: command.description(),
    commands,
    // The standard help also shows the options that `--help` keeps for `--help --all`.
    options: new Help().visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map((argument) => ({
      words: wordsFor(wordNameOf(command.name(), argument.name()), argument.argChoices),
      isRepeated: argument.variadic,
    })),
  };
  const innerLines = visibleCommands.flatMap((inner) => {
    const innerPath = [...path, inner.name()];
    return inner.name() === 'help' ? [helpLine(inner, innerPath, commands)] : commandLines(inner, innerPath);
  });
  return [commandLine, ...innerLines];
}

/** Returns the name that decides which words `trueup completion` offers for an argument, for the three commands whose help uses a less precise name. */
function wordNameOf(command: string, argument: string): string {
  if (command === 'kinds') return 'kind';
  if (command === 'diff') return 'side';
  return command === 'get' && argument === 'lookup' ? 'readable' : argument;
}

/**
 * Describes `trueup help` and similar commands, which commander adds, for the scripts of `trueup completion`: the only argument is the name of
 * one of the other commands.
 */
function helpLine(command: Command, path: string[], commands: CommandLine['commands']): CommandLine {
  const names = commands.map(({ name }) => name).filter((name) => name !== 'help');
  return {
    path: path.join(' '),
    description: command.description(),
    commands: [],
    options: [],
    arguments: [{ words: { type: 'choices', words: names }, isRepeated: false }],
  };
}

/** Describes an option for the scripts of `trueup completion`. The help shows the name of its value in brackets: `--file <path>`. */
function optionOf({ short, long, description, required, optional, flags, argChoices }: Option) {
  const name = /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: required || optional ? wordsFor(name, argChoices) : undefined,
  };
}

/**
 * Returns the words that `trueup completion` lets a shell offer for an argument or an option's value: its declared choices, or words that fit the
 * name in the help, such as files for `<path>`.
 */
function wordsFor(name: string, choices: readonly string[] | undefined): CompletionWords {
  if (choices) return { type: 'choices', words: [...choices] };
  if (/^(path|file|folder)s?$/.test(name)) return { type: 'files' };
  if (/^address(-glob)?(es)?$/.test(name)) return { type: 'dynamic', kind: 'address' };
  if (name === 'kinds') return { type: 'dynamic', kind: 'kind' };
  return isDynamicKind(name) ? { type: 'dynamic', kind: name } : { type: 'any' };
}

const isDynamicKind = (name: string | undefined): name is DynamicWordKind =>
  dynamicWordKinds.some((kind) => kind === name);

/**
 * Declares the hidden `trueup __complete`, which completion scripts call for words that depend on the provider or the configuration, such
 * as addresses (`kind`). It prints one word a line.
 */
export function completeCommand(command: Command, provider: Provider, run: CommandRun): void {
  command
    .argument('[kind]')
    .argument('[words...]', 'the words of the command line, after `--`')
    .allowUnknownOption()
    .action(async (kind: string | undefined, words: string[]) => {
      if (!isDynamicKind(kind)) return;
      // For `-f -`, standard input would be the terminal of the person who types.
      const silentRun: CommandRun = { ...run, host: { ...run.host, stdin: Readable.from([]) } };
      for (const word of await completionWordsOf(provider, kind, words, silentRun))
        run.host.stdout.write(`${word}\n`);
    });
}

/**
 * Returns the words that a shell offers at the cursor, of a kind that depends on the provider or the configuration, such as addresses.
 * `words`: the words before the cursor, because they may name the configuration. Reads no account and no ledger elsewhere. Returns no words
 * if the configuration has errors, because a completion must not print them.
 */
async function completionWordsOf(
  provider: Provider,
  kind: DynamicWordKind,
  words: string[],
  run: CommandRun,
): Promise<string[]> {
  const kindNames = provider.kinds.map(({ name }) => name);
  if (kind === 'code') return (await import('./explain.ts')).explainedCodes();
  if (kind === 'kind') return kindNames.sort();
  try {
    if (kind === 'address') return await addressesIn(provider, addressConfigurationIn(words), run);
    if (kind === 'side') {
      const { readSideWords } = await import('../compare/find-side.ts');
      return await readSideWords(provider, configurationIn(words), run);
    }
    // If the cursor is at the value of `--stage`, the option has no value yet.
    const completeWords = words.at(-1) === '--stage' ? words.slice(0, -1) : words;
    if (kind === 'stage') return await readStageNames(provider, configurationIn(completeWords), run);
  } catch {
    return [];
  }
  const { actions, lookups } = await provider.actionsAndLookups();
  if (kind === 'action') return [...actions.keys()].sort();
  if (kind === 'lookup') return [...lookups.keys()].sort();
  return [...new Set([...lookups.keys(), ...kindNames])].sort();
}

/**
 * Returns the addresses that the configuration declares, and those in the ledger, which `destroy` and `ledger forget` name. A ledger
 * in git or a store is not read.
 */
async function addressesIn(provider: Provider, options: StackOptions, run: CommandRun): Promise<string[]> {
  const { configuration, ledger } = await loadWithLedgerFile(provider, options, run);
  const declared = configuration.desired.resources.keys();
  return [...new Set([...declared, ...Object.keys(ledger?.entries ?? {})])].sort();
}

/** Returns the options of the configuration whose addresses are offered. Those of `diff --promote` are addresses of the first side, which may be a stage. */
function addressConfigurationIn(words: string[]): StackOptions {
  const options = configurationIn(words);
  const [command, firstSide = '-'] = words;
  if (command !== 'diff' || options.stage !== undefined || firstSide.startsWith('-')) return options;
  return { ...options, stage: firstSide.replace(/^stage:/, '') };
}

/**
 * Parses the options that name a configuration (`-f`, `--stage`) from an unfinished command line, so that addresses of the right stack
 * are offered. Ignores all other words.
 */
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
