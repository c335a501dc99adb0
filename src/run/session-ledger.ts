import type { Lease } from '../ledger/keep-lease.ts';
import { copiedLedgerProblem, type LedgerStore } from '../ledger/ledger-store.ts';
import { isVerified } from '../ledger/proof.ts';
import { raise } from '../model/diagnostic.ts';
import { digestKeysOf, type LedgerKey } from '../model/digest.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import type { Sealed } from '../model/sealed.ts';
import { openOtherStacks, readOtherStacks } from './other-stacks.ts';
import type { RunSession } from './session.ts';

/** A session without the members that come from its ledger. */
export interface SessionOptions extends Omit<RunSession, 'ledger' | 'otherStacks' | 'lease'> {
  /** The base URL of the platform's API. A ledger belongs to one. */
  baseUrl: string;
}

/**
 * Reads the ledger of a stack and completes a session with it, so that the stack can be planned. Starts to read the ledgers of the other
 * stacks, too. Throws `Problems` if the ledger belongs to another account or stack, was copied elsewhere, or cannot be understood.
 */
export async function openSessionLedger({
  baseUrl,
  ...sessionOptions
}: SessionOptions): Promise<Omit<RunSession, 'lease'>> {
  const { owner, desired, store, masking, key, clock } = sessionOptions;
  const identity = { baseUrl, owner: owner.id, stack: desired.stack };
  const ledger = await readOwnLedger(store, identity, clock.now());
  for (const secret of keySecrets(key)) masking.addSecret(secret);
  const otherStacks = openOtherStacks({ ...sessionOptions, ledger });
  const { areOthersUnknown = false } = sessionOptions.documents;
  return { ...sessionOptions, ledger, otherStacks, areOthersUnknown };
}

/**
 * Creates a function to read the ledgers of the stacks with these names: the partners, approved together with
 * this stack. Objects that they are just creating must not be taken over. Reads their ledgers again on each
 * call, because they are being applied. Ledgers that the key does not verify are left out.
 */
export const createPartnersReader =
  (session: RunSession, names: ReadonlySet<string>) => async (): Promise<readonly OtherStack[]> => {
    const otherStacks = await readOtherStacks(session);
    return otherStacks.filter(({ stack, isVerified }) => isVerified && names.has(stack));
  };

/**
 * Adds the lease (the right of one run to write the ledger) to a session, before anything is written. Reads the ledger again, because
 * another run may have changed it before the lease was taken. Throws `Problems` if the ledger cannot be understood, was copied elsewhere,
 * belongs to another account or stack, or has an unverified signature. The session then keeps the lease until the caller releases it.
 */
export async function lockSessionLedger<L extends Lease>(
  session: RunSession & { lease?: L },
  lease: L,
): Promise<void> {
  session.lease = lease;
  session.ledger = await readOwnLedger(session.store, session.ledger, session.clock.now());
  // Throws if the signature of the ledger that was just read is not verified.
  session.store.requireVerified();
}

/** Returns the secrets of a ledger key and of the key before it, so that no output shows them. */
const keySecrets = (key: LedgerKey | undefined): Sealed[] => [
  ...digestKeysOf(key).map(({ secret }) => secret),
  ...[key, key?.previous].flatMap((ledgerKey) => Object.values(ledgerKey?.signing ?? {})),
];

/**
 * Reads the ledger of a stack, or returns an empty one if there is none. `identity`: the account and stack that the ledger must belong to.
 * Throws `Problems` if it belongs to others, or if it was copied to another place, because it is out of date then. If its last write is in
 * the future, because the clock of another machine was ahead, the ledger has the time `now` instead.
 */
async function readOwnLedger(store: LedgerStore, identity: LedgerIdentity, now: number): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger) return emptyLedger(identity.baseUrl, identity.owner, identity.stack);
  const proof = store.proof();
  const isTrusted = proof !== undefined && isVerified(proof);
  const hasNoKey = proof !== undefined && 'doubt' in proof && proof.doubt === 'no-key';
  // A forged mark must not send users to another ledger, so it only counts if it is verified or if there is no key to verify it.
  if (ledger.copiedTo !== undefined && (isTrusted || hasNoKey))
    raise(copiedLedgerProblem(store.place, ledger.copiedTo, isTrusted));
  refuseForeignLedger(ledger, identity, store.place);
  return withoutFutureWrite(ledger, now);
}

/** The account and the stack that a ledger belongs to. */
type LedgerIdentity = Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>;

/** Throws `Problems` if a ledger belongs to another account or stack than this one (`identity`). */
function refuseForeignLedger(ledger: LedgerIdentity, identity: LedgerIdentity, place: string): void {
  const nouns = { baseUrl: 'base URL', owner: 'account', stack: 'stack' };
  const members = ['baseUrl', 'owner', 'stack'] as const;
  const wrongMembers = members.filter((name) => ledger[name] !== identity[name]);
  if (wrongMembers.length === 0) return;
  const wrongNouns = wrongMembers.map((name) => nouns[name]).join(' and ');
  const differences = wrongMembers.map((name) => `${ledger[name]}, not ${identity[name]}`).join('; ');
  raise('ledger/foreign', `the ledger ${place} belongs to a different ${wrongNouns}: ${differences}`, {
    hint: 'check `platform:`, the token and --base-url; for a different account use a different stack name or --ledger',
  });
}

/**
 * Returns a ledger whose last write is not in the future. The clock of the machine that wrote it may be ahead, and a plan would wait too
 * long until the platform's lists show that write.
 */
const withoutFutureWrite = (ledger: Ledger, now: number): Ledger =>
  ledger.lastWrite !== undefined && Date.parse(ledger.lastWrite) > now
    ? { ...ledger, lastWrite: new Date(now).toISOString() }
    : ledger;

/** Takes the lease of a session that has none yet. */
type TakeLock = () => Promise<void>;

/**
 * Records the sources of secrets and variables in the ledger after an apply that had nothing to do, so that the next plan does not show
 * them as changed again. True if the ledger was written. If there is no ledger yet, or if it was changed since the plan, this is left to
 * the next apply.
 */
export async function recordSources(
  session: RunSession,
  { plan, ledger }: { plan: Plan; ledger: Ledger },
  lock: TakeLock,
): Promise<boolean> {
  const currentSources = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const recordedSources = session.ledger.sources ?? {};
  const names = new Set([...Object.keys(currentSources), ...Object.keys(recordedSources)]);
  const areEqual = [...names].every((name) => currentSources[name] === recordedSources[name]);
  const isThere = session.ledger.generation > 0;
  if (areEqual || !isThere) return false;
  if (!session.lease) await lock();
  // The lock has read the ledger again.
  if (session.ledger.generation !== ledger.generation) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: currentSources });
  return true;
}

/**
 * Writes the ledger again although nothing was applied, if the previous key signed it or an interrupted run left a journal (a file with
 * changes that the stored ledger lacks). So one apply is enough to retire a key, and no journal outlives the next apply. `lock`: takes
 * the lease of the ledger, if the session has none. True if it was written.
 */
export async function rewriteLedger(session: RunSession, lock: TakeLock): Promise<boolean> {
  const isOutdated = () => {
    const { store } = session;
    const proof = store.proof();
    if (proof && !isVerified(proof)) return false;
    return proof?.previous === true || store.journalText() !== undefined;
  };
  if (!isOutdated()) return false;
  if (!session.lease) await lock();
  // The lock has read the ledger again: another run may have written it meanwhile.
  if (!isOutdated()) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  return true;
}
