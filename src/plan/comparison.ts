import { isReadable } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { type Action, asksForWrite, type Change, type Grade } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { NotComparedFinding } from '../model/not-compared.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import type { PlanInput, Report } from './input.ts';
import { permissionsOf } from './permissions.ts';

export interface Decisions {
  changes: Change[];
  /** Live objects that this stack does not own. */
  unmanaged: LiveResource[];
  /** Resources whose secret could not be compared, or may have been changed outside. */
  unverifiedSecrets: Set<Address>;
  /** A collection could not be read. */
  isIncomplete: boolean;
  /** The objects and secrets that could not be compared. */
  notCompared: NotComparedFinding[];
  /** Units that joined rows of ours outside, each with our units in its row. */
  joinedUnits: ReadonlyMap<Address, Address[]>;
}

/** One address with all that is known of it. */
export interface Comparison {
  input: PlanInput;
  address: Address;
  kind: Kind;
  parent: Address | undefined;
  /** D: what the configuration wants. */
  desired: Resource | undefined;
  /** L: the live object that is meant. */
  live: LiveResource | undefined;
  /** K: the ledger's entry of an object that is ours. */
  entry: LedgerEntry | undefined;
  /** The ledger has it as a parent that is not ours. */
  isRecordedAsExisting: boolean;
  /** The ledger's entry is about another object, or one in another container, with the same name. */
  isReplacedOutside: boolean;
  decisions: Decisions;
  report: Report;
}

/** The fields of a variable that take the secret of another object, and whether this plan writes them. */
export interface SecretFields {
  names: readonly string[];
  isWritten: boolean;
}

/** A case of a declared address. */
export type DeclaredComparison = Comparison & { desired: Resource; secret?: SecretFields | undefined };

/** The change of a case; `rest` overrides what follows from the case. */
export function createChange(comparison: Comparison, action: Action, rest: Partial<Change> = {}): Change {
  const { address, kind, parent, desired, live } = comparison;
  const claims = comparison.input.recordedAddresses?.get(address);
  const change: Change = {
    address,
    kind: kind.name,
    action,
    ...(parent === undefined ? {} : { parent }),
    ...(live ? { id: live.ids.join(','), before: live } : {}),
    ...(desired ? { after: desired, at: desired.at } : {}),
    ...(claims === undefined ? {} : { recordedAddress: claims }),
    fields: [],
    grade: 'safe',
    ...rest,
  };
  const permissions = permissionsOf(kind, change);
  if (permissions.length > 0) change.permissions = permissions;
  const { grade: level, reason } = grade(kind, change);
  change.grade = level;
  if (reason !== undefined) change.gradeReason = reason;
  return change;
}

/** True if everything that is not declared in a collection is deleted. */
export const isExclusive = ({
  input,
  parent,
  kind,
}: Pick<Comparison, 'input' | 'parent' | 'kind'>): boolean =>
  input.desired.resources.get(parent ?? '')?.meta.exclusive?.includes(kind.section) ?? false;

/** The disruption of a replacement, unless its kind says more. */
const recreated = ['it is deleted and recreated with a new id', 'it is briefly absent'] as const;

/** The reason of a replacement whose requests make the new object before the old one goes. */
export const createdFirst = ({ action, gradeReason }: Change): Partial<Change> =>
  action === 'replace' && recreated.some((reason) => reason === gradeReason)
    ? { gradeReason: 'a new one is created under a new id, then the old one is deleted' }
    : {};

/** The grade of a change: the kind's own if it has one, else by the action. */
function grade(kind: Kind, change: Change): { grade: Grade; reason?: string } {
  const known = kind.rules.grade?.(change);
  if (known) return known;
  if (change.action === 'create' && !isReadable(kind))
    return {
      grade: 'disruptive',
      reason: 'it cannot be read: if it exists, it is overwritten',
    };
  if (change.permissions?.includes('cost')) return { grade: 'irreversible', reason: 'it costs money' };
  switch (change.action) {
    case 'delete':
      return kind.lifecycle.container
        ? { grade: 'irreversible', reason: 'everything in it is deleted too' }
        : { grade: 'destructive', reason: 'the object is deleted' };
    case 'replace':
      return change.fields.some(({ secret }) => secret) || kind.lifecycle.replace !== 'free'
        ? { grade: 'irreversible', reason: recreated[0] }
        : { grade: 'disruptive', reason: recreated[1] };
    case 'adopt':
      return change.fields.some(asksForWrite)
        ? { grade: 'safe', reason: 'adopted and changed' }
        : { grade: 'safe' };
    default:
      return { grade: 'safe' };
  }
}

type Part = LiveResource | undefined;

/** Splits a found object in two, by the ids behind it. Only an object of several rows can have both parts. */
export function splitByIds(
  resource: LiveResource,
  { shape }: Kind,
  isFirst: (id: string) => boolean,
): [first: Part, second: Part] {
  const part = (ids: string[]): Part => {
    if (ids.length === 0) return undefined;
    if (ids.length === resource.ids.length || !resource.rows) return { ...resource, ids };
    const liveRows = resource.rows.filter(({ id }) => ids.includes(id));
    const fields = liveRows.map((row) => row.fields).reduce((a, b) => shape.mergeRows?.(a, b) ?? a);
    return { ...resource, id: ids[0]!, ids, rows: liveRows, fields };
  };
  return [part(resource.ids.filter(isFirst)), part(resource.ids.filter((id) => !isFirst(id)))];
}
