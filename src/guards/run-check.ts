import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { systemText } from '../model/system-error.ts';
import { visibleEnv } from '../model/visible-env.ts';

/** A program that is asked about each plan. */
export interface Check {
  /** As it was named: what people are told. */
  words: string;
  /** The program's path, and its arguments. */
  command: [string, ...string[]];
}

interface CheckOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Keeps the secrets of the run out of what the program says. */
  mask(text: string): string;
}

const patience = 5 * 60_000;
/** More lines, or characters, help nobody. */
const most = { lines: 40, characters: 8000 };

/**
 * Gives a program the JSON of a plan on its standard input: with exit code 0 it allows it. With any other, and where it cannot be run or does not
 * end within five minutes, the plan is refused, with what the program said. It gets none of our own settings, and so no token.
 */
export async function runCheck(
  { words, command: [program, ...args] }: Check,
  json: string,
  { cwd, env, mask }: CheckOptions,
): Promise<Diagnostic[]> {
  const { spawn } = await import('node:child_process');
  const { output, ending } = await new Promise<{ output: string; ending: string | undefined }>((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      stdio: 'pipe',
      shell: false,
      windowsHide: true,
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        // The last of it says how it ended.
        output = (output + text).slice(-2 * most.characters);
      });
    child.once('error', (error) =>
      resolve({ output, ending: `could not be started (${systemText(error)})` }),
    );
    child.once('close', (code, signal) =>
      resolve({
        output,
        ending:
          code === 0
            ? undefined
            : signal === 'SIGKILL'
              ? 'did not finish in time'
              : `ended with ${signal ?? `exit code ${code}`}`,
      }),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(json);
  });
  if (ending === undefined) return [];
  const said = mask(output).trim();
  return [
    problem('guards/check', [`the check \`${words}\` ${ending}`, ...shortened(said)].join('\n'), {
      hint: 'the plan is rejected: fix what the check reports, or ask its owner',
    }),
  ];
}

/** Its output, in lines; the end, if there is much. */
function shortened(said: string): string[] {
  if (said === '') return ['(no output)'];
  const lines = said.slice(-most.characters).split(/\r?\n/);
  const left = lines.length - most.lines;
  return left > 0 ? [`... ${left} earlier lines`, ...lines.slice(left)] : lines;
}
