import type { AccountEvent } from '../../src/kind/provider.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Returns the events of an account from the answer of `GET /v3/events`: person, time, tool (`through`), and the ids
 * and names in it (`about`). Used to name the author of a change made outside. Skips events of an unknown form.
 */
export function eventsIn(answer: unknown): AccountEvent[] {
  const { events } = isObject(answer) ? answer : {};
  if (!Array.isArray(events)) return [];
  return events.filter(isObject).flatMap((event): AccountEvent[] => {
    const { createdAt, payload } = event;
    const principal = principalOf(event);
    if (typeof createdAt !== 'number' || !principal) return [];
    const through = throughOf(event);
    const about = new Set<string>();
    collect(payload, about, 0);
    return [{ when: createdAt, by: principal, through, about }];
  });
}

/**
 * Returns the person who caused an event of the account, to name the author of a change made outside. Events name the person in several
 * forms; undefined if this one names none.
 */
function principalOf({ principal, principalId, user, userId }: Json): AccountEvent['by'] | undefined {
  const value = [principal, user].find(isObject);
  const id = textOf(principalId) ?? textOf(userId) ?? textOf(value?.uid) ?? textOf(value?.id);
  const name = value && nameOf(value);
  if (name === undefined && id === undefined) return undefined;
  return { name: name ?? `the user ${id}`, id };
}

const nameOf = ({ type, username, name, email }: Json): string | undefined =>
  type === 'system' ? 'the platform itself' : (textOf(username) ?? textOf(name) ?? textOf(email));

/**
 * Returns the tools of an event: the names of apps, or `a token`. Undefined if it names none; the dashboard cannot
 * be distinguished from other clients.
 */
function throughOf({ via, tokenId }: Json): string | undefined {
  const names = (Array.isArray(via) ? via : []).filter(isObject).flatMap((value) => nameOf(value) ?? []);
  if (names.length > 0) return names.join(', ');
  return textOf(tokenId) === undefined ? undefined : 'a token';
}

const deepest = 6;
const most = 1000;

/**
 * Adds all texts in the payload of an event to `texts`, because the ids and names of the changed objects can be anywhere in it. Stops at a
 * depth and a number, because a payload can be of any size.
 */
function collect(value: unknown, texts: Set<string>, depth: number): void {
  if (depth > deepest || texts.size > most) return;
  if (typeof value === 'string') texts.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1);
  else if (isObject(value)) for (const item of Object.values(value)) collect(item, texts, depth + 1);
}
