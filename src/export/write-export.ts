/*
 * Writes an exported configuration to files, and prints their names. The first file is the main one; the others are named beside it.
 */
import { stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { LoadOptions } from '../config/configuration.ts';
import { formatYaml } from '../config/format/format-yaml.ts';
import { load } from '../config/load.ts';
import { Source } from '../config/yaml/source.ts';
import { writeOutputFile } from '../files/output-file.ts';
import { type Host, resolvePath } from '../host.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem, Reporter, raise, raiseErrors } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { mayContainMatch } from '../observe/observe-account.ts';
import { createUnmatchedGlobProblems } from '../plan/select-changes.ts';
import type { FileRule } from './block-sources.ts';
import type { ExportedFile } from './export-files.ts';

/**
 * Writes the files of `trueup export`, or prints them if no path is set. Then reads them back like any configuration and returns the
 * errors, which occur if the account has values that a configuration may not have.
 */
export async function writeExport(
  files: ExportedFile[],
  kinds: Kinds,
  { out, outDir }: ExportPlaces,
  port: { run: { host: Host }; say(text: string): void; out(text: string): void },
): Promise<Diagnostic[]> {
  const { host } = port.run;
  const readBack = async (written: Pick<LoadOptions, 'text' | 'paths'>) => {
    const { diagnostics } = await load({ kinds, cwd: host.cwd, env: {}, ...written });
    return diagnostics.filter(({ severity }) => severity === 'error');
  };
  if (out === undefined && outDir === undefined) {
    const text = files.map(({ text }) => text.trimEnd()).join('\n---\n');
    port.out(text);
    return readBack({ text });
  }
  const targets = exportTargetsOf(files, { out, outDir });
  const paths = targets.map(({ path }) => path);
  for (const { path, text } of targets) await writeOutputFile(host, path, text);
  port.say(`Wrote ${paths.join(', ')}.`);
  return readBack({ paths });
}

/**
 * Returns the path and the text of each file that `trueup export` writes. With `--out` the main file gets that path, and the others go to
 * its folder.
 */
const exportTargetsOf = (files: ExportedFile[], { out, outDir }: ExportPlaces) =>
  files.map(({ name, text }, index) => {
    const mainPath = index === 0 ? out : undefined;
    return { path: mainPath ?? join(outDir ?? dirname(out!), name), text };
  });

/** Throws `Problems` before anything is written if a file of the export exists and `--force` is not set. */
export async function refuseExisting(files: ExportedFile[], places: ExportPlaces, host: Host): Promise<void> {
  const { out, outDir, force } = places;
  if (force || (out === undefined && outDir === undefined)) return;
  const existing: string[] = [];
  for (const { path } of exportTargetsOf(files, places))
    if (await stat(resolvePath(host, path)).catch(() => undefined)) existing.push(path);
  if (existing.length > 0)
    raise(
      'export/exists',
      `${existing.join(', ')} already ${existing.length === 1 ? 'exists' : 'exist'}; nothing was written`,
      { hint: 'choose another path, or overwrite with --force' },
    );
}

/** The destination of an export: one file, a folder, or with neither of them the output of the command. */
export interface ExportPlaces {
  /** The path of the main file. */
  out?: string;
  /** The folder for one file per area. */
  outDir?: string;
  /** True if existing files may be overwritten. */
  force?: boolean;
}

/**
 * Parses the values `GLOB=FILE` of `--by`, with which `trueup export` puts matching objects into files of their own. Throws `Problems` for
 * all invalid ones.
 */
export function readFileRules({ by = [], out, outDir }: ExportPlaces & { by?: string[] }): FileRule[] {
  const report = new Reporter();
  if (by.length > 0 && out === undefined && outDir === undefined)
    report.error('export/by', '--by writes several files and needs somewhere to put them', {
      hint: 'pass --out FILE or --out-dir FOLDER',
    });
  const mainFile = out === undefined ? 'trueup.yaml' : posix.basename(out.replaceAll('\\', '/'));
  const rules = by.map((rule) => {
    const index = rule.lastIndexOf('=');
    const glob = rule.slice(0, index);
    const file = posix.normalize(rule.slice(index + 1));
    if (index < 1)
      report.error('export/by', `--by ${rule} names no file`, { hint: "--by 'projects/site-*=web.yaml'" });
    else if (posix.isAbsolute(file) || file.startsWith('..') || !/[^/]\.ya?ml$/i.test(file))
      report.error('export/by', `--by ${rule}: ${file} is not a YAML file next to the main one`, {
        hint: 'use a path ending in .yaml, relative to the folder of the main file',
      });
    else if (file === mainFile)
      report.error('export/by', `--by ${rule}: ${file} is the main file`, {
        hint: 'objects that match no --by go there',
      });
    return { file, appliesTo: createAddressMatcher([glob]) };
  });
  raiseErrors(report.diagnostics);
  return rules;
}

/** Formats the files of an export as `trueup fmt` would, so that a later `fmt` changes nothing. */
export const formatExportedFiles = (files: ExportedFile[]): ExportedFile[] =>
  files.map(({ name, text }) => ({ name, text: formatYaml(new Source(name, text)).text ?? text }));

/** Throws `Problems` if a file of `--by` has the name of an area's file, because one of the two would be lost. */
export function refuseDuplicateFiles(files: ExportedFile[]): void {
  const names = files.map(({ name }) => name);
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
  if (duplicates.length > 0)
    raise(
      duplicates.map((name) =>
        problem('export/by', `${name} is already the file of an area`, {
          hint: 'choose another name for --by, or use --out instead of --out-dir',
        }),
      ),
    );
}

/** The globs of an export: the objects to export, the objects to leave out, and the rules for files (`GLOB=FILE`). */
interface ExportGlobs {
  target?: readonly string[];
  exclude?: readonly string[];
  by?: readonly string[];
}

/** Throws `Problems` for globs that match no object, because they are probably misspelled. Ignores globs for unreadable collections. */
export function refuseUnmatchedExports(
  { resources, unreadable }: Live,
  kinds: Kinds,
  { target = [], exclude = [], by = [] }: ExportGlobs,
): void {
  const unreadableCollections = [...unreadable.keys()].map(collectionParts);
  const mayBeUnreadable = (glob: string) =>
    unreadableCollections.some(([parent, name]) => mayContainMatch(kinds.get(name)!, parent, [glob]));
  // With targets, an excluded object outside of them was not read, so its glob may match nothing.
  const excludeGlobs = target.length > 0 ? [] : exclude;
  const fileGlobs = by.map((rule) => rule.slice(0, rule.lastIndexOf('=')));
  const globs = [...target, ...excludeGlobs, ...fileGlobs].filter((glob) => !mayBeUnreadable(glob));
  const problems = createUnmatchedGlobProblems(globs, [...resources.keys()]);
  raiseErrors(problems);
}
