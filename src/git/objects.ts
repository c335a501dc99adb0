import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type Git, GitError, trueupIdentity } from './git.ts';
import type { ObjectFormat } from './settings.ts';

/*
 * Creates git objects in memory, so that one git process stores all objects of a commit. Git's own commands take one process for each
 * object.
 *
 *   object   a blob (the content of a file), a tree (the entries of a folder) or a commit
 *   id       the hash of an object's type, length and content. Git computes the same one when it stores the object
 *   pack     several objects in one stream, as `git unpack-objects` reads it
 *
 * The formats are documented in `git help gitformat-pack` and in the chapter "Git Objects" of the book Pro Git.
 */

/** An object that a repository may not have yet. */
export interface NewObject {
  type: 'blob' | 'tree' | 'commit';
  id: string;
  content: Buffer;
}

/** An entry of a tree. `mode`: what it is, as an octal number: `100644` for a file, `40000` for a folder. */
export interface TreeEntry {
  mode: string;
  id: string;
}

/** The entries of a tree by name. Each character of a name is one byte, because names need not be valid UTF-8. */
export type TreeEntries = ReadonlyMap<string, TreeEntry>;

export const fileMode = '100644';
export const folderMode = '40000';

/** Creates an object with the id that git would give it. */
function createObject(type: NewObject['type'], content: Buffer, format: ObjectFormat): NewObject {
  const hash = createHash(format).update(`${type} ${content.length}\0`).update(content);
  return { type, id: hash.digest('hex'), content };
}

/** Creates the git object of a file's content, without storing it. */
export const createBlob = (text: string, format: ObjectFormat): NewObject =>
  createObject('blob', Buffer.from(text), format);

/**
 * Creates the git object of one folder (a tree), without storing it. Used to write a ledger that is kept in git.
 * Git requires a fixed order: by the bytes of the names, a folder as if its name ended with a slash. Comparing the
 * names as texts is enough, because each of their characters is one byte.
 */
