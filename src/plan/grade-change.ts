import { isReadable } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { asksForWrite, type Change, type Grade } from '../model/change.ts';

/** The grade of a change, with the reason for people. */
interface GradeOfChange {
  grade: Grade;
  reason?: string;
}

/** The reasons of a replacement: of an object with data of its own, and of one that can be created again at any time. */
const replacementReasons = ['it is deleted and recreated with a new id', 'it is briefly absent'] as const;

/**
 * Returns the grade of a change: how much harm it can do, from safe to irreversible. It decides which changes of a plan need an approval.
 * The kind's own rule comes first, then the action decides.
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
