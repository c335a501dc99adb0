import { createsObject } from '../../src/model/change.ts';
import { secretId } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { inventory } from './inventory.ts';
import type { Step } from './promises.ts';

/**
 * Renames that made another object of one that was there, and new objects that nothing in the ledger knows: so something was lost, or
 * made twice. For a run in which nothing failed.
 */
export function brokenIdentity({ before, after, planned, world }: Step, then: Ledger): string[] {
  const { ledger: now, key } = world;
  const changes = new Map(planned.plan.changes.map((change) => [change.address, change]));
  const renamed = planned.moves.flatMap(({ from, to }) => {
    const [old, entry, change] = [then.entries[from], now.entries[to], changes.get(to)];
    // Left out of this plan, or there is nothing of it any more.
    if (!old || !entry || !change || change.action === 'delete') return [];
    if (createsObject(change)) return [];
    const lost = old.ids.filter((id) => !entry.ids.includes(id));
    const known = old.ids.filter((id) => entry.ids.includes(id));
    return old.ids.length > 0 && known.length === 0
      ? [`${from} was renamed to ${to}, and is another object now: ${lost.join()}, then ${entry.ids.join()}`]
      : [];
  });
  const ids = new Set(Object.values(now.entries).flatMap((entry) => entry.ids));
  const were = inventory(before);
  // A new environment may begin with copies of all variables, and a zone has records of the platform's own.
  const isCopying = [...changes.values()].some(({ after }) => after?.fields.copyEnvVarsFrom !== undefined);
  const doubled = [...inventory(after).values()]
    .filter(
      ({ section, content }) => !(section === 'env' && isCopying) && !/"creator":"system"/.test(content),
    )
    .filter((item) => item.id !== undefined && !were.has(item.key))
    .filter(({ section, id }) => !ids.has(section === 'protectionBypass' ? secretId(key, id!) : id!))
    .map(({ key, content }) => `${key} was made, and the ledger has no entry for it: ${content}`);
  return [...renamed, ...doubled];
}
