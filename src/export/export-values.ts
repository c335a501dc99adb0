import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { deliverSecret, encryptWithSops, findDeliveryProblem, findSops } from '../config/deliver-secret.ts';
import { dotenvText } from '../config/values/parse-dotenv.ts';
import { writeOutputFile } from '../files/output-file.ts';
import { type Host, resolvePath } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import { Sealed } from '../model/sealed.ts';
import { pathFrom } from '../paths.ts';
import type { ValuesDestination } from './write-field.ts';

/** The destination of values. `force`: an existing file may be replaced. */
interface ValuesOptions {
  place: ValuesOutput;
  host: Host;
  force: boolean;
}

/**
 * Returns the options for writing the dotenv file of `trueup export --values dotenv FILE`. Like any file with a secret, it is only written
 * where git ignores it.
 */
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
      raise('export/dotenv', `secrets cannot be written there: ${deliveryProblem.message}`, {
        hint: deliveryProblem.hint,
      });
    return;
  }
  if (!force && (await stat(resolvePath(host, path)).catch(() => undefined)))
    raise('export/exists', `${path} already exists; nothing was written`, {
      hint: 'choose another path, or overwrite it with --force',
    });
  const sops = await findSops(host);
  if (typeof sops !== 'string') raise(sops);
}

/**
 * Writes the values of exported secrets to the file of `--values`, and returns the names of the written ones. Secrets whose value the
 * platform does not show are left out; the summary lists them as missing. Throws `Problems`.
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
    if (typeof text !== 'string') raise(text);
    await writeOutputFile(host, path, text);
  }
  return new Set(values.keys());
}

/** Where the values of an export go. */
export interface ValuesOutput {
  to: ValuesDestination;
  /** The file, if the values go to one. */
  file?: { format: 'dotenv' | 'sops'; path: string };
}

/**
 * Parses the words of `--values`, which decide where `trueup export` writes secrets: `inline`, `omit`, `dotenv FILE` or `sops FILE`. Throws
 * `Problems` for others.
 */
export function parseValuesOutput(words: string[] = ['inline']): ValuesOutput {
  const [format, path, ...moreWords] = words;
  if (moreWords.length === 0) {
    if ((format === 'inline' || format === 'omit') && path === undefined) return { to: format };
    if ((format === 'dotenv' || format === 'sops') && path) return { to: 'file', file: { format, path } };
  }
  raise('export/values', `--values does not accept \`${words.join(' ')}\``, {
    hint: 'use --values inline, --values omit, --values dotenv FILE or --values sops FILE',
  });
}

/**
 * Returns the option that makes the exported configuration read its secrets from the file that `--values` writes. `folder`: the folder of
 * its main file, where the path starts.
 */
export function secretsIn({ file }: ValuesOutput, { cwd }: Host, folder: string) {
  if (!file) return {};
  const path = pathFrom(resolve(cwd, folder), resolve(cwd, file.path));
  return { secretsIn: file.format === 'dotenv' ? { dotenv: path } : { sops: path } };
}
