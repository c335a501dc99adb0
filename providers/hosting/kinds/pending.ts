import type { ApiObject, Pending } from '#kind';

/** The most characters that are quoted from a text of the platform. */
const most = 200;

/** Returns a text of the platform in quotes, for a message; undefined if the value is no text or empty. */
export const quoted = (text: unknown): string | undefined =>
  typeof text === 'string' && text !== '' ? JSON.stringify(text.slice(0, most)) : undefined;

/**
 * Returns the function which finds out by the status of an object, in `member`, why it is not ready; undefined if it is. Used for `$wait`.
 * `words`: the meaning of each status other than `ready`. `message`: the member with the reason of a failure.
 */
export const pendingByStatus =
  (ready: string, words: Record<string, Pending>, message?: string, member = 'status') =>
  (object: ApiObject): Pending | undefined => {
    const { [member]: status } = object;
    if (status === ready || typeof status !== 'string') return undefined;
    const pending = Object.hasOwn(words, status)
      ? words[status]!
      : { reason: `its status is ${quoted(status)}` };
    const detail = pending.failed && message !== undefined ? quoted(object[message]) : undefined;
    return detail === undefined ? pending : { ...pending, reason: `${pending.reason}: ${detail}` };
  };
