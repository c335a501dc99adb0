import { type CommandLine, placesOf, type Words } from './command-line.ts';

/** A completion script for fish, from 3.0 on. Fish itself escapes what is chosen. */
export function fishCompletion(lines: CommandLine[]): string {
  const valued = placesOf(lines).flatMap(({ place }) => (place.includes(':-') ? [quoted(place)] : []));
  const paths = lines.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  return `# Completes trueup in fish: trueup completion fish | source
function __trueup_at --description 'Whether the cursor is in this command, and at this argument of it'
    set -l valued ${valued.join(' ')}
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

function __trueup_words
    set -l tokens (commandline -opc)
    set -e tokens[1]
    command trueup __complete $argv[1] -- $tokens 2>/dev/null
end

complete -c trueup -e
complete -c trueup -f
${lines.flatMap(completionsOf).join('\n')}
`;
}

function completionsOf({ path, commands, options, arguments: all }: CommandLine): string[] {
  const at = (position?: number | '*') =>
    `complete -c trueup -n ${quoted(`__trueup_at ${quoted(path)}${position === undefined ? '' : ` '${position}'`}`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(0)} -a ${name} -d ${quoted(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return `${at()} ${names.join(' ')}${value ? ` -r ${source(value)}` : ''} -d ${quoted(description)}`;
    }),
    ...all.flatMap(({ words, isRepeated }, index) =>
      words.type === 'any' ? [] : [`${at(isRepeated ? '*' : index)} ${source(words)}`],
    ),
  ];
}

function source(words: Words): string {
  if (words.type === 'files') return '-F';
  if (words.type === 'choices') return `-f -a ${quoted(words.words.join(' '))}`;
  return words.type === 'dynamic' ? `-f -a ${quoted(`(__trueup_words ${words.kind})`)}` : '-f';
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
