import type { ScopeOptions } from '../config/choose-scope.ts';
import { readBytes, readStandardInput, sourceOf } from '../config/yaml/read-documents.ts';
import { Source } from '../config/yaml/source.ts';
import type { ExportResult } from '../export/export-live.ts';
import { type Host, resolvePath } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { standardInput } from '../model/resource.ts';

/** The options of `trueup from` that decide what the converted configuration contains. */
export interface ConversionOptions extends ScopeOptions {
  /** The name of the stack; by default the team or the zone. */
  stack?: string;
  /** The folder for the files; absent if the configuration is only printed. */
  outDir?: string;
  /** `from zonefile`: the name of the zone, if the file does not contain it. */
  zone?: string;
  /** `from dnscontrol`: the views of zones that have several, each as `ZONE!TAG`. */
  view?: string[];
}

/** The text of a file of another tool. `file`: its name for messages. */
export interface ForeignFile {
  file: string;
  text: string;
}

/** A file of another tool as a trueup configuration, before anything is written. */
export interface Conversion {
  exported: ExportResult;
  /** The first lines of the configuration: the stack and its account. */
  header: { stack: string; platform: Record<string, unknown> };
  kinds: Kinds;
  /** The report for the user: the numbers, and everything that was left out. */
  summary: string;
  /** Advice about the name of the stack, if the user should decide on it before the first apply. */
  advice?: string;
}

/**
 * Reads the text of a file that `trueup from` converts (a Terraform state, a zone file), or of standard input for `-`. Throws `Problems` if
 * it cannot be read, is not UTF-8 or is too large.
 */
export async function readForeignFile(file: string, { stdin, ...host }: Host): Promise<ForeignFile> {
  const isInput = file === standardInput;
  const name = isInput ? '<stdin>' : file;
  const bytes = isInput
    ? await readStandardInput(stdin)
    : await readBytes({ path: resolvePath(host, file), name });
  // Each of the readers returns a problem if it fails.
  const source = Buffer.isBuffer(bytes) ? sourceOf(name, bytes) : bytes;
  if (!(source instanceof Source)) raise(source);
  return { file, text: source.text };
}

/** Returns the problem with a file in which nothing can be converted. `hint`: the reason of the first resource or record. */
export const nothingToConvertProblem = (file: string, hint: string): Diagnostic =>
  problem('from/nothing', `${file}: nothing in it can be converted`, { hint });
