import { resolve } from 'node:path';
import type { Host } from '../host.ts';
import { Problems } from '../model/diagnostic.ts';
import { pathFrom } from '../paths.ts';
import type { ValuesDestination } from './write-field.ts';

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

/** Returns the option that makes an export read its secrets from the file of values. `folder`: the folder of its main file, where the path starts. */
export function secretsIn({ file }: ValuesOutput, { cwd }: Host, folder: string) {
  if (!file) return {};
  const path = pathFrom(resolve(cwd, folder), resolve(cwd, file.path));
  return { secretsIn: file.format === 'dotenv' ? { dotenv: path } : { sops: path } };
}
