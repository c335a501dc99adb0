import type { Kinds } from '../kind/kind.ts';
import type { AccountFacts } from '../kind/read.ts';
import type { Address } from '../model/address.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, OtherStack } from '../model/ledger.ts';
import type { FirstContact, Plan } from '../model/plan.ts';
import type { Contents, Desired, Live, Permission } from '../model/resource.ts';
import type { Sealed } from '../model/sealed.ts';
import type { SecretFinder } from '../model/secret-finder.ts';
import type { Value } from '../model/value.ts';
import type { UnreadClaims } from './claims.ts';

/** The choices of the operator for one plan, mostly flags of the command line. */
export interface PlanOptions {
  /** Plans only the addresses that these globs match, and what they need. */
  targets?: string[];
  /** Leaves out the addresses that these globs match, and all changes that need them. */
  excludes?: string[];
  /**
   * Set if objects that the options name may be missing. `one-of-several`: this is one of several plans with the same
   * options, and another plan may have the objects. `undo`: the plan is about objects of earlier runs (`undo`, `blame`).
   * They may be gone, as may all declared objects.
   */
  toleratesMissing?: 'one-of-several' | 'undo';
  /** The addresses of containers that may be deleted. */
  containersToDelete?: Address[];
  /** Deletes all objects of the stack that the platform can delete. A container is deleted only if it is named for deletion, as usual. */
  destroy?: boolean;
  /** The addresses that the YAML protects, for plans without its resources (`destroy`). */
  protectedAddresses?: Address[];
  /** The most objects that may be deleted at once. Replaces the usual limits. */
  maxDeletions?: number;
  /** Sends secrets that cannot be compared at the addresses that these globs match. */
  sendUnverified?: string[];
  /** Plans although somebody else has an unpublished draft or a staged version in the account. */
  ignoreDrafts?: boolean;
  /** Lets `$was` name an object that the ledger does not have. */
  adoptRenamed?: boolean;
  /** Accepts that files are missing from the configuration. */
  fewerInputs?: boolean;
  /** True if no person reads the plan before its apply. Conflicts are then errors, unless `overwriteConflicts`. */
  unattended?: boolean;
  overwriteConflicts?: boolean;
  /**
   * The stacks that will create objects which this stack declares with `$existing`, by the addresses of these objects.
   * Their ids are still unknown, so such a plan is only shown, and made again before its apply.
   */
  awaitedStacks?: ReadonlyMap<Address, string>;
  /** The other stacks of the workspace. Absent or empty if there is none, or if no object moves between stacks. */
  siblings?: readonly SiblingStack[];
  /** Leaves out the actions that the configuration asks for. They are not recorded as still to be sent either. */
  noActions?: boolean;
  /** The objects whose secrets references may copy although this stack does not own them. */
  allowLive?: ReadonlySet<Address>;
  /**
   * Does one harmless change before all others: on first contact with the account, or the change that an approved plan names. Default:
   * never. See `choose-first-change.ts`.
   */
  canary?: 'on-first-contact' | { agreed: FirstContact | undefined };
  /** The permissions for this plan, in addition to those in the YAML. */
  allow?: readonly Permission[];
}

/** True if the options select a part of the stack (`--target`, `--exclude`, `destroy ADDRESS`), so that the plan leaves out the others. */
export const isNarrowedBy = ({
  targets = [],
  excludes = [],
}: Pick<PlanOptions, 'targets' | 'excludes'> = {}): boolean => targets.length + excludes.length > 0;

/** Another stack of the same workspace, as this checkout configures it. */
export interface SiblingStack {
  desired: Desired;
  /** True if its configuration has errors, so that it may declare more than was understood. */
  isBroken: boolean;
}

/** The old addresses of objects that the ledger has under another address than the configuration, by their new addresses. */
export type RecordedAddresses = ReadonlyMap<Address, Address>;

/** The objects of a plan that are not found by their recorded id or name alone. `planRun` finds them before it plans. */
interface Identities {
  /** The addresses of objects that an interrupted run created without recording them. */
  resumed?: ReadonlySet<Address>;
  /** The renamed objects. Planning adds those that have only a label: see `match-live-objects.ts`. */
  recordedAddresses?: RecordedAddresses;
  /** Objects deleted here and recreated elsewhere, old address to new. See `transfers.ts`. */
  recreatedElsewhere?: ReadonlyMap<Address, Address>;
  /** The addresses whose entries in `ledger` were copied from other stacks that consent to a take-over. */
  takenOver?: ReadonlySet<Address>;
  /**
   * The addresses that other names of an object make, such as the user name of a member, by its address in the plan. See `findNamedIds`.
   */
  otherAddresses?: Plan['otherAddresses'];
}

/** Everything that a plan is made from. Planning is pure: it has no clock but `now`, no environment and no network. */
export interface PlanInput {
  desired: Desired;
  live: Live;
  /** Objects that are deleted with a container and that `live` does not have. Absent if none had to be read. */
  contents?: Contents;
  ledger: Ledger;
  kinds: Kinds;
  secrets: ReadonlyMap<string, Sealed>;
  /** Finds secrets of the run in texts of the account. By default it finds those in `secrets`. */
  isSecretOfRun?: SecretFinder | undefined;
  facts: AccountFacts;
  key?: LedgerKey | undefined;
  /**
   * True if this run writes to the account or to the configuration. Its operator may see live secrets, so they are compared even without a
   * key. See `guesses.ts`.
   */
  isWritingRun?: boolean;
  /** Why the ledger is not verified although there is a key. Set: nothing is deleted because of the ledger. */
  unverifiedReason?: string;
  /** The time, in milliseconds: some values expire. */
  now: number;
  options?: PlanOptions;
  identities?: Identities;
  /** The other stacks of the store, with what they own in this account. */
  otherStacks?: readonly OtherStack[];
  /** The claims of further stacks, whose ledgers were not read because they have nothing that the plan could change. */
  unreadClaims?: UnreadClaims | undefined;
  /** True if the store cannot list its ledgers, so that there may be stacks that `otherStacks` lacks. */
  mayHaveUnknownStacks?: boolean;
}

/**
 * Returns the facts that the rules for objects under `parent` depend on: settings of the account and of the parent. A kind gets them while
 * it adjusts fields and drafts requests.
 */
export const factsUnder = (
  parent: Address | undefined,
  { facts, live }: Pick<PlanInput, 'facts' | 'live'>,
): AccountFacts => (parent === undefined ? facts : { ...facts, ...live.resources.get(parent)?.facts });

/**
 * Creates a lookup for the id or a field of a live object. Used to fill in references between objects. Undefined if the object or the field
 * does not exist, and for the ids of objects that the plan replaces (`replaced`).
 */
export const createAttributeLookup =
  ({ resources }: Live, replaced?: ReadonlySet<Address>) =>
  (address: Address, attr: string): Value | undefined => {
    const object = resources.get(address);
    if (attr !== 'id') return object?.fields[attr];
    return replaced?.has(address) ? undefined : object?.id;
  };
