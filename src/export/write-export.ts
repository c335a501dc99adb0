/*
 * Writes an exported configuration to files, and prints their names. The first file is the main one; the others are named beside it.
 */
import { stat } from 'node:fs/promises';
import { dirname, join, normalize, posix, resolve } from 'node:path';
import type { LoadOptions } from '../config/configuration.ts';
import { deliverSecret, findDeliveryProblem } from '../config/deliver-secret.ts';
import { encryptWithSops, findSops } from '../config/encrypt-with-sops.ts';
import { load } from '../config/load.ts';
import { dotenvText } from '../config/values/dotenv.ts';
import { prepareOutputFile, writeOutputFile } from '../files/write-files.ts';
import { type Host, resolvePath } from '../host.ts';
import { normalAddressGlob } from '../kind/address-spelling.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem, raise, raiseErrors } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { mayContainMatch } from '../observe/observe-account.ts';
import { pathFrom } from '../paths.ts';
import { createUnmatchedGlobProblems } from '../plan/unmatched-globs.ts';
import type { FileRule } from './block-sources.ts';
import type { ExportedFile } from './export-files.ts';
import type { ValuesDestination } from './write-field.ts';

/**
 * Writes the files of `trueup export` and `trueup from`, or prints the main one if no path is set. Then reads the texts back like any
 * configuration and returns the errors, which occur if the account has values that a configuration may not have.
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
    // Without a path, there is only the main file.
    const text = files[0]!.text.trimEnd();
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
 * Returns the path and the text of each file that `trueup export` writes, for `--out` or `--out-dir` (one of them is given). With `--out`,
 * the first file (the main one) gets that path, and the others go to its folder.
 */
const exportTargetsOf = (files: ExportedFile[], { out, outDir }: ExportPlaces) =>
  files.map(({ name, text }, index) => {
    const mainPath = index === 0 ? out : undefined;
    return { path: mainPath ?? join(outDir ?? dirname(out!), name), text };
  });

/**
 * Returns the paths for `-f` of a plan that reads all files of an export. None if it is printed, or is in the default place: `trueup.yaml`
 * alone, or the folder `trueup`, which a plan reads without `-f`.
 */
export function listPlanFiles(files: ExportedFile[], places: ExportPlaces): string[] {
  const { out, outDir } = places;
  if (outDir !== undefined) return normalize(outDir) === 'trueup' ? [] : [outDir];
  if (out === undefined) return [];
  const paths = exportTargetsOf(files, places).map(({ path }) => path);
  return paths.length === 1 && normalize(out) === 'trueup.yaml' ? [] : paths;
}

/**
 * Creates the folders of the files of an export. Throws `Problems` if a file exists and `--force` is not set, or cannot be written where
 * it is to be. Called before the values are written, so that an export never overwrites a file that somebody has edited, and writes
 * no values without the configuration that reads them.
 */
