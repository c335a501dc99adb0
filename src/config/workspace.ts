import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Diagnostic,
  hasErrors,
  type Position,
  Problems,
  problem,
  Reporter,
  sortDiagnostics,
} from '../model/diagnostic.ts';
import { compileGlob } from '../model/glob.ts';
import { checkGlob } from './check-glob.ts';
import { findFile } from './find-files.ts';
import {
  findDefaultConfiguration,
  findWorkspaceFolder,
  isFile,
  workspaceFileName,
} from './find-workspace.ts';
import { hintFor, quoted } from './suggest.ts';
import { describeNodeType, entryOf, type MapNode, type Node, type ScalarNode } from './yaml/nodes.ts';
import { readDocuments } from './yaml/read-documents.ts';
import { positionOf, type Source } from './yaml/source.ts';

/** One stack of a workspace, or several stages of it, as it is written; of a glob, one for each match. */
export interface WorkspaceEntry {
  /** From the folder of the workspace, with `/`. Identifies it. */
  path: string;
  /** The file or folder that is its configuration, from the folder of the workspace. */
  file: string;
  /** The stages that are meant. Absent: all that the configuration has. */
  stages?: string[];
  /** Paths of other entries that are applied first. */
  needs: string[];
  /** The addresses that it may declare, as globs. Absent: any. */
  owns?: string[];
  at: Position;
}

interface Workspace {
  /** The absolute path of the folder with the file. */
  folder: string;
  entries: WorkspaceEntry[];
}

/**
 * Reads the workspace that a folder belongs to, or that of the folder `given` and no other. Throws `Problems` with all that is wrong with it, or says
 * that there is none.
 */
