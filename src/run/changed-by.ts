import type { AccountEvent } from '../kind/provider.ts';
import { lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import { type DriftSource, isDrift, type Plan } from '../model/plan.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { Session } from './session.ts';

/** The time until the platform's list of events shows an event, in milliseconds. */
const slack = 1000;

/**
 * The people behind changes outside, according to the platform's events and the objects themselves. Events are read only if there is
 * drift. It proves nothing, and is no problem, if the token may not read them or they name nobody.
 */
export async function changedBy(
  { connection, masking }: Pick<Session, 'connection' | 'masking'>,
  { changes }: Plan,
  ledger: Ledger,
  live: Live,
): Promise<DriftSource[]> {
  const drifted = changes.filter(isDrift);
  if (drifted.length === 0) return [];
  const since = new Map(drifted.map((change) => [change, lastWritten(change, ledger)]));
  const from = Math.min(...since.values());
  const events = (await connection.events?.(Number.isFinite(from) ? from : 0).catch(() => undefined)) ?? [];
  const names = new Map(events.flatMap(({ by }) => (by.id === undefined ? [] : [[by.id, by.name]])));
  return drifted.flatMap((change): DriftSource[] => {
    const { address } = change;
    const object = change.before ?? live.resources.get(address);
    const accountEvent = latest(
      events,
      change,
      object,
      ledger.entries[address]?.ids ?? [],
      since.get(change)!,
    );
    const mask = (text: string) => masking.mask(text);
    if (accountEvent)
      return [
        {
          address,
          who: mask(accountEvent.by.name),
          when: new Date(accountEvent.when).toISOString(),
          ...(accountEvent.through === undefined ? {} : { through: mask(accountEvent.through) }),
        },
      ];
    const { facts, updatedAt } = object ?? {};
    const updatedBy = facts?.updatedBy;
    if (typeof updatedBy !== 'string' || updatedAt === undefined || updatedAt <= since.get(change)!)
      return [];
    const who = names.get(updatedBy) ?? `the user ${updatedBy}`;
    return [{ address, who: mask(who), when: new Date(updatedAt).toISOString() }];
  });
}

/** When this stack last wrote an object, as far as is known: later writes are somebody else's. */
const lastWritten = ({ address }: Change, ledger: Ledger): number =>
  ledger.entries[address]?.updatedAt ??
  (ledger.lastWrite === undefined ? 0 : Date.parse(ledger.lastWrite) + slack);

/** The last event about an object: one that names its id, or its parent's with its own name. */
function latest(
  events: readonly AccountEvent[],
  { address, parent }: Change,
  object: LiveResource | undefined,
  known: readonly string[],
  since: number,
): AccountEvent | undefined {
  const ids = new Set([...known, ...(object?.ids ?? [])]);
  // An object that is one of its kind in its parent has the parent's id.
  const name = lastNameOf(address).split('@')[0]!;
  const isAbout = ({ about }: AccountEvent) =>
    [...ids].some((id) => about.has(id)) ||
    (parent !== undefined && about.has(lastNameOf(parent)) && about.has(name));
  const accountEvents = events.filter((event) => event.when > since && isAbout(event));
  return accountEvents.sort((a, b) => b.when - a.when)[0];
}
