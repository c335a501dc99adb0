/** The commands that `--allow-command` lets a configuration run, and the decision on a command that it names. */
import { type Diagnostic, problem, shellWord } from '../../model/diagnostic.ts';
import type { findProgram } from '../../programs/find-program.ts';
import type { SourceVerdict } from './verdict.ts';

/** A command that may run. Each word matches one argument; a word with a `*` at its end matches every argument with that beginning. */
export interface CommandPattern {
  words: string[];
  /** True if the last word is only `*`: any further arguments are allowed. */
  isOpen: boolean;
}

/** A command that a flag allows. `flag`: the flag, to note that it was used. */
export interface AllowedCommand extends CommandPattern {
  flag?: string;
}

/** Programs that run code or other programs that their arguments name. They may run only if all arguments are spelled out. */
const interpreters = new Set(
  [
    'sh ash bash dash zsh ksh mksh csh tcsh fish nu elvish busybox toybox cmd powershell pwsh osascript',
    'node nodejs deno bun tsx python pypy perl ruby php lua luajit tclsh expect r rscript julia ghc runghc java jshell groovy scala',
    'awk gawk mawk nawk sed ed ex vi vim nvim emacs find xargs parallel env printenv time timeout nice nohup setsid stdbuf watch script',
    'sudo doas su runuser chroot unshare nsenter ssh scp sftp rsync docker podman kubectl make cmake ninja just task gradle mvn ant',
    'npm npx pnpm pnpx yarn bunx corepack pip pipx uv uvx cargo go git gdb strace ltrace tar zip dd cp mv tee ln install curl wget nc ncat socat openssl',
  ].flatMap((names) => names.split(' ')),
);

/**
 * True if a program runs code that its arguments contain or name, such as `bash` or `env`. A pattern with `*` for its arguments would allow
 * any code. Versions (`python3.12`) and Windows names count as the same program.
 */
function isInterpreter(program: string): boolean {
  const fileName = program.replace(/^.*[/\\]/, '').toLowerCase();
  const name = fileName.replace(/\.(exe|com|cmd|bat)$/, '');
  const nameWithoutVersion = name.replace(/[-_]?[\d.]+$/, '');
  return interpreters.has(nameWithoutVersion);
}

/**
 * Parses the value of `--allow-command`, a command that a configuration may run to read a secret, such as `op
 * read op://deploy/*`, into words as a shell would. Returns a problem if it is no command, or would allow too
 * much. `isOpen`: it ends in a separate `*`, which allows any further arguments.
 */
export function parseCommand(text: string): CommandPattern | Diagnostic {
  const toProblem = (message: string) =>
    problem('allow/command', `--allow-command ${shellWord(text)}: ${message}`, {
      hint: "name the program and its arguments, for example --allow-command 'op read op://deploy/*'",
    });
  const words = splitShellWords(text);
  if (!words) return toProblem('a quote is not closed');
  const [program, ...args] = words;
  if (program === undefined || program === '') return toProblem('the program is missing');
  if (program.includes('*')) return toProblem('the program name cannot contain `*`');
  if (args.some((arg) => arg.slice(0, -1).includes('*')))
    return toProblem('a `*` is only allowed at the end of an argument');
  if (args.some((arg) => arg.endsWith('*')) && isInterpreter(program))
    return toProblem(`${program} runs what its arguments say, so all of them must be spelled out`);
  const isOpen = args.at(-1) === '*';
  return { words: isOpen ? words.slice(0, -1) : words, isOpen };
}

/**
 * Splits a command line into words as a shell does, for flags whose value is a command: `op read "a b"` has
 * three words. Expands nothing, because no shell runs the command. Returns undefined if a quote is not
 * closed.
 */
