import { type Host, listenToSignals } from '../../host.ts';
import { summarizeClaims } from '../../plan/summarize-claims.ts';
import type { RunSession } from '../../run/session.ts';

/** The milliseconds after which an update of the index is given up. A store that answers slowly must not hold up the end of a run for longer. */
const maxDuration = 60_000;

/** The parts of a session whose claims are indexed. */
interface IndexedSession extends Pick<RunSession, 'documents' | 'kinds' | 'key' | 'otherStacks'> {
  host: Host;
  isIndexOutdated?: boolean;
}

/**
 * Replaces the record of this stack in the ownership index of its store, or begins an index if this run missed one. Does nothing if the session has had no
 * lease since the last call. Never throws, because other stacks read this ledger instead of its record until an update succeeds. For the same reason a
 * signal ends only the update: the run still has to return its result.
 */
export async function indexClaims(session: IndexedSession): Promise<void> {
  const { documents, host, kinds, key, otherStacks, isIndexOutdated } = session;
  const { ownership } = documents;
  if (!isIndexOutdated || !key || !ownership) return;
  session.isIndexOutdated = false;
  const { updateOwnershipIndex } = await import('../../ledger/write-ownership-index.ts');
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(maxDuration)]);
  const update = async () => {
    const ledgersRead = await otherStacks.countReadWithoutIndex();
    const summarize = (entries: Parameters<typeof summarizeClaims>[0]) => summarizeClaims(entries, kinds);
    await updateOwnershipIndex(ownership, summarize, key, { ledgersRead, signal });
  };
  const stopListening = listenToSignals(host, () => stop.abort());
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([update().catch(() => {}), aborted]);
  stopListening();
}
