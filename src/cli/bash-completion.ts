import { addTo } from '../model/graph.ts';
import { shellQuoted } from '../model/shell-word.ts';
import { type CommandLine, placesOf, type Words } from './command-line.ts';

/**
 * A completion script for bash, from 3.2 on. Readline takes words apart at the characters of COMP_WORDBREAKS, `@`, `:` and `=` among
 * them, and puts what is chosen behind the last one, or in its place if it is an `@`: the words are put together again, and of each
 * candidate only the rest is given.
 */
export function bashCompletion(lines: CommandLine[]): string {
  const paths = lines.map(({ path }) => path).filter((path) => path !== '');
  const places = placesOf(lines);
  const valued = places.filter(({ place }) => /:-/.test(place)).map(({ place }) => place);
  const names = (line: CommandLine) => line.commands.map(({ name }) => name).join(' ');
  const flags = (line: CommandLine) => line.options.flatMap((option) => option.flags).join(' ');
  const byWords = new Map<string, string[]>();
  for (const { place, words } of places) addTo(byWords, bashChoicesOf(words), casePattern(place));
  return `# Completes trueup in bash: source <(trueup completion bash)
_trueup_takes() {
  takes=
  case "$1" in
${[...byWords].map(([words, all]) => `    ${all.join(' | ')}) takes='${words}' ;;`).join('\n')}
  esac
}

_trueup() {
  local rest="\${COMP_LINE:0:COMP_POINT}" stripped piece i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece="\${COMP_WORDS[i]}"
    stripped="\${rest#"\${rest%%[![:space:]]*}"}"
    if [[ $i == 0 || $stripped != "$rest" ]]; then words+=(''); fi
    if [[ $i == "$COMP_CWORD" ]]; then piece="$stripped"; fi
    words[\${#words[@]}-1]+="$piece"
    rest="\${stripped#"$piece"}"
  done

  local path='' option='' literal='' position=0 word takes
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
            ${valued.map(casePattern).join(' | ')}) option="$word" ;;
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

  local current="\${words[\${#words[@]}-1]}" prefix=''
  if [[ -z $option && -z $literal && $current == --*=* ]]; then
    option="\${current%%=*}"
    prefix="$option="
  fi
  local -a candidates=()
  if [[ -n $option ]]; then
    _trueup_takes "$path:$option"
  elif [[ -z $literal && $current == -* ]]; then
    case "$path" in
${lines.map((line) => `      ${shellQuoted(line.path)}) takes='choices ${flags(line)}' ;;`).join('\n')}
    esac
  else
    _trueup_takes "$path:$position"
    if [[ $position == 0 ]]; then
      case "$path" in
${lines
  .filter(({ commands }) => commands.length > 0)
  .map((line) => `        ${shellQuoted(line.path)}) takes='choices ${names(line)}' ;;`)
  .join('\n')}
      esac
    fi
  fi

  # What readline does not replace: all up to the last break, or up to an opening quote.
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
}

complete -F _trueup trueup
`;
}

function bashChoicesOf(words: Words): string {
  if (words.type === 'choices') return `choices ${words.words.join(' ')}`;
  return words.type === 'dynamic' ? `dynamic ${words.kind}` : words.type;
}

/** A place as a pattern: `'fmt:'*` for one that is repeated. */
const casePattern = (place: string) =>
  place.endsWith(':*') ? `${shellQuoted(place.slice(0, -1))}[0-9]*` : shellQuoted(place);
