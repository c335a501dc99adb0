/**
 * Reads `trueup.workspace.yaml`, which lists the stacks of a repository: `stacks: [dns, { path: shop, needs: [dns] }, stacks/*]`.
 *
 *   item    one element of `stacks`: a path, a glob, or a map with `path`
 *   entry   one stack. A glob has an entry for each folder with a configuration that it matches.
 */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  hasErrors,
  type Position,
  Reporter,
  raise,
  raiseErrors,
  sortDiagnostics,
} from '../model/diagnostic.ts';
import { compileGlob } from '../model/glob.ts';
import type { FindingRule } from '../model/resource.ts';
import { checkGlob } from './counted-globs.ts';
import { findFile } from './find-files.ts';
import {
  findDefaultConfiguration,
  findWorkspaceFolder,
  isFile,
  workspaceFileName,
} from './find-workspace.ts';
import { readFindingRules } from './read-finding-rules.ts';
import { type DeclaredLedger, readLedgerPlace } from './read-ledger-place.ts';
import { hintFor, quoted } from './suggest.ts';
import {
  entryOf,
  isText,
  itemsOrSelf,
  type MapNode,
  maskNode,
  memberOf,
  type Node,
  reportType,
  type ScalarNode,
} from './yaml/nodes.ts';
import { readDocuments } from './yaml/read-documents.ts';
import { positionOf, type Source } from './yaml/source.ts';

/** One stack of a workspace, with its stages if it has several. */
export interface WorkspaceEntry {
  /** The path that identifies the stack: relative to the folder of the workspace, with `/`. */
  path: string;
  /** The file or folder with its configuration, relative to the folder of the workspace. */
  file: string;
  /** The stages to plan and apply. Absent: all stages of the configuration. */
  stages?: string[];
  /** The paths of the stacks that are applied before this one. */
  needs: string[];
  /** The globs of the addresses that the stack may declare. Absent: it may declare any. */
  owns?: string[];
  /** The severities of findings, which the workspace sets for all of its stacks. */
  findingRules?: FindingRule[];
  /** The place of the ledgers, which the workspace sets for all of its stacks. */
  ledger?: DeclaredLedger | undefined;
  /** The place of its item in the workspace file. */
  at: Position;
}

/** The settings that a workspace has for a stack. */
export type WorkspaceSettings = Pick<WorkspaceEntry, 'owns' | 'findingRules' | 'ledger'>;

/** A workspace: its folder as an absolute path, its stacks, and the place of their ledgers if it names one. */
interface Workspace {
  folder: string;
  entries: WorkspaceEntry[];
  ledger?: DeclaredLedger | undefined;
}

/**
 * Reads the workspace file, which lists the stacks of a repository, for commands that work on several stacks,
 * such as `plan --all`. Without `workspaceFolder`, it is the workspace that contains `cwd`. Throws `Problems`
 * if there is no workspace, or with all problems of its file.
 */
export async function readWorkspace(cwd: string, workspaceFolder?: string): Promise<Workspace> {
  const folder =
    workspaceFolder === undefined ? findWorkspaceFolder(cwd) : path.resolve(cwd, workspaceFolder);
  if (folder === undefined || !isFile(path.join(folder, workspaceFileName)))
    raise(
      'workspace/none',
      workspaceFolder === undefined
        ? `there is no ${workspaceFileName} here or in a parent folder of this repository`
        : `there is no ${workspaceFileName} in ${workspaceFolder}`,
      { hint: 'create one that lists the stacks: `stacks: [dns, { path: shop, needs: [dns] }]`' },
    );
  const report = new Reporter();
  const sources: Source[] = [];
  const file = await findFile(cwd, path.join(folder, workspaceFileName));
  const maps =
    'code' in file
      ? undefined
      : // Without stacks, an error says so.
        await readDocuments(file, sources, report, { example: stacksExample, onEmpty() {} });
  if ('code' in file) report.add(file);
  const items = readStackEntries(maps ?? [], report);
  const entries = await locateEntries(items, folder, report);
  if (maps && entries.length === 0 && !hasErrors(report.diagnostics))
    report.error('workspace/empty', `${workspaceFileName} lists no stacks`, { hint: 'stacks: [dns, shop]' });
  checkNeeds(entries, report);
  const findingRules = readWorkspaceFindingRules(maps ?? [], report);
  const ledger = readWorkspaceLedger(maps ?? [], report);
  for (const source of sources) source.quote();
  raiseErrors(sortDiagnostics(report.diagnostics));
  return { folder, ledger, entries: entries.map((entry) => ({ ...entry, findingRules, ledger })) };
}

