import type { LookupGround } from '../action/read-lookup.ts';
import type { DayTwo } from '../kind/action.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Connection, Owner } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import type { Lease, LeaseClock } from '../ledger/lease.ts';
import { copiedLedgerProblems, type LedgerStore } from '../ledger/ledger-store.ts';
import { parseOtherStacks } from '../ledger/other-ledgers.ts';
import { isVerified } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../model/ledger.ts';
import { type LedgerKey, makersOf } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Account, Plan, PlanGuards } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { SiblingStack } from '../plan/input.ts';
import type { LookUp } from './look-up-values.ts';

/** Everything that planning and applying one stack need: configuration, account, ledger and secrets. It is used without a terminal, too. */
export interface Session {
  desired: Desired;
  /** The sources of secrets and variables, by name: `env DATABASE_URL` for `secret database`. */
  origins: ReadonlyMap<string, string>;
  secrets: ReadonlyMap<string, Sealed>;
  /** The objects whose secrets may be copied although this stack does not own them. */
  allowLive?: ReadonlySet<Address>;
  /** Finds secrets of this run in text of the account: `secrets`, the token, and other secrets of the environment. Default: only `secrets`. */
  isSecretOfRun?: SecretFinder | undefined;
  /** Masks the secrets of the run in texts. */
  masking: Masking;
  /** The warnings of the configuration and its secrets. */
  diagnostics: Diagnostic[];
  kinds: Kinds;
  connection: Pick<Connection, 'send' | 'reserve' | 'release' | 'announce' | 'paceNow' | 'events'>;
  owner: Owner;
  /** The name of the owner for people. */
  account: Account;
  store: LedgerStore;
  ledger: Ledger;
  /** The other stacks of the same store with their objects in this account. They are read while the account is read. */
  others: Promise<readonly OtherStack[]>;
  /** Reads the ledgers of the stacks that were approved together with this one and are applied together. Absent if there are none. */
  readPartners?: () => Promise<readonly OtherStack[]>;
  /** True if the store cannot list its ledgers, so that there may be unknown other stacks. */
  areOthersUnknown?: boolean;
  /** See `PlanOptions`. */
  siblings?: readonly SiblingStack[];
  /** Judges each plan by the operator's rules. A refused plan is not applied. */
  guards?: PlanJudge;
  /** Loads the actions and lookups on first use; `queryOf`: the query parameters that an endpoint takes. */
  dayTwo(): Promise<DayTwo & Pick<LookupGround, 'queryOf'>>;
  /** Reads the object that a lookup of the configuration finds. */
  lookUp: LookUp;
  /** The lease of the ledger, which applying requires. */
  lease?: Lease;
  key: LedgerKey | undefined;
  /** True if the run may write: see `PlanInput`. */
  writes?: boolean;
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** Returns the number of HTTP requests so far, with every attempt and the one for the account. */
  sent(): number;
  /** Shows a message to the user. */
  say(text: string): void;
}

/** The guards of a run, which judge its plans. */
export interface PlanJudge extends Omit<PlanGuards, 'verdict'> {
  /** Returns the refusals and warnings about a plan. `formerOf`: returns the address before the renames of the plan. */
  judge(plan: Plan, formerOf?: (address: Address) => Address): Promise<Diagnostic[]>;
}

interface SessionOptions extends Omit<Session, 'ledger' | 'others' | 'lease'> {
  /** The base URL of the platform's API. A ledger belongs to one. */
  baseUrl: string;
  documents: Documents;
}

/**
 * Reads the ledger of a stack and completes a session with it. Throws `Problems` if the ledger belongs to another account or stack, was copied
 * elsewhere, or cannot be understood.
 */
export async function openSession({
  baseUrl,
  documents,
  ...sessionOptions
}: SessionOptions): Promise<Omit<Session, 'lease'>> {
  const { owner, desired, store, masking, key, clock } = sessionOptions;
  const identity = { baseUrl, owner: owner.id, stack: desired.stack };
  const ledger = await readOwnLedger(store, identity, clock.now());
  for (const secret of keySecrets(key)) masking.know(secret);
  const others = documents.readOtherLedgers().then((texts) => parseOtherStacks(texts, ledger, key));
  // Planning awaits it and reports its error, so the rejection is handled.
  others.catch(() => {});
  const { areOthersUnknown = false } = documents;
  return { ...sessionOptions, ledger, others, areOthersUnknown };
}

