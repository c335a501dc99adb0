import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readBlobs } from './read-objects.ts';
import { openRepository } from './repository.ts';
import type { Tracking } from './tracking.ts';
import { workTreeOf } from './work-tree.ts';

/** The endings of files that can belong to a configuration. No other file of another commit is read. */
export const configurationEndings = ['yaml', 'yml', 'json', 'csv', 'png', 'jpg', 'jpeg', 'svg'];

const configurationPattern = new RegExp(`\\.(${configurationEndings.join('|')})$`, 'i');

/** True for a path with a part such as `..` or `.git`. Git checks names only where it writes the files itself. */
const isUnsafePath = (name: string): boolean =>
  name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));

/** The files of a commit in a temporary folder. */
export interface ExtractedFiles {
  /** The folder that stands for the caller's `cwd`. */
  cwd: string;
  /** Says that git tracks each of the files. */
  tracking: Tracking;
  /** Removes the temporary folder. */
  remove(): Promise<void>;
}

/**
 * Writes the files of a commit that can belong to a configuration to a temporary folder, so that an undo can read an earlier configuration. They
 * are as in the repository: no filter and no hook runs. Rejects with a `GitError` if there is no such commit.
 */
export async function extractFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ExtractedFiles> {
  const { git } = await openRepository(cwd, env);
  const commit = (await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])).trim();
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const top = await mkdtemp(path.join(tmpdir(), 'trueup-'));
  const names = new Set<string>();
  try {
    const blobs = listed.split('\0').flatMap((line) => {
      const [, mode, object, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      // A symbolic link could lead out of the folder.
      if (
        name === undefined ||
        !mode!.startsWith('100') ||
        !configurationPattern.test(name) ||
        isUnsafePath(name)
      )
        return [];
      return [{ object: object!, name }];
    });
    const contents = await readBlobs(
      blobs.map(({ object }) => object),
      git,
    );
    for (const { object, name } of blobs) {
      const file = path.join(top, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, contents.get(object)!);
      names.add(name);
    }
  } catch (error) {
    await rm(top, { recursive: true, force: true });
    throw error;
  }
  const inside = path.join(top, path.relative(workTreeOf(cwd)!, cwd));
  await mkdir(inside, { recursive: true });
  return {
    cwd: inside,
    tracking: {
      workTreeOf: async () => top,
      tracked: async (_, files) => new Set(files.filter((file) => names.has(file))),
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
}