/**
 * Returns the settings that the workspace file has for a configuration: the globs of addresses that it may declare
 * (`owns`), the place of its ledger and the severities of findings. So a stack has the same settings whether it is
 * planned alone or with all others. `paths`: the files of `-f`; without any, the default configuration of `cwd`. Undefined if the workspace
 * lists none of them. Throws `Problems` if the workspace is invalid.
 */
export async function readSettingsFromWorkspace(
  cwd: string,
  paths: string[] | undefined,
): Promise<WorkspaceSettings | undefined> {
  // The empty path is `cwd` itself.
  const configurationPaths = paths ?? [findDefaultConfiguration(cwd, '') ?? ''];
  const absolutePaths = configurationPaths.map((file) => path.resolve(cwd, file));
  const { folder, entries } = await readWorkspace(cwd);
  const isConfiguration = (entryPath: string) => absolutePaths.includes(path.resolve(folder, entryPath));
  return entries.find((entry) => isConfiguration(entry.file) || isConfiguration(entry.path));
}

/**
 * Returns the severities of findings for all stacks, which a workspace file sets with `findings:`. Reports mistakes, and leaves out the
 * rules that have some.
 */
export const readWorkspaceFindingRules = (maps: MapNode[], report: Reporter): FindingRule[] =>
  maps.flatMap((map) => memberOf(map, 'findings') ?? []).flatMap((node) => readFindingRules(node, report));

/**
 * Returns the place of the ledgers of all stacks, which a workspace file names with `ledger:`. Undefined without one, and after a report.
 * Reports further places in other documents of the file, since the ledgers have only one.
 */
export function readWorkspaceLedger(maps: MapNode[], report: Reporter): DeclaredLedger | undefined {
  const ledgers = maps.flatMap((map) => entryOf(map, 'ledger') ?? []);
  for (const { key } of ledgers.slice(1))
    report.error('config/duplicate', 'duplicate key `ledger`', {
      at: key,
      hint: `it can appear only once in ${workspaceFileName}`,
      related: [{ message: 'the first one', at: ledgers[0]!.key }],
    });
  // All are read, because the reader hides credentials in a place, and the messages quote their lines.
  const [place] = ledgers.map(({ value }) =>
    readLedgerPlace(value, { origin: 'workspace', servesSeveral: true }, report),
  );
  return place;
}

/** An item of `stacks` as it is written. `path` is normalized, and may be a glob. */
export interface WrittenStackEntry {
  path: string;
  stages?: string[];
  needs: string[];
  owns?: string[];
  /** The node of the path, for messages. */
  node: ScalarNode;
}

/**
 * Reads the items of `stacks` in a workspace file without looking for their folders, so that an older version
 * of the file, from git, can be read too. Reports mistakes in the items, and leaves out those of the wrong
 * type, without a path or with an invalid glob as path.
 */
export function readStackEntries(maps: MapNode[], report: Reporter): WrittenStackEntry[] {
  return maps.flatMap((map) => {
    const unknownEntries = map.entries.filter(
      ({ key }) => !workspaceKeys.includes(key.text) && !key.text.startsWith('x-'),
    );
    for (const { key, value } of unknownEntries) {
      // Such as a misspelled `ledger` with a password: no reader looks at the value, and the message would quote it.
      maskNode(value);
      report.error('config/unknown-key', `a workspace has no ${quoted(key.text)}`, {
        at: key,
        hint: hintFor(key.text, workspaceKeys) ?? 'it has `stacks`, `ledger` and `findings`',
      });
    }
    const stacks = memberOf(map, 'stacks');
    if (!stacks) return [];
    if (stacks.type === 'list') return stacks.items.flatMap((item) => readStackEntry(item, report) ?? []);
    reportType(report, stacks, '`stacks` must be a list', stacksExample);
    return [];
  });
}

/**
 * Reads one item of `stacks` in the workspace file: a path, or a map with `path`, `needs` (stacks that are
 * applied first) and other settings. A glob in the path stands for several stacks. Returns undefined after a
 * report.
 */
