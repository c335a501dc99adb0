import type { AccountFacts, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { FirstContact } from '../model/plan.ts';
import type { Desired, Live, Permission } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { Value } from '../model/value.ts';

export interface PlanOptions {
  /** Only these (address globs), with all that they need. */
  targets?: string[];
  /** Without these (address globs), and without all that needs them. */
  excludes?: string[];
  /**
   * Objects that the options name may be missing. `one`: another plan with the same options may have them. `undo`: a run is undone; its
   * targets are what it changed, whether that still exists or not, and all declared objects may be missing.
   */
  toleratesMissing?: 'one' | 'undo';
  /** The addresses of containers that may be deleted. */
  containersToDelete?: Address[];
  /** Plans the end of the stack: everything owned is deleted, containers as usual. */
  destroy?: boolean;
  /** Addresses that the YAML protects, for plans that are not made from it (`destroy`). */
  protectedAddresses?: Address[];
  /** The most objects that may be deleted at once, in place of the usual limits. */
  maxDeletions?: number;
  /** Sends secrets that cannot be compared for these (address globs). */
  sendUnverified?: string[];
  /** Plans even if somebody else has drafted or staged something. */
  ignoreDrafts?: boolean;
  /** A `$was` may name an object that the ledger never knew. */
  adoptRenamed?: boolean;
  /** Accepts that files are missing from the configuration. */
  fewerInputs?: boolean;
  /** Nobody can judge conflicts, so they are errors unless `overwriteConflicts`. */
  unattended?: boolean;
  overwriteConflicts?: boolean;
  /**
   * Objects that may be declared as existing although another stack has yet to create them, by address: their ids are not known before.
   * Such a plan can only be shown.
   */
  awaitedStacks?: ReadonlyMap<Address, string>;
  /** The other stacks of the workspace. Absent or empty where there is none, or where nothing changes hands. */
  siblings?: readonly SiblingStack[];
  /** Sends no action, and owes none. */
  noActions?: boolean;
  /** The objects whose secrets references may copy although this stack does not own them. */
  allowLive?: ReadonlySet<Address>;
  /**
   * Does one harmless change before all others: on first contact with the account, or as a plan says that was agreed to. Default: never.
   * See `choose-first-change.ts`.
   */
  canary?: 'on-first-contact' | { agreed: FirstContact | undefined };
  /** Allowed for this plan, whatever the YAML says. */
  allow?: readonly Permission[];
}

/** Another stack of the same workspace, as this checkout configures it. */
export interface SiblingStack {
  desired: Desired;
  /** True if its configuration has errors, so that it may declare more than was understood. */
  isBroken: boolean;
}

/** Addresses that took over what the ledger knows under another one: new to old. */
export type RecordedAddresses = ReadonlyMap<Address, Address>;

/** All that a plan is made of: no clock but `now`, no environment, no network. */
export interface PlanInput {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Finds these and other secrets of the run in text of the account; by default, only these. */
  isSecretOfRun?: SecretFinder | undefined;
  facts: AccountFacts;
  key?: LedgerKey | undefined;
  /**
   * Compares live secrets even without a key, because this run writes to the account or to the configuration: its operator decides that, and
   * may see them. See `guesses.ts`.
   */
  isWritingRun?: boolean;
  /** Why the ledger is not verified although there is a key. An unverified ledger leads to no deletion. */
  unverifiedReason?: string;
  /** The time, in milliseconds: some values expire. */
  now: number;
  options?: PlanOptions;
  /** The addresses that `resume` found. */
  resumedAddresses?: ReadonlySet<Address>;
  /** Set while planning: see `match.ts`. */
  recordedAddresses?: RecordedAddresses;
  /** Set while planning: finds the stack that takes over an object of this one. See `heirs.ts`. */
  heirOf?(address: Address): string | undefined;
  /** Why the secret of an object, shown once, is where nobody has it, by the object's address. Set while planning: see `shown-secrets.ts`. */
  lostSecrets?: ReadonlyMap<Address, string>;
  /** Objects deleted here and recreated elsewhere, old address to new. See `transfers.ts`. */
  recreatedElsewhere?: ReadonlyMap<Address, Address>;
  /** The other stacks of the store, with what they own in this account. */
  otherStacks?: readonly OtherStack[];
  /** The store cannot list its ledgers, so there may be other stacks. */
  mayHaveUnknownStacks?: boolean;
  /** The addresses whose entries in `ledger` were copied from other stacks that consent to a take-over. */
  takenOver?: ReadonlySet<Address>;
}

/** Collects problems while planning; nothing is thrown. */
export type Report = (diagnostic: Diagnostic) => void;

/** The facts that rules for objects under `parent` depend on: settings of the account, and what the parent says of itself. */
export const factsUnder = (
  parent: Address | undefined,
  { facts, live }: Pick<PlanInput, 'facts' | 'live'>,
): AccountFacts => (parent === undefined ? facts : { ...facts, ...live.resources.get(parent)?.facts });

/** Makes a lookup for the attributes of live objects. */
export const createAttributeLookup =
  ({ resources }: Live) =>
  (address: Address, attr: string): Value | undefined => {
    const target = resources.get(address);
    return attr === 'id' ? target?.id : target?.fields[attr];
  };
