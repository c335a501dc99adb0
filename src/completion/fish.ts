import { type CommandLine, type CompletionWords, wordPositionsOf } from './command-line.ts';

/**
 * Returns the completion script for fish (3.0 and later), which `trueup completion fish` prints. It has one
 * `complete` line for each command, option and argument (`lines`). Fish itself escapes the chosen word.
 */
export function fishScript(lines: CommandLine[]): string {
  const valuePositions = wordPositionsOf(lines).flatMap(({ name }) =>
    name.includes(':-') ? [quoteForFish(name)] : [],
  );
  const paths = lines.flatMap(({ path }) => (path === '' ? [] : [quoteForFish(path)]));
  return `# Completes trueup in fish: trueup completion fish | source
${positionTest(valuePositions, paths)}
function __trueup_words
    set -l tokens (commandline -opc)
    set -e tokens[1]
    command trueup __complete $argv[1] -- $tokens 2>/dev/null
end

complete -c trueup -e
complete -c trueup -f
${lines.flatMap(completeLinesOf).join('\n')}
`;
}

/**
 * Returns the fish function `__trueup_at` for the fish completion script. It is the condition of each `complete`
 * line: is the cursor in this command, and at this argument? It walks over the typed words. `valuePositions`: the
 * options whose next word is a value. `paths`: the commands in commands, such as `ledger copy`. All are quoted.
 */
const positionTest = (valuePositions: string[], paths: string[]): string =>
  `function __trueup_at --description 'Whether the cursor is in this command, and at this argument of it'
    set -l valued ${valuePositions.join(' ')}
    set -l paths ${paths.join(' ')}
    set -l path ''
    set -l position 0
    set -l is_value 0
    set -l tokens (commandline -opc)
    set -e tokens[1]
    for token in $tokens
        if test $is_value = 1
            set is_value 0
        else if string match -q -- '-*' $token
            if contains -- "$path:$token" $valued
                set is_value 1
            end
        else if contains -- (string trim -- "$path $token") $paths
            set path (string trim -- "$path $token")
            set position 0
        else
            set position (math $position + 1)
        end
    end
    test "$path" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or contains -- "$argv[2]" '*' $position
end
`;

/**
 * Returns the lines of the fish completion script for one command. Each line (`complete`) offers a command in it,
 * an option, or the words of an argument. `path`: the command's words, such as `ledger copy`.
 */
function completeLinesOf({ path, commands, options, arguments: argumentList }: CommandLine): string[] {
  const completeAt = (position?: number | '*') => {
    const test = `__trueup_at ${quoteForFish(path)}${position === undefined ? '' : ` '${position}'`}`;
    return `complete -c trueup -n ${quoteForFish(test)}`;
  };
  const commandLines = commands.map(
    ({ name, description }) => `${completeAt(0)} -a ${name} -d ${quoteForFish(description)}`,
  );
  const optionLines = options.map(({ flags, description, value }) => {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    const valueWords = value ? ` -r ${fishWordSource(value)}` : '';
    return `${completeAt()} ${names.join(' ')}${valueWords} -d ${quoteForFish(description)}`;
  });
  const argumentLines = argumentList.flatMap(({ words, isRepeated }, index) =>
    words.type === 'any' ? [] : [`${completeAt(isRepeated ? '*' : index)} ${fishWordSource(words)}`],
  );
  return [...commandLines, ...optionLines, ...argumentLines];
}

/**
 * Returns the flags of a `complete` line in the fish completion script that say where its words come from: files, a
 * fixed list, or a call of trueup for `dynamic` words such as addresses.
 */
function fishWordSource(words: CompletionWords): string {
  if (words.type === 'files') return '-F';
  if (words.type === 'choices') return `-f -a ${quoteForFish(words.words.join(' '))}`;
  return words.type === 'dynamic' ? `-f -a ${quoteForFish(`(__trueup_words ${words.kind})`)}` : '-f';
}

const quoteForFish = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