export function createTree(entries: TreeEntries, format: ObjectFormat): NewObject {
  const sortKeyOf = ([name, { mode }]: [string, TreeEntry]) => (mode === folderMode ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  const parts = sorted.flatMap(([name, { mode, id }]) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return createObject('tree', Buffer.concat(parts), format);
}

/**
 * Parses the content of a git tree (the list of the files and folders in a folder) for a ledger that is kept in
 * git. Returns mode and id of each by name. The inverse of `createTree`. An entry is `MODE NAME`, a zero byte, and
 * the bytes of the id.
 */
export function parseTree(content: Buffer, format: ObjectFormat): TreeEntries {
  const idLength = format === 'sha1' ? 20 : 32;
  const entries = new Map<string, TreeEntry>();
  for (let index = 0; index < content.length; ) {
    const nameEnd = content.indexOf(0, index);
    const [, mode, name] = /^(\d+) (.*)$/s.exec(content.toString('latin1', index, nameEnd))!;
    index = nameEnd + 1 + idLength;
    entries.set(name!, { mode: mode!, id: content.toString('hex', nameEnd + 1, index) });
  }
  return entries;
}

interface CommitOptions {
  tree: string;
  /** Undefined for the first commit of a ref. */
  parent: string | undefined;
  message: string;
  /** May name the author and the committer, with git's own variables. */
  env: Record<string, string | undefined>;
}

/**
 * Creates the git object of a commit with the current time, without storing it. Each write of a ledger that is kept
 * in git is such a commit. `tree`: the id of its top folder. `env`: may name author and committer.
 */
export function createCommit({ tree, parent, message, env }: CommitOptions, format: ObjectFormat): NewObject {
  const time = `${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${formatPerson('AUTHOR', env)} ${time}`,
    `committer ${formatPerson('COMMITTER', env)} ${time}`,
    '',
    `${message.trimEnd()}\n`,
  ];
  return createObject('commit', Buffer.from(lines.join('\n')), format);
}

/** Formats the author or the committer. Git's variables replace our name, because a server may accept only addresses that it knows. */
function formatPerson(role: 'AUTHOR' | 'COMMITTER', env: CommitOptions['env']): string {
  const variableOf = (name: string) => env[`GIT_${role}_${name}`]?.replace(/[<>\n\0]/g, '').trim();
  return `${variableOf('NAME') || trueupIdentity.name} <${variableOf('EMAIL') || trueupIdentity.email}>`;
}

/**
 * Stores objects in a repository with one git process, in the given order. An object must come after those that it names, so that a process
 * that is killed leaves no object behind that names a missing one. Rejects with a `GitError`.
 */
export async function storeObjects(objects: NewObject[], format: ObjectFormat, git: Git): Promise<void> {
  await git(['unpack-objects', '-q'], createPack(objects, format));
}

const packTypes = { commit: 1, tree: 2, blob: 3 };

/**
 * Packs new git objects (a commit, its folders and files) into one pack file in memory: a header, the objects, and
 * a checksum. `storeObjects` passes it to a single `git unpack-objects`, because one process for each object would
 * be slow.
 */
function createPack(objects: NewObject[], format: ObjectFormat): Buffer {
  // The format, its version 2, and the number of objects.
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap(({ type, content }) => [
    encodePackHeader(packTypes[type], content.length),
    // Git compresses the objects itself when it stores them.
    deflateSync(content, { level: 0 }),
  ]);
  const pack = Buffer.concat([header, ...parts]);
  return Buffer.concat([pack, createHash(format).update(pack).digest()]);
}

/**
 * Encodes the header of one object in a git pack (the format in which new objects are passed to git): its type and
 * length, with four bits of the length in the first byte, then seven in each byte. The highest bit says that
 * another byte follows.
 */
function encodePackHeader(type: number, length: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (length % 16);
  let remainingBits = Math.floor(length / 16);
  while (remainingBits > 0) {
    bytes.push(byte | 128);
    byte = remainingBits % 128;
    remainingBits = Math.floor(remainingBits / 128);
  }
  return Buffer.from([...bytes, byte]);
}

/** The id of an object and its length in bytes. */
interface FoundObject {
  id: string;
  size: number;
}

/**
 * Finds the ids and sizes of the git objects that these names stand for, such as `COMMIT:FILE`, with one git
 * process. Returns them by name, without those that the repository does not have. Used to learn sizes before
 * anything large is read.
 */
export async function findObjects(names: string[], git: Git): Promise<Map<string, FoundObject>> {
  if (names.length === 0) return new Map();
  const output = await git(['cat-file', '--batch-check'], `${names.join('\n')}\n`);
  const lines = output.split('\n');
  return new Map(
    names.flatMap((name, index) => {
      // A line is `ID blob SIZE`, or `NAME missing`.
      const [, id, size] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(lines[index] ?? '') ?? [];
      return id === undefined ? [] : [[name, { id, size: Number(size) }] as const];
    }),
  );
}

/** An object with its content. */
interface GitObject {
  id: string;
  type: string;
  content: Buffer;
}

/**
 * Reads the git objects that these names stand for (an id, `COMMIT:FILE`, `COMMIT^{tree}`) with one git process, because each process takes
 * time. Returns them by name, without those that the repository does not have. Rejects with a `GitError`.
 */
export async function readObjects(names: string[], git: Git): Promise<Map<string, GitObject>> {
  const objects = new Map<string, GitObject>();
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
    if (id !== undefined) {
      const content = bytes.subarray(index, index + Number(length));
      objects.set(name, { id, type: type!, content });
      index += content.length + 1;
    }
  }
  return objects;
}

/**
 * Reads git objects of one type with one git process, for a ledger that is kept in git, and returns their contents by id. Rejects with a
 * `GitError` if one is missing or of another type.
 */
export async function readObjectContents(
  type: 'blob' | 'tree',
  ids: string[],
  git: Git,
): Promise<Map<string, Buffer>> {
  const objects = await readObjects(ids, git);
  const missing = ids.find((id) => objects.get(id)?.type !== type);
  if (missing !== undefined) throw new GitError('failed', `git has no object ${missing}`);
  return new Map([...objects].map(([id, { content }]) => [id, content]));
}

/** Reads blobs (contents of files in git), such as the ledgers of all stacks, as `readObjectContents`. */
export const readBlobs = (ids: string[], git: Git): Promise<Map<string, Buffer>> =>
  readObjectContents('blob', ids, git);
