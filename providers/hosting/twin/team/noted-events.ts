import { createHash } from 'node:crypto';
import type { Account, User } from '../account.ts';
import type { Call } from '../call.ts';

/** One entry of the platform's log of what users did. */
export type UserEvent = ReturnType<typeof eventOf>;

/** The number of events that the log keeps; older ones are dropped. */
const most = 10_000;
// Not a part of the account, so that the account stays equal to one that was made without these requests, and is not saved with its
// history.
const eventsByAccount = new WeakMap<Account, UserEvent[]>();

/**
 * Returns the event for a write: who did which operation, to which ids and names. `before`: the number of earlier events. `answer`: the
 * body of the write's answer.
 */
function eventOf(
  { account: { lastTime }, owner, params, query, body }: Call,
  { name, group }: { name: string; group: string },
  answer: unknown,
  { id: userId, username, email }: User,
  before: number,
) {
  const project = params.idOrName ?? params.projectId ?? params.projectIdOrName ?? query.get('projectId');
  const inProject = project ? { projectId: project } : {};
  return {
    // Not made with `makeId`: events would use up ids, so that the ids of later objects would be others.
    id: `uev_${createHash('sha256').update(`${before}${lastTime}`).digest('hex').slice(0, 24)}`,
    text: `**You** did ${name}`,
    entities: [],
    type: group,
    createdAt: lastTime,
    principalId: userId,
    principal: { type: 'user', uid: userId, username, email, avatar: '' },
    userId,
    tokenId: 'tok_twin',
    via: [],
    payload: { ...params, ...inProject, ids: idsIn([body, answer]), name: namesIn([body]) } as Record<
      string,
      unknown
    >,
    owner: owner.id,
  };
}

/** Returns the events of an account, the oldest first. */
export const eventsOf = (account: Account): readonly UserEvent[] => eventsByAccount.get(account) ?? [];

/** Adds an event to the account's log: this user made this write. `GET /v3/events` lists it. */
export function noteEvent(
  call: Call,
  operation: { name: string; group: string },
  answer: unknown,
  user: User,
): void {
  const events = eventsByAccount.get(call.account) ?? [];
  eventsByAccount.set(call.account, events);
  events.push(eventOf(call, operation, answer, user, events.length));
  if (events.length > most) events.shift();
}

// An event has the ids and names in bodies, but no values, because those may be secrets.
const idsIn = (value: unknown): string[] => textsOf(value, /^(id|uid|ids)$|Id$/);
const namesIn = (value: unknown): string[] => textsOf(value, /^(name|key|slug)$/);

/** Returns the texts, also in lists, of all members of a value, at any depth, whose names match. */
function textsOf(value: unknown, names: RegExp): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, names));
  return Object.entries(value).flatMap(([name, member]) => {
    const texts = [member].flat().filter((item) => typeof item === 'string');
    return names.test(name) && texts.length > 0 ? texts : textsOf(member, names);
  });
}