/** Creates `Session.readPartners` for the stacks with these names. Only ledgers that the key verifies count. */
export const createPartnersReader =
  (session: Session & { documents: Documents }, names: ReadonlySet<string>) =>
  async (): Promise<readonly OtherStack[]> => {
    const { documents, ledger, key } = session;
    const others = parseOtherStacks(await documents.readOtherLedgers(), ledger, key);
    return others.filter(({ stack, isVerified }) => isVerified && names.has(stack));
  };

/**
 * Makes a session the only one that writes its ledger: adds the lease, and reads the ledger again, because it may have changed before the lease was
 * taken. Throws `Problems` if the ledger's signature is not verified.
 */
export async function lockSession<L extends Lease>(
  session: Session & { lease?: L },
  lease: L,
): Promise<void> {
  session.lease = lease;
  session.ledger = await readOwnLedger(session.store, session.ledger, session.clock.now());
  session.store.requireVerified();
}

/** Returns the secrets of a ledger key and of the key before it, for masking. */
const keySecrets = (key: LedgerKey | undefined): Sealed[] => [
  ...makersOf(key).map(({ secret }) => secret),
  ...[key, key?.previous].flatMap((ledgerKey) => Object.values(ledgerKey?.signing ?? {})),
];

/**
 * Reads the ledger of a stack, or returns an empty one if there is none. Throws `Problems` if the ledger belongs to another base URL, owner or stack,
 * or if it was copied to another place, because it is out of date then.
 */
async function readOwnLedger(
  store: LedgerStore,
  identity: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  now: number,
): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger) return emptyLedger(identity.baseUrl, identity.owner, identity.stack);
  const proof = store.proof();
  const isTrusted = proof !== undefined && isVerified(proof);
  // A forged mark must not send users to another ledger, so it only counts if it is verified or if there is no key to verify it.
  if (ledger.copiedTo !== undefined && (isTrusted || (proof && 'doubt' in proof && proof.doubt === 'no-key')))
    throw copiedLedgerProblems(store.place, ledger.copiedTo, isTrusted);
  const wrongMembers = (['baseUrl', 'owner', 'stack'] as const).filter(
    (name) => ledger[name] !== identity[name],
  );
  if (wrongMembers.length === 0) return withoutFutureWrite(ledger, now);
  const names = { baseUrl: 'base URL', owner: 'account', stack: 'stack' };
  throw new Problems(
    'ledger/foreign',
    `the ledger ${store.place} belongs to a different ${wrongMembers.map((name) => names[name]).join(' and ')}: ${wrongMembers.map((name) => `${ledger[name]}, not ${identity[name]}`).join('; ')}`,
    {
      hint: 'check `platform:`, the token and --base-url; for a different account use a different stack name or --ledger',
    },
  );
}

/**
 * Returns a ledger whose last write is not in the future. The clock of another machine may be ahead, and later steps would wait too long for that
 * write to settle.
 */
const withoutFutureWrite = (ledger: Ledger, now: number): Ledger =>
  ledger.lastWrite !== undefined && Date.parse(ledger.lastWrite) > now
    ? { ...ledger, lastWrite: new Date(now).toISOString() }
    : ledger;

/** Takes the lease of a session that has none yet. */
type TakeLock = () => Promise<void>;

/**
 * Records the sources of secrets and variables in the ledger after an apply that had nothing to do, so that the next plan does not show them as changed
 * again. True if the ledger was written. If there is no ledger yet, or if it was changed since the plan, this is left to the next apply.
 */
export async function recordSources(
  session: Session,
  { plan, ledger }: { plan: Plan; ledger: Ledger },
  lock: TakeLock,
): Promise<boolean> {
  const currentSources = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const recordedSources = session.ledger.sources ?? {};
  const names = new Set([...Object.keys(currentSources), ...Object.keys(recordedSources)]);
  const areEqual = [...names].every((name) => currentSources[name] === recordedSources[name]);
  if (areEqual || session.ledger.generation === 0) return false;
  if (!session.lease) await lock();
  if (session.ledger.generation !== ledger.generation) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: currentSources });
  return true;
}

/**
 * Writes the ledger again although nothing was applied, if the previous key signed it or an interrupted run left a journal. So one apply is
 * enough to retire a key, and no journal outlives the next apply. True if it was written.
 */
export async function rewriteLedger(session: Session, lock: TakeLock): Promise<boolean> {
  const isOutdated = () => {
    const { store } = session;
    const proof = store.proof();
    if (proof && !isVerified(proof)) return false;
    return proof?.previous === true || store.journalText() !== undefined;
  };
  if (!isOutdated()) return false;
  if (!session.lease) await lock();
  if (!isOutdated()) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  return true;
}
