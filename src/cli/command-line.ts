import type { Command, Option } from 'commander';

/** The words that fit a place of the command line. `dynamic` ones come from `trueup __complete WORD`. */
export type Words =
  | { type: 'files' }
  | { type: 'choices'; words: string[] }
  | { type: 'dynamic'; kind: DynamicKind }
  | { type: 'any' };

export const dynamicKinds = ['address', 'kind', 'stage', 'code', 'action', 'lookup', 'readable'] as const;
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
  const commands = visible.map((one) => ({ name: one.name(), description: help.subcommandDescription(one) }));
  const own: CommandLine = {
    path: path.join(' '),
    description: command.description(),
    commands,
    options: help.visibleOptions(command).map((option) => optionOf(option)),
    arguments: command.registeredArguments.map((argument) => ({
      // `kinds` calls its argument by more than what it is.
      words: wordsFor(meantBy(command.name(), argument.name()), argument.argChoices),
      isRepeated: argument.variadic,
    })),
  };
  const inner = visible.map((one): CommandLine[] =>
    one.name() === 'help'
      ? [
          {
            ...emptyLine(one, [...path, 'help']),
            arguments: [{ words: choices(commands), isRepeated: false }],
          },
        ]
      : commandLines(one, [...path, one.name()]),
  );
  return [own, ...inner.flat()];
}

/** Explains an argument, if its name in the help says less or more. */
function meantBy(command: string, name: string): string {
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

const choices = (commands: CommandLine['commands']): Words => ({
  type: 'choices',
  words: commands.map(({ name }) => name).filter((name) => name !== 'help'),
});

function optionOf({ short, long, description, required, optional, flags, argChoices }: Option) {
  const name = /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    ...(required || optional ? { value: wordsFor(name, argChoices) } : {}),
  };
}

/** The words for an argument or an option's value, by the name that the help shows for it. */
function wordsFor(name: string, argChoices: readonly string[] | undefined): Words {
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
    ...all.map(({ words, isRepeated }, at) => ({ place: `${path}:${isRepeated ? '*' : at}`, words })),
  ]);
