import { createHash } from 'node:crypto';
import type { Account, User } from '../account.ts';
import type { Call } from '../call.ts';

/** One entry of the platform's log of what users did. */
export type UserEvent = ReturnType<typeof eventOf>;

const most = 10_000;
// Beside the account: what happened is no part of what it is, and a copy of it has its own.
const eventsByAccount = new WeakMap<Account, UserEvent[]>();

/** Returns the event that the account's log gets for a write. `before`: the number of earlier events. `answer`: the body of the write's answer. */
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
    // Not of the account's own row of ids, which would be others then.
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

/** All events of an account so far. */
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

/** The ids and names in bodies, never a value: those may be secrets. */
const idsIn = (value: unknown): string[] => membersOf(value, /^(id|uid|ids)$|Id$/);
const namesIn = (value: unknown): string[] => membersOf(value, /^(name|key|slug)$/);

/** Returns the texts of all members of a value, at any depth, whose names match. */
function membersOf(value: unknown, names: RegExp): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => membersOf(item, names));
  return Object.entries(value).flatMap(([name, item]) =>
    names.test(name) && typeof item === 'string' ? [item] : membersOf(item, names),
  );
}
