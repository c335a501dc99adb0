import { type Git, GitError } from './git.ts';

/** An object as git names it, and its length in bytes. */
export interface FoundObject {
  object: string;
  size: number;
}

/** What names such as `COMMIT:FILE` mean, from one process; those that mean nothing here are not in the answer. */
export async function objectsOf(names: string[], git: Git): Promise<Map<string, FoundObject>> {
  if (names.length === 0) return new Map();
  const said = await git(['cat-file', '--batch-check'], `${names.join('\n')}\n`);
  const lines = said.split('\n');
  return new Map(
    names.flatMap((name, at) => {
      const [, object, size] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(lines[at] ?? '') ?? [];
      return object === undefined ? [] : [[name, { object, size: Number(size) }] as const];
    }),
  );
}

/** The content of each blob, from one process. Rejects with a `GitError` where one is not there. */
export async function contentsOf(objects: string[], git: Git): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  if (objects.length === 0) return contents;
  const said = Buffer.from(await git(['cat-file', '--batch'], `${objects.join('\n')}\n`, 'latin1'), 'latin1');
  // Of each: a line with its name, its type and its length, then so many bytes, then a line's end.
  for (let at = 0; at < said.length; ) {
    const end = said.indexOf(10, at);
    const [object, type, length] = said.toString('latin1', at, end).split(' ');
    if (type !== 'blob') throw new GitError('failed', `git has no object ${object}`);
    contents.set(object!, said.subarray(end + 1, end + 1 + Number(length)));
    at = end + 2 + Number(length);
  }
  return contents;
}
