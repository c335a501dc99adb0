/** Encrypts secrets with the `sops` program, for exports with `--values sops FILE`. */
import { realpath } from 'node:fs/promises';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Sealed } from '../model/sealed.ts';
import { findProgram } from '../programs/find-program.ts';
import { runWithInput } from './run-with-input.ts';

interface SopsOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/**
 * Returns the full path of the `sops` program on the PATH; a problem if it is not installed. Ignores programs inside the repository,
 * because anyone with a branch could put one there to get the secrets.
 */
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

/**
 * Returns the text of a SOPS file with these secrets, encrypted by the rule in `.sops.yaml` for a file of this name. Used by exports, so
 * that secrets can be committed. Returns a problem if `sops` fails or leaves a secret unencrypted. The secrets reach the program only
 * through its standard input, and never a file.
 */
export async function encryptWithSops(
  program: string,
  file: string,
  values: ReadonlyMap<string, Sealed>,
  { cwd, env }: SopsOptions,
): Promise<string | Diagnostic> {
  const revealed = [...values].map(([name, value]) => [name, value.reveal()] as const);
  const args = ['encrypt', '--filename-override', file, '--input-type', 'json'];
  const input = JSON.stringify(Object.fromEntries(revealed));
  const end = await runWithInput([program, ...args], input, { cwd, env, keepsOutput: true });
  if (end?.code !== 0) {
    const failure = end?.signal ? `was ended by ${end.signal}` : `ended with exit code ${end?.code}`;
    return problem('sops/failed', `sops ${end ? failure : 'could not be started'}, and nothing was written`, {
      hint: `version 3.10 or newer is required, with a rule for ${file} in .sops.yaml; to see its error: echo '{}' | sops ${args.join(' ')}`,
    });
  }
  const { output } = end;
  // A shorter secret can be in the encrypted text by chance.
  const isUnencrypted = revealed.some(([, secret]) => secret.length >= 6 && output.includes(secret));
  if (output.trim() !== '' && !isUnencrypted) return output;
  return problem(
    'sops/clear',
    isUnencrypted
      ? `sops left values of ${file} unencrypted; nothing was written`
      : 'sops printed nothing, and nothing was written',
    { hint: 'check the rule for this file in .sops.yaml: `encrypted_regex`, `unencrypted_suffix`' },
  );
}
