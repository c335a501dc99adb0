import type { Address } from './address.ts';
import type { DeletionCount } from './deletion-count.ts';
import type { Position } from './diagnostic.ts';
import type { LiveResource, Permission, Resource } from './resource.ts';
import { atPath, type Fields, holdsSecret, isSecret, type Value, withoutPaths } from './value.ts';

/**
 * The actions of changes. The names that need an explanation:
 *
 *   adopt     an existing object becomes ours, and is recorded in the ledger
 *   replace   the object is deleted and created, because the platform cannot change it in place
 *   move      the object gets another place in an ordered list, or another parent
 *   release   the object is no longer ours, and stays in the account
 *   forget    like release, because another stack takes the object, or because it no longer exists
 *   noop      nothing is changed
 */
export const actions = [
  'create',
  'adopt',
  'update',
  'replace',
  'delete',
  'move',
  'release',
  'forget',
  'noop',
] as const;

/** What happens to an object by a change; see `actions`. */
export type ChangeAction = (typeof actions)[number];

/**
 * The reason why the desired and the live value of a field differ, or why the ledger differs from both:
 *
 *   edit        the configuration changed
 *   drift       the account was changed outside
 *   conflict    both changed
 *   unknown     edit or drift: the last applied value is unknown
 *   recorded    the account is as desired; only the ledger is updated
 *   released    the field is no longer declared; it stays as it is
 *   unverified  a secret that cannot be compared
 */
export const fieldCauses = [
  'edit',
  'drift',
  'conflict',
  'unknown',
  'recorded',
  'released',
  'unverified',
] as const;

/** Why a field differs; see `fieldCauses`. */
export type FieldCause = (typeof fieldCauses)[number];

/** The reasons of changes that only sum up the causes of their fields. Reports print the causes beside the fields instead. */
export const fieldReasons = { conflict: 'changed here and outside', drift: 'changed outside' } as const;

/**
 * Why an item of an ordered list moves. `unknown`: the order after the last apply is not recorded. `not-kept`: the platform did not keep
 * it.
 */
export const orderCauses = ['edit', 'drift', 'unknown', 'not-kept'] as const;

/** Why an item of an ordered list moves. */
export type OrderCause = (typeof orderCauses)[number];

/** The position of an item in an ordered list. Positions count from 1 and include the items of others. */
export interface ItemPosition {
  /** The position in the live list; absent for a new item. */
  from?: number;
  /** The position after the change. */
  to: number;
  /** The number of items in the list after the change. */
  of: number;
  /** The item right in front of it after the change; absent if it becomes the first. */
  after?: Address;
  /** Why it moves; absent for a new item. */
  cause?: OrderCause;
}

/**
 * A differing leaf: the smallest part of a field that is compared for itself. `path` is dotted. The sides of a secret
 * are sealed.
 */
export interface FieldChange {
  path: string;
  before?: Value;
  after?: Value;
  cause: FieldCause;
  /** The platform cannot change it in place, so the object is replaced. */
  replaces?: boolean;
  /** Both sides are secret. */
  secret?: boolean;
  /** The platform did not keep the same value at the last apply. */
  notKept?: true;
}

/** True if one side of a field (`before` or `after`) must not be shown, because it is secret. */
export const isHiddenSide = ({ secret }: Pick<FieldChange, 'secret'>, value: Value | undefined): boolean =>
  value !== undefined && (secret === true || isSecret(value));

/** True if reports may show only the name of a field: its desired value is secret or, without one, its live value is. */
export const isHiddenField = (field: Pick<FieldChange, 'secret' | 'before' | 'after'>): boolean =>
  field.secret === true || isSecret(field.after === undefined ? field.before : field.after);

/** The harm that a change can do, from none to irreversible. */
export const grades = ['safe', 'disruptive', 'destructive', 'irreversible'] as const;

/** How much harm a change can do; see `grades`. */
export type Grade = (typeof grades)[number];

/** The extent to which a run can be taken back. */
export const undoable = ['wholly', 'but for a value', 'no'] as const;

/** Tells if `undo` restores the state before a change. `lost`: the fields whose values it cannot restore. */
export interface Undoable {
  can: (typeof undoable)[number];
  lost?: string[];
  /** The reason for people, unless it is `wholly`. */
  why?: string;
}