function readStackEntry(item: Node, report: Reporter): WrittenStackEntry | undefined {
  if (isStackPath(item))
    return hasValidPath(item, report) ? { path: normalizePath(item.text), needs: [], node: item } : undefined;
  if (item.type !== 'map')
    return reportType(report, item, 'a stack must be a path, or a map with `path`', stacksExample);
  for (const { key, value } of item.entries.filter((entry) => !entryKeys.includes(entry.key.text))) {
    maskNode(value);
    report.error('config/unknown-key', `a stack has no ${quoted(key.text)}`, {
      at: key,
      hint: hintFor(key.text, entryKeys),
    });
  }
  const node = memberOf(item, 'path');
  if (!node || !isStackPath(node))
    return report.error('workspace/path', 'this stack has no `path`', {
      at: node ?? item,
      hint: stacksExample,
    });
  const stages = memberOf(item, 'stages');
  const needs = readTexts(memberOf(item, 'needs'), 'needs', report).map(normalizePath);
  const owns = memberOf(item, 'owns');
  const globs = itemsOrSelf(owns).filter((glob) => glob.type === 'scalar');
  report.add(globs.flatMap(checkGlob));
  if (!hasValidPath(node, report)) return undefined;
  return {
    path: normalizePath(node.text),
    node,
    needs,
    stages: stages && [...new Set(readTexts(stages, 'stages', report))],
    owns: owns && readTexts(owns, 'owns', report),
  };
}

/**
 * Returns the texts of a list, or a single one, in an item of `stacks` in the workspace file, such as `needs:
 * [dns]`. Reports other values, and leaves them out. `member`: the name of the list, for the message.
 */
function readTexts(node: Node | undefined, member: string, report: Reporter): string[] {
  return itemsOrSelf(node).flatMap((item) => {
    if (isText(item) && item.text !== '') return [item.text];
    reportType(report, item, `\`${member}\` must be a list of names`);
    return [];
  });
}

