import type { CommandLine, Words } from './command-line.ts';

/** A completion script for zsh: to be sourced after compinit, or to be kept as \`_trueup\` in a folder of fpath. */
export function zshCompletion(lines: CommandLine[]): string {
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

const nameOf = (path: string) => `_trueup${path && `_${path.replaceAll(' ', '_')}`}`;

function functionFor({ path, commands, options, arguments: all }: CommandLine): string {
  const specs = [
    ...options.flatMap(({ flags, description, value }) =>
      flags.map((flag) => {
        const name = value ? `*${flag}${flag.startsWith('--') ? '=' : ''}` : flag;
        return quoted(`${name}[${escaped(description)}]${value ? `:${action(value)}` : ''}`);
      }),
    ),
    ...all.map(({ words, isRepeated }, at) => quoted(`${isRepeated ? '*' : at + 1}:${action(words)}`)),
    ...(commands.length > 0 ? [quoted('1:command:->command'), quoted('*::argument:->argument')] : []),
  ];
  const body = `_arguments -s -S${commands.length > 0 ? ' -C' : ''} ${specs.join(' \\\n    ')}`;
  if (commands.length === 0) return `${nameOf(path)}() {\n  ${body}\n}\n`;
  const join = (name: string) => nameOf(path ? `${path} ${name}` : name);
  return `${nameOf(path)}() {
  local curcontext="$curcontext" context state state_descr
  local -a line commands
  typeset -A opt_args
  ${body} && return
  case "$state" in
    command)
      commands=(
${commands.map(({ name, description }) => `        ${quoted(`${name}:${description}`)}`).join('\n')}
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
function action(words: Words): string {
  if (words.type === 'files') return 'file:_files';
  if (words.type === 'choices') return `value:(${words.words.join(' ')})`;
  // A blank in front: called as it stands, without arguments for compadd.
  return words.type === 'dynamic' ? `${words.kind}: _trueup_words ${words.kind}` : 'value: ';
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (text: string) => text.replace(/[\\[\]]/g, '\\$&');
