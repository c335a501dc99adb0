import { shellWord } from '../../model/shell-word.ts';
import type { findProgram } from '../../programs/find-program.ts';
import type { Allowances } from './allowances.ts';
import { isInterpreter, matchesCommand } from './command-pattern.ts';
import type { Verdict } from './verdict.ts';

type Program = Awaited<ReturnType<typeof findProgram>>;

/**
 * Decides whether a command that a configuration names may run, by the flags `--allow-command`: a pull request could name any command. The
 * refusal contains the flag that would allow it. `program`: the program that the first word of the command names; undefined if there is
 * none.
 */
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
  const runsAnything = isInterpreter(name) || (program !== undefined && isInterpreter(program.real));
  const reason = runsAnything ? ', which runs what its arguments say,' : '';
  return {
    allowed: false,
    message: `the command ${shellWord(name)}${reason} is not allowed`,
    path: program?.path,
    // The flag would read a word with a `*` as a pattern.
    flag: command.some((word) => word.includes('*'))
      ? undefined
      : `--allow-command ${shellWord(command.map(shellWord).join(' '))}`,
  };
}

/** Returns the message for a program that cannot be run because it does not exist, or only inside the repository. */
export const noProgramMessage = (name: string): string =>
  `there is no program ${shellWord(name)} on the PATH outside the repository`;
