import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';

/** Seconds that lists may take to show a write. */
export const standardSettle = 60;

/** True once lists show what a run sent last. `settle`: how long they may take, in milliseconds. */
export const isSettled = ({ lastWrite }: Ledger, now: number, settle: number): boolean =>
  lastWrite === undefined || now >= Date.parse(lastWrite) + settle;

/**
 * The addresses that a plan would change although a run may have done it just now: what is in the ledger and not in the lists would
 * be created again, and what was begun may be there in part. None once the lists have settled.
 */
export function unsettled({ changes }: Plan, ledger: Ledger, now: number, settle: number): string[] {
  if (isSettled(ledger, now, settle)) return [];
  return changes
    .filter(({ action, before, address }) => {
      const isGone = action === 'create' && !before && ledger.entries[address] !== undefined;
      return isGone || (action !== 'noop' && ledger.begun?.[address]?.sent);
    })
    .map(({ address }) => address);
}
