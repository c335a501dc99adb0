/*
 * Encrypts the secrets of an export with the program `sops`, so that they can be committed.
 */
import { realpath } from 'node:fs/promises';
import { parse } from 'yaml';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Sealed } from '../model/sealed.ts';
import { isPlainObject } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { findProgram } from '../programs/find-program.ts';
import { runWithInput } from './deliver-secret.ts';

interface SopsOptions {
  cwd: string;
  env: Record<string, string | undefined>;
}

/**
 * Returns the full path of the program `sops` on the PATH; a problem if it is not installed. Ignores programs
 * inside the repository, because anyone with a branch could put one there to get the secrets.
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
 * Returns the text of a SOPS file with these secrets, encrypted by the rule in `.sops.yaml` for a file of
 * this name, so that an export can be committed. Returns a problem if `sops` fails, prints nothing, or leaves
 * a secret in clear text. The secrets reach the program only through its standard input, and never a file.
 * `program`: the path of `sops`.
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
  const isUnencrypted = holdsClearSecret(
    output,
    revealed.map(([, secret]) => secret),
  );
  if (output.trim() !== '' && !isUnencrypted) return output;
  return problem(
    'sops/clear',
    isUnencrypted
      ? `sops left values of ${file} unencrypted; nothing was written`
      : 'sops printed nothing, and nothing was written',
    { hint: 'check the rule for this file in .sops.yaml: `encrypted_regex`, `unencrypted_suffix`' },
  );
}

/** The fewest characters of a secret that is also looked for inside other texts. A shorter one could be in them by chance. */
const shortestSought = 6;

/**
 * True if the output of `sops` contains one of these secrets in clear text. Its format may write a text differently, for example a private
 * key with `\n` for its line ends. So the texts in it are read back, and the metadata of `sops` is left out.
 */
function holdsClearSecret(output: string, secrets: readonly string[]): boolean {
  const texts = textsWrittenBySops(output);
  const isIn = (text: string, form: string) => form.length >= shortestSought && text.includes(form);
  const isClear = (form: string) => texts.some((text) => text === form || isIn(text, form));
  // A block in YAML may drop the last line end, and a dotenv file writes a line end as two characters.
  return secrets
    .map((secret) => secret.trimEnd())
    .filter((secret) => secret !== '')
    .some((secret) => isClear(secret) || isClear(secret.replaceAll('\n', '\\n')));
}

/** Returns the texts in a file that `sops` wrote, except its metadata: the values of JSON and YAML, and the whole of other formats. */
function textsWrittenBySops(output: string): string[] {
  const data = parseIfYaml(output);
  // In dotenv files, the names of the metadata begin with `sops_`. In INI files, they are the last section.
  if (!isPlainObject(data)) return [output.replace(/^sops_.*$/gm, '').replace(/^\[sops\]$[\s\S]*/m, '')];
  const texts: string[] = [];
  visitDeep({ ...data, sops: undefined }, (value) => {
    if (typeof value === 'string') texts.push(value);
    return visitMembers;
  });
  return texts;
}

/** Returns the data of a YAML or JSON text, with numbers as texts; undefined if it is neither. */
function parseIfYaml(text: string): unknown {
  try {
    return parse(text, { version: '1.2', schema: 'failsafe' });
  } catch {
    return undefined;
  }
}
