/*
 * The other stacks of a store, as a run asks about them.
 *
 * With an ownership index (`src/ledger/ownership-index.ts`) only those ledgers are read whose claims matter to a plan, and those without a
 * valid record. Without an index or a key, all ledgers are read, while the account is read. All are read later if the index cannot answer
 * the plan's question (`all`).
 */
import type { Documents } from '../ledger/documents.ts';
import { assumeIntentsSent, type Journal } from '../ledger/journal.ts';
import { type OwnershipIndex, openOwnershipIndex } from '../ledger/open-ownership-index.ts';
import { type OtherLedgerText, parseOtherStacks } from '../ledger/other-ledgers.ts';
import { isVerified } from '../ledger/proof.ts';
import type { LedgerKey } from '../model/digest.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../model/ledger.ts';
import type { UnreadClaims } from '../plan/claims.ts';
import type { OwnershipQuestion } from '../plan/summarize-claims.ts';

/** The other stacks that concern a plan. */
export interface ConcernedStacks {
  stacks: readonly OtherStack[];
  /**
   * Tells which objects without a parent the stacks claim that are not among `stacks`, because their ledgers were not read. Absent if all
   * were read.
   */
  unread?: UnreadClaims | undefined;
}

/** Returns the question of a plan; see `askAboutOthers`. */
type AskAboutOthers = () => OwnershipQuestion | 'all';

/** The other stacks of the same store and account. Each method throws `Problems` if a ledger cannot be read. */
export interface OtherStacks {
  /** Reads all ledgers. */
  readAll(): Promise<readonly OtherStack[]>;
  count(): Promise<number>;
  /** Returns the number of ledgers that were read so far because there is no index. Reads nothing. */
  countReadWithoutIndex(): Promise<number>;
  /**
   * Reads the ledgers that the index names for the question of a plan, or all ledgers if the question is `all` (`askAboutOthers` says
   * when). The result also has ledgers that were read earlier. Calls `ask` only if the index has another ledger: a question has the name
   * and ids of each object.
   */
  readConcerned(ask: AskAboutOthers): Promise<ConcernedStacks>;
}

/** The parts of a session that other stacks are read with. */
interface ReadingSession {
  documents: Documents;
  ledger: Ledger;
  key: LedgerKey | undefined;
  /** See `RunSession`. */
  openJournalOf?: (stack: string) => Promise<Journal>;
}

/**
 * Wraps stacks that were read already as `OtherStacks`. Used where there is no store to read from, such as for a plan from a snapshot. Each
 * question gets all of them, since none has to be read.
 */
export const knownStacks = (stacks: readonly OtherStack[] | Promise<readonly OtherStack[]>): OtherStacks => ({
  readAll: async () => stacks,
  count: async () => (await stacks).length,
  countReadWithoutIndex: async () => 0,
  readConcerned: async () => ({ stacks: await stacks }),
});

/** Starts to read what other stacks own, which a plan must leave alone: the index of the store or, if it has none, all ledgers. */
export function openOtherStacks(session: ReadingSession): OtherStacks {
  const reader = new IndexedStacks(session);
  reader.start();
  return reader;
}

/** The ledgers of other stacks that were read with an index, by the names that the store has for them. */
type LedgersByName = ReadonlyMap<string, OtherLedgerText>;

/** Reads as few ledgers as the index allows. */
class IndexedStacks implements OtherStacks {
  readonly #session: ReadingSession;
  #index: Promise<OwnershipIndex | undefined> | undefined;
  #all: Promise<readonly OtherStack[]> | undefined;
  /** The ledgers that were read one by one, at first those that the index does not cover. */
  #ledgers: Promise<LedgersByName> | undefined;

  /** Keeps the session. `start` reads. */
  constructor(session: ReadingSession) {
    this.#session = session;
  }

  /**
   * Starts to read what other stacks own, at the same time as the run reads the account, which saves time. With an ownership index it reads
   * the index (which objects each stack owns) and then the ledgers that the index does not cover, because it has no record of their present
   * version. Otherwise it reads all ledgers. The results are kept: planning gets them later with `readConcerned` or `readAll`, which also
   * throw the errors. So errors are ignored here.
   */
  start(): void {
    const { documents, ledger, key } = this.#session;
    const { ownership } = documents;
    // An index that cannot be read is no error, because the ledgers have everything.
    this.#index =
      key && ownership ? openOwnershipIndex(ownership, ledger, key).catch(() => undefined) : undefined;
    const reading = this.#index
      ? this.#index.then(
          async (index): Promise<unknown> => (index ? this.#readLedgers(index.uncovered) : this.readAll()),
        )
      : this.readAll();
    reading.catch(() => {});
  }

