import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Problems, problem } from '../model/diagnostic.ts';
import { canonical } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { parseLedger } from './parse-ledger.ts';
import type { LedgerStore } from './store.ts';

/** A ledger in a file: one JSON document with sorted members, replaced atomically, fit for a diff. */
export function fileStore(path: string): LedgerStore {
  const read = async (): Promise<Ledger | undefined> => {
    try {
      return parseLedger(await readFile(path, 'utf8'), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (error instanceof Problems) throw error;
      throw new Problems([
        problem('ledger/unreadable', `the ledger ${path} cannot be read: ${(error as Error).message}`, {
          hint: 'check the file and its permissions; nothing was changed',
        }),
      ]);
    }
  };
  const write = async (ledger: Ledger): Promise<Ledger> => {
    const held = (await read())?.generation ?? 0;
    if (held !== ledger.generation)
      throw new Problems([
        problem('ledger/moved', `the ledger ${path} was written by somebody else meanwhile`, {
          hint: 'wait until the other run is done, then plan again',
        }),
      ]);
    const entries = JSON.parse(canonical(ledger.entries)) as Ledger['entries'];
    const next = { ...ledger, generation: ledger.generation + 1, entries };
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`);
    return next;
  };
  return { place: path, read, write };
}
