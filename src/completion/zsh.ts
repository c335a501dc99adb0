import { shellQuoted } from '../model/diagnostic.ts';
import type { CommandLine, CompletionWords } from './command-line.ts';

/**
 * Returns the completion script for zsh, which `trueup completion zsh` prints. It can be sourced after compinit, or
 * kept as `_trueup` in a folder of fpath. It has one function for each command, which describes the command's words
 * to zsh's `_arguments`. `lines`: the commands with their options and arguments.
 */
export function zshScript(lines: CommandLine[]): string {
  return `#compdef trueup
# Completes trueup in zsh: source <(trueup completion zsh)

_trueup_words() {
  local -a candidates expl
  candidates=("\${(@f)$(command trueup __complete $1 -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  (( $#candidates )) || return 1
  # Not _describe: to it a colon in an address would begin a description.
  _wanted $1 expl $1 compadd -a candidates
}

${lines.map(commandFunction).join('\n')}
if [[ $funcstack[1] == _trueup ]]; then
  _trueup "$@"
else
  compdef _trueup trueup
fi
`;
}

const functionNameOf = (path: string) => `_trueup${path && `_${path.replaceAll(' ', '_')}`}`;

/**
 * Returns the zsh function that offers words for one command: it describes the options and
 * arguments to zsh's `_arguments`. If the command contains commands, the function calls theirs.
 */
function commandFunction({ path, commands, options, arguments: argumentList }: CommandLine): string {
  const optionSpecs = options.flatMap(({ flags, description, value }) =>
    flags.map((flag) => {
      const name = value ? `*${flag}${flag.startsWith('--') ? '=' : ''}` : flag;
      return shellQuoted(`${name}[${escapeBrackets(description)}]${value ? `:${wordSpec(value)}` : ''}`);
    }),
  );
  const argumentSpecs = argumentList.map(({ words, isRepeated }, index) =>
    shellQuoted(`${isRepeated ? '*' : index + 1}:${wordSpec(words)}`),
  );
  const hasCommands = commands.length > 0;
  const commandSpecs = hasCommands
    ? [shellQuoted('1:command:->command'), shellQuoted('*::argument:->argument')]
    : [];
  const specs = [...optionSpecs, ...argumentSpecs, ...commandSpecs];
  const call = `_arguments -s -S${hasCommands ? ' -C' : ''} ${specs.join(' \\\n    ')}`;
  const body = hasCommands ? commandSwitch(call, path, commands) : `  ${call}\n`;
  return `${functionNameOf(path)}() {\n${body}}\n`;
}

/**
 * Returns the body of a function of the zsh completion script, for a command that contains commands, such as
 * `trueup ledger`: it offers their names, and passes later words to the function of the named one. `call`: the call
 * of `_arguments` for its own options.
 */
function commandSwitch(call: string, path: string, commands: CommandLine['commands']): string {
  const functionOf = (name: string) => functionNameOf(path ? `${path} ${name}` : name);
  return `  local curcontext="$curcontext" context state state_descr
  local -a line commands
  typeset -A opt_args
  ${call} && return
  case "$state" in
    command)
      commands=(
${commands.map(({ name, description }) => `        ${shellQuoted(`${name}:${description}`)}`).join('\n')}
      )
      _describe command commands
      ;;
    argument)
      case "$line[1]" in
${commands.map(({ name }) => `        ${name}) ${functionOf(name)} ;;`).join('\n')}
      esac
      ;;
  esac
`;
}

/**
 * Returns where the words of an argument come from, in the notation of zsh's `_arguments`, for the zsh completion
 * script: a message and an action, such as `file:_files`. For `dynamic` words, such as addresses, the script calls
 * trueup.
 */
function wordSpec(words: CompletionWords): string {
  if (words.type === 'files') return 'file:_files';
  if (words.type === 'choices') return `value:(${words.words.join(' ')})`;
  // The blank makes zsh call the function as it is, without adding arguments for compadd.
  return words.type === 'dynamic' ? `${words.kind}: _trueup_words ${words.kind}` : 'value: ';
}

const escapeBrackets = (text: string) => text.replace(/[\\[\]]/g, '\\$&');
