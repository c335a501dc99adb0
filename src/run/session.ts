import type { LookupGround } from '../action/read-lookup.ts';
import type { DayTwo } from '../kind/action.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Connection, Owner } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import type { Lease, LeaseClock } from '../ledger/lease.ts';
import { copiedAway, type LedgerStore } from '../ledger/ledger-store.ts';
import { otherStacks } from '../ledger/other-ledgers.ts';
import { isVerified } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { emptyLedger, type Ledger, type OtherStack } from '../model/ledger.ts';
import { type LedgerKey, makersOf } from '../model/ledger-key.ts';
import type { Masking } from '../model/masking.ts';
import type { Account, Plan, PlanGuards } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { SiblingStack } from '../plan/input.ts';
import type { LookUp } from './look-up-values.ts';

/** All that planning and applying need: the configuration, the account, the ledger, the secrets. Needs no terminal. */
export interface Session {
  desired: Desired;
  /** The sources of secrets and variables: `env DATABASE_URL` by `secret database`. */
  origins: ReadonlyMap<string, string>;
  secrets: ReadonlyMap<string, Sealed>;
  /** The objects whose secrets may be copied although this stack does not own them. */
  allowLive?: ReadonlySet<Address>;
  /** Finds these, the token and other secrets of the environment in text of the account; by default, only these. */
  isSecretOfRun?: SecretFinder | undefined;
  /** Masks these and the other secrets of the run. */
  masking: Masking;
  /** The warnings of the configuration and its secrets. */
  diagnostics: Diagnostic[];
  kinds: Kinds;
  connection: Pick<Connection, 'send' | 'reserve' | 'release' | 'announce' | 'paceNow' | 'events'>;
  owner: Owner;
  /** The owner for people. */
  account: Account;
  store: LedgerStore;
  ledger: Ledger;
  /** Other stacks of the same store, with what they own in this account; read while the account is. */
  others: Promise<readonly OtherStack[]>;
  /** The store cannot list its ledgers, so there may be other stacks. */
  areOthersUnknown?: boolean;
  /** See `PlanOptions`. */
  siblings?: readonly SiblingStack[];
  /** Judge each plan by the operator's rules; nothing that they refuse is applied. */
  guards?: PlanJudge;
  /** Loads the actions and lookups on first use; `queryOf`: the query parameters that an endpoint takes. */
  dayTwo(): Promise<DayTwo & Pick<LookupGround, 'queryOf'>>;
  /** Reads what a lookup of the configuration finds now. */
  lookUp: LookUp;
  /** Nothing is applied without it. */
  lease?: Lease;
  key: LedgerKey | undefined;
  /** The run may write: see `PlanInput`. */
  writes?: boolean;
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** HTTP requests made so far: every attempt, including the one for the account. */
  sent(): number;
  /** Tells a person something meanwhile. */
  say(text: string): void;
}

/** The guards of a run. */
export interface PlanJudge extends Omit<PlanGuards, 'verdict'> {
  /** Their refusals and warnings about a plan, with the renames that it makes. */
  judge(plan: Plan, formerOf?: (address: Address) => Address): Promise<Diagnostic[]>;
}

interface SessionOptions extends Omit<Session, 'ledger' | 'others' | 'lease'> {
  /** The account's address; a ledger belongs to one. */
  baseUrl: string;
  documents: Documents;
}

/** Opens the ledger of a session. Throws `Problems` if it belongs to another account, or is not understood. */
export async function openSession({
  baseUrl,
  documents,
  ...given
}: SessionOptions): Promise<Omit<Session, 'lease'>> {
  const { owner, desired, store, masking, key, clock } = given;
  const mine = { baseUrl, owner: owner.id, stack: desired.stack };
  const ledger = await ownLedger(store, mine, clock.now());
  for (const secret of secretsOf(key)) masking.know(secret);
  const others = documents.others().then((texts) => otherStacks(texts, ledger, key));
  // Whoever plans waits for it, and is told.
  others.catch(() => {});
  const { areOthersUnknown = false } = documents;
  return { ...given, ledger, others, areOthersUnknown };
}

/** Makes this run the only one that writes the ledger: takes its lease, and reads it again. Throws `Problems` if it is not verified. */
export async function lockSession<L extends Lease>(
  session: Session & { lease?: L },
  lease: L,
): Promise<void> {
  session.lease = lease;
  session.ledger = await ownLedger(session.store, session.ledger, session.clock.now());
  session.store.requireVerified();
}

const secretsOf = (key: LedgerKey | undefined): Sealed[] => [
  ...makersOf(key).map(({ secret }) => secret),
  ...[key, key?.previous].flatMap((one) => Object.values(one?.signing ?? {})),
];

/** A ledger belongs to one base URL, owner and stack, and is refused elsewhere. */
async function ownLedger(
  store: LedgerStore,
  mine: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  now: number,
): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger) return emptyLedger(mine.baseUrl, mine.owner, mine.stack);
  const proof = store.proof();
  const isKnown = proof !== undefined && isVerified(proof);
  // What it says is old by now, so not even a plan is made of it. A mark of another hand leads nobody anywhere.
  if (ledger.copiedTo !== undefined && (isKnown || (proof && 'doubt' in proof && proof.doubt === 'no-key')))
    throw copiedAway(store.place, ledger.copiedTo, isKnown);
  const wrong = (['baseUrl', 'owner', 'stack'] as const).filter((name) => ledger[name] !== mine[name]);
  if (wrong.length === 0) return notAhead(ledger, now);
  const names = { baseUrl: 'base URL', owner: 'account', stack: 'stack' };
  throw new Problems([
    problem(
      'ledger/foreign',
      `the ledger ${store.place} belongs to a different ${wrong.map((name) => names[name]).join(' and ')}: ${wrong.map((name) => `${ledger[name]}, not ${mine[name]}`).join('; ')}`,
      {
        hint: 'check `platform:`, the token and --base-url; for a different account use a different stack name or --ledger',
      },
    ),
  ]);
}

/** By the clock of another machine it may have been written later than now: it was just now at the latest, and no longer is waited for it. */
const notAhead = (ledger: Ledger, now: number): Ledger =>
  ledger.lastWrite !== undefined && Date.parse(ledger.lastWrite) > now
    ? { ...ledger, lastWrite: new Date(now).toISOString() }
    : ledger;

/** Takes the lease of a session that has none yet. */
type Lock = () => Promise<void>;

/**
 * Records the sources of secrets and variables after an apply that changed nothing else. If there is no ledger yet, or somebody else wrote
 * it meanwhile, the next apply does that. True if it was written.
 */
export async function recordSources(
  session: Session,
  { plan, ledger }: { plan: Plan; ledger: Ledger },
  lock: Lock,
): Promise<boolean> {
  const now = Object.fromEntries((plan.sources ?? []).map(({ name, source }) => [name, source]));
  const known = session.ledger.sources ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(known)]);
  const isSame = [...names].every((name) => now[name] === known[name]);
  if (isSame || session.ledger.generation === 0) return false;
  if (!session.lease) await lock();
  if (session.ledger.generation !== ledger.generation) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write({ ...session.ledger, sources: now });
  return true;
}

/** Signs the ledger anew if the previous key signed it, so that one apply is enough to retire that key. True if it was written. */
export async function signAnew(session: Session, lock: Lock): Promise<boolean> {
  const isPrevious = () => {
    const proof = session.store.proof();
    return proof !== undefined && isVerified(proof) && proof.previous === true;
  };
  if (!isPrevious()) return false;
  if (!session.lease) await lock();
  if (!isPrevious()) return false;
  await session.lease!.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  return true;
}
