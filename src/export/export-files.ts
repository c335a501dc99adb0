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
  const header = composeHeader(options, { hasSecrets: secrets.size > 0 });
  const modelines = options.modeline === undefined ? [] : [options.modeline];
  const noteLines = notes.length > 0 ? ['Not in this export:', ...notes.map((note) => `- ${note}`)] : [];
  const headComments = [...modelines, ...noteLines];
  const filesByRule = otherFiles.map(({ file, sections: sectionsOfFile }) => ({
    name: file,
    text: printYaml(withSections(new CommentedMap(), sectionsOfFile), modelines),
  }));
  if (!options.isSplit) {
    const text = printYaml(withSections(header, sections), headComments);
    return [{ name: 'trueup.yaml', text }, ...filesByRule];
  }
  const sectionFiles = sections.map((section) => ({
    name: `${section.name}.yaml`,
    text: printYaml(withSections(new CommentedMap(), [section]), modelines),
  }));
  return [{ name: 'trueup.yaml', text: printYaml(header, headComments) }, ...sectionFiles, ...filesByRule];
}

/** Returns the header of an exported configuration: its stack, its account (`platform`), and the source of its secrets if it has some. */
function composeHeader(
  { stack, platform, secretsIn }: FileOptions,
  { hasSecrets }: { hasSecrets: boolean },
): CommentedMap {
  const escapedPlatform = Object.entries(platform).map(([name, value]) => [
    name,
    typeof value === 'string' ? escapeExpressions(value) : value,
  ]);
  const header = new CommentedMap()
    .add('stack', escapeExpressions(stack))
    .add('platform', Object.fromEntries(escapedPlatform));
  if (!hasSecrets) return header;
  const source = Object.entries(secretsIn ?? {}).map(([method, file]) => [method, escapeExpressions(file)]);
  return header.add('secrets', new CommentedMap().add(secretFamily, Object.fromEntries(source)));
}

/** Adds sections to the top of a file, and returns it. */
function withSections(file: CommentedMap, sections: ExportResult['sections']): CommentedMap {
  for (const { name, value, comments } of sections) file.add(name, value, comments);
  return file;
}
