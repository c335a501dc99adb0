import * as z from 'zod';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import { isValidSignature, type LedgerKey, type SigningKey, signatureOf } from '../model/digest.ts';
import type { Intent, Ledger, LedgerEntry, StagedEntry } from '../model/ledger.ts';
import type { OwedAction } from '../model/planned-action.ts';
import { tryParseJson } from '../model/read-json.ts';
import type { CollectionId } from '../model/resource.ts';
import { entrySchema, intentSchema, owedActionSchema, stagedSchema } from './parse-ledger.ts';
import { type Proof, verifyBySigner } from './proof.ts';

/*
 * The lines of a journal (journal.ts).
 *
 * The first line, the head, names the ledger and its generation that the journal continues. Each other line has the new state of the
 * addresses that a run changed. Each line ends with a signature (`mac`) of the signature before it and of its own text. So no line can be
 * inserted, removed or moved, not even to another journal, because the head says which ledger it belongs to. Only lines at the end may be
 * missing, which a crash can cause too.
 */

const journalHeadSchema = z.object({
  /** The format. Format 1 has the staged versions of all lists in each line. */
  journal: z.union([z.literal(1), z.literal(2)]),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  generation: z.number(),
  /** The id of the key that signs the lines. Early versions did not sign them. */
  key: z.string().optional(),
});

const lineSchema = z.object({
  set: z.record(z.string(), z.object({ entry: entrySchema.nullable(), begun: intentSchema.nullable() })),
  staged: z.record(z.string(), stagedSchema.valueType.nullable()).optional(),
  owed: z.record(z.string(), owedActionSchema.nullable()).optional(),
  lastWrite: z.iso.datetime().optional(),
  unanswered: z.string().optional(),
  rest: z
    .object({
      inputs: z.array(z.string()),
      plan: z.string().nullable(),
      staged: stagedSchema.nullable().optional(),
    })
    .optional(),
});

/** The first line of a journal: the ledger and the generation that it continues. */
export type JournalHead = z.infer<typeof journalHeadSchema>;
/** Another line of a journal: the parts of the ledger that changed since the line before. Null means that the ledger has none any more. */
export interface JournalLine {
  /**
   * The entry and the intent of each changed address. An address loses its recorded order in `orders`; so an ordered list, with both
   * members null, says that its order is not known any more.
   */
  set: Record<Address, { entry: LedgerEntry | null; begun: Intent | null }>;
  staged?: Record<CollectionId, StagedEntry | null>;
  owed?: Record<string, OwedAction | null>;
  /** The time at which the last write was sent. */
  lastWrite?: string;
  /**
   * The digest of a ledger whose write got no answer. It contains all lines before this one. If it was stored, the lines after this one
   * continue it.
   */
  unanswered?: string;
  /** Small members of the ledger. They are always written together. `staged` only in format 1. */
  rest?: { inputs: string[]; plan: string | null; staged?: NonNullable<Ledger['staged']> | null };
}

interface ParsedJournal {
  head: JournalHead;
  lines: JournalLine[];
  proof: Proof;
}

const macPattern = /,"mac":"([\w-]+)"\}$/;

/**
 * Signs a line of a journal (what a run does after it last wrote the ledger), and returns its text without a line feed, and its signature.
 * The signature also covers `previousMac`, that of the line before (empty for the head), so that no line can be removed or moved.
 */
export function signLine(
  line: JournalHead | JournalLine,
  previousMac: string,
  key: SigningKey,
): { text: string; mac: string } {
  const signedPart = JSON.stringify(line).slice(0, -1);
  const mac = signatureOf(key, 'ledger', [`journal\n${previousMac}\n`, signedPart]);
  return { text: `${signedPart},"mac":"${mac}"}`, mac };
}

/**
 * Verifies the signatures of all lines of a journal (what an interrupted run had not yet written to the ledger).
 * Each covers the signature of the line before, so removed or moved lines are noticed. The next run uses the
 * journal only if a key of ours signed each line.
 */
function verifyLines(lines: string[], head: JournalHead, key: LedgerKey | undefined, place: string): Proof {
  if (head.key === undefined) return { doubt: 'unsigned', place };
  return verifyBySigner(head.key, key, place, (signer) => {
    let previousMac = '';
    return lines.every((line) => {
      const [end, mac] = macPattern.exec(line) ?? [];
      if (end === undefined || mac === undefined) return false;
      const signedPart = line.slice(0, line.length - end.length);
      const isSigned = isValidSignature(mac, signer, 'ledger', [`journal\n${previousMac}\n`, signedPart]);
      previousMac = mac;
      return isSigned;
    });
  });
}

/**
 * Creates the first line of a journal (what a run does after it last wrote the ledger). It names the ledger and its generation (the number
 * of the write that the journal continues), so that the journal can never be applied to another ledger or to a later state.
 */
export const createJournalHead = (
  { baseUrl, owner, stack, generation }: Ledger,
  key: SigningKey,
): JournalHead => ({
  journal: 2,
  baseUrl,
  owner,
  stack,
  generation,
  key: key.id,
});

/**
 * Parses a journal (the changes that a run made after it last wrote the ledger, one per line); undefined if not
 * even its first line, the head, is complete. A last line that a crash cut off is ignored: the run waits for each
 * line, so it did nothing after it. Throws `Problems` for any other damage, because the journal may be the only
 * record of new objects.
 */
