import { type Host, pathOn } from '../app/host.ts';
import { readStandardInput } from '../app/session/load-configuration.ts';
import type { AccountOptions } from '../app/session/open-account.ts';
import type { ScopeOptions } from '../app/stack-options.ts';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { readBytes, sourceOf } from '../config/yaml/read-documents.ts';
import { Source } from '../config/yaml/source.ts';
import { Problems } from '../model/diagnostic.ts';
import { standardInput } from '../model/resource.ts';

/** The options of all `trueup from`. */
export interface FromOptions extends AccountOptions, AllowOptions, ScopeOptions {
  stack?: string;
  outDir?: string;
  force?: boolean;
  /** Absent only where commander has not set it: `--no-plan` says false. */
  plan?: boolean;
  zone?: string;
  /** Of `from dnscontrol`: the views of zones with several. */
  view?: string[];
  color?: boolean;
}

/** The text of a file, or of standard input for `-`: UTF-8, and no more than a configuration may have. Throws `Problems`. */
export async function readForeign(file: string, { stdin, ...host }: Host): Promise<string> {
  const name = file === standardInput ? '<stdin>' : file;
  const bytes =
    file === standardInput
      ? await readStandardInput(stdin)
      : await readBytes({ path: pathOn(host, file), name });
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) throw new Problems([source]);
  return source.text;
}
