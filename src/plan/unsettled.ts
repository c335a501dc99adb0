import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';

/** How many seconds lists may take to show a write. */
export const standardSettle = 60;

/** Whether lists show by now what a run sent last. `settle`: how long they may take, in milliseconds. */
export const isSettled = ({ lastWrite }: Ledger, now: number, settle: number): boolean =>
  lastWrite === undefined || now >= Date.parse(lastWrite) + settle;

/**
 * The addresses that a plan would create although a run may have created them just now: they are in the ledger, or begun, and the
 * lists do not show them. None once the lists have settled.
 */
export function unsettled({ changes }: Plan, ledger: Ledger, now: number, settle: number): string[] {
  if (isSettled(ledger, now, settle)) return [];
  return changes
    .filter(({ action, before, address }) => {
      const isKnown = ledger.entries[address] !== undefined || ledger.begun?.[address]?.sent;
      return action === 'create' && !before && isKnown;
    })
    .map(({ address }) => address);
}
