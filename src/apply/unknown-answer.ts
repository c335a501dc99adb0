import type { Address } from '../model/address.ts';
import { isRead, type Operation, type Request } from '../model/plan.ts';
import { isPlainObject, type Path } from '../model/value.ts';
import { createdBy } from './begun.ts';

/** It may have been done or not. */
export const notKnown = (unread: Error | undefined, said: string | undefined): Error =>
  new Error(
    `${unread ? `${unread.message}; it` : "the platform's answer"} does not say what became of it, and the account does not show it${said === undefined ? '' : ` (it says: ${said})`}: run again, which looks once more`,
    unread ? { cause: unread } : {},
  );

/** The addresses that show what became of a request: of one that more writes follow, only what it makes and takes away. */
export function lookedUpFor(request: Request, { changes }: Operation, isLast: boolean): Address[] {
  if (isRead(request) || request.stages || request.shows) return [];
  if (isLast) return request.batch?.flat() ?? changes;
  return [...createdBy(request), ...(request.drops ?? []).map(({ address }) => address)];
}

/** A success that cannot be read: what was done, nobody says. */
export const isUnreadable = (error: unknown) => {
  const { status } = error as { status?: number };
  return status !== undefined && status >= 200 && status < 300;
};

/** An answer with a value at a path of names. */
export function withValue(answer: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name !== 'string') return answer;
  const members = isPlainObject(answer) ? answer : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}