  readAll(): Promise<readonly OtherStack[]> {
    this.#all ??= readOtherStacks(this.#session);
    return this.#all;
  }

  /**
   * Returns the number of other stacks, for the line about the ledger that a plan prints. Does not read the ledgers that the ownership
   * index covers: it lists the objects that each stack owns.
   */
  async count(): Promise<number> {
    const index = await this.#index;
    if (!index || this.#all) return (await this.readAll()).length;
    // `start` reads the ledgers that the index does not cover. Reading no others returns all that were read so far.
    const readSoFar = await this.#readLedgers([]);
    const uncovered = new Map([...readSoFar].filter(([name]) => index.uncovered.includes(name)));
    return index.coveredCount + (await this.#parse(uncovered)).length;
  }

  async countReadWithoutIndex(): Promise<number> {
    const stacks = (await this.#index) ? undefined : await this.#all;
    return stacks?.length ?? 0;
  }

  /**
   * Reads the ledgers of those other stacks that may own an object about which `ask` asks, according to the ownership index (it lists the
   * objects that each stack owns), so that a plan leaves these objects alone. Reads all ledgers if there is no index, or if it cannot
   * answer (`all`). The returned `unread` tells which objects belong to stacks whose ledgers were not read. Ledgers that were read earlier
   * are in the result, too.
   */
  async readConcerned(ask: AskAboutOthers): Promise<ConcernedStacks> {
    const index = await this.#index;
    if (!index) return { stacks: await this.readAll() };
    // If the index covers no ledger, all were read one by one, and there is nothing to ask.
    const question = index.coveredCount > 0 ? ask() : undefined;
    if (question === 'all') return { stacks: await this.readAll() };
    const ledgers = await this.#readLedgers(question ? index.find(question) : []);
    const read = new Set(ledgers.keys());
    return {
      stacks: await this.#parse(ledgers),
      unread: { has: (claimKey) => index.isOwned(claimKey, read) },
    };
  }

  /**
   * Reads the ledgers of other stacks with these names, unless they were read before. Returns all that were read so far. Calls wait for
   * each other, so that no ledger is read twice.
   */
  #readLedgers(names: Iterable<string>): Promise<LedgersByName> {
    const before = this.#ledgers ?? Promise.resolve(new Map());
    this.#ledgers = before.then(async (ledgers) => {
      const missing = [...names].filter((name) => !ledgers.has(name));
      if (missing.length === 0) return ledgers;
      const read = await this.#session.documents.ownership!.readLedgers(missing);
      return new Map([...ledgers, ...read.map((ledger) => [ledger.name, ledger] as const)]);
    });
    return this.#ledgers;
  }

  #parse(ledgers: LedgersByName): Promise<OtherStack[]> {
    return parseWithJournals([...ledgers.values()], this.#session);
  }
}

/** Reads the ledgers of all other stacks in the account, to know which objects are theirs. */
export const readOtherStacks = async (session: ReadingSession): Promise<OtherStack[]> =>
  parseWithJournals(await session.documents.readOtherLedgers(), session);

/**
 * Parses the ledgers of other stacks. For those with creations whose outcome is unknown, also reads the journals (changes that
 * the ledger does not have yet) that interrupted runs left on this machine. A plan needs them to leave alone objects that others own.
 * `ledger`: that of this stack, whose account the others must be in.
 */
async function parseWithJournals(
  texts: OtherLedgerText[],
  { ledger, key, openJournalOf }: ReadingSession,
): Promise<OtherStack[]> {
  const otherStacks = parseOtherStacks(texts, ledger, key);
  return Promise.all(
    otherStacks.map(async (other) =>
      other.begun ? withJournal(other, ledger, await openJournalOf?.(other.stack)) : other,
    ),
  );
}

/**
 * Returns another stack with what its last run has done since it stored its ledger, if that run was
 * interrupted: the changes in its journal (the file beside the ledger) or, without a journal that a key verifies, all
 * unfinished creations as sent. So this run does not take over an object that the other stack created. Throws
 * `Problems` if the journal is damaged.
 */
async function withJournal(
  other: OtherStack,
  { baseUrl, owner }: Pick<Ledger, 'baseUrl' | 'owner'>,
  journal: Journal | undefined,
): Promise<OtherStack> {
  const { stack, generation = 0, entries } = other;
  const ledger = { ...emptyLedger(baseUrl, owner, stack), generation, entries, begun: other.begun };
  const replayed = await journal?.replayOnto(ledger);
  const isReplayed = replayed?.proof !== undefined && isVerified(replayed.proof);
  const nextRunLedger = isReplayed ? replayed.ledger : assumeIntentsSent(ledger);
  return { ...other, entries: nextRunLedger.entries, begun: nextRunLedger.begun };
}
