import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentsOf } from './objects.ts';
import { openRepository, type Tracking, workTreeOf } from './repository.ts';

/** Data, configuration and pictures, by their endings: nothing else is read from another commit. */
const ending = /\.(ya?ml|json|csv|png|jpe?g|svg)$/i;

/** True for a path with a part that is no plain name. */
const leadsOut = (name: string): boolean =>
  name.split(/[/\\]/).some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));

/** The files of a commit in a folder of their own, which `remove` takes away. */
export interface FilesAt {
  /** The path of `cwd` in that commit. */
  cwd: string;
  /** git tracks all of them. */
  tracking: Tracking;
  remove(): Promise<void>;
}

/**
 * Writes the YAML, JSON and CSV files and the pictures of a commit to a temporary folder, as they are in the repository: no filter and no hook runs.
 * Rejects with a `GitError` where there is no such commit.
 */
export async function filesAt(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<FilesAt> {
  const { git } = await openRepository(cwd, env);
  const commit = (await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])).trim();
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', commit]);
  const top = await mkdtemp(path.join(tmpdir(), 'trueup-'));
  const names = new Set<string>();
  try {
    const blobs = listed.split('\0').flatMap((line) => {
      const [, mode, object, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      // A link would lead out of the folder, and so may a name: git checks names only where it writes files itself.
      if (name === undefined || !mode!.startsWith('100') || !ending.test(name) || leadsOut(name)) return [];
      return [{ object: object!, name }];
    });
    const contents = await contentsOf(
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
  const here = path.relative(workTreeOf(cwd)!, cwd);
  const inside = path.join(top, here);
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
