import { ancestorsOf, isReadable } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Draft } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import { type ArrangedChange, asksForWrite, type Change, type Grade } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { createsFirst, type Operation } from '../model/plan.ts';
import { type Permission, permissions } from '../model/resource.ts';
import type { PlanInput } from './input.ts';
import { predictUndo } from './predict-undo.ts';

/*
 * Completes the changes of a plan: their grades and permissions and, once their requests are drafted, the facts that only these show. The
 * functions that complete changes return new ones and leave the given ones as they are.
 */

/** The requests of a plan, which show more of the harm that a change does than its fields. */
interface PlannedRequests {
  drafts: readonly Draft[];
  operations: readonly Operation[];
  /** The number of objects inside that are deleted although the changed object itself stays, by address. See `countLosses`. */
  losses: ReadonlyMap<Address, number>;
}

/**
 * Returns the changes with the grades and reasons that only their requests show. An apply asks for an approval by grade, and `plan` prints
 * the reason.
 *
 *   | the requests of a change                                                | grade       | reason                     |
 *   | ----------------------------------------------------------------------- | ----------- | -------------------------- |
 *   | delete objects inside it                                                | destructive | their number               |
 *   | disrupt something, such as a DNS record that is absent for a moment     | disruptive, if it was safe | of the first such draft |
 *   | create the new object of a replacement before they delete the old one   | as it was   | without an interruption, unless the kind gave the reason |
 */
export function gradeByRequests(
  changes: readonly ArrangedChange[],
  { drafts, operations, losses }: PlannedRequests,
): ArrangedChange[] {
  const disruptions = findDisruptions(drafts);
  return changes.map((change) => {
    const { address, grade } = change;
    const lost = losses.get(address);
    if (lost) {
      const gradeReason = `${lost} of what it holds ${lost === 1 ? 'is' : 'are'} deleted`;
      return { ...change, grade: 'destructive', gradeReason };
    }
    const disruption = disruptions.get(address);
    if (disruption !== undefined && grade === 'safe')
      return { ...change, grade: 'disruptive', gradeReason: disruption };
    return isUsualReplacement(change) &&
      createsFirst(operations.filter((operation) => operation.changes.includes(address)))
      ? { ...change, gradeReason: 'a new one is created under a new id, then the old one is deleted' }
      : change;
  });
}

/** Returns the reasons why drafts disrupt something for a moment, by the addresses of their changes. The first draft of a change counts. */
function findDisruptions(drafts: readonly Draft[]): Map<Address, string> {
  const disruptions = new Map<Address, string>();
  for (const { changes, disrupts } of drafts) {
    if (disrupts === undefined) continue;
    for (const address of changes) if (!disruptions.has(address)) disruptions.set(address, disrupts);
  }
  return disruptions;
}

/** True if a change is a replacement whose reason is one of the usual ones, so that the kind itself gave none. */
const isUsualReplacement = ({ action, gradeReason }: ArrangedChange): boolean =>
  action === 'replace' && Object.values<string | undefined>(replacementReasons).includes(gradeReason);

/**
 * Removes the mark `changesLedgerOnly` from changes that an operation sends after all, such as an item that has to move in its list. With
 * the mark, a change would need no approval.
 */
export function unmarkSentRenewals(
  changes: readonly ArrangedChange[],
  operations: readonly Operation[],
): ArrangedChange[] {
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  return changes.map((change) => {
    if (change.changesLedgerOnly === undefined || !sent.has(change.address)) return change;
    const { changesLedgerOnly: _, ...others } = change;
    return others;
  });
}

/**
 * Adds to each change the prediction whether `trueup undo` can take it back later. Shown in the plan, and
 * needed to choose the canary: the harmless change that a first apply sends alone, as a test.
 */