/** The members that every change has. */
interface CommonMembers {
  address: Address;
  kind: string;
  /** The id on the platform, if there is one already. */
  id?: string;
  parent?: Address;
  fields: FieldChange[];
  /** The declared fields for reports, if these must not show a secret that `after` has in clear. */
  shownFields?: Fields;
  /**
   * Why, for people: "deleted outside", "removed from the configuration", ... Never used for decisions. The reason of a `forget` must fit
   * several objects, because `renewedTexts` prints it once for all of them.
   */
  reason?: string;
  /** The object itself was deleted, replaced or renamed outside since the last apply, or was added outside to a row of ours. */
  outside?: true;
  grade: Grade;
  gradeReason?: string;
  /** The permissions that this change needs, each once. */
  permissions?: Permission[];
  /** The addresses that it needs; the ledger remembers them, since deletions go in reverse. */
  needs?: Address[];
  /** The object's address in the ledger, if it differs: the configuration renamed the object without a `$was`, or changed its label. */
  recordedAddress?: Address;
  at?: Position;
}

/** The members of changes to declared objects, whose fields were compared with the account. */
interface ComparedMembers {
  /** The field paths that are ours afterwards: the ledger keeps digests of them. */
  declared?: string[];
  /** Paths of declared secrets that could not be compared: the ledger keeps their recorded digests. */
  uncompared?: string[];
  /**
   * The object was written outside since our last write, and this change does not send its unreadable secrets. The ledger then keeps the
   * time of our last write, so that the next plan suspects the secrets again.
   */
  writtenOutside?: true;
  /** The stack that owned the object until now. */
  takenFrom?: string;
  /** The ledger drops the object's entry, because this stack no longer owns the object afterwards. */
  leavesLedger?: true;
}

/** The member of changes that may concern only the ledger. */
interface LedgerMembers {
  /**
   * Only the ledger changes, since the account is as configured already: the recorded values differ, or the ledger has an object that no
   * longer exists and is no longer declared. Nothing is sent, and no approval is needed.
   */
  changesLedgerOnly?: true;
}

/** The member of changes by which this stack leaves an object to another one. */
interface HandoverMembers {
  /** The stack that may take the object over: the ledger keeps the entry for it, and marks it. */
  handover?: string;
}

/** The member of deletions. */
interface DeletionMembers {
  /** For a container, such as a project: all objects that the platform deletes with it, unless another change deletes them. */
  deletes?: DeletionCount;
  /** The object is not ours, and is deleted because its parent has `$exclusive`. */
  exclusive?: true;
}

/** The member of actions, which guards judge like updates. */
interface RunMembers {
  /** The name of the action. */
  run?: string;
}

/** The live object before a change and the declared one after it. An object that the platform does not list yet has no `before`. */
type States<Before, After> = { before: Before; after: After };
/** Like `States`, for changes where either side may be missing. */
type StatesIfKnown = { before?: LiveResource; after?: Resource };

/** The members that only some changes have, by action. */
interface MembersByAction {
  create: { before?: undefined; after: Resource } & ComparedMembers;
  adopt: { before?: LiveResource; after: Resource } & ComparedMembers & LedgerMembers;
  update: { before?: LiveResource; after: Resource } & ComparedMembers & RunMembers;
  replace: States<LiveResource, Resource> & ComparedMembers;
  move: States<LiveResource, Resource> & ComparedMembers;
  delete: { before: LiveResource; after?: undefined } & DeletionMembers;
  release: StatesIfKnown & ComparedMembers & LedgerMembers & HandoverMembers;
  forget: StatesIfKnown & LedgerMembers & HandoverMembers;
  noop: StatesIfKnown & ComparedMembers & HandoverMembers;
}

/** The names of all members that only some changes have. */
type SpecialMember = { [A in ChangeAction]: keyof MembersByAction[A] }[ChangeAction];

/**
 * The changes with one of these actions, as `decide` makes them. The members that an action does not have are undefined, so that code can
 * read a member before it knows the action, but cannot set it.
 */
export type DecidedChangeOf<Actions extends ChangeAction> = {
  [A in Actions]: CommonMembers & { action: A } & MembersByAction[A] & {
      [Name in Exclude<SpecialMember, keyof MembersByAction[A]>]?: undefined;
    };
}[Actions];

/** The members that only all changes of an ordered list together show, see `Shape.arrange`. */
interface ListMembers {
  /** It also moves among its ordered siblings. */
  moves?: boolean;
  /** The old and new position of an item of an ordered list, if it is new or moves. */
  position?: ItemPosition;
  /** For an update in an ordered list: a changed copy is inserted and the old item removed, so that it gets another id. */
  reinserted?: true;
}

/** The member that only the whole plan shows, with its requests and other changes. See `addUndo`. */
interface UndoMembers {
  undo?: Undoable;
}

/** The changes with one of these actions, as a plan has them. */
export type ChangeOf<Actions extends ChangeAction> = DecidedChangeOf<Actions> & ListMembers & UndoMembers;