export function parseJournal(
  text: string,
  place: string,
  key: LedgerKey | undefined,
): ParsedJournal | undefined {
  const completeLines = text.split('\n').slice(0, -1);
  const parseLine = <T>(index: number, schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(tryParseJson(completeLines[index]!));
    if (parsed.success) return parsed.data;
    return raise(
      'journal/corrupt',
      `${place}:${index + 1}: this line is damaged; ${index} of ${completeLines.length} lines before it are intact`,
      {
        hint: 'restore the file. If you cannot, remove it: the ledger then has its last saved state, and objects from the interrupted run are found by name and content',
      },
    );
  };
  const [headText, ...otherTexts] = completeLines;
  if (headText === undefined) return undefined;
  refuseNewerJournal(headText, place);
  const head = parseLine(0, journalHeadSchema);
  const lines = otherTexts.map((_, index) => parseLine(index + 1, lineSchema) as unknown as JournalLine);
  return { head, lines, proof: verifyLines(completeLines, head, key, `the journal ${place}`) };
}

/** Throws `Problems` if a journal has a format that only a newer version of trueup knows. */
function refuseNewerJournal(headText: string, place: string): void {
  const head = tryParseJson(headText) as { journal?: unknown } | null | undefined;
  if (typeof head?.journal === 'number' && head.journal > 2)
    raise('ledger/newer', `${place}: it was written by a newer version of trueup`, {
      hint: 'upgrade trueup',
    });
}

/**
 * Applies the lines of a journal (what a killed run did after it last wrote the ledger) to the ledger that was read, and returns the new
 * ledger and the number of lines. Each line has the new state of the parts of the ledger that changed, null for a removed one: entries and
 * creations under way (`set`), versions that were staged, actions that are owed, and small members (`rest`). Returns the ledger as it is,
 * with 0 lines, if no line continues it (`missingLines`). `digestOfStored`: returns the digest of the ledger's stored text, if that is
 * at hand.
 */
export function applyJournalLines(
  ledger: Ledger,
  journal: Pick<ParsedJournal, 'head' | 'lines'>,
  digestOfStored?: () => string,
): { ledger: Ledger; lines: number } {
  const lines = missingLines(ledger, journal, digestOfStored);
  if (lines.length === 0) return { ledger, lines: 0 };
  const next = { ...ledger, entries: { ...ledger.entries } };
  const intents = { ...ledger.begun };
  const orders = { ...ledger.orders };
  let staged = { ...ledger.staged };
  const owed = { ...ledger.owed };
  for (const { set, lastWrite, rest, ...parts } of lines) {
    for (const [address, { entry, begun }] of Object.entries(set)) {
      applyMembers(next.entries, { [address]: entry });
      applyMembers(intents, { [address]: begun });
      // A key of `set` can also be an ordered list, such as the rules of a firewall, whose order is not known any more.
      delete orders[address];
    }
    applyMembers(staged, parts.staged);
    applyMembers(owed, parts.owed);
    if (lastWrite !== undefined) next.lastWrite = lastWrite;
    if (rest) {
      next.inputs = rest.inputs;
      next.plan = rest.plan ?? undefined;
    }
    // Format 1 of a journal has the staged versions of all lists in each line.
    if (rest?.staged !== undefined) staged = { ...rest.staged };
  }
  return { ledger: withParts(next, { begun: intents, orders, staged, owed }), lines: lines.length };
}

/**
 * Returns those lines of a journal whose changes a stored ledger lacks, so that a run after a killed one adds them:
 *
 *   | the stored ledger is                                                   | lines                                     |
 *   | ---------------------------------------------------------------------- | ----------------------------------------- |
 *   | the generation for which the journal was started                       | all                                       |
 *   | one that the killed run wrote without getting an answer                | those after the line with its digest      |
 *   | of another stack or account                                            | none                                      |
 *   | any other, such as a later one: its write contained all changes        | none                                      |
 *
 * `digestOfStored`: returns the digest of the stored text, and is only called if a line has one (`unanswered`). Absent if the text is not
 * at hand.
 */
function missingLines(
  ledger: Ledger,
  { head, lines }: Pick<ParsedJournal, 'head' | 'lines'>,
  digestOfStored?: () => string,
): JournalLine[] {
  const isSameStack = (['baseUrl', 'owner', 'stack'] as const).every((name) => head[name] === ledger[name]);
  if (!isSameStack) return [];
  if (head.generation === ledger.generation) return lines;
  if (!digestOfStored || !lines.some(({ unanswered }) => unanswered !== undefined)) return [];
  const digest = digestOfStored();
  const unansweredIndex = lines.findLastIndex(({ unanswered }) => unanswered === digest);
  return unansweredIndex < 0 ? [] : lines.slice(unansweredIndex + 1);
}

/**
 * Applies the changes in a journal line to `members`, a part of the ledger: sets each changed member, and deletes
 * those that are null. So a run after a crash recovers the ledger from its last written version and the journal.
 */
function applyMembers<T>(members: Record<string, T>, changed: Record<string, T | null> = {}): void {
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete members[name];
    else members[name] = value;
  }
}

/**
 * Returns a ledger with these parts (unfinished creations, orders of lists, staged versions, owed actions). Empty
 * parts are left out, as in a ledger that was written, so that a ledger recovered from a journal equals the one
 * that would have been written.
 */
function withParts(ledger: Ledger, parts: Pick<Ledger, 'begun' | 'orders' | 'staged' | 'owed'>): Ledger {
  const { begun: _, orders: __, staged: ___, owed: ____, ...others } = ledger;
  const nonEmptyParts = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { ...others, ...Object.fromEntries(nonEmptyParts) };
}
