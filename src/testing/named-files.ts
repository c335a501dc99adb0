/*
 * Finds the files that a test file names: its seed and its configuration.
 *
 * A pull request can bring a test file, and CI runs it. So it must not reach files of the machine, or files such as the ledger and ignored
 * secrets that are in the folder without being in git. It may name only files that git tracks in its repository.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { reservedFilesOf } from '../app/session/load-configuration.ts';
import { findFiles } from '../config/find-files.ts';
import { leadsOutside } from '../config/leads-outside.ts';
import { openSources } from '../config/sources/sources.ts';
import type { SourceVerdict } from '../config/sources/verdict.ts';
import { quoted } from '../config/suggest.ts';
import { type Node, textOf } from '../config/yaml/nodes.ts';
import { positionOf } from '../config/yaml/source.ts';
import { openTracking } from '../git/tracking.ts';
import { workTreeOf } from '../git/work-tree.ts';
import type { Host } from '../host.ts';
import { type Reporter, shellWord } from '../model/diagnostic.ts';
import { isInside } from '../paths.ts';

/**
 * The place of a test file that names other files. `folder`: its folder. `top`: the folder that contains all files that it may name
 * (`topOf`).
 */
export interface NamingFile {
  folder: string;
  top: string;
  host: Pick<Host, 'cwd' | 'env'>;
}

/**
 * Returns the folder that a test file must not leave: its repository or, outside of one, the working directory or its own folder. A pull
 * request can bring a test file, so it must not name other files of the machine.
 */
export async function topOf(folder: string, cwd: string): Promise<string> {
  const workTree = workTreeOf(folder);
  if (workTree !== undefined) return realpath(workTree);
  const realCwd = await realpath(cwd);
  return isInside(folder, realCwd) ? realCwd : folder;
}

/**
 * Returns the real path of a file or folder that a test file names, such as its configuration, relative to the folder of the test file.
 * Undefined after it reported that there is none, or that the test may not read it: a test file can come from a pull request.
 */
export async function findNamed(
  node: Node,
  { folder, top, host }: NamingFile,
  report: Reporter,
): Promise<string | undefined> {
  const name = textOf(node);
  if (name === undefined) return undefined;
  const file = path.resolve(await realpath(folder), name);
  const realPath = await realpath(file).catch(() => undefined);
  // The same message whether there is such a file or not.
  if (leadsOutside(file, top) || (realPath !== undefined && !isInside(realPath, top)))
    return report.error('file/outside', `${quoted(name)} is outside the repository`, { at: node });
  if (realPath === undefined)
    return report.error('file/missing', `there is no file or folder ${quoted(name)}`, {
      at: node,
      hint: 'paths in a test file are relative to its folder',
    });
  const refusal = await findFileRefusal(realPath, node, { folder, top, host });
  if (refusal === undefined) return realPath;
  return report.error('source/file', `${quoted(name)} is not available: ${refusal.message}`, {
    at: node,
    hint:
      refusal.untracked === undefined
        ? undefined
        : `add it to git: \`git add ${shellWord(refusal.untracked)}\``,
  });
}

type FileRefusal = Extract<SourceVerdict, { allowed: false }>;

/**
 * Returns why a named file, or a file in a named folder, may not be read, for example because git does not track it; undefined if all may
 * be. Outside of a repository there is no git to ask, so only the files that no configuration may read (`never`) are refused.
 */
async function findFileRefusal(
  realPath: string,
  node: Node,
  { folder, top, host }: NamingFile,
): Promise<FileRefusal | undefined> {
  const isFolder = (await stat(realPath)).isDirectory();
  const files = isFolder ? (await findFiles(top, [realPath])).files : [{ path: realPath }];
  const reserved = reservedFilesOf({}, host);
  const sources = openSources({ env: {}, cwd: host.cwd, tracking: openTracking(host.env), reserved });
  const requests = files.map((file) => ({
    use: 'file' as const,
    name: path.relative(top, file.path),
    origin: { file: file.path },
    folder,
    at: positionOf(node.at),
  }));
  const refusals = (await sources.judge(requests, '')).filter((verdict) => !verdict.allowed);
  const isRepository = workTreeOf(folder) !== undefined;
  return refusals.find(({ never }) => isRepository || never);
}