/** A change as `decide` makes it, from one object alone. */
export type DecidedChange = DecidedChangeOf<ChangeAction>;

/** A change after its collection has been arranged: items of ordered lists have their new positions. */
export type ArrangedChange = DecidedChange & ListMembers;

/**
 * The differences of one address, for people. A plan has one for each address, also for unchanged ones (`noop`), so
 * that policies can see them.
 */
export type Change = ChangeOf<ChangeAction>;

/** A change to an object that the configuration declares, or that this stack only releases. */
export type ComparedChange = ChangeOf<Exclude<ChangeAction, 'delete' | 'forget'>>;

/**
 * True if a change creates an object again that somebody deleted outside (in the account, not by trueup) although the configuration
 * declares it. `accept` removes the block of such an object instead.
 */
export const isDeletedOutside = ({ action, outside }: Change): boolean =>
  action === 'create' && outside === true;

/**
 * True if a change of the plan deletes a unit that somebody added outside to a row of ours. A row is one object of the platform that holds
 * several units, such as a variable with several targets.
 */
export const isJoinedOutside = (change: Change): change is ChangeOf<'delete'> =>
  change.action === 'delete' && change.outside === true;

/** True if a change creates an object with a new id. A replacement does so too. */
export const createsObject = (change: Pick<Change, 'action'> | undefined): boolean =>
  change?.action === 'create' || change?.action === 'replace';

/**
 * Returns the addresses of the objects that changes replace. Used to find what the platform deletes with these
 * objects, and what refers to their old ids.
 */
export const findReplacedAddresses = (
  changes: Iterable<Pick<Change, 'action' | 'address'>>,
): ReadonlySet<Address> =>
  new Set([...changes].flatMap(({ action, address }) => (action === 'replace' ? [address] : [])));

/**
 * True for a change that only records in the ledger that an object goes from one stack to another: an unchanged object that another stack
 * may now take over (`handover`), or an entry that is only dropped, for example because another stack has taken the object. It needs no
 * approval: it depends on when the other stack is applied, and so can appear or disappear between the approval of a plan and its apply.
 */
export function onlyRecordsHandover({
  action,
  handover,
  changesLedgerOnly,
}: Pick<Change, 'action' | 'handover' | 'changesLedgerOnly'>): boolean {
  if (action === 'noop') return handover !== undefined;
  return changesLedgerOnly === true && (action === 'forget' || action === 'release');
}

/**
 * True if an apply has to write a differing field to the account, because of an edit or of drift, for example. With the other two causes,
 * `recorded` and `released`, the account is right, and only the ledger changes. Used wherever requests are planned or counted.
 */
export const asksForWrite = ({ cause }: FieldChange): boolean =>
  cause === 'edit' ||
  cause === 'drift' ||
  cause === 'conflict' ||
  cause === 'unknown' ||
  cause === 'unverified';

/** A difference after a run that the run did not write. A secret's sides are sealed. */
export type SideEffect = { address: Address; kind: string } & (
  | { type: 'appeared' | 'gone' }
  | ({ type: 'changed' } & Pick<FieldChange, 'path' | 'before' | 'after' | 'secret'>)
);

/**
 * Returns the declared leaves (smallest compared parts, by dotted path) of a changed object that do not differ, or that the plan could not
 * compare (`uncompared`). Saved plans store them beside the differing fields, so that an approval covers all declared values. If the live
 * value is secret, it is returned instead of the declared one, so that the saved plan hides it. `shownFields`: the declared fields without
 * secrets that `after` has in clear.
 */
export function unchangedFieldsOf({
  declared = [],
  uncompared = [],
  fields,
  before,
  after,
  shownFields,
}: Change): [path: string, value: Value][] {
  if (!after) return [];
  const differing = new Set(fields.map(({ path }) => path));
  return [...new Set([...declared, ...uncompared])].sort().flatMap((path): [string, Value][] => {
    if (differing.has(path)) return [];
    const value = atPath(shownFields ?? after.fields, path);
    const liveValue = before && atPath(before.fields, path);
    const shownValue = holdsSecret(liveValue) ? liveValue : value;
    return shownValue === undefined ? [] : [[path, shownValue]];
  });
}

/**
 * Returns the live fields of a changed object that are neither declared (compared or not) nor changed; none if the object did not exist.
 * Saved plans store them, so that policies can check the whole object. Secrets in them are sealed, as in all live objects of a plan.
 */
export function undeclaredFieldsOf({ declared = [], uncompared = [], fields, before }: Change): Fields {
  if (!before) return {};
  const excludedPaths = [...declared, ...uncompared, ...fields.map(({ path }) => path)];
  return withoutPaths(before.fields, excludedPaths, { dropsEmpty: true });
}
