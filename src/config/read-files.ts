import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { addDiagnostics, type Diagnostic, hasErrors, problem, Reporter } from '../model/diagnostic.ts';
import { isInside } from '../programs/find-program.ts';
import { type FoundFile, findFile, findFiles } from './find-files.ts';
import type { Sources } from './sources/sources.ts';
import { type SourceRequest, toRefusal } from './sources/verdict.ts';
import { quoted, resetComparisonCount } from './suggest.ts';
import { describeNodeType, type Entry, entryOf, type MapNode, type Node } from './yaml/nodes.ts';
import { findNamedFiles, readDocuments } from './yaml/read-documents.ts';
import { positionOf, type Source } from './yaml/source.ts';

/** A document of the configuration, and the file that it is in. */
export interface Document {
  map: MapNode;
  file: FoundFile;
  /** Set if its file was included: it may only contain templates and variables. */
  isIncluded?: true;
}

/** The documents of a configuration, and the files and folders that they come from. */
export interface ReadFiles {
  documents: Document[];
  files: FoundFile[];
  inputs: string[];
  folders: string[];
  /** True if something could not be read. It may declare a name that seems to be undeclared. */
  isIncomplete: boolean;
  /** The chosen stage, with its entry in `stages:`. */
  stage?: { name: string; entry: MapNode };
  /** All stages, by name. */
  stages: string[];
  /** The files of the stages that were not chosen. */
  filesOfOtherStages: FoundFile[];
}

interface ReadFilesOptions {
  cwd: string;
  paths?: string[];
  text?: string;
  readInput?(): Promise<Buffer>;
  stage?: string;
  texts?: ReadonlyMap<string, string>;
}

/**
 * Reads the files of a configuration: first the given files in the order of their names, then those of the stage, then the files that they
 * include. Files of other stages are left out.
 */
export async function readFiles(
  options: ReadFilesOptions,
  allowed: Sources,
  sources: Source[],
  diagnostics: Diagnostic[],
): Promise<ReadFiles> {
  resetComparisonCount();
  const { files, inputs, folders, diagnostics: findProblems } = await findNamedFiles(options);
  addDiagnostics(diagnostics, findProblems);
  const read: ReadFiles = {
    documents: [],
    files: [],
    inputs,
    folders,
    isIncomplete: hasErrors(findProblems),
    stages: [],
    filesOfOtherStages: [],
  };
  const reader = new FileReader(options, allowed, { sources, diagnostics, read });
  for (const file of files) await reader.read(file);
  await reader.applyStages(options.stage);
  await reader.include();
  return read;
}

/** Reads files and records them, with their documents, in the result of `readFiles`. */
class FileReader {
  readonly #cwd: string;
  readonly #texts: ReadFilesOptions['texts'];
  readonly #allowed: Sources;
  readonly #sources: Source[];
  readonly #report: Reporter;
  readonly #read: ReadFiles;
  readonly #seen = new Set<string>();

  constructor(
    { cwd, texts }: ReadFilesOptions,
    allowed: Sources,
    { sources, diagnostics, read }: { sources: Source[]; diagnostics: Diagnostic[]; read: ReadFiles },
  ) {
    this.#cwd = cwd;
    this.#texts = texts;
    this.#allowed = allowed;
    this.#sources = sources;
    this.#report = new Reporter(diagnostics);
    this.#read = read;
  }

