import { shellQuoted } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import { type CommandLine, type CompletionWords, wordPositionsOf } from './command-line.ts';

/**
 * Returns the completion script for bash (3.2 and later), which `trueup completion bash` prints. `lines`: the
 * commands with their options and arguments.
 *
 * Readline splits words at the characters of COMP_WORDBREAKS, which include `@`, `:` and `=`. It inserts the chosen
 * word behind the last of these characters; an `@` is replaced, too. So the script joins the pieces again, and
 * offers only the end of each candidate.
 */
export function bashScript(lines: CommandLine[]): string {
  return `# Completes trueup in bash: source <(trueup completion bash)
_trueup_takes() {
  takes=
  case "$1" in
${positionCases(lines).join('\n')}
  esac
}

_trueup() {
${joinedWords}${commandWalk(lines)}${candidateWords(lines)}${reply}}

complete -F _trueup trueup
`;
}

/**
 * Returns the cases of a bash `case` in the completion script, which say which words to offer at a position, such
 * as the value of `plan --format`. Positions with the same words share a case.
 */
function positionCases(lines: CommandLine[]): string[] {
  const byWords = new Map<string, string[]>();
  for (const { name, words } of wordPositionsOf(lines)) addTo(byWords, bashWordsOf(words), casePattern(name));
  return [...byWords].map(([words, patterns]) => `    ${patterns.join(' | ')}) takes='${words}' ;;`);
}

/** The part of the script that joins the pieces of readline to the words of the command line. */
const joinedWords = `  local remaining="\${COMP_LINE:0:COMP_POINT}" stripped piece i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece="\${COMP_WORDS[i]}"
    stripped="\${remaining#"\${remaining%%[![:space:]]*}"}"
    if [[ $i == 0 || $stripped != "$remaining" ]]; then words+=(''); fi
    if [[ $i == "$COMP_CWORD" ]]; then piece="$stripped"; fi
    words[\${#words[@]}-1]+="$piece"
    remaining="\${stripped#"$piece"}"
  done

`;

/**
 * Returns the part of the bash completion script that walks over the typed words, to know where the cursor is. It sets these variables for
 * the parts after it: `path` (the command, such as `ledger copy`), `option` (set if the cursor is at its value), `literal` (set after
 * `--`), `position` (the index of the argument) and `given` (the typed words without quotes). `lines`: the commands with their options and
 * arguments.
 */
function commandWalk(lines: CommandLine[]): string {
  const paths = lines.map(({ path }) => path).filter((path) => path !== '');
  const valuePositions = wordPositionsOf(lines)
    .map(({ name }) => name)
    .filter((name) => name.includes(':-'));
  return `  local path='' option='' literal='' position=0 word takes
  local -a given=()
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word="\${words[i]}"
    word="\${word#[\\"\\']}"
    word="\${word%[\\"\\']}"
    word="\${word//\\\\/}"
    given+=("$word")
    if [[ -n $option ]]; then
      option=
    elif [[ -n $literal ]]; then
      position=$((position + 1))
    else
      case "$word" in
        --) literal=1 ;;
        --*=*) ;;
        -*)
          case "$path:$word" in
            ${valuePositions.map(casePattern).join(' | ')}) option="$word" ;;
          esac
          ;;
        *)
          case "\${path:+$path }$word" in
            ${paths.map(shellQuoted).join(' | ')}) path="\${path:+$path }$word" position=0 ;;
            *) position=$((position + 1)) ;;
          esac
          ;;
      esac
    fi
  done

`;
}

/**
 * Returns the part of the bash completion script that decides which words to offer at the cursor, from the variables of `commandWalk`:
 * values of an option, flags, or names of commands and arguments. It sets `takes`, the description of these words, from which the last part
 * fills `candidates`. `lines`: the commands of trueup with their options and arguments.
 */
function candidateWords(lines: CommandLine[]): string {
  const choicesCase = (path: string, words: string[]) =>
    `${shellQuoted(path)}) takes='choices ${words.join(' ')}' ;;`;
  const flagCases = lines.map(({ path, options }) =>
    choicesCase(
      path,
      options.flatMap(({ flags }) => flags),
    ),
  );
  const commandCases = lines
    .filter(({ commands }) => commands.length > 0)
    .map(({ path, commands }) =>
      choicesCase(
        path,
        commands.map(({ name }) => name),
      ),
    );
  return `  local current="\${words[\${#words[@]}-1]}" prefix=''
  if [[ -z $option && -z $literal && $current == --*=* ]]; then
    option="\${current%%=*}"
    prefix="$option="
  fi
  local -a candidates=()
  if [[ -n $option ]]; then
    _trueup_takes "$path:$option"
  elif [[ -z $literal && $current == -* ]]; then
    case "$path" in
${flagCases.map((line) => `      ${line}`).join('\n')}
    esac
  else
    _trueup_takes "$path:$position"
    if [[ $position == 0 ]]; then
      case "$path" in
${commandCases.map((line) => `        ${line}`).join('\n')}
      esac
    fi
  fi

`;
}

/** The part of the script that collects the candidates and puts the ends of the fitting ones into COMPREPLY. */
const reply = `  # What readline does not replace: all up to the last break, or up to an opening quote.
  local quote='' head="$current" value="\${current#"$prefix"}"
  case "$value" in
    \\"* | \\'*)
      quote="\${value:0:1}"
      head="$prefix$quote"
      value="\${value:1}"
      ;;
    *)
      while [[ -n $head ]]; do
        if [[ $COMP_WORDBREAKS == *"\${head:\${#head}-1}"* && $head != *\\\\? ]]; then break; fi
        head="\${head%?}"
      done
      value="\${value//\\\\/}"
      ;;
  esac
  head="\${head//\\\\/}"
  head="\${head%"$quote"}"
  # An \`@\` breaks words, but readline keeps it in the one that it replaces: it could begin the name of a host.
  if [[ -z $quote ]]; then head="\${head%@}"; fi

  case "$takes" in
    files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do candidates+=("$word"); done < <(compgen -f -- "$value")
      ;;
    'choices '*)
      for word in \${takes#choices }; do candidates+=("$word"); done
      ;;
    'dynamic '*)
      while IFS= read -r word; do candidates+=("$word"); done < <(command trueup __complete "\${takes#dynamic }" -- "\${given[@]}" 2>/dev/null)
      ;;
  esac

  COMPREPLY=()
  for word in "\${candidates[@]}"; do
    if [[ $word != "$value"* ]]; then continue; fi
    # Within quotes nothing may be put that the shell would carry out, or that ends them.
    if [[ $takes != files && $quote == '"' && $word == *[\\\`\\$\\\\\\"\\!]* ]]; then continue; fi
    if [[ $takes != files && $quote == "'" && $word == *"'"* ]]; then continue; fi
    word="$prefix$word"
    word="\${word:\${#head}}"
    if [[ $takes == files || -n $quote ]]; then COMPREPLY+=("$word"); else COMPREPLY+=("$(printf '%q' "$word")"); fi
  done
`;

/** Returns the words of a position as `_trueup_takes` stores them: `files`, `choices a b` or `dynamic address`. */
function bashWordsOf(words: CompletionWords): string {
  if (words.type === 'choices') return `choices ${words.words.join(' ')}`;
  return words.type === 'dynamic' ? `dynamic ${words.kind}` : words.type;
}

/** Returns the pattern of a bash `case` for a position: `'fmt:'[0-9]*` for a repeated argument, `fmt:*`. */
const casePattern = (position: string) =>
  position.endsWith(':*') ? `${shellQuoted(position.slice(0, -1))}[0-9]*` : shellQuoted(position);
