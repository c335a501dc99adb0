"use strict";const part_GLL44SVW=(()=>{const {
  commandLines,
  placesOf
}=require("./part-113.cjs").part_LMDDJUCP;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;const {
  Argument
}=require("./part-80.cjs").part_EIXR7FAL;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/bash-completion.ts
function bashCompletion(lines) {
  const paths = lines.map(({ path }) => path).filter((path) => path !== "");
  const places = placesOf(lines);
  const valued = places.filter(({ place }) => /:-/.test(place)).map(({ place }) => place);
  const names = (line) => line.commands.map(({ name }) => name).join(" ");
  const flags = (line) => line.options.flatMap((option) => option.flags).join(" ");
  const byWords = /* @__PURE__ */ new Map();
  for (const { place, words } of places)
    byWords.set(takes(words), [...byWords.get(takes(words)) ?? [], pattern(place)]);
  return `# Completes trueup in bash: source <(trueup completion bash)
_trueup_takes() {
  takes=
  case "$1" in
${[...byWords].map(([words, all]) => `    ${all.join(" | ")}) takes='${words}' ;;`).join("\n")}
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
            ${valued.map(pattern).join(" | ")}) option="$word" ;;
          esac
          ;;
        *)
          case "\${path:+$path }$word" in
            ${paths.map(quoted).join(" | ")}) path="\${path:+$path }$word" position=0 ;;
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
${lines.map((line) => `      ${quoted(line.path)}) takes='choices ${flags(line)}' ;;`).join("\n")}
    esac
  else
    _trueup_takes "$path:$position"
    if [[ $position == 0 ]]; then
      case "$path" in
${lines.filter(({ commands }) => commands.length > 0).map((line) => `        ${quoted(line.path)}) takes='choices ${names(line)}' ;;`).join("\n")}
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
function takes(words) {
  if (words.type === "choices") return `choices ${words.words.join(" ")}`;
  return words.type === "dynamic" ? `dynamic ${words.kind}` : words.type;
}
var quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
var pattern = (place) => place.endsWith(":*") ? `${quoted(place.slice(0, -1))}[0-9]*` : quoted(place);

// src/cli/completion.ts
var scripts = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion
};
function completionCommand(command, _provider, { host }, { whole }) {
  command.addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts))).addHelpText(
    "after",
    `
For the current session, or in a startup file for every session:
  bash  source <(trueup completion bash)
  zsh   source <(trueup completion zsh)     after compinit
  fish  trueup completion fish | source`
  ).action(async (shell) => {
    host.stdout.write(scripts[shell](commandLines(await whole())));
  });
}
function fishCompletion(lines) {
  const valued = placesOf(lines).flatMap(({ place }) => place.includes(":-") ? [quotedForFish(place)] : []);
  const paths = lines.flatMap(({ path }) => path === "" ? [] : [quotedForFish(path)]);
  return `# Completes trueup in fish: trueup completion fish | source
function __trueup_at --description 'Whether the cursor is in this command, and at this argument of it'
    set -l valued ${valued.join(" ")}
    set -l paths ${paths.join(" ")}
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
${lines.flatMap(completionsOf).join("\n")}
`;
}
function completionsOf({ path, commands, options, arguments: all }) {
  const at = (position) => `complete -c trueup -n ${quotedForFish(`__trueup_at ${quotedForFish(path)}${position === void 0 ? "" : ` '${position}'`}`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(0)} -a ${name} -d ${quotedForFish(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map(
        (flag) => flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`
      );
      return `${at()} ${names.join(" ")}${value ? ` -r ${source(value)}` : ""} -d ${quotedForFish(description)}`;
    }),
    ...all.flatMap(
      ({ words, isRepeated }, index) => words.type === "any" ? [] : [`${at(isRepeated ? "*" : index)} ${source(words)}`]
    )
  ];
}
function source(words) {
  if (words.type === "files") return "-F";
  if (words.type === "choices") return `-f -a ${quotedForFish(words.words.join(" "))}`;
  return words.type === "dynamic" ? `-f -a ${quotedForFish(`(__trueup_words ${words.kind})`)}` : "-f";
}
var quotedForFish = (text) => `'${text.replace(/[\\']/g, "\\$&")}'`;
function zshCompletion(lines) {
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

${lines.map(functionFor).join("\n")}
if [[ $funcstack[1] == _trueup ]]; then
  _trueup "$@"
else
  compdef _trueup trueup
fi
`;
}
var nameOf = (path) => `_trueup${path && `_${path.replaceAll(" ", "_")}`}`;
function functionFor({ path, commands, options, arguments: all }) {
  const specs = [
    ...options.flatMap(
      ({ flags, description, value }) => flags.map((flag) => {
        const name = value ? `*${flag}${flag.startsWith("--") ? "=" : ""}` : flag;
        return quotedForZsh(`${name}[${escaped(description)}]${value ? `:${action(value)}` : ""}`);
      })
    ),
    ...all.map(({ words, isRepeated }, at) => quotedForZsh(`${isRepeated ? "*" : at + 1}:${action(words)}`)),
    ...commands.length > 0 ? [quotedForZsh("1:command:->command"), quotedForZsh("*::argument:->argument")] : []
  ];
  const body = `_arguments -s -S${commands.length > 0 ? " -C" : ""} ${specs.join(" \\\n    ")}`;
  if (commands.length === 0) return `${nameOf(path)}() {
  ${body}
}
`;
  const join = (name) => nameOf(path ? `${path} ${name}` : name);
  return `${nameOf(path)}() {
  local curcontext="$curcontext" context state state_descr
  local -a line commands
  typeset -A opt_args
  ${body} && return
  case "$state" in
    command)
      commands=(
${commands.map(({ name, description }) => `        ${quotedForZsh(`${name}:${description}`)}`).join("\n")}
      )
      _describe command commands
      ;;
    argument)
      case "$line[1]" in
${commands.map(({ name }) => `        ${name}) ${join(name)} ;;`).join("\n")}
      esac
      ;;
  esac
}
`;
}
function action(words) {
  if (words.type === "files") return "file:_files";
  if (words.type === "choices") return `value:(${words.words.join(" ")})`;
  return words.type === "dynamic" ? `${words.kind}: _trueup_words ${words.kind}` : "value: ";
}
var quotedForZsh = (text) => `'${text.replaceAll("'", "'\\''")}'`;
var escaped = (text) => text.replace(/[\\[\]]/g, "\\$&");
return{completionCommand:completionCommand};})();exports.part_GLL44SVW=part_GLL44SVW;
