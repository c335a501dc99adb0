import { visibleEnv } from '../model/visible-env.ts';

/** How a program ended. */
interface ProgramEnd {
  code: number | null;
  signal: string | null;
  output: string;
}

/** The longest time that a program may take, since it may wait for a server. In milliseconds. */
const timeout = 60_000;

/**
 * Runs a program that gets secrets on its standard input, without a shell and without trueup's own secrets in its environment. Returns how
 * it ended; undefined if it could not be started. Its error messages are dropped, because they may quote the input. `keepsOutput`: false if
 * the output is not needed.
 */
export async function runWithInput(
  [program, ...args]: [string, ...string[]],
  input: string,
  { cwd, env, keepsOutput }: { cwd: string; env: Record<string, string | undefined>; keepsOutput: boolean },
): Promise<ProgramEnd | undefined> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      stdio: ['pipe', keepsOutput ? 'pipe' : 'ignore', 'ignore'],
      timeout,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(undefined));
    child.once('close', (code, signal) =>
      resolve({ code, signal, output: Buffer.concat(chunks).toString('utf8') }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
