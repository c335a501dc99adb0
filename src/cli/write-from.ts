import { formatYaml } from '../config/format/format-yaml.ts';
import { Source } from '../config/yaml/source.ts';
import { exportFiles } from '../export/export-files.ts';
import type { Exported } from '../export/export-live.ts';
import type { Kinds } from '../kind/kind.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import type { FromOptions } from './from-file.ts';
import type { Terminal } from './terminal.ts';
import { refuseExisting, writeExport } from './write-export.ts';

/**
 * Writes a configuration as `export` does, reads it back, and gives back where it is; undefined where it was only printed, or has an error.
 * Throws `Problems` for files that are there already.
 */
export async function writeFrom(
  exported: Exported,
  header: { stack: string; platform: Record<string, unknown> },
  kinds: Kinds,
  options: FromOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const { host } = terminal.run;
  const { outDir } = options;
  const files = exportFiles({ ...exported, notes: [] }, { ...header, isSplit: outDir !== undefined });
  const formatted = files.map(({ name, text }) => ({
    name,
    text: formatYaml(new Source(name, text)).text ?? text,
  }));
  await refuseExisting(formatted, options, host);
  const errors = await writeExport(formatted, kinds, options, terminal);
  if (errors.length === 0) return outDir;
  terminal.err('The result is not valid:\n');
  terminal.err(diagnosticsText(errors, { style: terminal.errStyle }));
  terminal.run.exitCode = 1;
  return undefined;
}
