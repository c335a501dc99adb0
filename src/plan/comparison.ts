/*
 * The types of the decisions of a plan: their input (`Comparison`), their result (`Decision`), and the notes that they collect.
 *
 * Terms: for each address, three states of an object are compared. The desired one is in the configuration, the live one is in the account,
 * and the ledger's entry is what this stack recorded at its last apply. The object is ours if there is an entry. Some objects consist of
 * several rows of the platform, such as a DNS set with one row for each value. A unit is one declared object, and a row can hold several
 * units, such as a variable in three targets.
 */
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { ChangeAction, DecidedChange, DecidedChangeOf, FieldChange } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import type { FindRemoval } from '../model/find-removal.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { NotComparedFinding } from '../model/not-compared.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { gradeChange, permissionsOf } from './annotate-changes.ts';
import { findNeeds } from './find-dependencies.ts';
import type { Heirs } from './find-heirs.ts';
import type { PlanInput } from './input.ts';

/**
 * Facts about the account that are found while addresses are decided, besides the changes. Decisions add to these lists, as they add to the
 * report of problems.
 */
export interface DecisionNotes {
  /** Live objects that this stack does not own. */
  unmanaged: LiveResource[];
  /** Resources with a secret that could not be compared, or that may have been changed outside. */
  unverifiedSecrets: Set<Address>;
  /** The objects and secrets that could not be compared. */
  notCompared: NotComparedFinding[];
  /** The objects that are created or replaced. They are decided before the variables that take their secrets. */
  created: Set<Address>;
  /** The replaced objects among these. They are decided before the objects in them. */
  replaced: Set<Address>;
}

/** Units that somebody outside added to our rows, each with the addresses of our units in the same row. See `shared-rows.ts`. */
export type JoinedUnits = ReadonlyMap<Address, Address[]>;

/** The changes of a plan, and what else was noticed while they were decided. */
export interface Decisions extends Readonly<DecisionNotes> {
  readonly changes: readonly DecidedChange[];
  /** Those of the unmanaged objects that another stack has in its ledger. Absent if there are no other stacks. */
  readonly ofOtherStacks?: ReadonlySet<LiveResource>;
  /** True if a collection could not be read. */
  readonly isIncomplete: boolean;
  readonly joinedUnits: JoinedUnits;
}

/**
 * The input of a plan, prepared for decisions: sorted, sealed and under the addresses of the configuration, with facts about all objects.
 */
export interface PreparedInput extends PlanInput {
  /** Finds the stacks that take over objects of this one. */
  heirs: Heirs;
  /** Finds the entry of `removed` in the configuration that decides about an undeclared object. */
  findRemoval: FindRemoval;
  /** Why a secret that the platform shows only at the creation of an object is lost, by the object's address. See `shown-secrets.ts`. */
  lostSecrets: ReadonlyMap<Address, string>;
  /** The objects that this plan replaces, as far as they are known: references to their ids have no value yet. */
  replaced?: ReadonlySet<Address>;
}

/** The three states of one address, and everything that the decision about it needs. */
export interface Comparison {
  input: PreparedInput;
  address: Address;
  kind: Kind;
  parent: Address | undefined;
  /** The resource that the configuration declares. */
  desired: Resource | undefined;
  /** The live object that the address means. */
  live: LiveResource | undefined;
  /** The ledger's entry; absent if the object is not ours. */
  entry: LedgerEntry | undefined;
  /** True if the ledger has the object only as a parent of ours, declared with `$existing`. */
  isRecordedAsExisting: boolean;
  /** True if the ledger's entry is about another object of the same name, or about one in another container. */
  isReplacedOutside: boolean;
  /** The object around a declared one that this plan replaces: the platform deletes both, so `live` is absent. */
  lostWith: Address | undefined;
  joinedUnits: JoinedUnits;
  notes: DecisionNotes;
  report: Reporter;
}