export async function readWorkspace(cwd: string, given?: string): Promise<Workspace> {
  const folder = given === undefined ? await findWorkspaceFolder(cwd) : path.resolve(cwd, given);
  if (folder === undefined || !(await isFile(path.join(folder, workspaceFileName))))
    throw new Problems(
      'workspace/none',
      given === undefined
        ? `there is no ${workspaceFileName} here or in a parent folder of this repository`
        : `there is no ${workspaceFileName} in ${given}`,
      { hint: 'create one that lists the stacks: `stacks: [dns, { path: shop, needs: [dns] }]`' },
    );
  const diagnostics: Diagnostic[] = [];
  const sources: Source[] = [];
  const file = await findFile(cwd, path.join(folder, workspaceFileName));
  const maps = 'code' in file ? undefined : await readDocuments(file, sources, diagnostics);
  if ('code' in file) diagnostics.push(file);
  const written = readStackEntries(maps ?? [], diagnostics);
  const entries = await placeEntries(written, folder, diagnostics);
  if (maps && entries.length === 0 && !hasErrors(diagnostics))
    diagnostics.push(
      problem('workspace/empty', `${workspaceFileName} lists no stacks`, { hint: 'stacks: [dns, shop]' }),
    );
  checkNeeds(entries, diagnostics);
  for (const source of sources) source.quote();
  if (hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return { folder, entries };
}

/**
 * The addresses that the workspace around a folder lets the configuration of these files declare (`owns`): the same alone as with all others.
 * Undefined where it says nothing. Throws `Problems` where the workspace is wrong.
 */
export async function readOwnsFromWorkspace(
  cwd: string,
  paths: string[] | undefined,
): Promise<string[] | undefined> {
  const given = paths ?? [(await findDefaultConfiguration(cwd, '')) ?? ''];
  const { folder, entries } = await readWorkspace(cwd);
  const files = given.map((one) => path.resolve(cwd, one));
  return entries.find(({ file, path: at }) =>
    [file, at].some((one) => files.includes(path.resolve(folder, one))),
  )?.owns;
}

/** The form of an item of `stacks`. */
export interface WrittenStackEntry {
  path: string;
  stages?: string[];
  needs: string[];
  owns?: string[];
  node: ScalarNode;
}

/** The items of `stacks`, as they are written: paths and globs. */
export function readStackEntries(maps: MapNode[], diagnostics: Diagnostic[]): WrittenStackEntry[] {
  const report = new Reporter(diagnostics);
  const texts = (node: Node | undefined, name: string): string[] => {
    const items = node?.type === 'list' ? node.items : node ? [node] : [];
    return items.flatMap((item) => {
      if (item.type === 'scalar' && item.value !== null && item.text !== '') return [item.text];
      report.error('config/type', `\`${name}\` must be a list of names, not ${describeNodeType(item)}`, {
        at: item,
      });
      return [];
    });
  };
  const entry = (item: Node): WrittenStackEntry[] => {
    if (item.type === 'scalar' && typeof item.value === 'string' && item.text !== '')
      return [{ path: normal(item.text), needs: [], node: item }];
    if (item.type !== 'map') {
      report.error(
        'config/type',
        `a stack must be a path, or a map with \`path\`, not ${describeNodeType(item)}`,
        {
          at: item,
          hint,
        },
      );
      return [];
    }
    for (const { key } of item.entries)
      if (!workspaceMembers.includes(key.text))
        report.error('config/unknown-key', `a stack has no ${quoted(key.text)}`, {
          at: key,
          hint: hintFor(key.text, workspaceMembers),
        });
    const node = entryOf(item, 'path')?.value;
    if (node?.type !== 'scalar' || typeof node.value !== 'string' || node.text === '') {
      report.error('workspace/path', 'this stack has no `path`', { at: node ?? item, hint });
      return [];
    }
    const stages = entryOf(item, 'stages')?.value;
    const needs = texts(entryOf(item, 'needs')?.value, 'needs').map(normal);
    const owns = entryOf(item, 'owns')?.value;
    const fences = (owns?.type === 'list' ? owns.items : [owns]).filter((glob) => glob?.type === 'scalar');
    diagnostics.push(...fences.flatMap(checkGlob));
    return [
      {
        path: normal(node.text),
        node,
        needs,
        stages: stages && [...new Set(texts(stages, 'stages'))],
        owns: owns && texts(owns, 'owns'),
      },
    ];
  };
  return maps.flatMap((map) => {
    for (const { key } of map.entries)
      if (key.text !== 'stacks' && !key.text.startsWith('x-'))
        report.error('config/unknown-key', `a workspace has no ${quoted(key.text)}`, {
          at: key,
          hint: 'it has `stacks`',
        });
    const stacks = entryOf(map, 'stacks')?.value;
    if (!stacks) return [];
    if (stacks.type === 'list') return stacks.items.flatMap(entry);
    report.error('config/type', `\`stacks\` must be a list, not ${describeNodeType(stacks)}`, {
      at: stacks,
      hint,
    });
    return [];
  });
}

const workspaceMembers = ['path', 'stages', 'needs', 'owns'];
const hint = 'stacks: [dns, { path: shop, stages: [staging, production], needs: [dns] }, stacks/*]';
const normal = (name: string): string => path.posix.normalize(name).replace(/(.)\/$/, '$1');
const isGlobPattern = (name: string): boolean => /[*?[{]/.test(name);

/** True if an item of `stacks` has this path: as it is written, or as a glob. */
export const coversStackPath = (written: string, name: string): boolean =>
  written === name || (isGlobPattern(written) && compileGlob(written).matches(name));

/** The entries with their places: a path that is written out wins over a glob that has it too. */
async function placeEntries(
  written: WrittenStackEntry[],
  folder: string,
  diagnostics: Diagnostic[],
): Promise<WorkspaceEntry[]> {
  const found = new Map<string, WorkspaceEntry>();
  const report = new Reporter(diagnostics);
  const exact = new Set(written.filter(({ path }) => !isGlobPattern(path)).map(({ path }) => path));
  for (const writtenEntry of written) {
    const { node, path: name, ...rest } = writtenEntry;
    if (path.isAbsolute(name) || name.split('/').includes('..')) {
      report.error('workspace/outside', `${quoted(writtenEntry.path)} is outside the workspace`, {
        at: node,
        hint: `paths are relative to the folder of ${workspaceFileName} and must stay in it`,
      });
      continue;
    }
    if (isGlobPattern(name)) {
      const faults = checkGlob(node);
      diagnostics.push(...faults);
      if (faults.length > 0) continue;
    }
    const paths = isGlobPattern(name)
      ? (await matches(folder, name)).filter((path) => !exact.has(path))
      : [name];
    if (paths.length === 0)
      report.error(
        'workspace/no-match',
        `${quoted(writtenEntry.path)} matches no folder with a configuration in it`,
        { at: node, hint: "a stack's folder contains trueup.yaml or trueup/" },
      );
    for (const path of paths) {
      const file = await findConfigurationAt(folder, path);
      const first = found.get(path);
      if (file === undefined)
        report.error('workspace/missing', `there is no file or folder ${quoted(path)}`, {
          at: node,
          hint: `paths are relative to the folder of ${workspaceFileName}`,
        });
      else if (first)
        report.error('config/duplicate', `the stack ${quoted(path)} is listed twice`, {
          at: node,
          related: [{ message: 'the first time', at: first.at }],
        });
      else found.set(path, { ...rest, path, file, at: positionOf(node.at) });
    }
  }
  return [...found.values()];
}

/** The configuration that `trueup` reads when it runs in this folder, or all of the folder; a file is itself. Undefined if nothing is there. */
async function findConfigurationAt(folder: string, name: string): Promise<string | undefined> {
  const status = await stat(path.join(folder, name)).catch(() => undefined);
  if (!status) return undefined;
  if (!status.isDirectory()) return name;
  return (await findDefaultConfiguration(folder, name)) ?? name;
}

/** The folders of a tree in which trueup finds a configuration: their paths from its top, with `/`; the top itself is `.`. */
export async function findConfigurationsBelow(top: string): Promise<string[]> {
  const below = await matches(top, '**');
  const all = (await findDefaultConfiguration(top, '')) === undefined ? below : ['.', ...below];
  // A folder `trueup` is the configuration of the one that it is in.
  return all.filter((name) => path.basename(name) !== 'trueup' || !all.includes(path.dirname(name)));
}

/** The folders with a configuration, and the YAML files, that a glob matches. */
async function matches(folder: string, glob: string): Promise<string[]> {
  const { matches: isMatch } = compileGlob(glob);
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  const found: string[] = [];
  const walk = async (at: string, level: number): Promise<void> => {
    const entries = await readdir(path.join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === workspaceFileName)
        continue;
      const name = path.posix.join(at, entry.name);
      if (entry.isDirectory()) {
        if (isMatch(name) && (await findDefaultConfiguration(folder, name)) !== undefined) found.push(name);
        if (level < depth) await walk(name, level + 1);
      } else if (/\.ya?ml$/.test(glob) && isMatch(name)) found.push(name);
    }
  };
  await walk('', 1);
  return found.sort();
}

function checkNeeds(entries: WorkspaceEntry[], diagnostics: Diagnostic[]): void {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const { needs, at } of entries)
    for (const need of needs)
      if (!byPath.has(need))
        diagnostics.push(
          problem('workspace/needs', `${quoted(need)} in \`needs\` is not a stack of this workspace`, {
            at,
            hint: hintFor(need, byPath, 'the stacks are'),
          }),
        );
  const done = new Set<string>();
  const visit = (name: string, trail: string[]): void => {
    if (trail.includes(name)) {
      const circle = [...trail.slice(trail.indexOf(name)), name];
      diagnostics.push(
        problem('workspace/circle', `stacks depend on each other: ${circle.map(quoted).join(' needs ')}`, {
          at: byPath.get(name)!.at,
          hint: 'one of them must come first: remove one `needs`',
        }),
      );
    }
    if (done.has(name) || trail.includes(name)) return;
    for (const need of byPath.get(name)?.needs ?? []) visit(need, [...trail, name]);
    done.add(name);
  };
  for (const { path } of entries) visit(path, []);
}
