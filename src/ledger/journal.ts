import { type FileHandle, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { CollectionId } from '../model/resource.ts';
import { systemText } from '../model/system-error.ts';
import {
  applyJournalLines,
  createJournalHead,
  createLineSigner,
  type JournalHead,
  type JournalLine,
  parseJournal,
} from './journal-lines.ts';
import { missingKeyProblem, type Proof } from './proof.ts';

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
  replayOnto(ledger: Ledger): Promise<{ ledger: Ledger; lines: number; proof?: Proof; text?: string }>;
  /** Begins anew on top of this ledger. */
  start(ledger: Ledger): Promise<void>;
  /** Adds what the ledger says of these addresses now. */
  append(ledger: Ledger, touched: Address[]): Promise<void>;
  /** Lets go of the file. */
  close(): Promise<void>;
  /** Removes it: the ledger has everything. */
  remove(): Promise<void>;
}

/** Only with a key can it be written. */
export function openJournal(path: string, key: LedgerKey | undefined): Journal {
  let file: FileHandle | undefined;
  /** The parts that the file has already, on top of the ledger. */
  let noted: Noted = { lists: new Set() };
  let sign: ReturnType<typeof createLineSigner> | undefined;
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
    replayOnto: (ledger) =>
      next(async () => {
        const text = await readText(path);
        const journal = text === undefined ? undefined : parseJournal(text, path, key);
        const over = journal ? applyJournalLines(ledger, journal) : { ledger, lines: 0 };
        return over.lines > 0 ? { ...over, proof: journal!.proof, text: text! } : over;
      }),
    start: (ledger) =>
      next(async () => {
        if (!key) throw new Problems([missingKeyProblem]);
        await close();
        await mkdir(dirname(path), { recursive: true });
        file = await open(path, 'w', 0o600);
        noted = notedIn(ledger, new Set(Object.keys(ledger.staged ?? {})));
        sign = createLineSigner(key);
        await write(createJournalHead(ledger, key));
      }),
    append: (ledger, touched) =>
      next(async () => {
        const line = lineOf(ledger, touched, noted);
        if (!line) return;
        await write(line);
        for (const list of Object.keys(line.staged ?? {})) noted.lists.add(list);
        noted = notedIn(ledger, noted.lists);
      }),
    close: () => next(close),
    remove: () =>
      next(async () => {
        await close();
        await unlink(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
      }),
  };
}

/** What the journal's file says, on top of the ledger, apart from addresses. */
interface Noted extends Partial<Pick<Ledger, 'inputs' | 'plan' | 'owed'>> {
  /** The lists that have a staged version in the ledger or in some line. */
  lists: Set<CollectionId>;
}

const notedIn = ({ inputs, plan, owed }: Ledger, lists: Noted['lists']): Noted => ({
  ...{ inputs, plan, owed, lists },
});

/** The line that tells what has changed since the last one; undefined if nothing has. */
function lineOf(ledger: Ledger, touched: string[], noted: Noted): JournalLine | undefined {
  const { entries, begun = {}, staged = {}, orders = {}, inputs, plan, lastWrite } = ledger;
  const owed = changedDebts(noted.owed, ledger.owed);
  const isRestSame = inputs === noted.inputs && plan === noted.plan;
  if (touched.length === 0 && !owed && isRestSame && lastWrite === undefined) return undefined;
  // A list that still has its order is named for its staged version alone.
  const named = touched.filter((name) => !orders[name]);
  const lists = touched.filter((name) => staged[name] || noted.lists.has(name));
  return {
    set: Object.fromEntries(
      named.map((name) => [name, { entry: entries[name] ?? null, begun: begun[name] ?? null }]),
    ),
    ...(lists.length > 0
      ? { staged: Object.fromEntries(lists.map((list) => [list, staged[list] ?? null])) }
      : {}),
    ...(owed ? { owed } : {}),
    ...(lastWrite === undefined ? {} : { lastWrite }),
    ...(isRestSame ? {} : { rest: { inputs, plan: plan ?? null } }),
  };
}

/** The debts that have changed, by id; undefined if none has. */
function changedDebts(before: Ledger['owed'] = {}, now: Ledger['owed'] = {}): JournalLine['owed'] {
  if (before === now) return undefined;
  const isSame = (id: string) => before[id] === now[id] || canonical(before[id]) === canonical(now[id]);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((id) => !isSame(id));
  return changed.length > 0 ? Object.fromEntries(changed.map((id) => [id, now[id] ?? null])) : undefined;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Problems([problem('journal/unreadable', `the journal ${path} cannot be read: ${message}`)]);
  }
}
