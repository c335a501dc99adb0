import { describeSystemError } from '../model/describe-errors.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { visibleEnv } from '../model/visible-env.ts';

/** A program of the operator that may refuse a plan (`--check`). */
export interface CheckProgram {
  /** The command as the operator wrote it, for messages. */
  shownCommand: string;
  /** The path of the program, and its arguments. */
  command: [string, ...string[]];
}

/** The surroundings of a check: its working directory and its environment. */
interface CheckOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Masks the secrets of the run in the program's output. */
  mask(text: string): string;
}

/** The longest time that a program may take, in milliseconds. */
const timeLimit = 5 * 60_000;
/** The size of the output that is shown. Its end is kept, because it says how the check ended. */
const shownOutputLimits = { lines: 40, characters: 8000 };

/**
 * Runs the program of a `--check` with the JSON of a plan on its standard input. Exit code 0 allows the plan. With
 * any other exit code, or if the program cannot be started or does not end within five minutes, returns a problem
 * with its output. The program's environment has no settings of trueup and no token. `mask` hides secrets in the
 * output.
 */
export async function runCheck(
  { shownCommand, command }: CheckProgram,
  json: string,
  { cwd, env, mask }: CheckOptions,
): Promise<Diagnostic[]> {
  const { output, failure } = await runCheckProgram(command, json, { cwd, env: visibleEnv(env) });
  if (failure === undefined) return [];
  const shownOutput = mask(output).trim();
  return [
    problem(
      'guards/check',
      [`the check \`${shownCommand}\` ${failure}`, ...lastLinesOf(shownOutput)].join('\n'),
      {
        hint: 'the plan is rejected: fix what the check reports, or ask its owner',
      },
    ),
  ];
}

/**
 * Runs the program of a `--check` with the plan on its standard input, and kills it at the time limit. Returns the
 * end of its output, and how it failed; no failure means that the program allows the plan.
 */
async function runCheckProgram(
  [program, ...args]: CheckProgram['command'],
  input: string,
  { cwd, env }: Pick<CheckOptions, 'cwd' | 'env'>,
): Promise<CheckEnding> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      timeout: timeLimit,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-2 * shownOutputLimits.characters);
      });
    child.once('error', (error) =>
      resolve({ output, failure: `could not be started (${describeSystemError(error)})` }),
    );
    child.once('close', (code, signal) => resolve({ output, failure: describeCheckExit(code, signal) }));
    // A program may end without reading its input. Its exit code decides, not the broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The end of a check. `failure`: undefined if the check allows the plan. */
interface CheckEnding {
  output: string;
  failure: string | undefined;
}

/**
 * Returns how a program failed, for a message; undefined if it ended with exit code 0. `SIGKILL` is sent at the time
 * limit.
 */
function describeCheckExit(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (code === 0) return undefined;
  return signal === 'SIGKILL' ? 'did not finish in time' : `ended with ${signal ?? `exit code ${code}`}`;
}

/**
 * Returns the last lines of the output of a `--check` program that refused a plan, for the problem: a program prints its reason at the
 * end. Reads only the last characters of a long output, and begins with a line with the number of lines in these that it omits.
 */
function lastLinesOf(output: string): string[] {
  if (output === '') return ['(no output)'];
  const lines = output.slice(-shownOutputLimits.characters).split(/\r?\n/);
  const omittedCount = lines.length - shownOutputLimits.lines;
  return omittedCount > 0 ? [`... ${omittedCount} earlier lines`, ...lines.slice(omittedCount)] : lines;
}
