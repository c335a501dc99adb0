import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { isRead, type Operation, type Request } from '../model/plan.ts';
import { isPlainObject, type Path } from '../model/value.ts';
import { createdBy } from './intents.ts';

/** It may have been done or not. `unread`: in place of an answer that says it; `unseen`: what the account never shows. */
export const notKnown = (unread: Error | undefined, said: string | undefined, unseen?: string[]): Error => {
  const cause = unread ? { cause: unread } : {};
  if (isGone(unread))
    return new Error(
      `${unread!.message}; but the account still shows it, or cannot be read: run again, which looks once more`,
      cause,
    );
  const answer = unread ? `${unread.message}; it` : "the platform's answer";
  const also = said === undefined ? '' : ` (it says: ${said})`;
  return new Error(
    unseen
      ? `${answer} does not say what became of it, and ${unseen.map((path) => `\`${path}\``).join(', ')} cannot be read back${also}: run again, which sends it once more`
      : `${answer} does not say what became of it, and the account does not show it${also}: run again, which looks once more`,
    cause,
  );
};

/** True for what can be an id. */
export const isId = (id: unknown): boolean => (typeof id === 'string' && id !== '') || typeof id === 'number';

/** The addresses that show the outcome of a request. If more writes follow it, only those of objects that it makes and takes away. */
export function lookedUpFor(request: Request, { changes }: Operation, isLast: boolean): Address[] {
  if (isRead(request) || request.stages || request.shows) return [];
  if (isLast) return request.batch?.flat() ?? changes;
  return [...createdBy(request), ...(request.drops ?? []).map(({ address }) => address)];
}

/** The addresses whose objects a request was to make, where its answer says that it did not: what stands between may say so, too. */
export const refusedFor = (
  error: unknown,
  request: Request,
  { begun = {} }: Pick<Ledger, 'begun'>,
): Address[] =>
  isRefusal(error) && !isRead(request) && !request.stages
    ? createdBy(request).filter((address) => begun[address])
    : [];

/** It was refused, and yet these were made. */
export const madeAnyway = (refusal: Error, made: Iterable<Address>): Error =>
  new Error(
    `${refusal.message}; but the account shows that it was done (${[...made].join(', ')}): run again, which goes on from there`,
    { cause: refusal },
  );

const statusOf = (error: unknown): number => (error as { status?: number } | undefined)?.status ?? 0;

/** A token that is not taken lets nothing be looked up either, and a limit holds up everything. */
const isRefusal = (error: unknown) => {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
};

/** The object of a deletion is not there: somebody else was first, or this answer is wrong. */
const isGone = (error: unknown) => [404, 410].includes(statusOf(error));

/** True if only the account can tell what became of a write: a success that cannot be read, or "not found" for a deletion. */
export const isOpen = (error: unknown, { endpoint, stages }: Request) =>
  // A staged list differs from the one that was planned on.
  isUnreadable(error) || (isGone(error) && endpoint.startsWith('DELETE ') && !stages);

/** A success that cannot be read: what was done, nobody says. */
const isUnreadable = (error: unknown) => {
  const status = statusOf(error);
  return status >= 200 && status < 300;
};

/** An answer with a value at a path of names. */
export function withValue(answer: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name !== 'string') return answer;
  const members = isPlainObject(answer) ? answer : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}
