/*
 * The scripts are written here, because the library for commander (`@bomb.sh/tab` 0.0.22, maintained, for bash, zsh, fish and PowerShell)
 * is not safe enough. Its bash script evaluates the unfinished command line and the offered words, so a `$(...)` that was only typed, or
 * that is part of an address in a pull request, would run at the next Tab. It also completes no files, needs the package bash-completion,
 * offers only the options of the short help, and does not join the pieces into which bash splits an address at its `@`.
 */

/** The words that fit one position of a command line. For `dynamic`, the scripts ask `trueup __complete WORD_KIND` while the user types. */
export type CompletionWords =
  | { type: 'files' }
  | { type: 'choices'; words: string[] }
  | { type: 'dynamic'; kind: DynamicWordKind }
  | { type: 'any' };

/**
 * The words that only the configuration, the provider or the documentation knows. `side`: what `trueup diff` can compare. `readable`:
 * everything that `trueup get` can show.
 */
export const dynamicWordKinds = [
  'address',
  'kind',
  'stage',
  'side',
  'code',
  'action',
  'lookup',
  'readable',
] as const;
export type DynamicWordKind = (typeof dynamicWordKinds)[number];

/** A command with its options and arguments: all that a completion script has to know about it. */
export interface CommandLine {
  /** The words that call it without the program's name: empty for `trueup` alone, `ledger show` for a command in a command. */
  path: string;
  description: string;
  commands: { name: string; description: string }[];
  /** `value`: the words that can follow the flag; absent for a flag without a value. */
  options: { flags: string[]; description: string; value?: CompletionWords }[];
  /** `isRepeated`: the argument takes any number of words. */
  arguments: { words: CompletionWords; isRepeated: boolean }[];
}

/** A position of a command line that takes a word, such as `plan:--file` for an option, `ledger show:0` or `fmt:*` for an argument. */
interface WordPosition {
  name: string;
  words: CompletionWords;
}

/**
 * Lists the positions of all commands that take a word: the values of options (`plan:--format`) and the arguments
 * (`show:0`), each with the words to offer. The completion scripts for bash and fish look words up by these names.
 * `*`: a repeated argument.
 */
export const wordPositionsOf = (lines: CommandLine[]): WordPosition[] =>
  lines.flatMap(({ path, options, arguments: argumentList }) => {
    const values = options.flatMap(({ flags, value }) =>
      value ? flags.map((flag) => ({ name: `${path}:${flag}`, words: value })) : [],
    );
    const positional = argumentList.map(({ words, isRepeated }, index) => ({
      name: `${path}:${isRepeated ? '*' : index}`,
      words,
    }));
    return [...values, ...positional];
  });
