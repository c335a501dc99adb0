import { stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { exportedSecretEnv, type ValuesOutput } from '../app/exporting/export-values.ts';
import { type Host, pathOn } from '../app/host.ts';
import { writeOutputFile } from '../app/output-file.ts';
import type { LoadOptions } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import type { ExportedFile } from '../export/export-files.ts';
import type { ExportResult } from '../export/export-live.ts';
import type { FileRule } from '../export/parts-of.ts';
import type { Kinds } from '../kind/kind.ts';
import { matcherOf } from '../model/address-glob.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { shellWord } from '../model/shell-word.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import type { Terminal } from './terminal.ts';

export interface ExportPlaces {
  out?: string;
  outDir?: string;
  force?: boolean;
}

/**
 * Prints what was exported, or writes it, and reads it back as any configuration. Gives back the errors of that, of which there
 * should be none.
 */
export async function writeExport(
  files: ExportedFile[],
  kinds: Kinds,
  { out, outDir }: ExportPlaces,
  terminal: Terminal,
): Promise<Diagnostic[]> {
  const { host } = terminal.run;
  const readBack = async (from: Pick<LoadOptions, 'text' | 'paths'>) => {
    const { diagnostics } = await load({ kinds, cwd: host.cwd, env: {}, ...from });
    return diagnostics.filter(({ severity }) => severity === 'error');
  };
  if (out === undefined && outDir === undefined) {
    const text = files.map(({ text }) => text.trimEnd()).join('\n---\n');
    terminal.out(text);
    return readBack({ text });
  }
  const placed = exportTargetsOf(files, { out, outDir });
  const paths = placed.map(({ path }) => path);
  for (const { path, text } of placed) await writeOutputFile(host, path, text);
  terminal.say(`Wrote ${paths.join(', ')}.`);
  return readBack({ paths });
}

/** The destination of the files: the first one is the main one. */
const exportTargetsOf = (files: ExportedFile[], { out, outDir }: ExportPlaces) =>
  files.map(({ name, text }, index) => ({
    path: out === undefined ? join(outDir!, name) : index === 0 ? out : join(dirname(out), name),
    text,
  }));

/** Looks whether files are there already, before anything is written. Throws `Problems`. */
export async function refuseExisting(files: ExportedFile[], places: ExportPlaces, host: Host): Promise<void> {
  const { out, outDir, force } = places;
  if (out === undefined && outDir === undefined) return;
  const paths = exportTargetsOf(files, places).map(({ path }) => path);
  const there = [];
  for (const path of paths) if (await stat(pathOn(host, path)).catch(() => undefined)) there.push(path);
  if (there.length > 0 && !force)
    throw new Problems(
      'export/exists',
      `${there.join(', ')} already ${there.length === 1 ? 'exists' : 'exist'}; nothing was written`,
      { hint: 'choose another path, or overwrite with --force' },
    );
}

/**
 * Summarises an export. `found` lists the fields that could hold a secret, though nobody declared them secret; `written` are the secrets
 * whose values are in the file of `place`.
 */
export function exportSummary(
  { count: objects, secrets, secretUsers, notes }: ExportResult,
  found: string[],
  { place, written }: { place: ValuesOutput; written: ReadonlySet<string> },
): string {
  const lines = [`${count(objects, 'object')} exported.`];
  const open = [...secrets.keys()].filter((name) => !written.has(name));
  const { file } = place;
  if (file && written.size > 0) lines.push(...readingFrom(file, written.size));
  if (open.length > 0) {
    const rows = open.map((name) => [
      file ? name : exportedSecretEnv(name),
      usedBy(secretUsers.get(name) ?? []),
    ]);
    const title = file ? `key in ${file.path}` : 'environment variable';
    const width = Math.max(title.length, ...rows.map(([key]) => key!.length)) + 2;
    lines.push(
      file
        ? `The account does not show ${count(open.length, 'value')}. Before you apply, add:`
        : `Secrets and values that may be secrets are not written. Before you apply, set ${count(open.length, 'environment variable')}:`,
      '',
      `  ${title.padEnd(width)}for`,
      ...rows.map(([key, use]) => `  ${key!.padEnd(width)}${use}`),
      '',
    );
  }
  lines.push(...writtenAsFound(found));
  if (notes.length > 0) lines.push('Not included:', ...notes.map((note) => `  ${note}`));
  return lines.join('\n');
}

const usedBy = ([first = '', ...others]: string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

/** The arguments with which a plan reads the file. */
const readingFrom = ({ format, path }: NonNullable<ValuesOutput['file']>, size: number): string[] =>
  format === 'dotenv'
    ? [
        `Wrote ${count(size, 'value')} to ${path}, in the clear: keep it out of git. To plan with them:`,
        `  trueup plan --allow-files ${shellWord(path)}`,
      ]
    : [
        `Wrote ${count(size, 'value')} to ${path}, encrypted. To plan with them:`,
        `  trueup plan --allow-command ${shellWord(`sops --decrypt --output-type json ${path}`)}`,
      ];

const mostNamedFiles = 10;

/** The lines that name what was written as it was found and could hold a secret, though nobody declared it as one; none for nothing. */
export const writtenAsFound = (found: readonly string[]): string[] =>
  found.length === 0
    ? []
    : [
        'Written as found: check them for secrets before you commit.',
        ...found.slice(0, mostNamedFiles).map((field) => `  ${cleanLine(field)}`),
        ...(found.length > mostNamedFiles ? [`  and ${found.length - mostNamedFiles} more`] : []),
      ];

/** Reads `--by GLOB=FILE`. Throws `Problems`. */
export function readFileRules({ by = [], out, outDir }: ExportPlaces & { by?: string[] }): FileRule[] {
  const problems: Diagnostic[] = [];
  const say = (message: string, hint: string) => problems.push(problem('export/by', message, { hint }));
  if (by.length > 0 && out === undefined && outDir === undefined)
    say('--by writes several files and needs somewhere to put them', 'pass --out FILE or --out-dir FOLDER');
  const main = out === undefined ? 'trueup.yaml' : posix.basename(out.replaceAll('\\', '/'));
  const rules = by.map((rule) => {
    const index = rule.lastIndexOf('=');
    const [glob, file] = [rule.slice(0, index), posix.normalize(rule.slice(index + 1))];
    if (index < 1) say(`--by ${rule} names no file`, "--by 'projects/site-*=web.yaml'");
    else if (posix.isAbsolute(file) || file.startsWith('..') || !/[^/]\.ya?ml$/i.test(file))
      say(
        `--by ${rule}: ${file} is not a YAML file next to the main one`,
        'use a path ending in .yaml, relative to the folder of the main file',
      );
    else if (file === main)
      say(`--by ${rule}: ${file} is the main file`, 'whatever no --by matches goes there');
    return { file, appliesTo: matcherOf([glob]) };
  });
  if (problems.length > 0) throw new Problems(problems);
  return rules;
}
