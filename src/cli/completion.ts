/*
 * Completion in shells. `trueup completion SHELL` prints a script, and the script calls `trueup __complete WORD_KIND -- WORDS` for words that
 * only the configuration or the provider knows. The scripts are made from the commander declarations, so they cannot differ from the help.
 */

import { Readable } from 'node:stream';
import { Argument, Command } from 'commander';
import { readStageNames } from '../app/session/load-configuration.ts';
import type { StackOptions } from '../app/stack-options.ts';
import type { CommandLine, DynamicWordKind } from '../completion/command-line.ts';
import { describeCommands, isDynamicKind } from '../completion/describe-commands.ts';
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
      host.stdout.write(scriptFor(describeCommands(await createProgram())));
    });
}

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
  switch (kind) {
    case 'code':
      return (await import('./explain.ts')).explainedCodes();
    case 'kind':
      return kindNames.sort();
    case 'address':
    case 'side':
    case 'stage':
      return configuredWords(provider, kind, words, run).catch(() => []);
  }
  const { actions, lookups } = await provider.actionsAndLookups();
  if (kind === 'action') return [...actions.keys()].sort();
  if (kind === 'lookup') return [...lookups.keys()].sort();
  return [...new Set([...lookups.keys(), ...kindNames])].sort();
}

/** Returns the words of a kind that only the configuration knows. Throws `Problems` if the configuration has errors. */
async function configuredWords(
  provider: Provider,
  kind: 'address' | 'side' | 'stage',
  words: string[],
  run: CommandRun,
): Promise<string[]> {
  if (kind === 'address') return addressesIn(provider, addressConfigurationIn(words), run);
  if (kind === 'side') {
    const { readSideWords } = await import('../compare/find-side.ts');
    return readSideWords(provider, configurationIn(words), run);
  }
  // If the cursor is at the value of `--stage`, the option has no value yet.
  const completeWords = words.at(-1) === '--stage' ? words.slice(0, -1) : words;
  return readStageNames(provider, configurationIn(completeWords), run);
}

/**
 * Returns the addresses for shell completion: those that the configuration declares, and those in the ledger, for `destroy` and
 * `ledger forget`. A ledger in git or a store is not read.
 */
async function addressesIn(provider: Provider, options: StackOptions, run: CommandRun): Promise<string[]> {
  const { configuration, ledger } = await loadWithLedgerFile(provider, options, run);
  const declared = configuration.desired.resources.keys();
  return [...new Set([...declared, ...Object.keys(ledger?.entries ?? {})])].sort();
}

/**
 * Returns the options of the configuration whose addresses shell completion offers, from the words that are typed already. Those of
 * `diff --promote` are addresses of the first side. It is taken for a stage; if it is none, the completion finds no addresses.
 */
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