const workspaceKeys = ['stacks', 'ledger', 'findings'];
const entryKeys = ['path', 'stages', 'needs', 'owns'];
const stacksExample = 'stacks: [dns, { path: shop, stages: [staging, production], needs: [dns] }, stacks/*]';
const normalizePath = (name: string): string => path.posix.normalize(name).replace(/(.)\/$/, '$1');
const isGlobPattern = (name: string): boolean => /[*?[{]/.test(name);

/** True for a text that is not empty, as the path of a stack must be. */
const isStackPath = (node: Node): node is ScalarNode =>
  node.type === 'scalar' && typeof node.value === 'string' && node.text !== '';

/**
 * True unless the path of an item of `stacks` is a glob that is not valid. Its fault is then added to
 * `report`.
 */
function hasValidPath(node: ScalarNode, report: Reporter): boolean {
  const faults = isGlobPattern(node.text) ? checkGlob(node) : [];
  report.add(faults);
  return faults.length === 0;
}

/**
 * True if an item of `stacks` in the workspace file stands for the stack at `stackPath`, so that its
 * settings, such as `owns` and `needs`, apply to it unless another item has its exact path. `itemPath`: the
 * path or glob of the item.
 */
export const coversStackPath = (itemPath: string, stackPath: string): boolean =>
  itemPath === stackPath || (isGlobPattern(itemPath) && compileGlob(itemPath).matches(stackPath));

/**
 * Returns the stacks that the items of a workspace file list, with the file or folder of each configuration.
 * Commands such as `plan --all` plan these. A glob stands for every stack that it matches, but an item with
 * the exact path of a stack takes precedence. Reports paths that do not exist and stacks that are listed
 * twice. `folder`: that of the workspace file.
 */
async function locateEntries(
  items: WrittenStackEntry[],
  folder: string,
  report: Reporter,
): Promise<WorkspaceEntry[]> {
  const entries = new Map<string, WorkspaceEntry>();
  const exactPaths = new Set(items.map((item) => item.path).filter((itemPath) => !isGlobPattern(itemPath)));
  for (const item of items) {
    const { node, path: _, ...settings } = item;
    for (const stackPath of await findStackPaths(item, { folder, exactPaths }, report)) {
      const file = await findConfigurationAt(folder, stackPath);
      const firstEntry = entries.get(stackPath);
      if (file === undefined)
        report.error('file/missing', `there is no file or folder ${quoted(stackPath)}`, {
          at: node,
          hint: `paths are relative to the folder of ${workspaceFileName}`,
        });
      else if (firstEntry)
        report.error('config/duplicate', `the stack ${quoted(stackPath)} is listed twice`, {
          at: node,
          related: [{ message: 'the first time', at: firstEntry.at }],
        });
      else entries.set(stackPath, { ...settings, path: stackPath, file, at: positionOf(node.at) });
    }
  }
  return [...entries.values()];
}

/**
 * Returns the paths of the stacks that one item of the workspace file stands for: its own path, or the
 * matches of its glob without those in `exactPaths`, which have items of their own. Reports a path that
 * leaves the workspace, and a glob that matches nothing; these have no paths. `folder`: that of the workspace
 * file.
 */
async function findStackPaths(
  { path: itemPath, node }: WrittenStackEntry,
  { folder, exactPaths }: { folder: string; exactPaths: ReadonlySet<string> },
  report: Reporter,
): Promise<string[]> {
  if (path.isAbsolute(itemPath) || itemPath.split('/').includes('..')) {
    report.error('workspace/outside', `${quoted(itemPath)} is outside the workspace`, {
      at: node,
      hint: `paths are relative to the folder of ${workspaceFileName} and must stay in it`,
    });
    return [];
  }
  if (!isGlobPattern(itemPath)) return [itemPath];
  const matches = await findMatchingConfigurations(folder, itemPath);
  if (matches.length === 0)
    report.error('workspace/no-match', `${quoted(itemPath)} matches no folder with a configuration in it`, {
      at: node,
      hint: "a stack's folder contains trueup.yaml or trueup/",
    });
  return matches.filter((match) => !exactPaths.has(match));
}

/**
 * Returns the file or folder that is read for the stack at `stackPath` of a workspace: a file itself, the
 * default configuration of a folder, or else the whole folder. Undefined if there is neither. Paths are
 * relative to `folder`.
 */
async function findConfigurationAt(folder: string, stackPath: string): Promise<string | undefined> {
  const status = await stat(path.join(folder, stackPath)).catch(() => undefined);
  if (!status) return undefined;
  if (!status.isDirectory()) return stackPath;
  return findDefaultConfiguration(folder, stackPath) ?? stackPath;
}

/**
 * Returns all folders of a repository with a default configuration, such as `trueup.yaml`, relative to its
 * top; the top itself is `.`. `trueup init --ci` uses it, because a repository with several configurations
 * needs a workspace.
 */
export async function findConfigurationsBelow(top: string): Promise<string[]> {
  const foldersBelow = await findMatchingConfigurations(top, '**');
  const hasOwn = findDefaultConfiguration(top, '') !== undefined;
  const folders = hasOwn ? ['.', ...foldersBelow] : foldersBelow;
  // A folder `trueup` is itself the configuration of its parent folder.
  return folders.filter((name) => path.basename(name) !== 'trueup' || !folders.includes(path.dirname(name)));
}

/**
 * Returns the folders with a default configuration, such as `trueup.yaml`, that a glob of a workspace
 * matches, sorted and relative to `folder`. With a glob, a new stack needs no change of the workspace file. A
 * glob that ends in `.yaml` or `.yml` matches files, too. Skips hidden folders, `node_modules` and folders
 * that cannot be read. Without `**`, folders deeper than the glob are not searched.
 */
async function findMatchingConfigurations(folder: string, glob: string): Promise<string[]> {
  const { matches } = compileGlob(glob);
  const maxDepth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const matchesFiles = /\.ya?ml$/.test(glob);
  const configurations: string[] = [];
  const search = async (subfolder: string, depth: number): Promise<void> => {
    const entries = await readdir(path.join(folder, subfolder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === workspaceFileName)
        continue;
      const name = path.posix.join(subfolder, entry.name);
      if (entry.isDirectory()) {
        const isStack = matches(name) && findDefaultConfiguration(folder, name) !== undefined;
        if (isStack) configurations.push(name);
        if (depth < maxDepth) await search(name, depth + 1);
      } else if (matchesFiles && matches(name)) configurations.push(name);
    }
  };
  await search('', 1);
  return configurations.sort();
}

/**
 * Reports names in the `needs` of a workspace file (stacks that must be applied before another) that no stack
 * has, and stacks that need each other in a cycle, because they could not be applied in any order.
 */
function checkNeeds(entries: WorkspaceEntry[], report: Reporter): void {
  const entriesByPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { needs, at } of entries)
    for (const need of needs)
      if (!entriesByPath.has(need))
        report.error('workspace/needs', `${quoted(need)} in \`needs\` is not a stack of this workspace`, {
          at,
          hint: hintFor(need, entriesByPath, 'the stacks are'),
        });
  const checked = new Set<string>();
  // `trail`: the stacks on the way here. Each needs the next.
  const visit = (stackPath: string, trail: string[]): void => {
    if (trail.includes(stackPath)) {
      const cycle = [...trail.slice(trail.indexOf(stackPath)), stackPath];
      report.error('config/cycle', `stacks depend on each other: ${cycle.map(quoted).join(' needs ')}`, {
        at: entriesByPath.get(stackPath)!.at,
        hint: 'one of them must come first: remove one `needs`',
      });
    }
    if (checked.has(stackPath) || trail.includes(stackPath)) return;
    for (const need of entriesByPath.get(stackPath)?.needs ?? []) visit(need, [...trail, stackPath]);
    checked.add(stackPath);
  };
  for (const stackPath of entriesByPath.keys()) visit(stackPath, []);
}
