import type { Kinds } from '../kind/kind.ts';
import { type Change, makesObject } from '../model/change.ts';
import type { PlanWait } from '../model/plan.ts';

/** What is declared and not ready: objects that were found so, and those that are made and take their time then. */
export const waitingIn = (changes: readonly Change[], kinds: Kinds): PlanWait[] =>
  changes.flatMap((change) => {
    const { address, after, before, action } = change;
    const later = kinds.get(change.kind)?.read.later;
    if (!later || !after || action === 'forget') return [];
    const minutes = after.meta.wait;
    const asked = minutes === undefined ? {} : { minutes };
    if (!makesObject(change)) return before?.pending ? [{ address, ...before.pending, ...asked }] : [];
    if (later.rarely && minutes === undefined) return [];
    return [{ address, why: `ready once ${later.until}`, ...asked }];
  });
