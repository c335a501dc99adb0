import type { Address } from './address.ts';
import type { Position } from './diagnostic.ts';
import type { LiveResource, Permission, Resource } from './resource.ts';
import {
  atPath,
  type Fields,
  holdsSecret,
  isPlainObject,
  isSecret,
  namesInPath,
  type Value,
} from './value.ts';

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

export type Action = (typeof actions)[number];

/** Why a field differs. `unverified`: a secret that cannot be compared. */
export const fieldCauses = [
  'edit',
  'drift',
  'conflict',
  'unknown',
  'recorded',
  'released',
  'unverified',
] as const;

export type FieldCause = (typeof fieldCauses)[number];

/** Why an item of an ordered list moves. `unknown`: the order after the last apply is not recorded. `not-kept`: the platform did not keep it. */
export const orderCauses = ['edit', 'drift', 'unknown', 'not-kept'] as const;

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

/** One differing leaf; `path` is dotted. A secret's sides are sealed; `secret`: both are. `replaces`: the platform cannot change it in place. */
export interface FieldChange {
  path: string;
  before?: Value;
  after?: Value;
  cause: FieldCause;
  replaces?: boolean;
  secret?: boolean;
  /** The platform did not keep the same value at the last apply. */
  notKept?: true;
}

/** True if a value of a field, on either side, must not be shown. */
export const isHiddenSide = ({ secret }: Pick<FieldChange, 'secret'>, value: Value | undefined): boolean =>
  value !== undefined && (secret === true || isSecret(value));

/** True if nothing of a field may be shown but its name: the wanted value is secret, or there is none and the found one is. */
export const isHiddenField = (field: Pick<FieldChange, 'secret' | 'before' | 'after'>): boolean =>
  field.secret === true || isSecret(field.after === undefined ? field.before : field.after);

/** The harm that a change can do, from none to irreversible. */
export const grades = ['safe', 'disruptive', 'destructive', 'irreversible'] as const;

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

/**
 * The differences of one address, for people. There is one for each address; `noop` ones are kept so that policies can see them.
 */
export interface Change {
  address: Address;
  kind: string;
  action: Action;
  /** The id on the platform, if there is one already. */
  id?: string;
  parent?: Address;
  fields: FieldChange[];
  /** Why, for people: "deleted outside", "removed from the configuration", ... Never used for decisions. */
  reason?: string;
  /** The object itself was deleted, replaced or renamed outside since the last apply. */
  outside?: true;
  grade: Grade;
  gradeReason?: string;
  /** The permissions that this change needs, each once. */
  permissions?: Permission[];
  /** The field paths that are ours afterwards: the ledger keeps digests of them. */
  declared?: string[];
  /** Declared secrets that could not be compared: the ledger keeps what it knows of them. */
  uncompared?: string[];
  /** Somebody else wrote the object since, and this change does not send its unreadable secrets: the ledger keeps the time of our last write. */
  writtenOutside?: true;
  /** The addresses that it needs; the ledger remembers them, since deletions go in reverse. */
  needs?: Address[];
  /** Deleted because its parent says `$exclusive`, not because it was ours. */
  exclusive?: true;
  /** The stack that owned the object until now. */
  takenFrom?: string;
  /** The stack that may take the object over: the ledger keeps the entry for it, and marks it. */
  handover?: string;
  /** The address under which the ledger knows the object: it was renamed here without a `$was`, or only its label was. */
  recordedAddress?: Address;
  /** The name of the action: it is run once, and nothing is declared. */
  run?: string;
  /** Known after planning. */
  undo?: Undoable;
  /** Afterwards the object is no longer ours: the ledger keeps nothing of it. */
  leavesLedger?: true;
  /**
   * The account is as configured, and only the ledger remembers something else: other values of our fields, or an object that is gone and
   * not declared any more. Nothing is sent, adopted or released, and nobody has to approve.
   */
  changesLedgerOnly?: true;
  /** It also moves among its ordered siblings. */
  moves?: boolean;
  /** Where an item of an ordered list comes to stand, if it is new or moves. */
  position?: ItemPosition;
  /** Its new form is inserted as a copy, and the old one removed: it gets another id. */
  reinserted?: true;
  before?: LiveResource;
  after?: Resource;
  at?: Position;
}

/** True if a change takes out a unit that somebody added to a row of ours, such as a target of a variable. */
export const isJoinedOutside = ({ action, outside }: Pick<Change, 'action' | 'outside'>): boolean =>
  action === 'delete' && outside === true;

/** True if a change makes an object that was not there before, under a new id. */
export const createsObject = (change: Pick<Change, 'action'> | undefined): boolean =>
  change?.action === 'create' || change?.action === 'replace';

/**
 * True for a change that follows what another stack did with an object handed over: only the ledger changes, and nobody has to approve it.
 * It may come up, or be over, between the approval of a plan and its apply.
 */
export const followsHandover = ({
  action,
  handover,
  changesLedgerOnly,
}: Pick<Change, 'action' | 'handover' | 'changesLedgerOnly'>): boolean =>
  action === 'noop'
    ? handover !== undefined
    : changesLedgerOnly === true && (action === 'forget' || action === 'release');

/** Causes that ask for a request; the others only change the ledger. */
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
 * The declared fields that a change leaves as they are, as leaves. Together with the fields that differ, this is all that the
 * configuration says of the object. A value is secret if either side is.
 */
export function unchangedFieldsOf({
  declared = [],
  uncompared = [],
  fields,
  before,
  after,
}: Change): [path: string, value: Value][] {
  if (!after) return [];
  const differing = new Set(fields.map(({ path }) => path));
  return [...new Set([...declared, ...uncompared])].sort().flatMap((path): [string, Value][] => {
    if (differing.has(path)) return [];
    const value = atPath(after.fields, path);
    const found = before && atPath(before.fields, path);
    const kept = holdsSecret(found) ? found : value;
    return kept === undefined ? [] : [[path, kept]];
  });
}

/** All of the found object that is neither declared nor changed: it stays as it is. Secrets are sealed in it. */
export function undeclaredFieldsOf({ declared = [], uncompared = [], fields, before }: Change): Fields {
  if (!before) return {};
  const named = [...declared, ...uncompared, ...fields.map(({ path }) => path)].map(namesInPath);
  return named.reduce(without, before.fields);
}

/** A copy without the member at a path; an object that loses its only member is left out, too. */
function without(fields: Fields, [name, ...rest]: string[]): Fields {
  if (name === undefined || !Object.hasOwn(fields, name)) return fields;
  const { [name]: value, ...others } = fields;
  if (rest.length === 0) return others;
  if (!isPlainObject(value)) return fields;
  const left = without(value as Fields, rest);
  return Object.keys(left).length > 0 ? { ...fields, [name]: left } : others;
}
