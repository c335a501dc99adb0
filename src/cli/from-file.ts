import { readFile } from 'node:fs/promises';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { standardInput } from '../model/resource.ts';
import { type Host, pathOn } from './host.ts';
import type { AccountOptions } from './open-account.ts';
import type { ScopeOptions } from './options.ts';

/** The options of all `trueup from`. */
export interface FromOptions extends AccountOptions, AllowOptions, ScopeOptions {
  stack?: string;
  outDir?: string;
  force?: boolean;
  /** Absent only where commander has not set it: `--no-plan` says false. */
  plan?: boolean;
  zone?: string;
  color?: boolean;
}

/** The text of a file, or of standard input for `-`. Throws `Problems`. */
export async function readForeign(file: string, { stdin, ...host }: Host): Promise<string> {
  if (file === standardInput) {
    const parts: Buffer[] = [];
    for await (const part of stdin) parts.push(Buffer.from(part));
    return Buffer.concat(parts).toString('utf8');
  }
  return readFile(pathOn(host, file), 'utf8').catch((error: Error) => {
    throw new Problems([problem('from/file', `${file} cannot be read: ${error.message}`)]);
  });
}
