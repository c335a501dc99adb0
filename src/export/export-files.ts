import type { ExportResult } from './export-live.ts';
import { CommentedMap, printYaml } from './print-yaml.ts';
import { secretFamily } from './secret-names.ts';
import { escapeExpressions } from './write-field.ts';

interface FileOptions {
  stack: string;
  platform: { team: string } | { personal: true } | Record<string, unknown>;
  /** A file for each section of the root, beside one for the header. */
  isSplit: boolean;
  /** The file, from the folder of the main one, that holds the values of secrets. Default: the environment has them. */
  secretsIn?: { dotenv: string } | { sops: string };
  /** The line by which editors find the schema, as a comment at the top of each file. */
  modeline?: string;
}

export interface ExportedFile {
  name: string;
  text: string;
}

/** Splits an export into files; the header stands in `trueup.yaml`. */
export function toExportedFiles(
  { sections, otherFiles: others, secrets, notes }: ExportResult,
  options: FileOptions,
): ExportedFile[] {
  const header = new CommentedMap();
  // Names of the account, so that nothing in them is an expression.
  const texts = Object.entries(options.platform).map(([name, value]) => [
    name,
    typeof value === 'string' ? escapeExpressions(value) : value,
  ]);
  header.add('stack', escapeExpressions(options.stack));
  header.add('platform', Object.fromEntries(texts));
  if (secrets.size > 0) {
    const source = Object.entries(options.secretsIn ?? {}).map(([way, file]) => [
      way,
      escapeExpressions(file),
    ]);
    header.add('secrets', new CommentedMap().add(secretFamily, Object.fromEntries(source)));
  }
  const modelines = options.modeline === undefined ? [] : [options.modeline];
  const noteLines = notes.length > 0 ? ['Not in this export:', ...notes.map((note) => `- ${note}`)] : [];
  const comments = [...modelines, ...noteLines];
  const apart = others.map(({ file, sections }) => {
    const map = new CommentedMap();
    for (const { name, value } of sections) map.add(name, value);
    return { name: file, text: printYaml(map, modelines) };
  });
  if (!options.isSplit) {
    for (const { name, value } of sections) header.add(name, value);
    return [{ name: 'trueup.yaml', text: printYaml(header, comments) }, ...apart];
  }
  const parts = sections.map(({ name, value }) => ({
    name: `${name}.yaml`,
    text: printYaml(new CommentedMap().add(name, value), modelines),
  }));
  return [{ name: 'trueup.yaml', text: printYaml(header, comments) }, ...parts, ...apart];
}