export async function prepareExport(files: ExportedFile[], places: ExportPlaces, host: Host): Promise<void> {
  const { out, outDir, force } = places;
  if (out === undefined && outDir === undefined) return;
  const paths = exportTargetsOf(files, places).map(({ path }) => path);
  const existing: string[] = [];
  for (const path of force ? [] : paths)
    if (await stat(resolvePath(host, path)).catch(() => undefined)) existing.push(path);
  if (existing.length > 0)
    raise(
      'export/exists',
      `${existing.join(', ')} already ${existing.length === 1 ? 'exists' : 'exist'}; nothing was written`,
      { hint: 'choose another path, or overwrite with --force' },
    );
  for (const path of paths) await prepareOutputFile(host, path);
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
export function readFileRules(
  { by = [], out, outDir }: ExportPlaces & { by?: string[] },
  kinds: Kinds,
): FileRule[] {
  const hasPlace = out !== undefined || outDir !== undefined;
  const mainFile = out === undefined ? 'trueup.yaml' : posix.basename(out.replaceAll('\\', '/'));
  const rules = by.map((text) => {
    // The last `=`, because a glob may contain one, too.
    const index = text.lastIndexOf('=');
    return { text, glob: text.slice(0, index), file: posix.normalize(text.slice(index + 1)) };
  });
  raiseErrors([
    ...(by.length > 0 && !hasPlace
      ? [
          problem('export/by', '--by writes several files and needs somewhere to put them', {
            hint: 'pass --out FILE or --out-dir FOLDER',
          }),
        ]
      : []),
    ...rules.flatMap((rule) => findRuleProblem(rule, mainFile) ?? []),
  ]);
  return rules.map(({ glob, file }) => ({
    file,
    appliesTo: createAddressMatcher([normalAddressGlob(glob, kinds)]),
  }));
}

/**
 * Returns the problem with a value `GLOB=FILE` of `--by`; undefined if it is valid. `mainFile`: the name of the file that has everything
 * else.
 */
function findRuleProblem(
  { text, glob, file }: { text: string; glob: string; file: string },
  mainFile: string,
): Diagnostic | undefined {
  if (glob === '' || !text.includes('='))
    return problem('export/by', `--by ${text} names no file`, { hint: "--by 'projects/site-*=web.yaml'" });
  if (posix.isAbsolute(file) || /^\.\.(\/|$)/.test(file) || !/[^/]\.ya?ml$/i.test(file))
    return problem('export/by', `--by ${text}: ${file} is not a YAML file next to the main one`, {
      hint: 'use a path ending in .yaml, relative to the folder of the main file',
    });
  if (/(^|\/)(\.|node_modules\/)/.test(file))
    return problem(
      'export/by',
      `--by ${text}: ${file} is hidden, and a plan of the folder would not read it`,
      {
        hint: 'use a path without names that begin with a dot, and outside node_modules',
      },
    );
  if (file === mainFile)
    return problem('export/by', `--by ${text}: ${file} is the main file`, {
      hint: 'objects that match no --by go there',
    });
  return undefined;
}

/**
 * Throws `Problems` if two files of an export have one path, because one of the two would be lost: a file of `--by` and that of an area
 * (with `--out-dir`, each section has a file of its own: `projects.yaml`), or the file of `--values` and one of the configuration.
 */
export function refuseDuplicateFiles(
  files: ExportedFile[],
  places: ExportPlaces,
  { file: valuesFile }: ValuesOutput,
  host: Host,
): void {
  if (places.out === undefined && places.outDir === undefined) return;
  const paths = exportTargetsOf(files, places).map(({ path }) => resolvePath(host, path));
  const duplicates = files.filter((_, index) => paths.indexOf(paths[index]!) !== index);
  const problems = duplicates.map(({ name }) =>
    problem('export/by', `${name} is already the file of an area`, {
      hint: 'choose another name for --by, or use --out instead of --out-dir',
    }),
  );
  if (valuesFile && paths.includes(resolvePath(host, valuesFile.path)))
    problems.push(
      problem('export/values', `${valuesFile.path} is a file of the configuration`, {
        hint: 'choose another file for --values',
      }),
    );
  raiseErrors(problems);
}

/** The globs of an export: the objects to export, the objects to leave out, and the rules for files (`GLOB=FILE`). */
interface ExportGlobs {
  target?: readonly string[];
  exclude?: readonly string[];
  by?: readonly string[];
}

/**
 * Throws `Problems` for globs of `trueup export` (`--target`, `--exclude`, `--by`) that match no object,
 * because they are probably misspelled. Ignores globs for collections that could not be read.
 */
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
  const fileGlobs = by.map((rule) => normalAddressGlob(rule.slice(0, rule.lastIndexOf('=')), kinds));
  const globs = [...target, ...excludeGlobs, ...fileGlobs].filter((glob) => !mayBeUnreadable(glob));
  const problems = createUnmatchedGlobProblems(globs, [...resources.keys()]);
  raiseErrors(problems);
}

/** The destination of values. `force`: an existing file may be replaced. */
interface ValuesOptions {
  place: ValuesOutput;
  host: Host;
  force: boolean;
}

