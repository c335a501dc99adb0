/*
 * The journal of a run: a file on this machine with what the run changed since it last wrote the ledger.
 *
 * Writing the whole ledger after each request would be slow, and a crash must not lose what the run did. So each change of the ledger is in
 * a line of the journal, and is on the disk before the run goes on. Changes that wait for the same write share a line. The next run reads
 * the ledger and applies the lines to it. journal-lines.ts has the format of a line.
 */
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Address } from '../model/address.ts';
import { Problems, problem, raise } from '../model/diagnostic.ts';
import { canonicalJson, type LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { CollectionId } from '../model/resource.ts';
import { readIfExists, unwritableProblem } from './file-documents.ts';
import {
  applyJournalLines,
  createJournalHead,
  type JournalHead,
  type JournalLine,
  parseJournal,
  signLine,
} from './journal-lines.ts';
import { missingKeyProblem, type Proof } from './proof.ts';
import { syncFolder } from './sync-folder.ts';

/** A ledger with the changes in its journal. */
interface ReplayedLedger {
  ledger: Ledger;
  /** The number of lines that were applied; 0 if the journal is missing, or belongs to another ledger or generation. */
  lines: number;
  /** Says who wrote the journal, if any line was applied. */
  proof?: Proof;
  /** The text of the journal, if any line was applied. */
  text?: string;
}

/** The changes of a ledger since its last write, in a file of this machine. All methods throw `Problems` if the file system refuses. */
export interface Journal {
  /** The path of the file, for people. */
  readonly place: string;
  /**
   * Applies the journal to the ledger that it continues. Throws `Problems` if the journal is damaged. `digestOfStored`: returns the digest
   * of the ledger's stored text; without it, a ledger whose write got no answer is not recognized.
   */
  replayOnto(ledger: Ledger, digestOfStored?: () => string): Promise<ReplayedLedger>;
  /** Empties the journal and starts it for the current generation of this ledger. Throws `Problems` without a key. */
  start(ledger: Ledger): Promise<void>;
  /** Appends one line with the current state of these addresses, and of everything else that changed since the last line. */
  append(ledger: Ledger, touched: Address[]): Promise<void>;
  /**
   * Appends that a write of the ledger got no answer, so that the next run applies the later lines also if that write was stored. `digest`:
   * that of the written text, which contains all changes so far.
   */
  noteUnanswered(digest: string): Promise<void>;
  /** Closes the file and keeps it, so that the next run can read it. */
  close(): Promise<void>;
  /** Removes the file, after a write of the ledger that contains all of it. */
  remove(): Promise<void>;
}

/**
 * Opens the journal at a path: a file on this machine in which a run notes each change of its ledger at once, so
 * that a crash loses nothing. The file is read by `replayOnto` and written after `start`. Calls run one after the
 * other. `key` signs and verifies the lines; without a key, nothing can be appended.
 */
export function openJournal(path: string, key: LedgerKey | undefined): Journal {
  let file: FileHandle | undefined;
  let journaled: JournaledState = { lists: new Set() };
  /** The length of all complete lines in bytes, and the signature of the last one. */
  let end = { bytes: 0, mac: '' };
  /** True if a line that could not be written may have left a part of it behind the complete lines. */
  let hasPartialLine = false;
  // The signature of a line depends on the line before it, so one call has to end before the next one starts.
  let previousWork: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = previousWork.then(work).catch((error: Error) => {
      if (error instanceof Problems) throw error;
      raise(unwritableProblem(`the journal ${path}`, error));
    });
    previousWork = result.catch(() => {});
    return result;
  };
  const write = async (line: JournalHead | JournalLine) => {
    const { text, mac } = signLine(line, end.mac, key!);
    const bytes = Buffer.from(`${text}\n`);
    if (hasPartialLine) await file!.truncate(end.bytes);
    hasPartialLine = true;
    for (let written = 0; written < bytes.length; )
      written += (await file!.write(bytes, written, undefined, end.bytes + written)).bytesWritten;
    await file!.datasync();
    hasPartialLine = false;
    end = { bytes: end.bytes + bytes.length, mac };
  };
  const close = async () => {
    await file?.close();
    file = undefined;
  };

  return {
    place: path,
    replayOnto: (ledger, digestOfStored) =>
      enqueue(async () => {
        // Its changes may be needed, so a journal that cannot be read stops the run.
        const text = await readIfExists(path, ({ message }) =>
          problem('ledger/unreadable', `the journal ${path} cannot be read: ${message}`),
        );
        const journal = text === undefined ? undefined : parseJournal(text, path, key);
        const replayed = journal ? applyJournalLines(ledger, journal, digestOfStored) : { ledger, lines: 0 };
        return replayed.lines > 0 ? { ...replayed, proof: journal!.proof, text: text! } : replayed;
      }),
    start: (ledger) =>
      enqueue(async () => {
        if (!key) raise(missingKeyProblem);
        const mayBeNew = file === undefined;
        await close();
        await mkdir(dirname(path), { recursive: true });
        file = await open(path, 'w', 0o600);
        journaled = journaledStateOf(ledger, new Set(Object.keys(ledger.staged ?? {})));
        end = { bytes: 0, mac: '' };
        hasPartialLine = false;
        await write(createJournalHead(ledger, key));
        if (mayBeNew) await syncFolder(dirname(path));
      }),
    append: (ledger, touched) =>
      enqueue(async () => {
        const line = composeLine(ledger, touched, journaled);
        if (!line) return;
        await write(line);
        for (const list of Object.keys(line.staged ?? {})) journaled.lists.add(list);
        journaled = journaledStateOf(ledger, journaled.lists);
      }),
    noteUnanswered: (digest) => enqueue(() => write({ set: {}, unanswered: digest })),
    close: () => enqueue(close),
    remove: () =>
      enqueue(async () => {
        await close();
        await unlink(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        });
      }),
  };
}

