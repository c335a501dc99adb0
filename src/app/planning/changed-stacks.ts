import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Configuration } from '../../config/configuration.ts';
import { workspaceFileName } from '../../config/find-workspace.ts';
import {
  coversStackPath,
  readStackEntries,
  type WorkspaceEntry,
  type WrittenStackEntry,
} from '../../config/workspace.ts';
import { readDocuments } from '../../config/yaml/read-documents.ts';
import { type ChangedFiles, findChangedFiles } from '../../git/changed-files.ts';
import { GitError } from '../../git/git.ts';
import { workTreeOf } from '../../git/work-tree.ts';
import { type Diagnostic, hasErrors, Problems } from '../../model/diagnostic.ts';
import { cleanLine } from '../../report/clean.ts';
import { count } from '../../report/count.ts';
import type { Host } from '../host.ts';

/** A stack of the workspace, or one stage of it, as its files say it. */
export interface ReadStack {
  /** `shop`, or `shop@staging`: unique in the workspace. */
  id: string;
  path: string;
  stage?: string;
  /** Its configuration at a look; what it may not read here is not known. */
  configuration: Configuration;
  entry: WorkspaceEntry;
}

/**
 * The stacks that changes since `ref` touch: in a file that they are read from or name, in a folder that is read whole, or in their entry of
 * the workspace. Where that cannot be told it is all of them, or all of whose files nothing is known, and the notes say so.
 */
export async function selectChangedStacks<Stack extends ReadStack>(
  stacks: Stack[],
  ref: string,
  folder: string,
  host: Host,
): Promise<{ stacks: Stack[]; notes: string[] }> {
  const changes = await findChangedFiles(ref, folder, host.env).catch((error) => {
    throw error instanceof GitError ? unknownRef(ref, error) : error;
  });
  if (!changes)
    return {
      stacks,
      notes: [
        `All stacks are selected: the local history is too short to reach ${cleanLine(ref)}. Fetch more history (in GitHub Actions: \`fetch-depth: 0\`).`,
      ],
    };
  const real = await realpath(folder);
  const entryChanged = await changedEntries(stacks, real, changes);
  const notes: string[] = [];
  const touched: Stack[] = [];
  const unread: string[] = [];
  for (const stack of stacks) {
    const isUnread = hasErrors(stack.configuration.diagnostics);
    if (isUnread) unread.push(stack.id);
    if (isUnread || entryChanged(stack) || (await isTouched(stack, real, changes))) touched.push(stack);
  }
  if (unread.length > 0)
    notes.push(
      `${unread.join(', ')}: selected, since ${count(unread.length, 'configuration')} cannot be fully read.`,
    );
  return { stacks: touched, notes };
}

/** True if a change is in one of the files behind a stack, or may have taken one away from a folder that is read whole. */
async function isTouched(
  { configuration }: ReadStack,
  folder: string,
  { files }: ChangedFiles,
): Promise<boolean> {
  for (const file of configuration.fileDependencies) {
    if (files.has(file)) return true;
    const target = await realpath(file).catch(() => file);
    if (files.has(target)) return true;
  }
  const top = workTreeOf(folder) ?? folder;
  const whole = configuration.desired.folders.map((name) => join(name.startsWith('/') ? top : folder, name));
  // What is there and was not read belongs to another stage.
  return [...files].some(
    (file) =>
      /\.ya?ml$/i.test(file) && whole.some((one) => file.startsWith(`${one}${sep}`)) && !existsSync(file),
  );
}

/** Tells whether the entry of a stack is another one than it was: all are, where the file is new or was wrong. */
async function changedEntries(
  stacks: ReadStack[],
  folder: string,
  { files, before }: ChangedFiles,
): Promise<(stack: ReadStack) => boolean> {
  const file = join(folder, workspaceFileName);
  if (!files.has(file)) return () => false;
  const text = await before(file);
  if (text === undefined) return () => true;
  const diagnostics: Diagnostic[] = [];
  const maps = await readDocuments({ path: file, name: workspaceFileName, text }, [], diagnostics);
  const written = readStackEntries(maps ?? [], diagnostics);
  if (hasErrors(diagnostics)) return () => true;
  const known = new Map(stacks.map(({ entry }) => [entry, coveredBy(written, entry.path)]));
  return ({ entry, stage }) => {
    const old = known.get(entry);
    if (!old || [...old.needs].sort().join('\n') !== [...entry.needs].sort().join('\n')) return true;
    return stage !== undefined && old.stages !== undefined && !old.stages.includes(stage);
  };
}

/** The entry that had a path: the one that is written out, else the first glob. */
const coveredBy = (written: WrittenStackEntry[], path: string): WrittenStackEntry | undefined =>
  written.find((writtenEntry) => writtenEntry.path === path) ??
  written.find((writtenEntry) => coversStackPath(writtenEntry.path, path));

const unknownRef = (ref: string, { lines, reason }: GitError) =>
  new Problems(
    'git/ref',
    `cannot tell what changed since ${ref}: ${reason === 'outside' ? 'this folder is not in a git work tree' : (lines.at(-1) ?? 'git gave no reason')}`,
    { hint: 'name a branch, tag or commit that exists here: --changed-since origin/main' },
  );
