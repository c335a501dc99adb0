import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Problems, problem } from '../model/diagnostic.ts';
import { Conflict, type DocumentName, type Documents, type StoredDocument } from './documents.ts';
import type { Processes } from './lease-record.ts';
import { besidesFile } from './other-ledgers.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Documents as files beside each other: the ledger under the given path, fit for a diff, and a `.lock` with its name. A path that is
 * not absolute starts at `cwd`; messages name it as it was given.
 */
export function fileDocuments(
  path: string,
  { cwd, processes }: { cwd: string; processes: Processes },
): Documents {
  const nameOf = (name: DocumentName) => (name === 'ledger' ? path : `${path.replace(/\.json$/, '')}.lock`);
  const pathOf = (name: DocumentName) => resolve(cwd, nameOf(name));

  const read = async (name: DocumentName): Promise<StoredDocument | undefined> => {
    try {
      return stored(await readFile(pathOf(name), 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      throw new Problems([
        problem('ledger/unreadable', `the ledger ${nameOf(name)} cannot be read: ${message}`, {
          hint: 'check the file and its permissions; nothing was changed',
        }),
      ]);
    }
  };

  const replace = (name: DocumentName, text: string | undefined, expected: string | undefined) =>
    replaceFile(
      pathOf(name),
      text,
      async () => {
        const found = await read(name);
        if (found?.version !== expected) throw new Conflict(found);
      },
      processes,
    ).catch((error: Error) => {
      if (error instanceof Conflict || error instanceof Problems) throw error;
      throw new Problems([
        problem('ledger/unwritable', `the ledger ${nameOf(name)} cannot be written: ${error.message}`, {
          hint: 'check its folder, the permissions and the free space',
        }),
      ]);
    });

  return {
    place: path,
    leasePath: resolve(cwd, pathOf('lease')),
    journalPath: async () => resolve(cwd, `${path.replace(/\.json$/, '')}.journal`),
    read,
    others: () => besidesFile(resolve(cwd, path)),
    write: async (name, text, { expected }) => {
      await replace(name, text, expected);
      return stored(text).version;
    },
    remove: (name, { expected }) => replace(name, undefined, expected),
  };
}

const stored = (text: string): StoredDocument => ({
  text,
  version: hash('sha256', text, 'base64url'),
});
