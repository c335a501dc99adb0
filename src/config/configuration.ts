import path from 'node:path';
import type { DayTwo } from '../kind/action.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import type { Desired, LookupSource, Resource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';
import type { ReadBlock } from './blocks/block.ts';
import type { Section } from './blocks/section-entries.ts';
import type { FoundFile } from './find-files.ts';
import type { ReadFiles } from './read-files.ts';
import type { Sources } from './sources/sources.ts';
import type { SourceRequest } from './sources/verdict.ts';
import type { SecretSource } from './values/secret-source.ts';
import type { MapNode } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

export interface LoadOptions {
  kinds: Kinds;
  /** The actions that `$then` may name. Without it `$then` is left aside: a configuration that is only read is not applied. */
  dayTwo?(): Promise<DayTwo>;
  cwd: string;
  /** Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  paths?: string[];
  /** The configuration itself, in place of files. */
  text?: string;
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  /** From `--stage`. */
  stage?: string;
  /** From the workspace: what may be declared, as globs of addresses. */
  owns?: readonly string[] | undefined;
  env: Record<string, string | undefined>;
  /** Decides what may be read. By default only what is free, and no file. */
  sources?: Sources;
  /** Reads standard input, for the path `-`. */
  readInput?(): Promise<Buffer>;
  /** The texts of files, by real path, in place of what is on disk. */
  texts?: ReadonlyMap<string, string>;
}

/** The configuration as the YAML says it. Usable only if `diagnostics` holds no error. */
export interface Configuration {
  desired: Desired;
  /** Paths of the files that it was read from, without variable files. */
  files: string[];
  /** All files that it was read from or names: data, variables, secrets and pictures too. Absolute paths; some may be missing. */
  behind: string[];
  /** The names of its stages. */
  stages: string[];
  /** A guess at the name of a stack that could not be read: only to say whose problems these are. */
  seemingStack?: string;
  platform?: Scope;
  /** Those that `secrets:` declares; nothing of them is read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. */
  usedSecrets: Set<string>;
  /** The variables that nobody has given a value. */
  missingVariables: string[];
  /** The environment variables that variables name, as `env NAME`. */
  variableOrigins: Map<string, string>;
  /** The name of the stack as it is written: by it is remembered what was allowed. */
  writtenStack: string;
  /** Errors for all that variables and fields may not read here, or cannot; what depends on them is not known. `validate` takes them for notes. */
  notAllowed: Diagnostic[];
  /** Every other problem, by place. */
  diagnostics: Diagnostic[];
}

/** A configuration with all that was read. That takes as much memory as everything else, so only what prints or edits text keeps it. */
export interface WrittenConfiguration extends Configuration {
  /** The configuration once templates and patches are worked in. */
  rendered(): Rendered;
  /** The text: its files and data files, and its blocks with the places of their values. */
  written(): WrittenDown;
}

/** The text of a configuration, and what was understood of it. */
export interface WrittenDown {
  /** In the order in which they count; what is included, and data, behind them. */
  files: WrittenFile[];
  blocks: ReadBlock[];
  /** The stage that it was read for. */
  stage?: string;
}

export interface WrittenFile {
  /** The real path. */
  path: string;
  source: Source;
  /** `part`: one of the files that hold blocks. */
  holds: 'part' | 'included' | 'data';
}

/** The text of a configuration; a file that could not be read has none. */
export function writtenDown(
  { files, documents, stage }: ReadFiles,
  sources: Source[],
  data: Omit<WrittenFile, 'holds'>[],
  blocks: ReadBlock[],
): WrittenDown {
  const included = new Set(documents.flatMap(({ file, isIncluded }) => (isIncluded ? [file.path] : [])));
  const writtenFiles = files.flatMap(({ path, name }): WrittenFile[] => {
    const source = sources.find(({ file }) => file === name);
    return source ? [{ path, source, holds: included.has(path) ? 'included' : 'part' }] : [];
  });
  const read = data.map((one): WrittenFile => ({ ...one, holds: 'data' }));
  return { files: [...writtenFiles, ...read], blocks, ...(stage ? { stage: stage.name } : {}) };
}

/**
 * All files that a configuration was read from or names, as absolute paths, each once: a change of any other file changes nothing of it. What is
 * named may be missing, and was not necessarily read. Of a command the words count that could be files: they start at `cwd`.
 */
export function filesBehind(
  files: readonly Pick<FoundFile, 'path' | 'text'>[],
  asked: readonly SourceRequest[],
  secrets: ReadonlyMap<string, SecretSource>,
  cwd: string,
): string[] {
  const found = new Set(files.flatMap(({ path: file, text }) => (text === undefined ? [file] : [])));
  const origins = [...secrets.values()].map((origin) => ({ origin, folder: origin.folder }));
  for (const { origin, folder } of [...asked, ...origins]) {
    if ('file' in origin) found.add(path.resolve(cwd, folder, origin.file));
    if ('command' in origin)
      for (const word of origin.command.slice(1))
        if (!word.startsWith('-') && !/\s/.test(word)) found.add(path.resolve(cwd, word));
  }
  return [...found].sort();
}

/** The parts of a configuration once all layers are laid. */
export interface Rendered {
  sections: Section[];
  secrets: MapNode;
  lookups: ReadonlyMap<string, LookupSource>;
  /** The sections in a block of a kind. */
  childrenOf(kind: Kind): readonly Kind[];
}

/** The resources that use each secret, by its name. */
export function usesOf(resources: Iterable<Resource>): Map<string, Resource[]> {
  const uses = new Map<string, Resource[]>();
  for (const resource of resources) {
    const names = new Set(
      holesIn(resource.fields).flatMap((hole) => ('$secret' in hole ? hole.$secret : [])),
    );
    for (const name of names) addTo(uses, name, resource);
  }
  return uses;
}
