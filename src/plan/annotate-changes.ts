import { ancestorsOf, isReadable } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Draft } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change, type Grade } from '../model/change.ts';
import { createsFirst, type Operation } from '../model/plan.ts';
import type { PlanInput } from './input.ts';
import { predictUndo } from './predict-undo.ts';

/*
 * Completes the changes of a plan with facts that are known only after their requests. Each function returns new changes and leaves the
 * given ones as they are.
 */

/**
 * Raises the grade of safe changes whose requests disrupt something, so that they need an approval. Only a draft of the requests shows such
 * a disruption, for example that a DNS record is absent for a moment. The first draft that disrupts a change gives its reason.
 */
export function gradeByRequests(changes: readonly Change[], drafts: readonly Draft[]): Change[] {
  const reasons = new Map<Address, string>();
  // The first draft that disrupts gives the reason.
  for (const { changes: addresses, disrupts } of drafts)
    for (const address of disrupts ? addresses : [])
      if (!reasons.has(address)) reasons.set(address, disrupts!);
  return changes.map((change) => {
    const reason = reasons.get(change.address);
    return reason !== undefined && change.grade === 'safe'
      ? { ...change, grade: 'disruptive', gradeReason: reason }
      : change;
  });
}

/**
 * Grades changes as destructive if objects inside are deleted although the changed object itself stays, so that they need an approval.
 * `losses`: the number of these objects by address, see `countLosses`.
 */
export const gradeByLosses = (changes: readonly Change[], losses: ReadonlyMap<Address, number>): Change[] =>
  changes.map((change) => {
    const lost = losses.get(change.address);
    return lost
      ? {
          ...change,
          grade: 'destructive',
          gradeReason: `${lost} of what it holds ${lost === 1 ? 'is' : 'are'} deleted`,
        }
      : change;
  });

/**
 * Corrects the reason, as `plan` shows it, of those replacements that create the new object before they delete the old one: the default reason would
 * announce an interruption that does not happen. Only the operations show the order.
 */
export const explainReplacements = (changes: readonly Change[], operations: readonly Operation[]): Change[] =>
  changes.map((change) => {
    if (change.action !== 'replace') return change;
    const ownOperations = operations.filter((operation) => operation.changes.includes(change.address));
    return createsFirst(ownOperations) ? withReasonForCreatingFirst(change) : change;
  });

/**
 * Removes the mark `changesLedgerOnly` from changes that an operation sends after all, such as an item that has to move in its list. With
 * the mark, a change would need no approval.
 */
export function unmarkSentRenewals(changes: readonly Change[], operations: readonly Operation[]): Change[] {
  const sent = new Set(operations.flatMap((operation) => operation.changes));
  return changes.map((change) => {
    if (change.changesLedgerOnly === undefined || !sent.has(change.address)) return change;
    const { changesLedgerOnly: _, ...others } = change;
    return others;
  });
}

/** Adds to each change the prediction whether `trueup undo` can take it back later. Used by the guards and shown in the plan. */
export function addUndo(changes: readonly Change[], input: PlanInput): Change[] {
  const created = new Set(changes.flatMap(({ action, address }) => (action === 'create' ? [address] : [])));
  return changes.map((change) => {
    const kind = input.kinds.get(change.kind)!;
    // An object below a new one had no values before.
    const isInNew = ancestorsOf(input.kinds, kind, change.parent).some(({ address }) => created.has(address));
    return { ...change, undo: predictUndo(change, kind, isInNew, input) };
  });
}

/** The grade of a change, with the reason for people. */
interface GradeOfChange {
  grade: Grade;
  reason?: string;
}

/** The reasons of a replacement: of an object with data of its own, and of one that can be created again at any time. */
const replacementReasons = ['it is deleted and recreated with a new id', 'it is briefly absent'] as const;

/**
 * Returns the grade of a change: how much harm it can do, from safe to irreversible. The grade decides which changes of a plan `apply` asks a person
 * to approve. The kind's own rule comes first, then the action decides.
 */
export function gradeChange(kind: Kind, change: Change): GradeOfChange {
  const gradeOfKind = kind.rules.grade?.(change);
  if (gradeOfKind) return gradeOfKind;
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
        ? { grade: 'irreversible', reason: replacementReasons[0] }
        : { grade: 'disruptive', reason: replacementReasons[1] };
    case 'adopt':
      return change.fields.some(asksForWrite)
        ? { grade: 'safe', reason: 'adopted and changed' }
        : { grade: 'safe' };
    default:
      return { grade: 'safe' };
  }
}

/**
 * Returns a replacement with the reason for the case that its requests create the new object before they delete the old one. A reason that
 * the kind gave stays. Used after the requests are known, since only they show the order.
 */
export const withReasonForCreatingFirst = (change: Change): Change =>
  replacementReasons.some((reason) => reason === change.gradeReason)
    ? { ...change, gradeReason: 'a new one is created under a new id, then the old one is deleted' }
    : change;
