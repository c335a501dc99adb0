import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';

/** The seconds that the platform's lists may take to show a write. */
export const standardSettle = 60;

/**
 * True if the platform's lists must show all writes of the last run by now. Until then, an object that a list lacks
 * may still exist. `settle`: the milliseconds that a list may lag behind.
 */
export const isSettled = ({ lastWrite }: Ledger, now: number, settle: number): boolean =>
  lastWrite === undefined || now >= Date.parse(lastWrite) + settle;

/**
 * Returns the addresses that a plan would change although the last run may have done that, because lists may not show its writes yet: an object of
 * the ledger that no list shows would be created again, and an unfinished creation may be there in part. Used to wait before applying. Returns none
 * if lists must show all writes by now. `removed`: also counts unfinished creations that the plan does not mention, for a plan that has to
 * remove them.
 */
export function unsettled(
  { changes }: Plan,
  ledger: Ledger,
  { now, settle, removed = false }: { now: number; settle: number; removed?: boolean },
): string[] {
  if (isSettled(ledger, now, settle)) return [];
  const planned = new Set(changes.map(({ address }) => address));
  const unplannedCreations = Object.entries(ledger.begun ?? {}).flatMap(([address, { sent }]) =>
    removed && sent && !planned.has(address) ? [address] : [],
  );
  const uncertainChanges = changes.filter(({ action, before, address }) => {
    const isMissing = action === 'create' && !before && ledger.entries[address] !== undefined;
    return isMissing || (action !== 'noop' && ledger.begun?.[address]?.sent);
  });
  return [...uncertainChanges.map(({ address }) => address), ...unplannedCreations];
}
