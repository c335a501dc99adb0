import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { ExportResult } from './export-live.ts';
import { printYaml } from './layout-values.ts';
import { CommentedMap } from './print-yaml.ts';
import { secretFamily } from './secret-names.ts';

interface FileOptions {
  stack: string;
  platform: { team: string } | { personal: true } | Record<string, unknown>;
  /** True if each section gets a file of its own, beside the one for the header. */
  isSplit: boolean;
  /** The file with the values of secrets, relative to the folder of the main file. Default: the environment has them. */
  secretsIn?: { dotenv: string } | { sops: string };
  /** The comment at the top of each file by which editors find the schema. */
  modeline?: string;
}

export interface ExportedFile {
  name: string;
  text: string;
}

/**
 * Formats an export as the texts of the files that `trueup export` and `trueup from` write. The header, with
 * the stack, the platform and the source of secrets, is in `trueup.yaml`. The sections are there as well, or
 * each in a file of its own (`isSplit`), or in the files that `--by` names.
 */
export function toExportedFiles(
  { sections, otherFiles, secrets, notes }: ExportResult,
  options: FileOptions,
): ExportedFile[] {
  const header = new CommentedMap();
  const platform = Object.entries(options.platform).map(([name, value]) => [
    name,
    typeof value === 'string' ? escapeExpressions(value) : value,
  ]);
  header.add('stack', escapeExpressions(options.stack));
  header.add('platform', Object.fromEntries(platform));
  if (secrets.size > 0) {
    const source = Object.entries(options.secretsIn ?? {}).map(([method, file]) => [
      method,
      escapeExpressions(file),
    ]);
    header.add('secrets', new CommentedMap().add(secretFamily, Object.fromEntries(source)));
  }
  const modelines = options.modeline === undefined ? [] : [options.modeline];
  const noteLines = notes.length > 0 ? ['Not in this export:', ...notes.map((note) => `- ${note}`)] : [];
  const headComments = [...modelines, ...noteLines];
  const filesByRule = otherFiles.map(({ file, sections }) => {
    const map = new CommentedMap();
    for (const { name, value, comments } of sections) map.add(name, value, comments);
    return { name: file, text: printYaml(map, modelines) };
  });
  if (!options.isSplit) {
    for (const { name, value, comments } of sections) header.add(name, value, comments);
    return [{ name: 'trueup.yaml', text: printYaml(header, headComments) }, ...filesByRule];
  }
  const sectionFiles = sections.map(({ name, value, comments }) => ({
    name: `${name}.yaml`,
    text: printYaml(new CommentedMap().add(name, value, comments), modelines),
  }));
  return [{ name: 'trueup.yaml', text: printYaml(header, headComments) }, ...sectionFiles, ...filesByRule];
}
