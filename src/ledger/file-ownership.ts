import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OwnershipStore, StoredDocument } from './documents.ts';
import { readLedgersInFolder } from './other-ledgers.ts';

/** The folder of the index, beside the ledgers. It begins with a dot, so that a list of the ledgers is not disturbed. */
export const ownershipFolder = '.ownership';

/** The length of the end of a ledger that is part of its version: six characters of the signature (36 bits), and the end of the JSON text. */
const tailLength = 10;

/**
 * Returns the version of a ledger in a file: its size, and the last characters of its signature, which is at the end and covers everything before it.
 * So the version is found without reading the file, and is the same in each checkout of a repository. Undefined without a signature.
 */
const versionOf = (size: number, tail: string): string | undefined =>
  /^[\w-]{6}"\n\}\n$/.test(tail) ? `${size}:${tail.slice(0, 6)}` : undefined;

/** Returns the version of a file; undefined if it is none that a record could be made of. Then its reader reports what is wrong. */
function readVersion(path: string): string | undefined {
  try {
    // Opening a pipe would wait for its writer.
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const tail = Buffer.alloc(tailLength);
      const length = readSync(file, tail, 0, tailLength, Math.max(0, size - tailLength));
      return versionOf(size, tail.toString('latin1', 0, length));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Reads and replaces files as `fileDocuments` does it. */
interface FileAccess {
  read(path: string): Promise<StoredDocument | undefined>;
  /** Throws `Conflict` if the expected version is not stored. */
  replace(path: string, text: string, expected: string | undefined): Promise<void>;
}

/** Opens the ownership index of the ledgers that are files in one folder. `path`: the ledger of this stack. */
export function fileOwnership(path: string, { read, replace }: FileAccess): OwnershipStore {
  const folder = dirname(path);
  const pathOf = (key: string, shard: string) => join(folder, ownershipFolder, key, `${shard}.json`);
  return {
    ownName: basename(path),
    readShards: async (key, names) => {
      const shards = await Promise.all(names.map((name) => read(pathOf(key, name))));
      return new Map(names.flatMap((name, index) => (shards[index] ? [[name, shards[index]]] : [])));
    },
    writeShard: (key, name, text, expected) => replace(pathOf(key, name), text, expected),
    // The calls for one file take a few microseconds, and would take more time as promises.
    listVersions: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
      return new Map(names.map((name) => [name, readVersion(join(folder, name))]));
    },
    readLedgers: async (names) =>
      (await readLedgersInFolder(folder, names)).map((ledger) => {
        const bytes = Buffer.from(ledger.text ?? '');
        const version = versionOf(
          bytes.length,
          bytes.toString('latin1', Math.max(0, bytes.length - tailLength)),
        );
        return { ...ledger, name: basename(ledger.place), version };
      }),
  };
}