/**
 * Returns the options for writing the dotenv file of `trueup export --values dotenv FILE` like any other
 * delivered secret: only where git ignores it. The same delivery can also run commands; an export has none.
 */
const deliverOptions = ({ host: { cwd, env }, force }: ValuesOptions) => ({
  cwd,
  env,
  judgeCommand: () => Promise.reject(new Error('no command is delivered to')),
  reserved: ['.trueup'],
  mayReplace: force,
});

/**
 * Throws `Problems` if the file of values cannot be written: git would see it, it already exists, it would be below a file, or the
 * program `sops` is missing. Called before the account is read, so that no work is lost.
 */
export async function requireValuesOutput(options: ValuesOptions): Promise<void> {
  const { place, host, force } = options;
  if (!place.file) return;
  const { format, path } = place.file;
  if (format === 'dotenv') {
    const deliveryProblem = await findDeliveryProblem({ file: path }, deliverOptions(options));
    if (deliveryProblem)
      raise('export/dotenv', `secrets cannot be written there: ${deliveryProblem.message}`, {
        hint: deliveryProblem.hint,
      });
    return;
  }
  if (!force && (await stat(resolvePath(host, path)).catch(() => undefined)))
    raise('export/exists', `${path} already exists; nothing was written`, {
      hint: 'choose another path, or overwrite it with --force',
    });
  const sops = await findSops(host);
  const isMissing = typeof sops !== 'string';
  if (isMissing) raise(sops);
  await prepareOutputFile(host, path);
}

/**
 * Writes the values of exported secrets to the file of `--values`, and returns the names of the written ones. Secrets whose value the
 * platform does not show are left out; the summary lists them as missing. Throws `Problems`.
 */
export async function writeValues(
  secrets: ReadonlyMap<string, Sealed | undefined>,
  options: ValuesOptions,
): Promise<Set<string>> {
  const { place, host } = options;
  const values = new Map([...secrets].flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
  if (!place.file || values.size === 0) return new Set();
  const { format, path } = place.file;
  if (format === 'dotenv')
    await deliverSecret({ file: path }, new Sealed(dotenvText(values)), deliverOptions(options));
  else {
    const sops = await findSops(host);
    const text = typeof sops === 'string' ? await encryptWithSops(sops, path, values, host) : sops;
    if (typeof text !== 'string') raise(text);
    await writeOutputFile(host, path, text);
  }
  return new Set(values.keys());
}

/** Where the values of an export go. */
export interface ValuesOutput {
  to: ValuesDestination;
  /** The file, if the values go to one. */
  file?: { format: 'dotenv' | 'sops'; path: string };
}

/**
 * Parses the words of `--values`, which decide where `trueup export` writes secrets: `inline`, `plain`, `omit`, `dotenv FILE` or `sops
 * FILE`. Throws `Problems` for others.
 */
export function parseValuesOutput(words: string[] = ['inline']): ValuesOutput {
  const [format, path, ...moreWords] = words;
  if (moreWords.length === 0) {
    if ((format === 'inline' || format === 'plain' || format === 'omit') && path === undefined)
      return { to: format };
    if ((format === 'dotenv' || format === 'sops') && path) return { to: 'file', file: { format, path } };
  }
  raise('export/values', `--values does not accept \`${words.join(' ')}\``, {
    hint: 'use --values inline, --values plain, --values omit, --values dotenv FILE or --values sops FILE',
  });
}

/**
 * Returns the option of an export that makes the written configuration read its secrets from the file that
 * `--values` writes, so that it can be planned at once. `folder`: the folder of its main file, from which the
 * path of the other file starts.
 */
export function secretsIn({ file }: ValuesOutput, { cwd }: Host, folder: string) {
  if (!file) return {};
  const path = pathFrom(resolve(cwd, folder), resolve(cwd, file.path));
  return { secretsIn: file.format === 'dotenv' ? { dotenv: path } : { sops: path } };
}