/** The fields of a variable that hold the secret of another object, which the platform shows only at its creation. */
export interface SecretFields {
  names: readonly string[];
  /** True if this plan creates that object, and so writes the fields. */
  isWritten: boolean;
}

/** The comparison of a declared address. */
export type DeclaredComparison = Comparison & { desired: Resource; secret?: SecretFields | undefined };

/** True if the configuration declares the address of a comparison. */
export const isDeclared = (comparison: Comparison): comparison is DeclaredComparison =>
  comparison.desired !== undefined;

/** The members of a change that follow from the others and from its address. */
type DerivedMember =
  | 'address'
  | 'kind'
  | 'parent'
  | 'recordedAddress'
  | 'id'
  | 'at'
  | 'permissions'
  | 'grade'
  | 'gradeReason';

/**
 * The decision about an address: the action with the members that belong to it. Without `fields`, no field differs. `needs` only for
 * deletions: those of a declared object follow from its fields.
 */
type Decision = {
  [A in ChangeAction]: Omit<DecidedChangeOf<A>, DerivedMember | 'fields'> & { fields?: FieldChange[] };
}[ChangeAction];

/**
 * Creates the change of the plan that carries out a decision about an address, such as an update, with the
 * permissions that it needs (`$allow`), the addresses that must be applied before it, and its grade (how much
 * harm it can do). All decisions about single addresses make their changes here; later steps only derive
 * others from these.
 */
export function createChange(
  { address, kind, parent, input }: Comparison,
  decision: Decision,
): DecidedChange {
  const change: DecidedChange = {
    address,
    kind: kind.name,
    parent,
    id: decision.before?.ids.join(','),
    at: decision.after?.at,
    recordedAddress: input.identities?.recordedAddresses?.get(address),
    fields: [],
    grade: 'safe',
    ...decision,
  };
  const isInNew = parent !== undefined && !input.live.resources.has(parent);
  // A new project or team has no users who could lose access.
  const canRemoveAccess = !(isInNew && change.action === 'create');
  const permissions = permissionsOf(kind, change).filter(
    (permission) => permission !== 'remove-access' || canRemoveAccess,
  );
  change.permissions = permissions.length > 0 ? permissions : undefined;
  change.needs = change.after ? [...findNeeds(change, input.kinds)].sort() : decision.needs;
  const { grade, reason } = gradeChange(kind, change);
  change.grade = grade;
  change.gradeReason = reason;
  return change;
}

/** True if the parent says `$exclusive` for the objects of a kind. The plan then also deletes objects there that no block declares. */
export const isExclusive = ({
  input,
  parent,
  kind,
}: Pick<Comparison, 'parent' | 'kind'> & { input: Pick<PlanInput, 'desired'> }): boolean =>
  input.desired.resources.get(parent ?? '')?.meta.exclusive?.includes(kind.section) ?? false;

/**
 * Splits a live object into the part with the ids that `isFirst` accepts, and the part with the others; a
 * part without ids is undefined. Used to separate our rows of an object, such as a set of DNS records, from
 * those of others, so that an apply leaves theirs alone. A row is one object of the platform, with one id; the
 * fields of a part are merged from its rows.
 */
export function splitByIds(
  object: LiveResource,
  { shape }: Kind,
  isFirst: (id: string) => boolean,
): [first: LiveResource | undefined, second: LiveResource | undefined] {
  const partWith = (ids: string[]): LiveResource | undefined => {
    if (ids.length === 0) return undefined;
    if (ids.length === object.ids.length || !object.rows) return { ...object, ids };
    const rows = object.rows.filter(({ id }) => ids.includes(id));
    const fields = rows.map((row) => row.fields).reduce((a, b) => shape.mergeRows?.(a, b) ?? a);
    return { ...object, id: ids[0]!, ids, rows, fields };
  };
  return [partWith(object.ids.filter(isFirst)), partWith(object.ids.filter((id) => !isFirst(id)))];
}
