import { type Command, Help, type Option } from 'commander';
import {
  type CommandLine,
  type CompletionWords,
  type DynamicWordKind,
  dynamicWordKinds,
} from './command-line.ts';

/** Describes a commander command and the visible commands in it for the scripts of `trueup completion`. `path`: the words that call it. */
export function describeCommands(command: Command, path: string[] = []): CommandLine[] {
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
    options: new Help().visibleOptions(command).map(describeOption),
    arguments: command.registeredArguments.map((argument) => ({
      words: wordsFor(wordNameOf(command.name(), argument.name()), argument.argChoices),
      isRepeated: argument.variadic,
    })),
  };
  const innerLines = visibleCommands.flatMap((inner) => {
    const innerPath = [...path, inner.name()];
    return inner.name() === 'help'
      ? [describeHelp(inner, innerPath, commands)]
      : describeCommands(inner, innerPath);
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
function describeHelp(command: Command, path: string[], commands: CommandLine['commands']): CommandLine {
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
function describeOption({ short, long, description, required, optional, flags, argChoices }: Option) {
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

/** True if the words of this name depend on the provider or the configuration, such as addresses, so that scripts ask `trueup __complete` for them. */
export const isDynamicKind = (name: string | undefined): name is DynamicWordKind =>
  dynamicWordKinds.some((kind) => kind === name);
