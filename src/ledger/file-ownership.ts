import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OwnershipStore, StoredDocument } from './documents.ts';
import { readLedgersInFolder } from './other-ledgers.ts';
import { signedVersionOf, signedVersionOfText, versionTailLength } from './signed-version.ts';

/** The folder of the index, beside the ledgers. It begins with a dot, so that a list of the ledgers is not disturbed. */
export const ownershipFolder = '.ownership';

/**
 * Returns the version of a ledger file, made of its size and the signature at its end; undefined if it is no signed ledger. Used to tell
 * whether the ownership index (which stack owns which objects) still fits the ledger. A ledger without a version is read as a whole, and
 * the plan reports its faults.
 */
function readVersion(path: string): string | undefined {
  try {
    // Opening a pipe would wait for its writer.
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const tail = Buffer.alloc(versionTailLength);
      const length = readSync(file, tail, 0, versionTailLength, Math.max(0, size - versionTailLength));
      return signedVersionOf(size, tail.toString('latin1', 0, length));
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

/**
 * Opens the ownership index (it lists which stack owns which objects, so that a plan need not read all ledgers) of the ledgers that are
 * files in one folder. The index consists of files, the shards, each about a part of the ledgers. No run begins such an index unasked
 * (`mayBegin`), because its folder would appear in somebody's checkout. `path`: the ledger of this stack. `key`, in the methods: the id of
 * the key that signed the shards.
 */
export function fileOwnership(path: string, { read, replace }: FileAccess): OwnershipStore {
  const folder = dirname(path);
  const pathOf = (key: string, shard: string) => join(folder, ownershipFolder, key, `${shard}.json`);
  const listNames = async () => (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return {
    ownName: basename(path),
    mayBegin: false,
    readShards: async (key, names) => {
      const shards = await Promise.all(
        names.map(async (name) => {
          const path = pathOf(key, name);
          return statSync(path, { throwIfNoEntry: false })?.isFile() ? read(path) : undefined;
        }),
      );
      return new Map(names.flatMap((name, index) => (shards[index] ? [[name, shards[index]]] : [])));
    },
    writeShards: async (key, writes) => {
      for (const { name, text, expected } of writes) await replace(pathOf(key, name), text, expected);
    },
    listNames,
    // The calls for one file take a few microseconds, and would take more time as promises.
    listVersions: async () =>
      new Map((await listNames()).map((name) => [name, readVersion(join(folder, name))])),
    readLedgers: async (names) =>
      (await readLedgersInFolder(folder, names)).map((ledger) => ({
        ...ledger,
        name: basename(ledger.place),
        version: signedVersionOfText(ledger.text ?? ''),
      })),
  };
}
