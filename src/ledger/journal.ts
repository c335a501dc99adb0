import { type FileHandle, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Address } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { systemText } from '../model/system-error.ts';
import {
  applyLines,
  headOf,
  type JournalHead,
  type JournalLine,
  lineSigner,
  parseJournal,
} from './journal-lines.ts';
import { keyless, type Proof } from './proof.ts';

/**
 * Records on this machine what a run did since it last wrote the ledger: lines on top of one generation, each on the disk before
 * the run goes on. So the whole ledger need not be written after each request, and a crash loses nothing.
 */
export interface Journal {
  /** For people: where it is. */
  readonly place: string;
  /**
   * The ledger with what the journal has on top of it, who wrote that and its text: of another generation or ledger it has nothing. Throws
   * `Problems` where it is damaged.
   */
  over(ledger: Ledger): Promise<{ ledger: Ledger; lines: number; proof?: Proof; text?: string }>;
  /** Begins anew on top of this ledger. */
  begin(ledger: Ledger): Promise<void>;
  /** Adds what the ledger says of these addresses now. */
  add(ledger: Ledger, touched: Address[]): Promise<void>;
  /** Lets go of the file. */
  close(): Promise<void>;
  /** Removes it: the ledger has everything. */
  end(): Promise<void>;
}

/** Only with a key can it be written. */
export function openJournal(path: string, key: LedgerKey | undefined): Journal {
  let file: FileHandle | undefined;
  let rest: string | undefined;
  let sign: ReturnType<typeof lineSigner> | undefined;
  // Lines follow each other: one at a time.
  let ready: Promise<unknown> = Promise.resolve();
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const result = ready.then(work).catch((error: Error) => {
      if (error instanceof Problems) throw error;
      throw new Problems([
        problem('journal/unwritable', `the journal ${path} cannot be written: ${systemText(error)}`, {
          hint: 'check its folder, the permissions and the free space',
        }),
      ]);
    });
    ready = result.catch(() => {});
    return result;
  };
  const write = async (line: JournalHead | JournalLine) => {
    await file!.appendFile(`${sign!(line)}\n`);
    await file!.datasync();
  };
  const close = async () => {
    await file?.close();
    file = undefined;
  };

  return {
    place: path,
    over: (ledger) =>
      next(async () => {
        const text = await readText(path);
        const journal = text === undefined ? undefined : parseJournal(text, path, key);
        const over = journal ? applyLines(ledger, journal) : { ledger, lines: 0 };
        return over.lines > 0 ? { ...over, proof: journal!.proof, text: text! } : over;
      }),
    begin: (ledger) =>
      next(async () => {
        if (!key) throw new Problems([keyless]);
        await close();
        await mkdir(dirname(path), { recursive: true });
        file = await open(path, 'w', 0o600);
        rest = restOf(ledger);
        sign = lineSigner(key);
        await write(headOf(ledger, key));
      }),
    add: (ledger, touched) =>
      next(async () => {
        const now = restOf(ledger);
        const { lastWrite } = ledger;
        if (touched.length === 0 && now === rest && lastWrite === undefined) return;
        const set = Object.fromEntries(
          touched.map((address) => [
            address,
            { entry: ledger.entries[address] ?? null, begun: ledger.begun?.[address] ?? null },
          ]),
        );
        await write({
          set,
          ...(lastWrite === undefined ? {} : { lastWrite }),
          ...(now === rest ? {} : { rest: JSON.parse(now) }),
        });
        rest = now;
      }),
    close: () => next(close),
    end: () =>
      next(async () => {
        await close();
        await unlink(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
      }),
  };
}

/** The small parts of a ledger, which the journal keeps as a whole. */
const restOf = ({ inputs, plan, staged }: Ledger): string =>
  JSON.stringify({ inputs, plan: plan ?? null, staged: staged ?? null });

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Problems([problem('journal/unreadable', `the journal ${path} cannot be read: ${message}`)]);
  }
}
