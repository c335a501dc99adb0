import { readDeclaredNames } from '../config/editor/declared-names.ts';
import { editorSchema } from '../config/editor/editor-schema.ts';
import type { JsonSchema } from '../config/editor/json-schema.ts';
import { openSources } from '../config/sources/sources.ts';
import { writeOutputFile } from '../files/write-files.ts';
import { openTracking } from '../git/tracking.ts';
import { guardsSchema } from '../guards/guards.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Reporter, raiseErrors } from '../model/diagnostic.ts';
import type { Run } from './port.ts';
import { createLoadOptions } from './session/load-configuration.ts';

/** The files that a JSON Schema is for: configurations, or files of guards. */
export interface EditorSchemaOptions {
  /** The configuration whose templates and variables editors should suggest; without it the default files, if there are any. */
  file?: string[];
  /** True for the schema of a file of guards instead. */
  guards?: boolean;
  /**
   * Composes the schema of another file that contains parts of a configuration, such as a test file. Default: the schema of a
   * configuration.
   */
  compose?(...parameters: Required<Parameters<typeof editorSchema>>): JsonSchema;
}

/**
 * Returns the JSON Schema that editors check YAML files with (the configuration, or with `guards` the file of guards), as one line, because
 * only programs read it. Mistakes in the configuration are left to `validate`. Throws `Problems` if a file of `--file` is missing.
 */
export async function schemaText(
  provider: Provider,
  run: Run,
  { file, guards, compose = editorSchema }: EditorSchemaOptions,
): Promise<string> {
  if (guards) return `${JSON.stringify(guardsSchema(provider.kinds.map(({ name }) => name)))}\n`;
  const { env, cwd } = run.host;
  const report = new Reporter();
  const sources = openSources({ env, cwd, tracking: openTracking(env) });
  const knownNames = await readDeclaredNames(
    { ...createLoadOptions(provider, file ? { file } : {}, run), sources },
    report,
  );
  // A missing file of `--file` has no place (`at`), unlike one that a file of the configuration names.
  const missing = report.diagnostics.filter(({ code, at }) => file && code === 'file/missing' && !at);
  raiseErrors(missing);
  return `${JSON.stringify(compose(kindsOf(provider.kinds), knownNames, await provider.actionsAndLookups()))}\n`;
}

/** Writes the schema to a file, for `init` and `schema --out`, and replaces an older one. Throws `Problems` if that cannot be done. */
export async function writeSchema(
  provider: Provider,
  path: string,
  run: Run,
  options: EditorSchemaOptions = {},
): Promise<void> {
  await writeOutputFile(run.host, path, await schemaText(provider, run, options));
}

/** Returns the first line of a YAML file that makes editors use the schema at `path` (relative to that file). */
export const modeline = (path: string): string =>
  `# yaml-language-server: $schema=${path.replaceAll('\\', '/')}`;
