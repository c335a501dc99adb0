import type { AccountFacts, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Desired, Live, Permission } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Value } from '../model/value.ts';

export interface PlanOptions {
  /** Only these (address globs), with what they need. */
  targets?: string[];
  /** Without these (address globs), and without what needs them. */
  excludes?: string[];
  /**
   * Objects that the options name need not be here. `one`: of several plans with the same options another one may have it. `undo`: a run is taken
   * back; the targets are what it changed, whether it is there or not, and all that is declared may be missing.
   */
  part?: 'one' | 'undo';
  /** Containers that may be deleted, by address. */
  deletions?: Address[];
  /** Plan the end of the stack: everything owned goes, containers as usual. */
  destroy?: boolean;
  /** Addresses that the YAML protects, where the plan is not made from it (`destroy`). */
  protected?: Address[];
  /** The most objects that may go at once, in place of the usual limits. */
  maxDeletions?: number;
  /** Secrets that cannot be compared are sent for these (address globs). */
  sendUnverified?: string[];
  /** Plans even where somebody else has drafted or staged something. */
  ignoreDrafts?: boolean;
  /** A `$was` may name an object that the ledger never knew. */
  adoptRenamed?: boolean;
  /** Files that are missing from the configuration were left out on purpose. */
  fewerInputs?: boolean;
  /** Nobody is there to judge conflicts: they are errors unless `overwriteConflicts`. */
  unattended?: boolean;
  overwriteConflicts?: boolean;
  /**
   * The objects that may be declared as existing and not be there yet, by address, since another stack creates them first: their ids are not known before. Such a
   * plan is good for showing only.
   */
  awaited?: ReadonlyMap<Address, string>;
  /** The addresses that another stack of the workspace takes over with `$from`, with that stack. */
  handedOver?: ReadonlyMap<Address, string>;
  /** No action follows, and none is owed for it. */
  noActions?: boolean;
  /** Allowed for this plan, whatever the YAML says. */
  allow?: readonly Permission[];
}

/** Addresses that took over what the ledger knows under another one: new to old. */
export type Claims = ReadonlyMap<Address, Address>;

/** All that a plan is made of. Nothing else is looked at: no clock but `now`, no environment, no network. */
export interface PlanInput {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  facts: AccountFacts;
  key?: LedgerKey | undefined;
  /** Why the ledger is not verified although there is a key. An unverified ledger leads to no deletion. */
  unverified?: string;
  /** The time, in milliseconds: some values expire. */
  now: number;
  options?: PlanOptions;
  /** The addresses that `resume` found. */
  resumed?: ReadonlySet<Address>;
  /** Found while planning: see `match.ts`. */
  claims?: Claims;
  /** Objects deleted here and recreated elsewhere, old address to new. See `transfers.ts`. */
  anew?: ReadonlyMap<Address, Address>;
  /** The other stacks of the store, with what they own in this account. */
  others?: readonly OtherStack[];
  /** The stacks that hand something over to this one, by address; the ledger has what they remember of it. */
  taken?: ReadonlyMap<Address, string>;
}

/** Problems are collected while planning; nothing is thrown. */
export type Report = (diagnostic: Diagnostic) => void;

/** The facts that rules for objects under `parent` depend on: settings of the account, and what the parent says of itself. */
export const factsUnder = (
  parent: Address | undefined,
  { facts, live }: Pick<PlanInput, 'facts' | 'live'>,
): AccountFacts => (parent === undefined ? facts : { ...facts, ...live.resources.get(parent)?.facts });

/** Makes a lookup for the attributes of live objects. */
export const attributeIn =
  ({ resources }: Live) =>
  (address: Address, attr: string): Value | undefined => {
    const target = resources.get(address);
    return attr === 'id' ? target?.id : target?.fields[attr];
  };
