import path from 'node:path';
import type { ActionsAndLookups } from '../kind/action.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Desired, LookupSource, Resource } from '../model/resource.ts';
import { secretNamesIn } from '../model/value.ts';
import type { LoadedBlock } from './blocks/block.ts';
import type { Section } from './blocks/section-entries.ts';
import type { Variables } from './expressions/scope.ts';
import type { FoundFile } from './find-files.ts';
import type { ReadFiles } from './read-files.ts';
import type { DeclaredLedger } from './read-ledger-place.ts';
import type { Sources } from './sources/sources.ts';
import type { SourceRequest } from './sources/verdict.ts';
import type { SecretSource } from './values/secret-source.ts';
import type { WorkspaceSettings } from './workspace.ts';
import type { MapNode, Node } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

/** Where a configuration is read from, and the sources that it may use. */
export interface LoadOptions {
  kinds: Kinds;
  /**
   * Loads the actions that `$then` may name, and the lookups. Without it `$then` is ignored, and no lookup
   * exists.
   */
  actionsAndLookups?(): Promise<ActionsAndLookups>;
  cwd: string;
  /**
   * Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml`, `trueup.json` or the folder `trueup`.
   */
  paths?: string[];
  /** The configuration itself, instead of files. */
  text?: string;
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  /** From `--stage`. */
  stage?: string;
  /** The settings of the workspace for the stack. */
  workspace?: WorkspaceSettings | undefined;
  env: Record<string, string | undefined>;
  /** Decides which sources may be read. Default: only those that are always allowed, and no file. */
  sources?: Sources;
  /** Reads standard input, for the path `-`. */
  readInput?(): Promise<Buffer>;
  /** Texts that replace those on disk. */
  texts?: FileTexts;
  /** Called once the files are read, before their blocks are: the memory in use then shows how large the configuration is. */
  onFilesRead?(): void;
  /** The values and the layer that a test adds. */
  overlay?: Overlay;
}

/**
 * The part of a test (`trueup test`) that changes a configuration. Its places are in the file of the test. Loading does not quote the lines
 * of that file, because other tests of the same file may still mask secrets in it: the caller quotes them at the end.
 */
export interface Overlay {
  /** Values of variables, which take precedence over all others except `--var`. */
  variables?: MapNode | undefined;
  /** The layers above the configuration's own patches: maps of sections, or patches with `$at`. */
  patches: Node[];
}

/** The texts of files by real path. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * A configuration: the resources that it declares, and what commands need to know about its files, variables and secrets. Usable only if
 * `diagnostics` contains no error.
 */
export interface Configuration {
  desired: Desired;
  /** Paths of the files that it was read from, without variable files. */
  files: string[];
  /** The absolute paths of all files that it was read from or that it names: data, variables, secrets, pictures. Some may not exist. */
  fileDependencies: string[];
  /** The names of its stages. */
  stages: string[];
  /** A guess at the name of a stack that could not be read, used only to show which stack the problems belong to. */
  guessedStack?: string;
  platform?: Scope;
  /** The place of the ledger that its header names, or else the workspace. */
  ledger?: DeclaredLedger | undefined;
  /** The secrets that `secrets:` declares, by name. Their values are not read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. Only these are read. */
  usedSecrets: Set<string>;
  /** The variables without a value. */
  missingVariables: string[];
  /** The environment variables that variables name, as `env NAME`. */
  variableOrigins: Map<string, string>;
  /** The name of the stack as it is written, before its expressions have values. Permissions for sources are remembered under it. */
  writtenStack: string;
  /**
   * Errors for sources that variables and fields may not or cannot read, so that the values that come from them are missing. `validate`
   * shows them as notes.
   */
  notAllowed: Diagnostic[];
  /** Every other problem, by place. */
  diagnostics: Diagnostic[];
}

/** Returns all problems of a configuration, also those that `validate` shows as notes. */
export const allProblemsOf = ({
  diagnostics,
  notAllowed,
}: Pick<Configuration, 'diagnostics' | 'notAllowed'>): Diagnostic[] => [...diagnostics, ...notAllowed];

/** A configuration with its text, for commands that print or edit it. It takes twice the memory, so other commands do not keep it. */
export interface WrittenConfiguration extends Configuration {
  /** Returns the configuration after templates and patches were merged into its blocks. */
  rendered(): Rendered;
  /** Returns its files and data files, and its blocks with the places of their values. */
  written(): ConfigurationText;
}

/** The files of a configuration and the blocks in them, for `trueup accept`, which edits the files. */
export interface ConfigurationText {
  /** In the order in which they were found. Included files and data files come last. */
  files: WrittenFile[];
  blocks: LoadedBlock[];
  /** The stage that it was read for. */
  stage?: string;
  /**
   * The values of variables that are one text, by name. With them, `trueup diff` finds the other parts of a name such as
   * `${each.key}${var.end}`.
   */
  variableTexts: ReadonlyMap<string, string>;
}

