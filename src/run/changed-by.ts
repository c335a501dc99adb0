import type { AccountEvent } from '../kind/provider.ts';
import { lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import { type DriftSource, isDrift, type Plan } from '../model/plan.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { RunSession } from './session.ts';

/** The milliseconds until the platform's list of events shows an event. */
const eventDelay = 1000;

/**
 * Returns who made the changes of a plan outside, and when, according to the platform's events or, without an event, the object's `updatedBy`. Shown
 * in the plan, so that people know whom to ask. Events are read only if there is drift. A change without an author is left out, for example if the
 * token may not read events.
 */
export async function changedBy(
  { connection, masking }: Pick<RunSession, 'connection' | 'masking'>,
  { changes }: Plan,
  ledger: Ledger,
  live: Live,
): Promise<DriftSource[]> {
  const drifted = changes.filter(isDrift);
  if (drifted.length === 0) return [];
  const since = new Map(drifted.map((change) => [change, lastWritten(change, ledger)]));
  const earliest = Math.min(...since.values());
  const firstTime = Number.isFinite(earliest) ? earliest : 0;
  const events = (await connection.events?.(firstTime).catch(() => undefined)) ?? [];
  const names = new Map(events.flatMap(({ by }) => (by.id === undefined ? [] : [[by.id, by.name]])));
  return drifted.flatMap((change): DriftSource[] => {
    const { address } = change;
    const object = change.before ?? live.resources.get(address);
    const accountEvent = findLastEvent(
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
          through: accountEvent.through === undefined ? undefined : mask(accountEvent.through),
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

/**
 * Returns the time of this stack's last write to an object, in milliseconds, or an upper limit for it. Used to show who changed the object in the
 * account since: earlier events may be our own writes.
 */
const lastWritten = ({ address }: Change, ledger: Ledger): number =>
  ledger.entries[address]?.updatedAt ??
  (ledger.lastWrite === undefined ? 0 : Date.parse(ledger.lastWrite) + eventDelay);

/**
 * Returns the newest event about an object since our last write (`since`), to name the author of a change outside;
 * undefined if there is none. An event is about the object if it names one of its ids, or both its parent's id and
 * its name.
 */
function findLastEvent(
  events: readonly AccountEvent[],
  { address, parent }: Change,
  object: LiveResource | undefined,
  recordedIds: readonly string[],
  since: number,
): AccountEvent | undefined {
  const ids = new Set([...recordedIds, ...(object?.ids ?? [])]);
  // A setting that each parent has once has the id of its parent, so events about the parent count for it.
  const name = lastNameOf(address).split('@')[0]!;
  const isAbout = ({ about }: AccountEvent) =>
    [...ids].some((id) => about.has(id)) ||
    (parent !== undefined && about.has(lastNameOf(parent)) && about.has(name));
  const accountEvents = events.filter((event) => event.when > since && isAbout(event));
  return accountEvents.sort((a, b) => b.when - a.when)[0];
}
