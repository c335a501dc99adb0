import { Argument, type Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { bashCompletion } from './bash-completion.ts';
import { type CommandLine, commandLines, placesOf, type Words } from './command-line.ts';
import type { Around, CommandRun } from './command-run.ts';

const scripts: Record<string, (lines: CommandLine[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionCommand(
  command: Command,
  _provider: Provider,
  { host }: CommandRun,
  { whole }: Pick<Around, 'whole'>,
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
      host.stdout.write(scripts[shell]!(commandLines(await whole())));
    });
}

/** A completion script for fish, from 3.0 on. Fish itself escapes what is chosen. */
function fishCompletion(lines: CommandLine[]): string {
  const valued = placesOf(lines).flatMap(({ place }) => (place.includes(':-') ? [quotedForFish(place)] : []));
  const paths = lines.flatMap(({ path }) => (path === '' ? [] : [quotedForFish(path)]));
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
    `complete -c trueup -n ${quotedForFish(`__trueup_at ${quotedForFish(path)}${position === undefined ? '' : ` '${position}'`}`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(0)} -a ${name} -d ${quotedForFish(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return `${at()} ${names.join(' ')}${value ? ` -r ${fishSource(value)}` : ''} -d ${quotedForFish(description)}`;
    }),
    ...all.flatMap(({ words, isRepeated }, index) =>
      words.type === 'any' ? [] : [`${at(isRepeated ? '*' : index)} ${fishSource(words)}`],
    ),
  ];
}

function fishSource(words: Words): string {
  if (words.type === 'files') return '-F';
  if (words.type === 'choices') return `-f -a ${quotedForFish(words.words.join(' '))}`;
  return words.type === 'dynamic' ? `-f -a ${quotedForFish(`(__trueup_words ${words.kind})`)}` : '-f';
}

const quotedForFish = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** A completion script for zsh: to be sourced after compinit, or to be kept as \`_trueup\` in a folder of fpath. */
function zshCompletion(lines: CommandLine[]): string {
  return `#compdef trueup
# Completes trueup in zsh: source <(trueup completion zsh)

_trueup_words() {
  local -a found expl
  found=("\${(@f)$(command trueup __complete $1 -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  (( $#found )) || return 1
  # Not _describe: to it a colon in an address would begin a description.
  _wanted $1 expl $1 compadd -a found
}

${lines.map(functionFor).join('\n')}
if [[ $funcstack[1] == _trueup ]]; then
  _trueup "$@"
else
  compdef _trueup trueup
fi
`;
}

const functionNameOf = (path: string) => `_trueup${path && `_${path.replaceAll(' ', '_')}`}`;

function functionFor({ path, commands, options, arguments: all }: CommandLine): string {
  const specs = [
    ...options.flatMap(({ flags, description, value }) =>
      flags.map((flag) => {
        const name = value ? `*${flag}${flag.startsWith('--') ? '=' : ''}` : flag;
        return shellQuoted(`${name}[${escapeBrackets(description)}]${value ? `:${zshAction(value)}` : ''}`);
      }),
    ),
    ...all.map(({ words, isRepeated }, index) =>
      shellQuoted(`${isRepeated ? '*' : index + 1}:${zshAction(words)}`),
    ),
    ...(commands.length > 0
      ? [shellQuoted('1:command:->command'), shellQuoted('*::argument:->argument')]
      : []),
  ];
  const body = `_arguments -s -S${commands.length > 0 ? ' -C' : ''} ${specs.join(' \\\n    ')}`;
  if (commands.length === 0) return `${functionNameOf(path)}() {\n  ${body}\n}\n`;
  const join = (name: string) => functionNameOf(path ? `${path} ${name}` : name);
  return `${functionNameOf(path)}() {
  local curcontext="$curcontext" context state state_descr
  local -a line commands
  typeset -A opt_args
  ${body} && return
  case "$state" in
    command)
      commands=(
${commands.map(({ name, description }) => `        ${shellQuoted(`${name}:${description}`)}`).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      case "$line[1]" in
${commands.map(({ name }) => `        ${name}) ${join(name)} ;;`).join('\n')}
      esac
      ;;
  esac
}
`;
}

/** The message and the action of a place, as _arguments reads them. */
function zshAction(words: Words): string {
  if (words.type === 'files') return 'file:_files';
  if (words.type === 'choices') return `value:(${words.words.join(' ')})`;
  // A blank in front: called as it stands, without arguments for compadd.
  return words.type === 'dynamic' ? `${words.kind}: _trueup_words ${words.kind}` : 'value: ';
}

const escapeBrackets = (text: string) => text.replace(/[\\[\]]/g, '\\$&');