/** One file of a configuration with its text. */
export interface WrittenFile {
  /** The real path. */
  path: string;
  source: Source;
  /**
   * `part`: contains blocks. `included`: contains only templates and variables. `data`: contains the value of a variable. `variables`:
   * named by `--var-file`.
   */
  role: 'part' | 'included' | 'data' | 'variables';
}

/** The variables of a configuration, and the files that their values come from. */
interface ReadVariables {
  variables: Variables;
  dataFiles: Omit<WrittenFile, 'role'>[];
  /** The files of `--var-file`. Those that could not be read have no source. */
  varFiles: { path: string; source?: Source | undefined }[];
}

/**
 * Returns the files and blocks of a configuration with their texts, for `trueup accept`, which edits them.
 * The role of a file tells whether it declares resources (`part`), is included, or has the data of a variable
 * (`dataFiles`), or was named by `--var-file` (`varFiles`). Files that could not be read are left out. `sources`: the texts of all files.
 */
export function toConfigurationText(
  { files, documents, stage }: ReadFiles,
  sources: Source[],
  { dataFiles, varFiles, variables }: ReadVariables,
  blocks: LoadedBlock[],
): ConfigurationText {
  const includedPaths = new Set(documents.flatMap(({ file, isIncluded }) => (isIncluded ? [file.path] : [])));
  const readFiles = files.flatMap(({ path, name }): WrittenFile[] => {
    const source = sources.find(({ file }) => file === name);
    return source ? [{ path, source, role: includedPaths.has(path) ? 'included' : 'part' }] : [];
  });
  const filesWithData = dataFiles.map((dataFile): WrittenFile => ({ ...dataFile, role: 'data' }));
  const filesOfVariables = varFiles.flatMap(({ path, source }): WrittenFile[] =>
    source ? [{ path, source, role: 'variables' }] : [],
  );
  return {
    files: [...readFiles, ...filesWithData, ...filesOfVariables],
    blocks,
    stage: stage?.name,
    variableTexts: textsOf(variables),
  };
}

/** Returns the values of the variables that are one text, by name, for `variableTexts`, with which `trueup diff` compares names. */
const textsOf = (variables: Variables): Map<string, string> =>
  new Map(
    [...variables.declared.keys()].flatMap((name): [string, string][] => {
      const value = variables.get(name);
      return value?.type === 'scalar' ? [[name, value.text]] : [];
    }),
  );

/**
 * Returns all files that a configuration was read from or that it names, as sorted absolute paths. Some may not exist or were never read.
 * `--changed-since` selects the stacks to plan by them, `accept` finds other stacks that read the edited files, and
 * `findConfigurationCommit` compares them with the commit. The arguments of a command that reads a secret count, if they may be files
 * relative to `cwd`. Its program, and files that it opens unasked, do not.
 */
export function listFileDependencies(
  files: readonly Pick<FoundFile, 'path' | 'text'>[],
  requests: readonly SourceRequest[],
  secrets: ReadonlyMap<string, SecretSource>,
  cwd: string,
): string[] {
  // A file with a text is not on the disk: it is standard input, or a given text.
  const paths = new Set(files.flatMap(({ path: file, text }) => (text === undefined ? [file] : [])));
  const secretRequests = [...secrets.values()].map((origin) => ({ origin, folder: origin.folder }));
  for (const { origin, folder } of [...requests, ...secretRequests]) {
    if ('file' in origin) paths.add(path.resolve(cwd, folder, origin.file));
    if ('command' in origin) {
      const [_program, ...args] = origin.command;
      const mayBeFile = (word: string) => !word.startsWith('-') && !/\s/.test(word);
      for (const word of args.filter(mayBeFile)) paths.add(path.resolve(cwd, word));
    }
  }
  return [...paths].sort();
}

/**
 * Returns a configuration whose secrets are read relative to other folders. For `undo`, which loads the configuration of a commit from
 * a temporary folder: files with secrets are read in the work tree, as they are today, because git may ignore them.
 */
export const withSecretFolders = (
  configuration: Configuration,
  toFolder: (folder: string) => string,
): Configuration => ({
  ...configuration,
  secrets: new Map(
    [...configuration.secrets].map(([name, source]) => [
      name,
      { ...source, folder: toFolder(source.folder) },
    ]),
  ),
});

/** The parts of a configuration after templates and patches were merged, for `trueup render`. */
export interface Rendered {
  sections: Section[];
  secrets: MapNode;
  lookups: ReadonlyMap<string, LookupSource>;
  /** Returns the kinds of the sections in a block of a kind. */
  childrenOf(kind: Kind): readonly Kind[];
}

/**
 * Returns the resources that use each secret, by the name of the secret. Needed to read only those secrets,
 * and to name the affected resources in messages. A secret is a placeholder (hole) in a field until its value
 * is read.
 */
export function resourcesBySecret(resources: Iterable<Resource>): Map<string, Resource[]> {
  const uses = new Map<string, Resource[]>();
  for (const resource of resources) {
    for (const name of secretNamesIn(resource.fields)) addTo(uses, name, resource);
  }
  return uses;
}
