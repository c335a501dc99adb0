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
 * Returns the addresses at which a plan may be wrong because the platform's lists may not show the last run's writes
 * yet. Before applying, trueup waits because of them and plans again; other plans only warn. Empty once lists must show
 * all writes (`isSettled`). The addresses are:
 *
 *   - creations of objects that the ledger has, but no list shows: they may exist, and would be created twice
 *   - changes at addresses where a run sent the request for a creation and does not know its outcome (`begun`)
 *   - with `removed`, also such creations that the plan does not mention. Used for undo, which has to remove their
 *     objects, but cannot plan that while no list shows them
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
