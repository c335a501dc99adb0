import type { Configuration } from '../../config/configuration.ts';
import type { Sources } from '../../config/sources/sources.ts';
import type { Host } from '../../host.ts';
import type { Address } from '../../model/address.ts';
import { raise } from '../../model/diagnostic.ts';
import type { LedgerKey } from '../../model/digest.ts';
import type { RunSession } from '../../run/session.ts';
import { lockSessionLedger } from '../../run/session-ledger.ts';
import type { SessionRecording } from '../../snapshot/recording.ts';
import type { HeldLease } from '../../stores/hold-lease.ts';
import { refuseEphemeral, type SettledLedgerChoice } from '../../stores/ledger-choice.ts';
import { createFirstKey, openLedgerStore, refuseNewKey } from '../../stores/open-ledger.ts';
import type { Port } from '../port.ts';
import type { StackOptions } from '../stack-options.ts';
import { indexClaims } from './index-claims.ts';

/** A session of one stack: everything that planning and applying it need, with the configuration and the lease of the run. */
export interface Session extends RunSession {
  host: Host;
  /** The place of the ledger, as the options or the repository choose it. */
  ledgerChoice: SettledLedgerChoice;
  configuration: Configuration;
  sources: Sources;
  /** Present while this run is the only writer of the ledger. Nothing is applied without it. */
  lease?: HeldLease;
  /** True if the session has released a lease, and so may have changed the version of its ledger, since the ownership index was updated. */
  isIndexOutdated?: boolean;
  /** Returns the addresses that the stacks applied together with this one changed. Verification does not report their changes as drift. */
  findChangedByPartners?(): Promise<ReadonlySet<Address>>;
  /** Called when the lease is released. Other stacks of the command that write to the same lists start then. */
  onUnlock?(): void;
  /** What the session observed, if it is recorded for a snapshot. */
  recording?: SessionRecording | undefined;
  close(): Promise<void>;
}

/**
 * Makes a session the only writer of its ledger: takes the lease and reads the ledger again. Needed before anything is applied. Throws
 * `Problems` if another run has the lease (they name it), or if the ledger key does not verify the ledger.
 */
export async function lockSession(session: Session, options: StackOptions, port: Port): Promise<void> {
  const { holdLease } = await import('../../stores/hold-lease.ts');
  await lockSessionLedger(session, await holdLease(session.documents, options, port));
}

/**
 * Releases the lease (the right to write the ledger), if this session has it, so that other runs can write the ledger. Called before long
 * waits, and by `endWriting`.
 */
export async function unlockSession(session: Session): Promise<void> {
  const { lease, store } = session;
  // Closing the store removes leftovers of an earlier run, if it can. If the lease is lost, another run owns those files. `store` must be
  // the session's current store: `requireKey` replaces it when it creates the first key, and only the new one knows the unfinished writes.
  if (lease && !lease.lost.aborted) await store.close().catch(() => {});
  await lease?.release();
  if (lease && !lease.lost.aborted) session.isIndexOutdated = true;
  delete session.lease;
  session.onUnlock?.();
}

/**
 * Releases the lease of a session that writes no more, and then updates the ownership index. Not before the release, because in some stores
 * the lease is part of the version of the ledger, and because other runs need not wait for the index.
 */
export async function endWriting(session: Session): Promise<void> {
  await unlockSession(session);
  await indexClaims(session);
}

/**
 * Throws `Problems` if this run may not write the ledger: it would be lost after a CI job, the stack may have another ledger, a first key
 * may not be created here, or the key does not verify it. Used as early as possible, so that no work is lost.
 */
export function requireWritable(session: Session, options: StackOptions): void {
  const { ephemeralLedger } = options;
  refuseEphemeral({ ...session.ledgerChoice, ephemeralLedger }, session.host);
  const { ledgerDoubt } = session.ledgerChoice;
  // Only a new ledger can be doubtful: there may be another one, which this run does not know.
  if (ledgerDoubt && !session.store.proof()) raise(ledgerDoubt);
  if (!session.key) refuseNewKey(session, options, session.host);
  session.store.requireVerified();
}

/**
 * Returns the key that signs a written ledger or seals a plan for its approval (`plan --out`). On a developer's machine it creates the
 * first key, and opens the store again with it. Throws `Problems` if there is no key and this run may not create one.
 */
export async function requireKey(session: Session, options: StackOptions): Promise<LedgerKey> {
  if (session.key) return session.key;
  session.key = await createFirstKey(session, options, session.host);
  const { configuration, documents, host, key, ledgerChoice } = session;
  session.store = await openLedgerStore(configuration.desired.stack, ledgerChoice, host, key, documents);
  return session.key;
}
