import type { Documents } from '../ledger/documents.ts';
import { assumeIntentsSent } from '../ledger/journal.ts';
import type { LeaseClock } from '../ledger/keep-lease.ts';
import { createSoleLease } from '../ledger/lease.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Desired } from '../model/resource.ts';
import type { RunSession } from '../run/session.ts';
import type { RehearsalTwin } from './open-twin.ts';

/** A ledger in memory, for one run of a rehearsal. */
export interface MemoryLedger {
  store: LedgerStore;
  /** Returns the ledger that a later run finds. `isJournalLost`: as if the machine of the run were lost with its journal. */
  stored(isJournalLost?: boolean): Ledger;
}

/** What happens before each write of a ledger in memory. It may throw. */
export type BeforeLedgerWrite = (write: 'ledger' | 'journal') => void;

/**
 * Creates a ledger in memory, so that a run of a rehearsal can write one without touching the real ledger. `initial`: the ledger that the
 * run finds. `proof`: which key signed the real ledger (`proof.ts`), because a rehearsal trusts its ledger as far as the real run trusts
 * the real one. `beforeWrite` can throw to stop the run like a crash. `stored` returns the ledger that the next run then finds, also as if
 * the journal of the stopped run was lost.
 */
export function createMemoryLedger(
  initial: Ledger,
  proof: LedgerStore['proof'],
  beforeWrite: BeforeLedgerWrite = () => {},
): MemoryLedger {
  // The ledger as it was last written, and with the lines of the journal since then.
  let written = initial;
  let journaled = initial;
  const store: LedgerStore = {
    place: '(rehearsal)',
    read: async () => journaled,
    proof,
    journalText: () => undefined,
    requireVerified: () => {},
    write: async (ledger) => {
      beforeWrite('ledger');
      written = { ...ledger, generation: ledger.generation + 1 };
      journaled = written;
      return written;
    },
    appendToJournal: async (ledger) => {
      beforeWrite('journal');
      journaled = { ...ledger, generation: written.generation };
    },
    startJournal: async () => beforeWrite('journal'),
    close: async () => {},
  };
  return {
    store,
    stored: (isJournalLost = false) => (isJournalLost ? assumeIntentsSent(written) : journaled),
  };
}

/** Stands for the documents beside the ledger, such as the records of runs. A rehearsal must not use them, so each use throws. */
const noDocuments = new Proxy({} as Documents, {
  get: (_, name) => {
    if (name === 'ownership' || name === 'areOthersUnknown' || name === 'then') return undefined;
    throw new Error(`a rehearsal uses no documents, but asked for ${String(name)}`);
  },
});

/**
 * The part of the real session that a rehearsal gets. It does not get the connection, the documents and the lease, with which it could
 * change the account and the ledger.
 */
export interface RehearsedSession
  extends Pick<
    RunSession,
    | 'origins'
    | 'secrets'
    | 'allowLive'
    | 'isSecretOfRun'
    | 'masking'
    | 'kinds'
    | 'owner'
    | 'account'
    | 'ledger'
    | 'otherStacks'
    | 'areOthersUnknown'
    | 'siblings'
    | 'actionsAndLookups'
    | 'key'
  > {
  store: Pick<LedgerStore, 'proof'>;
  clock: Pick<LeaseClock, 'now'>;
}

interface RehearsalSessionOptions {
  rehearsalTwin: RehearsalTwin;
  desired: Desired;
  secrets: RunSession['secrets'];
  ledger: Ledger;
  store: LedgerStore;
  key: LedgerKey;
  clock: LeaseClock;
}

/**
 * Returns the session of a run like `session`, but with the account of a twin (the simulated account of a rehearsal) and a ledger in
 * memory: it can neither reach the real account, nor write the real ledger or any other document. `desired` has the objects that lookups
 * found in the real account, so that nothing is looked up in the twin.
 */
export function createRehearsalSession(
  session: RehearsedSession,
  { rehearsalTwin, desired, secrets, ledger, store, key, clock }: RehearsalSessionOptions,
): RunSession {
  const { connection, owner } = rehearsalTwin;
  return {
    desired,
    origins: session.origins,
    secrets,
    ...(session.allowLive ? { allowLive: session.allowLive } : {}),
    isSecretOfRun: session.isSecretOfRun,
    masking: session.masking,
    diagnostics: [],
    kinds: session.kinds,
    connection,
    // The facts of the real account decide how kinds behave, so that both plans are made by the same rules.
    owner: { ...owner, facts: { ...owner.facts, ...session.owner.facts } },
    account: session.account,
    store,
    documents: noDocuments,
    ledger,
    otherStacks: session.otherStacks,
    areOthersUnknown: session.areOthersUnknown ?? false,
    siblings: session.siblings,
    actionsAndLookups: session.actionsAndLookups,
    lookUp: async () => {
      throw new Error('a rehearsal looks nothing up');
    },
    lease: createSoleLease(),
    key,
    writes: true,
    clock,
    sent: () => new Map(),
    say: () => {},
  };
}
