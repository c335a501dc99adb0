import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/shell-word.ts';

/** A command that may run: each word stands for one argument, or, with a `*` at its end, for all that begin so. */
export interface CommandPattern {
  words: string[];
  /** A last word that is only `*`: any further arguments. */
  isOpen: boolean;
}

/** Programs that run what their arguments say: only a command that is named with all its arguments may run them. */
const interpreters = new Set(
  [
    'sh ash bash dash zsh ksh mksh csh tcsh fish nu elvish busybox toybox cmd powershell pwsh osascript',
    'node nodejs deno bun tsx python pypy perl ruby php lua luajit tclsh expect r rscript julia ghc runghc java jshell groovy scala',
    'awk gawk mawk nawk sed ed ex vi vim nvim emacs find xargs parallel env printenv time timeout nice nohup setsid stdbuf watch script',
    'sudo doas su runuser chroot unshare nsenter ssh scp sftp rsync docker podman kubectl make cmake ninja just task gradle mvn ant',
    'npm npx pnpm pnpx yarn bunx corepack pip pipx uv uvx cargo go git gdb strace ltrace tar zip dd cp mv tee ln install curl wget nc ncat socat openssl',
  ].flatMap((names) => names.split(' ')),
);

/** True if a program runs what it is told to; versions of it (`python3.12`) and its Windows name are the same program. */
export const isInterpreter = (program: string): boolean =>
  interpreters.has(
    program
      .replace(/^.*[/\\]/, '')
      .toLowerCase()
      .replace(/\.(exe|com|cmd|bat)$/, '')
      .replace(/[-_]?[\d.]+$/, ''),
  );

/** A pattern from its flag: words as a shell has them, quotes included; nothing is expanded. */
export function parseCommand(text: string): CommandPattern | Diagnostic {
  const wrong = (message: string) =>
    problem('allow/command', `--allow-command ${shellWord(text)}: ${message}`, {
      hint: "name the program and its arguments, for example --allow-command 'op read op://deploy/*'",
    });
  const words = splitShellWords(text);
  if (!words) return wrong('a quote is not closed');
  const [program, ...args] = words;
  if (program === undefined || program === '') return wrong('the program is missing');
  if (program.includes('*')) return wrong('the program name cannot contain `*`');
  if (args.some((arg) => arg.slice(0, -1).includes('*')))
    return wrong('a `*` is only allowed at the end of an argument');
  if (args.some((arg) => arg.endsWith('*')) && isInterpreter(program))
    return wrong(`${program} runs what its arguments say, so all of them must be spelled out`);
  const isOpen = args.at(-1) === '*';
  return { words: isOpen ? words.slice(0, -1) : words, isOpen };
}

/** The words of a command line, as a shell splits them; undefined where a quote is not closed. Nothing is expanded. */
export function splitShellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [whole] = /^(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/s.exec(rest) ?? [''];
    if (whole === '') return undefined;
    rest = rest.slice(whole.length);
    if (rest !== '' && !/^\s/.test(rest)) return undefined;
    rest = rest.trimStart();
    words.push(
      whole.replace(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
        (_, single?: string, double?: string, escaped?: string) =>
          single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
      ),
    );
  }
  return words;
}

/** True if the pattern allows this command. `real`: the program's real path, which may be an interpreter under another name. */
export function matchesCommand({ words, isOpen }: CommandPattern, command: string[], real: string): boolean {
  const isExact = !isOpen && words.every((word) => !word.endsWith('*'));
  if (!isExact && isInterpreter(real)) return false;
  if (command.length < words.length || (command.length > words.length && !isOpen)) return false;
  return words.every((word, index) => {
    const argument = command[index]!;
    if (index === 0 || !word.endsWith('*')) return word === argument;
    // Neither an option in place of a name, nor a way up and out of what was named.
    if (word === '*') return !argument.startsWith('-');
    return argument.startsWith(word.slice(0, -1)) && !hasWayUp(argument.slice(word.length - 1));
  });
}

const hasWayUp = (text: string) => text.split(/[/\\]/).includes('..');
