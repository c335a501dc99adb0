import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { type Diagnostic, hasErrors, type Reporter, shellWord } from '../model/diagnostic.ts';
import { resetComparisonCount } from '../model/similar-name.ts';
import { isInside } from '../paths.ts';
import { type FoundFile, findFile, findFiles } from './find-files.ts';
import { leadsOutside } from './leads-outside.ts';
import { leaveOutSopsFiles } from './leave-out-sops-files.ts';
import { refuseLinkedFiles } from './refuse-linked-files.ts';
import type { Sources } from './sources/sources.ts';
import { type SourceRequest, toRefusal } from './sources/verdict.ts';
import { quoted } from './suggest.ts';
import {
  type Entry,
  entriesOf,
  entryOf,
  isNull,
  itemsOrSelf,
  type MapNode,
  mapNode,
  maskNode,
  memberOf,
  type Node,
  reportType,
} from './yaml/nodes.ts';
import { findNamedFiles, readDocuments } from './yaml/read-documents.ts';
import { positionOf, type Source } from './yaml/source.ts';

/** A document of the configuration, and its file. A YAML file has several documents if `---` separates them. */
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
  /**
   * The names of its files (also those of other stages) and of the folders that were read as a whole, for the
   * ledger.
   */
  inputs: string[];
  folders: string[];
  /**
   * True if a file could not be found or read. It may declare names that otherwise seem to be undeclared, so
   * these are not reported.
   */
  isIncomplete: boolean;
  /** The warnings about empty files. Without any document, one error says that the configuration is empty. */
  emptyWarnings: Diagnostic[];
  /** The chosen stage, with its entry in `stages:`. */
  stage?: { name: string; entry: MapNode };
  /** The names of all stages. */
  stages: string[];
  /**
   * The files of the stages that were not chosen. They do not count, unless the chosen stage names them too.
   */
  filesOfOtherStages: FoundFile[];
}

/** The paths of a configuration, and the stage to read. `LoadOptions` explains the members. */
interface ReadFilesOptions {
  cwd: string;
  paths?: string[];
  text?: string;
  readInput?(): Promise<Buffer>;
  stage?: string;
  texts?: ReadonlyMap<string, string>;
  onFilesRead?(): void;
}

/**
 * Reads the files of a configuration: first those at the requested paths, then those of the selected stage, then those under `include:`.
 * Files of other stages and encrypted files (SOPS) of `secrets:` are left out, and links to files that may not be read are reported.
 * `sources`: gets the text of each file, so that messages can quote lines. `allowed`: decides whether a file that only the YAML names may
 * be read.
 */
export async function readFiles(
  options: ReadFilesOptions,
  allowed: Sources,
  sources: Source[],
  report: Reporter,
): Promise<ReadFiles> {
  // Hints about misspelled names may take a limited time for each configuration.
  resetComparisonCount();
  const { files, inputs, folders, diagnostics: findProblems } = await findNamedFiles(options);
  report.add(findProblems);
  const result: ReadFiles = {
    documents: [],
    files: [],
    inputs,
    folders,
    isIncomplete: hasErrors(findProblems),
    emptyWarnings: [],
    stages: [],
    filesOfOtherStages: [],
  };
  const reader = new FileReader(options, allowed, { sources, report, result });
  const refusals = await refuseLinkedFiles(files, options.cwd, allowed);
  report.add([...refusals.values()]);
  if (refusals.size > 0) result.isIncomplete = true;
  for (const file of files) if (!refusals.has(file.path)) await reader.read(file);
  await reader.applyStages(options.stage);
  await reader.readIncludes();
  options.onFilesRead?.();
  return leaveOutSopsFiles(result);
}

const stagesExample = 'stages: { production: { variables: { apex: acme.com } }, staging: {} }';

/** Reads files and records them, with their documents, in the result of `readFiles`. */
class FileReader {
  readonly #options: ReadFilesOptions;
  readonly #allowed: Sources;
  readonly #sources: Source[];
  readonly #report: Reporter;
  readonly #result: ReadFiles;
  readonly #readPaths = new Set<string>();

  /**
   * Creates the object that reads the files of one configuration. `result`: files and documents are added to
   * it. `allowed`: decides whether a file that only the YAML names may be read. `sources`: gets the text of
   * each file, so that messages can quote lines.
   */
  constructor(
    options: ReadFilesOptions,
    allowed: Sources,
    { sources, report, result }: { sources: Source[]; report: Reporter; result: ReadFiles },
  ) {
    this.#options = options;
    this.#allowed = allowed;
    this.#sources = sources;
    this.#report = report;
    this.#result = result;
  }

