import type { LookupContext } from '../action/read-lookup.ts';
import type { ActionsAndLookups } from '../kind/action.ts';
import type { Kinds } from '../kind/kind.ts';
import type { View } from '../kind/meaning.ts';
import type { Connection, Owner, Provider } from '../kind/provider.ts';
import type { Documents } from '../ledger/documents.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Lease, LeaseClock } from '../ledger/keep-lease.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { Masking } from '../model/masking.ts';
import type { Account, Plan, PlanGuards, RequestCounts } from '../model/plan.ts';
import type { Desired } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { SiblingStack } from '../plan/input.ts';
import type { LookUp } from './look-up-values.ts';
import type { OtherStacks } from './other-stacks.ts';

/** The part of a session that planning and applying one stack need: configuration, account, ledger and secrets. */
export interface RunSession {
  desired: Desired;
  /** The sources of secrets and variables, by name: `env DATABASE_URL` for `secret database`. */
  origins: ReadonlyMap<string, string>;
  secrets: ReadonlyMap<string, Sealed>;
  /** The objects whose secrets may be copied although this stack does not own them. */
  allowLive?: ReadonlySet<Address>;
  /**
   * Finds secrets of this run in text of the account: `secrets`, the token, and other secrets of the environment. Default: only `secrets`.
   */
  isSecretOfRun?: SecretFinder | undefined;
  /** Masks the secrets of the run in texts. */
  masking: Masking;
  /** The warnings of the configuration and its secrets. */
  diagnostics: Diagnostic[];
  kinds: Kinds;
  connection: Pick<Connection, 'send' | 'reserve' | 'release' | 'announce' | 'paceNow' | 'events'>;
  owner: Owner;
  /** The owner of the account, for people. */
  account: Account;
  store: LedgerStore;
  /** The stored documents of the stack: its ledger, lease, history and saved plan. */
  documents: Documents;
  ledger: Ledger;
  /** The other stacks of the same store with their objects in this account. */
  otherStacks: OtherStacks;
  /** Reads the ledgers of the stacks that were approved together with this one and are applied together. Absent if there are none. */
  readPartners?: () => Promise<readonly OtherStack[]>;
  /** Opens the journal that runs of another stack leave on this machine. Absent if sessions of other stacks do not run here. */
  openJournalOf?: (stack: string) => Promise<Journal>;
  /** True if the store cannot list its ledgers, so that there may be unknown other stacks. */
  areOthersUnknown?: boolean;
  /** See `PlanOptions`. */
  siblings?: readonly SiblingStack[];
  /** Judges each plan by the operator's rules. A refused plan is not applied. */
  guards?: PlanJudge;
  /** Loads the actions and lookups on first use; `queryOf`: the query parameters that an endpoint takes. */
  actionsAndLookups(): Promise<ActionsAndLookups & Pick<LookupContext, 'queryOf'>>;
  /** Loads the checks for configuration that is valid and harmful. Absent if the command does not report the findings of the plan. */
  meaning?: Provider['meaning'];
  /**
   * The configurations of all stacks of the workspace, for commands about several of them: a host that one of them serves is not free in
   * the plan of another. `unread`: one of them has errors.
   */
  besides?: View | 'unread' | undefined;
  /** Reads the object that a lookup of the configuration finds. */
  lookUp: LookUp;
  /** The lease of the ledger, which applying requires. */
  lease?: Lease;
  key: LedgerKey | undefined;
  /** True if the run may write: see `PlanInput`. */
  writes?: boolean;
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /**
   * Counts the HTTP requests so far, with every attempt and the one for the account. If several stacks share a
   * connection: the requests that this stack made, whether the cache answered them or not.
   */
  sent(): RequestCounts;
  /** Shows a message to the user. */
  say(text: string): void;
}

/** The guards of a run, which judge its plans. */
export interface PlanJudge extends Omit<PlanGuards, 'verdict'> {
  /** Returns the refusals and warnings about a plan. `formerOf`: returns the address before the renames of the plan. */
  judge(plan: Plan, formerOf?: (address: Address) => Address): Promise<Diagnostic[]>;
}
