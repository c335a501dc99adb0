import { stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import {
  deliverSecret,
  encryptWithSops,
  findDeliveryProblem,
  findSops,
} from '../../config/deliver-secret.ts';
import { secretEnv } from '../../config/sources/verdict.ts';
import { parseDotenv } from '../../config/values/parse-dotenv.ts';
import { secretFamily } from '../../export/secret-names.ts';
import type { ValuesDestination } from '../../export/write-field.ts';
import { Problems } from '../../model/diagnostic.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Host, pathOn } from '../host.ts';
import { writeOutputFile } from '../output-file.ts';

/** Where the values of an export go. */
export interface ValuesOutput {
  to: ValuesDestination;
  /** The file, if the values go to one. */
  file?: { format: 'dotenv' | 'sops'; path: string };
}

/** Parses the words of `--values`: `inline`, `omit`, `dotenv FILE` or `sops FILE`. Throws `Problems` for others. */
export function parseValuesOutput(words: string[] = ['inline']): ValuesOutput {
  const [format, path, ...moreWords] = words;
  if (moreWords.length === 0) {
    if ((format === 'inline' || format === 'omit') && path === undefined) return { to: format };
    if ((format === 'dotenv' || format === 'sops') && path) return { to: 'file', file: { format, path } };
  }
  throw new Problems('export/values', `--values does not accept \`${words.join(' ')}\``, {
    hint: 'use --values inline, --values omit, --values dotenv FILE or --values sops FILE',
  });
}

/** The destination of values. `force`: an existing file may be replaced. */
interface ValuesOptions {
  place: ValuesOutput;
  host: Host;
  force: boolean;
}

/** Returns the options of writing a dotenv file. Like a file with a secret, it is only written where git ignores it. */
const deliverOptions = ({ host: { cwd, env }, force }: ValuesOptions) => ({
  cwd,
  env,
  judgeCommand: () => Promise.reject(new Error('no command is delivered to')),
  reserved: ['.trueup'],
  mayReplace: force,
});

/**
 * Throws `Problems` if the file of values cannot be written: git would see it, it already exists, or the program `sops` is missing. Called before the
 * account is read, so that no work is lost.
 */
export async function requireValuesOutput(options: ValuesOptions): Promise<void> {
  const { place, host, force } = options;
  if (!place.file) return;
  const { format, path } = place.file;
  if (format === 'dotenv') {
    const deliveryProblem = await findDeliveryProblem({ file: path }, deliverOptions(options));
    if (deliveryProblem)
      throw new Problems('export/dotenv', `secrets cannot be written there: ${deliveryProblem.message}`, {
        hint: deliveryProblem.hint,
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

/** Returns the environment variable that gives an exported secret its value. `name`: the name of the secret in the family of exported secrets. */
export const exportedSecretEnv = (name: string): string => secretEnv(`${secretFamily}[${name}]`);

/** Returns the option that makes an export read its secrets from the file of values. `folder`: the folder of its main file, where the path starts. */
export function secretsIn({ file }: ValuesOutput, { cwd }: Host, folder: string) {
  if (!file) return {};
  const path = relative(resolve(cwd, folder), resolve(cwd, file.path)).split(sep).join('/');
  return { secretsIn: file.format === 'dotenv' ? { dotenv: path } : { sops: path } };
}

/**
 * Writes the values of secrets to the file of `--values`, and returns the names of the written ones. Secrets whose value the platform does not show are
 * left out. Throws `Problems`.
 */
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

/** Returns the text of a dotenv file with these values. Throws `Problems` that name the values which no line of such a file can represent. */
export function dotenvText(values: ReadonlyMap<string, Sealed>): string {
  const lines = [...values].map(([name, value]) => ({ name, line: dotenvLine(name, value.reveal()) }));
  const unwritable = lines.flatMap(({ name, line }) => (line === undefined ? [name] : []));
  if (unwritable.length > 0)
    throw new Problems('export/dotenv', `a dotenv file cannot hold the value of ${unwritable.join(', ')}`, {
      hint: 'a value with all three quote characters has no form there: use `--values sops FILE`, or leave it out with --exclude',
    });
  return lines.map(({ line }) => line).join('\n');
}

/** Returns the simplest line of a dotenv file that is read as this value, with or without quotes; undefined if there is none. */
function dotenvLine(name: string, text: string): string | undefined {
  const forms = [text, `'${text}'`, `"${text}"`, `\`${text}\``, `"${text.replaceAll('\r', '\\r')}"`];
  return forms
    .map((form) => `${name}=${form}`)
    .find((line) => {
      const { values } = parseDotenv(line);
      return values.size === 1 && values.get(name) === text;
    });
}
