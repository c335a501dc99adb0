import { type Host, listenToSignals } from '../../host.ts';
import type { Documents } from '../../ledger/documents.ts';
import { summarizeClaims } from '../../plan/summarize-claims.ts';
import type { RunSession } from '../../run/session.ts';

/**
 * The milliseconds after which an update of the index is given up. A store that answers slowly must not hold up the end of a run for
 * longer.
 */
const maxDuration = 60_000;

/** A ledger whose record in the ownership index is renewed. */
interface IndexedLedger extends Pick<RunSession, 'kinds' | 'key'> {
  host: Host;
  documents: Pick<Documents, 'ownership'>;
}

/** The parts of a session whose claims are indexed. */
interface IndexedSession extends IndexedLedger, Pick<RunSession, 'otherStacks'> {
  isIndexOutdated?: boolean;
}

/**
 * Replaces the record of this stack in the ownership index of its store (which objects each stack owns, so that plans need not read all
 * ledgers), or builds the index if there is none and this run had to read many ledgers. Does nothing if the session has released no lease
 * since the last call (`isIndexOutdated`). Never throws; see `indexLedger`.
 */
export async function indexClaims(session: IndexedSession): Promise<void> {
  if (!session.isIndexOutdated) return;
  session.isIndexOutdated = false;
  await indexLedger(session, () => session.otherStacks.countReadWithoutIndex());
}

/**
 * Replaces the record of a ledger in the ownership index of its store (which objects each stack owns). Called after the lease of a written
 * ledger was released, so that the next plans of other stacks need not read it. Never throws, and a signal or `maxDuration` ends only the
 * update: until one succeeds, those plans read the ledger itself. Does nothing without a key or an index store. `countLedgersRead`: returns
 * how many ledgers this run has read for want of an index; with many, the update builds one.
 */
export async function indexLedger(
  { documents: { ownership }, host, kinds, key }: IndexedLedger,
  countLedgersRead: () => Promise<number> = async () => 0,
): Promise<void> {
  if (!key || !ownership) return;
  const { updateOwnershipIndex } = await import('../../ledger/write-ownership-index.ts');
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(maxDuration)]);
  const update = async () => {
    const ledgersRead = await countLedgersRead();
    const summarize = (entries: Parameters<typeof summarizeClaims>[0]) => summarizeClaims(entries, kinds);
    await updateOwnershipIndex(ownership, summarize, key, { ledgersRead, signal });
  };
  const stopListening = listenToSignals(host, () => stop.abort());
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([update().catch(() => {}), aborted]);
  stopListening();
}
