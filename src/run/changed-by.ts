import type { AccountEvent } from '../kind/provider.ts';
import { lastNameOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Ledger } from '../model/ledger.ts';
import { type DriftSource, isDrift, type Plan } from '../model/plan.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { RunSession } from './session.ts';

/** The milliseconds by which the platform's event may be later than the write that caused it. */
const eventDelay = 1000;

/**
 * Returns who made the changes of a plan outside, and when, according to the platform's events or, without an event, the object's
 * `updatedBy`. Shown in the plan, so that people know whom to ask. Events are read only if there is drift. A change without an author is
 * left out, for example if the token may not read events.
 */
export async function changedBy(
  { connection, masking }: Pick<RunSession, 'connection' | 'masking'>,
  { changes }: Plan,
  ledger: Ledger,
  live: Live,
): Promise<DriftSource[]> {
  const drifted = changes.filter(isDrift);
  if (drifted.length === 0) return [];
  const times = drifted.map((change) => lastWritten(change, ledger));
  const earliest = Math.min(...times);
  // NaN if the ledger has a time that cannot be parsed.
  const firstTime = Number.isFinite(earliest) ? earliest : 0;
  const events = (await connection.events?.(firstTime).catch(() => undefined)) ?? [];
  const mask = (text: string) => masking.mask(text);
  return drifted.flatMap((change, index) => {
    const object = change.before ?? live.resources.get(change.address);
    const source = findDriftSource(change, object, { events, ledger, since: times[index]! });
    if (!source) return [];
    const through = source.through === undefined ? undefined : mask(source.through);
    return [{ address: change.address, who: mask(source.who), when: source.when, through }];
  });
}

/** The events of the account, and the time of our last write to an object: later events are not ours. */
interface DriftEvidence {
  events: readonly AccountEvent[];
  ledger: Ledger;
  since: number;
}

/**
 * Returns who changed an object outside since our last write, and when: the author of the newest event about it or, without an event,
 * the user in the object's `updatedBy`, by name if some event has it. Undefined if neither shows an author.
 */
function findDriftSource(
  change: Change,
  object: LiveResource | undefined,
  { events, ledger, since }: DriftEvidence,
): Omit<DriftSource, 'address'> | undefined {
  const recordedIds = ledger.entries[change.address]?.ids ?? [];
  const accountEvent = findLastEvent(events, change, object, recordedIds, since);
  if (accountEvent) {
    const { by, when, through } = accountEvent;
    return { who: by.name, when: new Date(when).toISOString(), through };
  }
  const { facts, updatedAt } = object ?? {};
  const updatedBy = facts?.updatedBy;
  if (typeof updatedBy !== 'string' || updatedAt === undefined || updatedAt <= since) return undefined;
  const author = events.findLast(({ by }) => by.id === updatedBy)?.by.name;
  return { who: author ?? `the user ${updatedBy}`, when: new Date(updatedAt).toISOString() };
}

/**
 * Returns the time of this stack's last write to an object, in milliseconds, or an upper limit for it: the last write to any object. 0 if
 * the stack has written nothing. Used to show who changed the object in the account since: earlier events may be our own writes.
 */
const lastWritten = ({ address }: Change, ledger: Ledger): number =>
  ledger.entries[address]?.updatedAt ??
  (ledger.lastWrite === undefined ? 0 : Date.parse(ledger.lastWrite) + eventDelay);

/**
 * Returns the newest event about an object since our last write (`since`), to name the author of a change outside;
 * undefined if there is none. An event is about the object if it names one of its ids, or both its parent's name and
 * its own.
 */
function findLastEvent(
  events: readonly AccountEvent[],
  { address, parent }: Change,
  object: LiveResource | undefined,
  recordedIds: readonly string[],
  since: number,
): AccountEvent | undefined {
  // A setting that each parent has once has the id of its parent, so events about the parent count for it.
  const ids = new Set([...recordedIds, ...(object?.ids ?? [])]);
  // Events name a variable without its target: `API_URL` for `.../env/API_URL@production`.
  const name = lastNameOf(address).split('@')[0]!;
  const isAbout = ({ about }: AccountEvent) =>
    [...ids].some((id) => about.has(id)) ||
    (parent !== undefined && about.has(lastNameOf(parent)) && about.has(name));
  const accountEvents = events.filter((event) => event.when > since && isAbout(event));
  return accountEvents.sort((a, b) => b.when - a.when)[0];
}
