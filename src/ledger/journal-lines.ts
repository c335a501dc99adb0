import * as z from 'zod';
import type { Address } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { jsonIn } from '../model/json-in.ts';
import type { Intent, Ledger, LedgerEntry, StagedEntry } from '../model/ledger.ts';
import { isSignature, type LedgerKey, type SigningKey, signature } from '../model/ledger-key.ts';
import type { OwedAction } from '../model/planned-action.ts';
import type { CollectionId } from '../model/resource.ts';
import { entrySchema, intentSchema, owedActionSchema, stagedSchema } from './parse-ledger.ts';
import { type Proof, verifyBySigner } from './proof.ts';

const head = z.object({
  /** Version 1 had what is staged in each line, of all lists. */
  journal: z.union([z.literal(1), z.literal(2)]),
  baseUrl: z.string(),
  owner: z.string(),
  stack: z.string(),
  generation: z.number(),
  /** The id of the key that signs the lines; none wrote those of before. */
  key: z.string().optional(),
});

const line = z.object({
  set: z.record(z.string(), z.object({ entry: entrySchema.nullable(), begun: intentSchema.nullable() })),
  staged: z.record(z.string(), stagedSchema.valueType.nullable()).optional(),
  owed: z.record(z.string(), owedActionSchema.nullable()).optional(),
  lastWrite: z.iso.datetime().optional(),
  rest: z
    .object({
      inputs: z.array(z.string()),
      plan: z.string().nullable(),
      staged: stagedSchema.nullable().optional(),
    })
    .optional(),
});

/** The first line: the ledger that the others are on top of. */
export type JournalHead = z.infer<typeof head>;
/**
 * One line of a journal. `set`: entry and intent of each touched address; null where none is kept any more. A collection in it, both null,
 * is an ordered list whose recorded order has ended. `staged` and `owed`: the lists and debts that have changed; null where none is kept any
 * more. `lastWrite`: the time at which the last write was sent. `rest`: the small parts of the ledger, which change as a whole.
 */
export interface JournalLine {
  set: Record<Address, { entry: LedgerEntry | null; begun: Intent | null }>;
  staged?: Record<CollectionId, StagedEntry | null>;
  owed?: Record<string, OwedAction | null>;
  lastWrite?: string;
  rest?: { inputs: string[]; plan: string | null; staged?: NonNullable<Ledger['staged']> | null };
}

interface ParsedJournal {
  head: JournalHead;
  lines: JournalLine[];
  proof: Proof;
}

/*
 * Each line ends with its signature, which is made of the one before it and all else of the line. So no line can be put in, left out
 * or moved, to another journal neither: the first one says whose it is. That lines are missing at the end is what a crash does, too.
 */
const signed = /,"mac":"([\w-]+)"\}$/;

/** Signs one line after the other, each as it is to stand in the file, without its line feed. */
export function createLineSigner(key: SigningKey): (line: JournalHead | JournalLine) => string {
  let last = '';
  return (line) => {
    const rest = JSON.stringify(line).slice(0, -1);
    last = signature(key, 'ledger', `journal\n${last}\n`, rest);
    return `${rest},"mac":"${last}"}`;
  };
}

function linesProof(lines: string[], head: JournalHead, key: LedgerKey | undefined, place: string): Proof {
  if (head.key === undefined) return { doubt: 'unsigned', place };
  return verifyBySigner(head.key, key, place, (signer) => {
    let last = '';
    return lines.every((line) => {
      const [end, made] = signed.exec(line) ?? [];
      if (end === undefined || made === undefined) return false;
      const text = line.slice(0, line.length - end.length);
      const isMade = isSignature(made, signer, 'ledger', `journal\n${last}\n`, text);
      last = made;
      return isMade;
    });
  });
}

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
 * Text as a journal; undefined where its first line was not written to its end. A last line that was cut off is left out: what it
 * says had not been gone on from. Throws `Problems` for any other damage; nothing is guessed.
 */
export function parseJournal(
  text: string,
  place: string,
  key: LedgerKey | undefined,
): ParsedJournal | undefined {
  const whole = text.split('\n').slice(0, -1);
  const lines: JournalLine[] = [];
  let first: JournalHead | undefined;
  whole.forEach((text, index) => {
    const json = jsonIn(text);
    const version = (json as { journal?: unknown } | undefined)?.journal;
    if (index === 0 && typeof version === 'number' && version > 2)
      throw refuse(
        'journal/newer',
        `${place}: it was written by a newer version of trueup`,
        'upgrade trueup',
      );
    const parsed = index === 0 ? head.safeParse(json) : line.safeParse(json);
    if (!parsed.success)
      throw refuse(
        'journal/corrupt',
        `${place}:${index + 1}: this line is damaged; ${index} of ${whole.length} lines before it are intact`,
        'restore the file. If you cannot, remove it: the ledger then has its last saved state, and objects from the interrupted run are found by name and content',
      );
    if (index === 0) first = parsed.data as JournalHead;
    else lines.push(parsed.data as unknown as JournalLine);
  });
  return first && { head: first, lines, proof: linesProof(whole, first, key, `the journal ${place}`) };
}

/** The ledger with the lines on top of it, if they are about this generation of it. */
export function applyJournalLines(
  ledger: Ledger,
  { head, lines }: Pick<ParsedJournal, 'head' | 'lines'>,
): { ledger: Ledger; lines: number } {
  const same = (['baseUrl', 'owner', 'stack', 'generation'] as const).every(
    (name) => head[name] === ledger[name],
  );
  if (!same) return { ledger, lines: 0 };
  const next = { ...ledger, entries: { ...ledger.entries } };
  const begun = { ...ledger.begun };
  const orders = { ...ledger.orders };
  const staged = { ...ledger.staged };
  const owed = { ...ledger.owed };
  for (const { set, lastWrite, rest, ...parts } of lines) {
    for (const [address, now] of Object.entries(set)) {
      if (now.entry) next.entries[address] = now.entry;
      else delete next.entries[address];
      if (now.begun) begun[address] = now.begun;
      else delete begun[address];
      delete orders[address];
    }
    replace(staged, parts.staged);
    replace(owed, parts.owed);
    if (lastWrite !== undefined) next.lastWrite = lastWrite;
    if (!rest) continue;
    next.inputs = rest.inputs;
    next.plan = rest.plan ?? undefined;
    if (rest.staged === undefined) continue;
    for (const list of Object.keys(staged)) delete staged[list];
    Object.assign(staged, rest.staged);
  }
  return { ledger: withParts(next, { begun, orders, staged, owed }), lines: lines.length };
}

/** Replaces the members of a part of the ledger that a line names. */
function replace<T>(part: Record<string, T>, changed: Record<string, T | null> = {}): void {
  for (const [name, now] of Object.entries(changed)) {
    if (now === null) delete part[name];
    else part[name] = now;
  }
}

/** The ledger with these parts; without those that are empty. */
function withParts(ledger: Ledger, parts: Pick<Ledger, 'begun' | 'orders' | 'staged' | 'owed'>): Ledger {
  const { begun: _, orders: __, staged: ___, owed: ____, ...others } = ledger;
  const kept = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { ...others, ...Object.fromEntries(kept) };
}

const refuse = (code: string, message: string, hint: string) =>
  new Problems([problem(code, message, { hint })]);
