import { type Git, GitError } from './git.ts';

/** The id of an object and its length in bytes. */
interface FoundObject {
  id: string;
  size: number;
}

/**
 * Finds the objects that these names stand for, such as `COMMIT:FILE`, with one git process. Returns them by name, without those that the
 * repository does not have. Used to learn sizes before anything large is read.
 */
export async function findObjects(names: string[], git: Git): Promise<Map<string, FoundObject>> {
  if (names.length === 0) return new Map();
  const output = await git(['cat-file', '--batch-check'], `${names.join('\n')}\n`);
  const lines = output.split('\n');
  return new Map(
    names.flatMap((name, index) => {
      const [, id, size] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(lines[index] ?? '') ?? [];
      return id === undefined ? [] : [[name, { id, size: Number(size) }] as const];
    }),
  );
}

/** An object with its content. */
interface StoredObject {
  id: string;
  type: string;
  content: Buffer;
}

/**
 * Reads the objects that these names stand for (an id, `COMMIT:FILE`, `COMMIT^{tree}`) with one git process. Returns them by name, without those
 * that the repository does not have. Rejects with a `GitError`.
 */
export async function readObjects(names: string[], git: Git): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>();
  if (names.length === 0) return objects;
  const output = await git(['cat-file', '--batch'], `${names.join('\n')}\n`, 'latin1');
  const bytes = Buffer.from(output, 'latin1');
  let index = 0;
  // For each name git prints a line with the id, type and length, then the content and a line break; or `NAME missing`.
  for (const name of names) {
    const lineEnd = bytes.indexOf(10, index);
    const [, id, type, length] =
      /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(bytes.toString('latin1', index, lineEnd)) ?? [];
    index = lineEnd + 1;
    if (id === undefined) continue;
    const content = bytes.subarray(index, index + Number(length));
    objects.set(name, { id, type: type!, content });
    index += content.length + 1;
  }
  return objects;
}

/** Reads blobs with one git process, and returns their contents by id. Rejects with a `GitError` if one is missing. */
export async function readBlobs(ids: string[], git: Git): Promise<Map<string, Buffer>> {
  const blobs = await readObjects(ids, git);
  const missing = ids.find((id) => blobs.get(id)?.type !== 'blob');
  if (missing !== undefined) throw new GitError('failed', `git has no object ${missing}`);
  return new Map([...blobs].map(([id, { content }]) => [id, content]));
}
