import { realpath } from 'node:fs/promises';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Sealed } from '../model/sealed.ts';
import { visibleEnv } from '../model/visible-env.ts';
import { findProgram } from '../programs/find-program.ts';

interface SopsOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** The whole path of the `sops` program, of the PATH and not of the repository; a problem where there is none. */
export async function findSops({ cwd, env }: SopsOptions): Promise<string | Diagnostic> {
  const outside = [await realpath(workTreeOf(cwd) ?? cwd)];
  const program = await findProgram('sops', { env, outside });
  return (
    program?.path ??
    problem('sops/missing', '`sops` is not installed or not on the PATH', {
      hint: 'install it (https://getsops.io), or use `--values dotenv FILE` or `--values omit`',
    })
  );
}

/** So long may a key service take to answer. */
const limit = 60_000;

/**
 * The text of a SOPS file with these values, encrypted as the `.sops.yaml` nearby says for a file of this name. The values go to the
 * program through its standard input and nowhere else. A problem where it fails, or leaves a value in the clear.
 */
export async function encryptWithSops(
  program: string,
  file: string,
  values: ReadonlyMap<string, Sealed>,
  { cwd, env }: SopsOptions,
): Promise<string | Diagnostic> {
  const clear = [...values].map(([name, value]) => [name, value.reveal()] as const);
  const args = ['encrypt', '--filename-override', file, '--input-type', 'json'];
  const { spawn } = await import('node:child_process');
  const ended = await new Promise<{ text: string } | { how: string }>((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: visibleEnv(env),
      // What it says of a failure may quote what it was given.
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: limit,
      windowsHide: true,
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.once('error', () => resolve({ how: 'could not be started' }));
    child.once('close', (code, signal) =>
      resolve(
        code === 0
          ? { text: Buffer.concat(parts).toString('utf8') }
          : { how: signal ? `was ended by ${signal}` : `ended with exit code ${code}` },
      ),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(Object.fromEntries(clear)));
  });
  if ('how' in ended)
    return problem('sops/failed', `sops ${ended.how}, and nothing was written`, {
      hint: `version 3.10 or newer is required, with a rule for ${file} in .sops.yaml; to see its error: echo '{}' | sops ${args.join(' ')}`,
    });
  const isShown = clear.some(([, text]) => text.length >= 6 && ended.text.includes(text));
  return ended.text.trim() === '' || isShown
    ? problem(
        'sops/clear',
        isShown
          ? `sops left values of ${file} unencrypted; nothing was written`
          : 'sops printed nothing, and nothing was written',
        { hint: 'check the rule for this file in .sops.yaml: `encrypted_regex`, `unencrypted_suffix`' },
      )
    : ended.text;
}
