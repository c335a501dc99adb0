import { stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { deliverSecret, findDeliveryProblem } from '../../config/deliver-secret.ts';
import { encryptWithSops, findSops } from '../../config/encrypt-with-sops.ts';
import { secretEnv } from '../../config/sources/verdict.ts';
import { parseDotenv } from '../../config/values/parse-dotenv.ts';
import { secretFamily } from '../../export/secret-names.ts';
import type { ValuesDestination } from '../../export/write-field.ts';
import { Problems } from '../../model/diagnostic.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Host, pathOn } from '../host.ts';
import { writeOutputFile } from '../output-file.ts';

/** The destination of an export's values. */
export interface ValuesOutput {
  to: ValuesDestination;
  /** For values that go to a file. */
  file?: { format: 'dotenv' | 'sops'; path: string };
}

/** Reads the words of `--values`. Throws `Problems`. */
export function parseValuesOutput(words: string[] = ['inline']): ValuesOutput {
  const [how, path, ...more] = words;
  if (more.length === 0) {
    if ((how === 'inline' || how === 'omit') && path === undefined) return { to: how };
    if ((how === 'dotenv' || how === 'sops') && path) return { to: 'file', file: { format: how, path } };
  }
  throw new Problems('export/values', `--values does not accept \`${words.join(' ')}\``, {
    hint: 'use --values inline, --values omit, --values dotenv FILE or --values sops FILE',
  });
}

/** The path and form of a file of values; found out before anything is read from the account. */
interface ValuesOptions {
  place: ValuesOutput;
  host: Host;
  force: boolean;
}

const deliverOptions = ({ host: { cwd, env }, force }: ValuesOptions) => ({
  cwd,
  env,
  judgeCommand: () => Promise.reject(new Error('no command is delivered to')),
  reserved: ['.trueup'],
  mayReplace: force,
});

/** Looks whether the file of values may be written. Throws `Problems`: git sees the file, it is there already, `sops` is not. */
export async function requireValuesOutput(options: ValuesOptions): Promise<void> {
  const { place, host, force } = options;
  if (!place.file) return;
  const { format, path } = place.file;
  if (format === 'dotenv') {
    const wrong = await findDeliveryProblem({ file: path }, deliverOptions(options));
    if (wrong)
      throw new Problems('export/dotenv', `secrets cannot be written there: ${wrong.message}`, {
        hint: wrong.hint,
      });
    return;
  }
  if (!force && (await stat(pathOn(host, path)).catch(() => undefined)))
    throw new Problems('export/exists', `${path} already exists; nothing was written`, {
      hint: 'choose another path, or overwrite it with --force',
    });
  const sops = await findSops(host);
  if (typeof sops !== 'string') throw new Problems([sops]);
}

/** The environment variable for a secret of an export, by its name in the family. */
export const exportedSecretEnv = (name: string): string => secretEnv(`${secretFamily}[${name}]`);

/** The source of the family for `secrets:`, as seen from the folder of the main file. */
export function secretsIn({ file }: ValuesOutput, { cwd }: Host, folder: string) {
  if (!file) return {};
  const path = relative(resolve(cwd, folder), resolve(cwd, file.path)).split(sep).join('/');
  return { secretsIn: file.format === 'dotenv' ? { dotenv: path } : { sops: path } };
}

/** Writes what was read of the secrets to the file that was asked for; gives back the names of these. Throws `Problems`. */
export async function writeValues(
  secrets: ReadonlyMap<string, Sealed | undefined>,
  options: ValuesOptions,
): Promise<Set<string>> {
  const { place, host } = options;
  const values = new Map([...secrets].flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
  if (!place.file || values.size === 0) return new Set();
  const { format, path } = place.file;
  if (format === 'dotenv')
    await deliverSecret({ file: path }, new Sealed(dotenvText(values)), deliverOptions(options));
  else {
    const sops = await findSops(host);
    const text = typeof sops === 'string' ? await encryptWithSops(sops, path, values, host) : sops;
    if (typeof text !== 'string') throw new Problems([text]);
    await writeOutputFile(host, path, text);
  }
  return new Set(values.keys());
}

/**
 * Returns the lines of a dotenv file, each read back to be sure that it holds its value. Throws `Problems` with the names of the values
 * that no form can hold.
 */
export function dotenvText(values: ReadonlyMap<string, Sealed>): string {
  const lines = [...values].map(([name, value]) => ({ name, line: dotenvLine(name, value.reveal()) }));
  const impossible = lines.flatMap(({ name, line }) => (line === undefined ? [name] : []));
  if (impossible.length > 0)
    throw new Problems('export/dotenv', `a dotenv file cannot hold the value of ${impossible.join(', ')}`, {
      hint: 'a value with all three quote characters has no form there: use `--values sops FILE`, or leave it out with --exclude',
    });
  return lines.map(({ line }) => line).join('\n');
}

/** Returns the simplest line that reads as this value; undefined if there is none. */
function dotenvLine(name: string, text: string): string | undefined {
  const forms = [text, `'${text}'`, `"${text}"`, `\`${text}\``, `"${text.replaceAll('\r', '\\r')}"`];
  return forms
    .map((form) => `${name}=${form}`)
    .find((line) => {
      const { values } = parseDotenv(line);
      return values.size === 1 && values.get(name) === text;
    });
}