export function splitShellWords(text: string): string[] | undefined {
  const words: string[] = [];
  let remaining = text.trim();
  while (remaining !== '') {
    // A word with its quotes, such as `--name="a b"`: other characters, `\x`, and texts in single or double quotes.
    const [word] = /^(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/s.exec(remaining) ?? [''];
    remaining = remaining.slice(word.length);
    const isQuoteOpen = word === '' || /^\S/.test(remaining);
    if (isQuoteOpen) return undefined;
    remaining = remaining.trimStart();
    words.push(
      word.replace(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
        (_, single?: string, double?: string, escaped?: string) =>
          single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
      ),
    );
  }
  return words;
}

/**
 * True if a pattern of `--allow-command`, such as `op read op://deploy/*`, allows a command. There are three kinds of `*`:
 *
 *   `op://deploy/*`  matches arguments that begin so, unless they leave the folder by `..`
 *   `*`              matches any one argument that is no option
 *   `*` at the end   has been taken out of `words`, and `isOpen` is true: any further arguments are allowed, options as well
 *
 * `real`: the real path of the program; an interpreter, perhaps under another name, needs an exact pattern, since its arguments are code.
 */
function matchesCommand({ words, isOpen }: CommandPattern, command: string[], real: string): boolean {
  const isExact = !isOpen && words.every((word) => !word.endsWith('*'));
  if (!isExact && isInterpreter(real)) return false;
  const hasRightLength = isOpen ? command.length >= words.length : command.length === words.length;
  if (!hasRightLength) return false;
  return words.every((word, index) => {
    const argument = command[index]!;
    if (index === 0 || !word.endsWith('*')) return word === argument;
    if (word === '*') return !argument.startsWith('-');
    const beginning = word.slice(0, -1);
    // The part of the path in which the beginning ends counts, too: `keys/.*` must not match `keys/../a`.
    const folder = /^.*[/\\]/s.exec(beginning)?.[0] ?? '';
    return argument.startsWith(beginning) && !hasWayUp(argument.slice(folder.length));
  });
}

/** True if a path contains `..`. */
const hasWayUp = (text: string) => text.split(/[/\\]/).includes('..');

type Program = Awaited<ReturnType<typeof findProgram>>;

/**
 * Decides whether a command with which a configuration reads a secret may run, by the flags
 * `--allow-command`: a pull request could name any command. The refusal contains the flag that would allow
 * it, if there is one (see `commandRefusal`). `program`: the program that the first word names; undefined if none
 * was found. `noteUse`: called with each flag that matches, so that unused flags can be reported.
 */
export function commandVerdict(
  command: string[],
  program: Program,
  { commands, noteUse }: { commands: AllowedCommand[]; noteUse(flag: string): void },
): SourceVerdict {
  const [name] = command as [string];
  if (/[/\\]/.test(name) && !program)
    return {
      allowed: false,
      never: true,
      message: `${shellWord(name)} is not the full path of a program outside the repository`,
    };
  const matching = commands.filter((pattern) => matchesCommand(pattern, command, program?.real ?? name));
  for (const { flag } of matching) if (flag !== undefined) noteUse(flag);
  if (matching.length === 0) return commandRefusal(command, program);
  return program
    ? { allowed: true, path: program.path }
    : { allowed: false, isMissing: true, message: noProgramMessage(name) };
}

/** Returns the refusal of a command that no flag allows, with the flag that would. It has no flag if a word of the command contains `*`. */
function commandRefusal(command: string[], program: Program): SourceVerdict {
  const [name] = command as [string];
  // An interpreter such as `sh` runs any program, so the refusal warns of it.
  const runsAnything = isInterpreter(name) || (program !== undefined && isInterpreter(program.real));
  const reason = runsAnything ? ', which runs what its arguments say,' : '';
  // The flag would read a word with a `*` as a pattern.
  const hasPattern = command.some((word) => word.includes('*'));
  return {
    allowed: false,
    message: `the command ${shellWord(name)}${reason} is not allowed`,
    path: program?.path,
    flag: hasPattern ? undefined : `--allow-command ${shellWord(command.map(shellWord).join(' '))}`,
  };
}

/** Returns the message for a program that cannot be run because it does not exist, or only inside the repository. */
export const noProgramMessage = (name: string): string =>
  `there is no program ${shellWord(name)} on the PATH outside the repository`;