  /** Reads one file, unless it was read before. */
  async read(file: FoundFile, isIncluded?: true): Promise<void> {
    if (this.#seen.has(file.path)) return;
    this.#seen.add(file.path);
    this.#read.files.push(file);
    const text = this.#texts?.get(file.path);
    const foundFile = text === undefined ? file : { ...file, text };
    const maps = await readDocuments(foundFile, this.#sources, this.#report.diagnostics);
    if (!maps) this.#read.isIncomplete = true;
    for (const map of maps ?? []) this.#read.documents.push({ map, file, isIncluded });
  }

  /**
   * Leaves out the files of other stages, and reads those of the chosen stage after all others. Reports a stage that is missing or
   * unknown.
   */
  async applyStages(name: string | undefined): Promise<void> {
    const section = this.#read.documents.flatMap(({ map }) => entryOf(map, 'stages') ?? [])[0];
    if (!section) {
      if (name === undefined) return;
      this.#report.error(
        'stage/unknown',
        `--stage names ${quoted(name)}, but the configuration has no stages`,
        {
          hint: 'drop the flag, or declare `stages: { production: {}, staging: {} }`',
        },
      );
      return;
    }
    const stages = this.#stagesOf(section);
    if (stages.size === 0) {
      if (section.value.type === 'map' && section.value.entries.length === 0)
        this.#report.error('stage/none', '`stages` is empty', {
          at: section.key,
          hint: 'remove it, or name some',
        });
      return;
    }
    this.#read.stages = [...stages.keys()];
    const stageNames = [...stages.keys()].map(quoted).join(', ');
    const chosen = name === undefined ? undefined : stages.get(name);
    if (!chosen)
      this.#report.add(
        name === undefined
          ? problem('stage/choose', `the configuration has the stages ${stageNames}, but none is selected`, {
              at: section.key,
              hint: `select one: --stage ${[...stages.keys()][0]}`,
            })
          : problem('stage/unknown', `there is no stage ${quoted(name)}`, {
              at: section.key,
              hint: `the stages are ${stageNames}`,
            }),
      );
    else this.#read.stage = { name: name!, entry: chosen };
    const foundFiles: FoundFile[] = [];
    const others = new Set<string>();
    for (const [stage, entry] of stages)
      for (const node of itemNodesOf(entryOf(entry, 'files')?.value))
        for (const file of await this.#filesAt(node, 'file/missing'))
          if (stage === name) foundFiles.push(file);
          else {
            others.add(file.path);
            this.#read.filesOfOtherStages.push(file);
          }
    for (const { path } of foundFiles) others.delete(path);
    const names = new Set([...others, ...foundFiles.map(({ path }) => path)]);
    const read = this.#read;
    const stageDocuments = read.documents.filter(({ file }) =>
      foundFiles.some((foundFile) => foundFile.path === file.path),
    );
    read.documents = [...read.documents.filter(({ file }) => !names.has(file.path)), ...stageDocuments];
    read.files = read.files.filter(({ path }) => !others.has(path));
    for (const file of foundFiles) await this.read(file);
  }

  /** Reads the section `stages:`. Reports invalid names and entries. */
  #stagesOf({ value }: Entry): Map<string, MapNode> {
    const stages = new Map<string, MapNode>();
    const hint = 'stages: { production: { variables: { apex: acme.com } }, staging: {} }';
    if (value.type !== 'map')
      this.#report.error('config/type', `\`stages\` must be a map, not ${describeNodeType(value)}`, {
        at: value,
        hint,
      });
    for (const { key, value: entry } of value.type === 'map' ? value.entries : []) {
      const isEmpty = entry.type === 'scalar' && entry.value === null;
      if (!/^[a-z0-9][a-z0-9_-]{0,31}$/i.test(key.text))
        this.#report.error('config/name', `${quoted(key.text)} is not a valid stage name`, {
          at: key,
          hint: 'use up to 32 letters, digits, `_` and `-`',
        });
      else if (entry.type !== 'map' && !isEmpty)
        this.#report.error('config/type', `a stage must be a map, not ${describeNodeType(entry)}`, {
          at: entry,
          hint,
        });
      else stages.set(key.text, entry.type === 'map' ? entry : { type: 'map', at: entry.at, entries: [] });
      for (const { key: name } of entry.type === 'map' ? entry.entries : [])
        if (!['variables', 'platform', 'files'].includes(name.text))
          this.#report.error('config/unknown-key', `a stage has no ${quoted(name.text)}`, {
            at: name,
            hint: 'it has `variables`, `platform` and `files`',
          });
    }
    return stages;
  }

  /** Reads the files that documents include, and the files that those include. */
  async include(): Promise<void> {
    const { documents } = this.#read;
    for (let i = 0; i < documents.length; i++) {
      const entry = entryOf(documents[i]!.map, 'include');
      for (const node of itemNodesOf(entry?.value))
        for (const file of await this.#filesAt(node, 'include/missing')) await this.read(file, true);
    }
  }

  /**
   * Returns the files at a path in the YAML. The path starts at the folder of the file that names it, and must stay inside its repository.
   */
  async #filesAt(node: Node, code: string): Promise<FoundFile[]> {
    if (node.type !== 'scalar' || typeof node.value !== 'string' || node.text === '') {
      this.#report.error(
        'config/type',
        `this must be the path of a file or folder, not ${describeNodeType(node)}`,
        {
          at: node,
        },
      );
      return [];
    }
    if (node.text.includes('${')) {
      this.#report.error('include/expression', 'paths cannot contain expressions: files are found first', {
        at: node,
      });
      return [];
    }
    const folder = node.at.source.folder ?? this.#cwd;
    const wanted = path.resolve(folder, node.text);
    const home = workTreeOf(folder) ?? this.#cwd;
    const place = isInside(wanted, home) ? await findFile(this.#cwd, wanted) : undefined;
    if (!place || 'code' in place || !isInside(place.path, home)) {
      const isThere = !place || !('code' in place) || place.code === 'file/outside';
      this.#report.error(
        isThere ? 'file/outside' : code,
        isThere
          ? `${quoted(node.text)} is outside the repository`
          : `there is no file or folder ${quoted(node.text)}`,
        { at: node, hint: 'paths are relative to the file that names them' },
      );
      this.#read.isIncomplete = true;
      return [];
    }
    const { files, inputs, folders, diagnostics } = await findFiles(this.#cwd, [wanted]);
    const refused = workTreeOf(folder) === undefined ? [] : await this.#refused(files, node, folder);
    this.#report.addAll(diagnostics);
    this.#report.addAll(refused);
    if (refused.length > 0) {
      this.#read.isIncomplete = true;
      return [];
    }
    const read = this.#read;
    read.inputs = [...new Set([...read.inputs, ...inputs])].sort();
    read.folders = [...new Set([...read.folders, ...folders])].sort();
    return files;
  }

  /** Returns the refusals for files that only the YAML names: git must track them, or the operator must allow them. */
  async #refused(files: FoundFile[], node: Node, folder: string): Promise<Diagnostic[]> {
    const requests = files.map(
      ({ path: file, name }): SourceRequest => ({
        use: 'file',
        name,
        origin: { file },
        folder,
        at: positionOf(node.at),
      }),
    );
    const verdicts = await this.#allowed.judge(requests, '');
    return requests.flatMap((request, i) => toRefusal(request, verdicts[i]!) ?? []);
  }
}

/** Returns the items of a list, or a single node as a list. */
const itemNodesOf = (node: Node | undefined): Node[] =>
  node?.type === 'list' ? node.items : node ? [node] : [];
