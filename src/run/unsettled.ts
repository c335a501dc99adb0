import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';

/** The seconds that lists may take to show a write. */
export const standardSettle = 60;

/** True once lists show the last writes of a run. `settle`: the milliseconds that this may take. */
export const isSettled = ({ lastWrite }: Ledger, now: number, settle: number): boolean =>
  lastWrite === undefined || now >= Date.parse(lastWrite) + settle;

/**
 * The addresses that a plan would change although a run may just have done so: an object in the ledger that no list shows would be created
 * again, and an unfinished one may be there in part. None once the lists have settled. `removed`: also counts creations of unknown outcome
 * that the plan does not mention, because it is to remove them.
 */
export function unsettled(
  { changes }: Plan,
  ledger: Ledger,
  { now, settle, removed = false }: { now: number; settle: number; removed?: boolean },
): string[] {
  if (isSettled(ledger, now, settle)) return [];
  const planned = new Set(changes.map(({ address }) => address));
  const hidden = Object.entries(ledger.begun ?? {}).flatMap(([address, { sent }]) =>
    removed && sent && !planned.has(address) ? [address] : [],
  );
  const early = changes
    .filter(({ action, before, address }) => {
      const isGone = action === 'create' && !before && ledger.entries[address] !== undefined;
      return isGone || (action !== 'noop' && ledger.begun?.[address]?.sent);
    })
    .map(({ address }) => address);
  return [...early, ...hidden];
}
