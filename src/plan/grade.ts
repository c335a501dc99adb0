import type { Kind } from '../kind/kind.ts';
import { asksForWrite, type Change, type Grade } from '../model/change.ts';

/** How much a change can hurt. A kind may know better; otherwise it follows from what is done. */
export function grade(kind: Kind, change: Change): { grade: Grade; reason?: string } {
  const known = kind.rules.grade?.(change);
  if (known) return known;
  switch (change.action) {
    case 'delete':
      return kind.lifecycle.container
        ? { grade: 'irreversible', reason: 'everything in it goes too' }
        : { grade: 'destructive', reason: 'the object is deleted' };
    case 'replace':
      return change.fields.some(({ secret }) => secret) || kind.lifecycle.replace !== 'free'
        ? { grade: 'irreversible', reason: 'it is deleted and created anew, with a new id' }
        : { grade: 'disruptive', reason: 'it is absent for a moment' };
    case 'adopt':
      return change.fields.some(asksForWrite)
        ? { grade: 'safe', reason: 'taken over, and changed' }
        : { grade: 'safe' };
    default:
      return { grade: 'safe' };
  }
}