export function addUndo(changes: readonly ArrangedChange[], input: PlanInput): Change[] {
  const created = new Set(changes.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  return changes.map((change) => {
    const kind = input.kinds.get(change.kind)!;
    // An object below a new one had no values before.
    const isInNew = ancestorsOf(input.kinds, kind, change.parent).some(({ address }) => created.has(address));
    // No spread, because `undo` is a new member (CONTRIBUTING.md, "Memory").
    return Object.assign({}, change, { undo: predictUndo(change, kind, isInNew, input) });
  });
}

/** The grade of a change, with the reason for people. */
interface GradeOfChange {
  grade: Grade;
  reason?: string;
}

/** The reasons of a replacement: of an object with data of its own (`irreversible`), and of one that can be created again at any time. */
const replacementReasons = {
  irreversible: 'it is deleted and recreated with a new id',
  disruptive: 'it is briefly absent',
} as const;

/**
 * Returns the grade of a change: how much harm it can do, from safe to irreversible. The grade decides which
 * changes of a plan `apply` asks a person to approve. A change that sends no request is safe: the object stays as
 * it is when it is released or adopted without an edit. Otherwise the kind's own rule comes first, then a creation
 * that may overwrite an unreadable object, then the cost, then the action.
 */
export function gradeChange(kind: Kind, change: Change): GradeOfChange {
  const { action, fields } = change;
  const isAdoptedUnchanged = action === 'adopt' && !fields.some(asksForWrite);
  if (isAdoptedUnchanged || action === 'release' || action === 'forget') return { grade: 'safe' };
  const gradeOfKind = kind.rules.grade?.(change);
  if (gradeOfKind) return gradeOfKind;
  if (action === 'create' && !isReadable(kind))
    return {
      grade: 'disruptive',
      reason: 'it cannot be read: if it exists, it is overwritten',
    };
  if (change.permissions?.includes('cost')) return { grade: 'irreversible', reason: 'it costs money' };
  switch (action) {
    case 'delete':
      return kind.lifecycle.container
        ? { grade: 'irreversible', reason: 'everything in it is deleted too' }
        : { grade: 'destructive', reason: 'the object is deleted' };
    case 'replace': {
      // The declaration of a kind says `free` if its objects lose nothing when they are deleted and created again.
      const losesNothing = kind.lifecycle.replace === 'free' && !fields.some(({ secret }) => secret);
      return losesNothing
        ? { grade: 'disruptive', reason: replacementReasons.disruptive }
        : { grade: 'irreversible', reason: replacementReasons.irreversible };
    }
    case 'adopt':
      return { grade: 'safe', reason: 'adopted and changed' };
    default:
      return { grade: 'safe' };
  }
}

/**
 * Returns the permissions (`$allow`, `--allow`) that a change needs before it is sent: `cost` if it costs
 * money, `remove-access` if it takes a person's access away. The plan refuses a change without them.
 */
export function permissionsOf({ lifecycle: { asks = {} } }: Kind, change: Change): Permission[] {
  const { action } = change;
  return permissions.filter((permission) => {
    // The kind names the action that needs the permission, or has a test of the change. A replacement creates and deletes.
    const when = asks[permission];
    if (typeof when === 'function') return when(change);
    return when !== undefined && (action === when || action === 'replace');
  });
}

/**
 * Reports changes that cost money or remove somebody's access (`permissions`: these effects) and are not allowed, so
 * that they are not applied by accident. They are allowed by `--allow`, or by `$allow` in the header, in the block or in
 * an enclosing block. For a block that is gone, the `$allow` in its ledger entry counts, unless there is a key that
 * does not verify the ledger.
 */
export function refuseUnpermitted(changes: Change[], input: PlanInput, report: Reporter): void {
  for (const change of changes)
    for (const permission of change.permissions ?? []) {
      if (isPermitted(permission, change, input)) continue;
      const { address, at } = change;
      report.error('allow/missing', `${address}: this ${deeds[permission]}, which is not allowed`, {
        address,
        at,
        hint: `write \`$allow: [${permission}]\` in its block, an enclosing block or the header (in CI the only way; remove it after the apply); or run once at a terminal with --allow ${permission}`,
      });
    }
}

/** The effects that need a permission, in words for the message. */
const deeds: Record<Permission, string> = {
  cost: 'costs money',
  'remove-access': "removes somebody's access",
};

/**
 * True if a change that costs money or removes access is allowed: by the operator's options, by the configuration, or by the object itself
 * or an ancestor. For objects that are no longer declared, the ledger has their `$allow`, unless the key does not verify the ledger.
 */
function isPermitted(permission: Permission, { kind, address, parent }: Change, input: PlanInput): boolean {
  const { desired, ledger, kinds, options = {}, unverifiedReason } = input;
  if (options.allow?.includes(permission) || desired.allow?.includes(permission)) return true;
  const ancestors = ancestorsOf(kinds, kinds.get(kind)!, parent);
  return [address, ...ancestors.map((ancestor) => ancestor.address)].some((blockAddress) => {
    const declared = desired.resources.get(blockAddress);
    if (declared) return declared.meta.allow?.includes(permission);
    return unverifiedReason === undefined && ledger.entries[blockAddress]?.allow?.includes(permission);
  });
}