/** The parts of a ledger without addresses, as of the last line. Used to see which of them the next line must contain. */
interface JournaledState extends Partial<Pick<Ledger, 'inputs' | 'plan' | 'owed'>> {
  /** The lists with a staged version in the ledger or in any line. */
  lists: Set<CollectionId>;
}

/** Returns the parts of a ledger that the next line is compared with, so that it contains only the changes. */
const journaledStateOf = (
  { inputs, plan, owed }: Ledger,
  lists: JournaledState['lists'],
): JournaledState => ({ inputs, plan, owed, lists });

/**
 * Composes the next line of a journal, from which the next run recovers the ledger after a crash. It has the state of the touched addresses
 * (`set`) and of the staged versions of touched lists, everything else that changed since the last line (`journaled`), and the time of the
 * last request that wrote to the account (`lastWrite`). Returns undefined if nothing changed and no such request was ever sent.
 */
function composeLine(ledger: Ledger, touched: string[], journaled: JournaledState): JournalLine | undefined {
  const { entries, begun = {}, staged = {}, orders = {}, inputs, plan, lastWrite } = ledger;
  const owed = changedActions(journaled.owed, ledger.owed);
  const isRestSame = inputs === journaled.inputs && plan === journaled.plan;
  if (touched.length === 0 && !owed && isRestSame && lastWrite === undefined) return undefined;
  // `touched` has addresses and names of lists, such as the rules of a firewall. A list in `set` loses its recorded order when the line is
  // applied, so a list that still has one (`orders`) is not in `set`.
  const addresses = touched.filter((name) => !orders[name]);
  // Also a list whose staged version is gone now, because an earlier line has it.
  const lists = touched.filter((name) => staged[name] || journaled.lists.has(name));
  return {
    set: Object.fromEntries(
      addresses.map((name) => [name, { entry: entries[name] ?? null, begun: begun[name] ?? null }]),
    ),
    staged:
      lists.length > 0 ? Object.fromEntries(lists.map((list) => [list, staged[list] ?? null])) : undefined,
    owed,
    lastWrite,
    rest: isRestSame ? undefined : { inputs, plan: plan ?? null },
  };
}

/**
 * Returns the owed actions (actions that follow a finished change and are not done yet, by id) that differ between
 * two states of a ledger, for the next line of the journal; null for actions that are not owed any more. Returns
 * undefined if none differs.
 */
function changedActions(before: Ledger['owed'] = {}, now: Ledger['owed'] = {}): JournalLine['owed'] {
  if (before === now) return undefined;
  const isSame = (id: string) =>
    before[id] === now[id] || canonicalJson(before[id]) === canonicalJson(now[id]);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((id) => !isSame(id));
  return changed.length > 0 ? Object.fromEntries(changed.map((id) => [id, now[id] ?? null])) : undefined;
}

/**
 * Marks each creation in `begun` (creations that an earlier run announced in the ledger before it sent them, by address) as possibly sent.
 * Used if this machine has no journal of that run (the list of the requests that it sent), for example because it ran elsewhere: the next
 * run must look for the objects before it creates them.
 */
export function assumeIntentsSent(ledger: Ledger): Ledger {
  if (!ledger.begun) return ledger;
  const intents = Object.entries(ledger.begun).map(([address, intent]) => [
    address,
    { ...intent, sent: true as const },
  ]);
  return { ...ledger, begun: Object.fromEntries(intents) };
}
