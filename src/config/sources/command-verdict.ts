import { shellWord } from '../../model/shell-word.ts';
import { findProgram } from '../../programs/find-program.ts';
import type { Allowances } from './allowances.ts';
import { isInterpreter, matchesCommand } from './command-pattern.ts';
import type { Verdict } from './verdict.ts';

type Program = Awaited<ReturnType<typeof findProgram>>;

/** Finds programs, each only once. */
export class Programs {
  readonly #env: Record<string, string | undefined>;
  readonly #found = new Map<string, Promise<Program>>();

  constructor(env: Record<string, string | undefined>) {
    this.#env = env;
  }

  /** Returns the program with this name on the PATH, or at this path; undefined if there is none outside of the given folders. */
  find(name: string, outside: string[]): Promise<Program> {
    const key = JSON.stringify([name, outside]);
    const program = this.#found.get(key) ?? findProgram(name, { env: this.#env, outside });
    this.#found.set(key, program);
    return program;
  }
}

/** Decides whether a command may run. `program`: the program that its first word means. */
export function commandVerdict(
  command: string[],
  program: Program,
  { commands, noteUse }: Pick<Allowances, 'commands' | 'noteUse'>,
): Verdict {
  const [name] = command as [string];
  if (/[/\\]/.test(name) && !program)
    return {
      allowed: false,
      never: true,
      message: `${shellWord(name)} is not the full path of a program outside the repository`,
    };
  const matching = commands.filter((pattern) => matchesCommand(pattern, command, program?.real ?? name));
  for (const { flag } of matching) if (flag !== undefined) noteUse(flag);
  if (matching.length > 0)
    return program
      ? { allowed: true, path: program.path }
      : { allowed: false, isMissing: true, message: noProgramMessage(name) };
  const isAny = isInterpreter(name) || (program !== undefined && isInterpreter(program.real));
  const reason = isAny ? ', which runs what its arguments say,' : '';
  return {
    allowed: false,
    message: `the command ${shellWord(name)}${reason} is not allowed`,
    ...(program ? { path: program.path } : {}),
    // The flag would read a word with a `*` as a pattern.
    ...(command.some((word) => word.includes('*'))
      ? {}
      : { flag: `--allow-command ${shellWord(command.map(shellWord).join(' '))}` }),
  };
}

/** Returns the message for a program that cannot be run. */
export const noProgramMessage = (name: string): string =>
  `there is no program ${shellWord(name)} on the PATH outside the repository`;