  /**
   * Reads one YAML file of the configuration, unless it was read before: a file can be found in a folder, in
   * a stage and under `include:`, but its blocks must count once. A file that cannot be read makes the result
   * incomplete: then nothing is reported as undeclared, because that file may declare it.
   */
  async read(file: FoundFile, { isIncluded }: { isIncluded?: true } = {}): Promise<void> {
    if (this.#readPaths.has(file.path)) return;
    this.#readPaths.add(file.path);
    this.#result.files.push(file);
    const text = this.#options.texts?.get(file.path);
    const fileWithText = text === undefined ? file : { ...file, text };
    const onEmpty = (emptyWarning: Diagnostic) => this.#result.emptyWarnings.push(emptyWarning);
    const maps = await readDocuments(fileWithText, this.#sources, this.#report, { onEmpty });
    if (!maps) this.#result.isIncomplete = true;
    for (const map of maps ?? []) this.#result.documents.push({ map, file, isIncluded });
  }

  /**
   * Applies the section `stages:`, if there is one: only the entry and the files of the stage that `--stage`
   * selects count. Files of other stages are left out even if they were found in a folder; those of the
   * selected stage come last, so that their patches apply last. Reports a stage that is missing, unknown or
   * not selected.
   */
  async applyStages(selected: string | undefined): Promise<void> {
    // Only the first counts: `splitDocuments` reports a second one.
    const section = this.#result.documents.flatMap(({ map }) => entryOf(map, 'stages') ?? [])[0];
    if (!section) {
      if (selected === undefined) return;
      this.#report.error(
        'stage/unknown',
        `--stage names ${quoted(selected)}, but the configuration has no stages`,
        { hint: 'drop the flag, or declare `stages: { production: {}, staging: {} }`' },
      );
      return;
    }
    const stages = this.#readStages(section);
    if (stages.size === 0) {
      if (section.value.type === 'map' && section.value.entries.length === 0)
        this.#report.error('stage/none', '`stages` is empty', {
          at: section.key,
          hint: 'remove it, or name some',
        });
      return;
    }
    this.#result.stages = [...stages.keys()];
    this.#selectStage(selected, stages, section);
    await this.#applyStageFiles(selected, stages);
  }

  /**
   * Records the selected stage, whose variables and account count. A configuration with stages can only be
   * read for one of them, so it is reported if none is selected, or an unknown one. `section`: the section
   * `stages:`, for the place of the report.
   */
  #selectStage(selected: string | undefined, stages: ReadonlyMap<string, MapNode>, section: Entry): void {
    const names = [...stages.keys()];
    const nameList = names.map(quoted).join(', ');
    const entry = selected === undefined ? undefined : stages.get(selected);
    if (entry) this.#result.stage = { name: selected!, entry };
    else if (selected === undefined)
      this.#report.error(
        'stage/choose',
        `the configuration has the stages ${nameList}, but none is selected`,
        { at: section.key, hint: `select one: --stage ${shellWord(names[0]!)}` },
      );
    else
      this.#report.error('stage/unknown', `there is no stage ${quoted(selected)}`, {
        at: section.key,
        hint: `the stages are ${nameList}`,
      });
  }

  /**
   * Moves the documents of the selected stage to the end, because later patches override earlier ones, and
   * reads its files that were not read yet. Leaves out the files of all other stages, even if they were found
   * in a folder. `selected`: the name of the stage; `stages`: the entries of all stages, whose `files` are
   * looked up.
   */
  async #applyStageFiles(selected: string | undefined, stages: ReadonlyMap<string, MapNode>): Promise<void> {
    const result = this.#result;
    const stageFiles: FoundFile[] = [];
    for (const [stage, entry] of stages)
      for (const node of itemsOrSelf(memberOf(entry, 'files'))) {
        const files = await this.#filesAt(node);
        (stage === selected ? stageFiles : result.filesOfOtherStages).push(...files);
      }
    const stagePaths = new Set(stageFiles.map((file) => file.path));
    // A file of the selected stage is read even if another stage names it, too.
    const onlyInOtherStages = result.filesOfOtherStages.filter((file) => !stagePaths.has(file.path));
    const otherPaths = new Set(onlyInOtherStages.map((file) => file.path));
    const stageDocuments = result.documents.filter(({ file }) => stagePaths.has(file.path));
    const commonDocuments = result.documents.filter(
      ({ file }) => !stagePaths.has(file.path) && !otherPaths.has(file.path),
    );
    result.documents = [...commonDocuments, ...stageDocuments];
    result.files = result.files.filter((file) => !otherPaths.has(file.path));
    for (const file of stageFiles) await this.read(file);
  }

  /**
   * Reads the section `stages:` as a map from the name of each stage, such as `production`, to its entry: its
   * own variables, account and files. `--stage` selects one. Reports invalid names and entries, and leaves
   * these out.
   */
  #readStages({ value: section }: Entry): Map<string, MapNode> {
    const stages = new Map<string, MapNode>();
    if (section.type !== 'map') {
      reportType(this.#report, section, '`stages` must be a map', stagesExample);
      return stages;
    }
    for (const { key, value: entry } of section.entries) {
      if (!/^[a-z0-9][a-z0-9_-]{0,31}$/i.test(key.text))
        this.#report.error('config/name', `${quoted(key.text)} is not a valid stage name`, {
          at: key,
          hint: 'use up to 32 letters, digits, `_` and `-`',
        });
      else if (entry.type !== 'map' && !isNull(entry))
        reportType(this.#report, entry, 'a stage must be a map', stagesExample);
      else stages.set(key.text, entry.type === 'map' ? entry : mapNode([], entry.at));
      for (const { key: member, value } of entriesOf(entry)) {
        if (['variables', 'platform', 'files'].includes(member.text)) continue;
        maskNode(value);
        this.#report.error('config/unknown-key', `a stage has no ${quoted(member.text)}`, {
          at: member,
          hint: 'it has `variables`, `platform` and `files`',
        });
      }
    }
    return stages;
  }

  /**
   * Reads the files that the configuration names under `include:`, and the files that those include, so that
   * several stacks of a repository can share templates and variables. A later step reports anything else in
   * them.
   */
  async readIncludes(): Promise<void> {
    const { documents } = this.#result;
    // The list grows while included files are read. `read` skips a file that was read before, so files may include each other.
    for (let i = 0; i < documents.length; i++) {
      for (const node of itemsOrSelf(memberOf(documents[i]!.map, 'include')))
        for (const file of await this.#filesAt(node)) await this.read(file, { isIncluded: true });
    }
  }

  /**
   * Returns the files at a path that the YAML names under `include:` or in a stage. The path is relative to
   * the file that names it. It must stay inside the repository, where git must track the files or the
   * operator allow them, because a pull request can write it. After a report returns none, or those that
   * could be found. `inputs` and `folders` of the result are the names that a ledger records.
   */
  async #filesAt(node: Node): Promise<FoundFile[]> {
    const result = this.#result;
    const folder = node.at.source.folder ?? this.#options.cwd;
    const absolutePath = await this.#resolvePath(node, folder);
    if (absolutePath === undefined) {
      result.isIncomplete = true;
      return [];
    }
    const { files, inputs, folders, diagnostics } = await findFiles(this.#options.cwd, [absolutePath]);
    // Outside of a repository, no pull request can have written the path.
    const isInRepository = workTreeOf(folder) !== undefined;
    const refusals = isInRepository ? await this.#refusalsOf(files, node, folder) : [];
    this.#report.add(diagnostics);
    this.#report.add(refusals);
    if (hasErrors([...diagnostics, ...refusals])) result.isIncomplete = true;
    if (refusals.length > 0) return [];
    result.inputs = [...new Set([...result.inputs, ...inputs])].sort();
    result.folders = [...new Set([...result.folders, ...folders])].sort();
    return files;
  }

  /**
   * Returns a path that the YAML names (under `include:`, for example) as an absolute path. It must lie
   * inside the repository (without one, inside the working directory), because a pull request could otherwise
   * name any file. Returns undefined after a report, if it is no text, contains an expression, leads out of
   * the repository, or does not exist. `folder`: that of the file with the path.
   */
  async #resolvePath(node: Node, folder: string): Promise<string | undefined> {
    const { cwd } = this.#options;
    if (node.type !== 'scalar' || typeof node.value !== 'string' || node.text === '')
      return reportType(this.#report, node, 'this must be the path of a file or folder');
    if (node.text.includes('${'))
      return this.#report.error(
        'include/expression',
        'paths cannot contain expressions: files are found first',
        { at: node },
      );
    const absolutePath = path.resolve(folder, node.text);
    const bound = workTreeOf(folder) ?? (await realpath(cwd));
    const file = leadsOutside(absolutePath, bound) ? undefined : await findFile(cwd, absolutePath);
    if (file && !('code' in file) && isInside(file.path, bound)) return absolutePath;
    const details = { at: node, hint: 'paths are relative to the file that names them' };
    const isMissing = file && 'code' in file && file.code !== 'file/outside';
    return isMissing
      ? this.#report.error('file/missing', `there is no file or folder ${quoted(node.text)}`, details)
      : this.#report.error('file/outside', `${quoted(node.text)} is outside the repository`, details);
  }

  /**
   * Returns an error for each file that may not be read although the YAML names it. A pull request could name
   * any file, so git must track it, or the operator must allow it. `node`: the path in the YAML, where the
   * error is shown. `folder`: that of the file which contains it.
   */
  async #refusalsOf(files: FoundFile[], node: Node, folder: string): Promise<Diagnostic[]> {
    const requests = files.map(
      ({ path: file, name }): SourceRequest => ({
        use: 'file',
        name,
        origin: { file },
        folder,
        at: positionOf(node.at),
      }),
    );
    // Without the name of the stack, because that is known only after all files are read.
    const verdicts = await this.#allowed.judge(requests, '');
    return requests.flatMap((request, i) => toRefusal(request, verdicts[i]!) ?? []);
  }
}
