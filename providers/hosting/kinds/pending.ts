import type { ApiObject, Pending } from '#kind';

/** So much of a text of the platform is quoted at most. */
const most = 200;

/** A text of the platform for a sentence; undefined where it is none. */
export const quoted = (text: unknown): string | undefined =>
  typeof text === 'string' && text !== '' ? JSON.stringify(text.slice(0, most)) : undefined;

/**
 * Tells by the status of an object, in `member`, whether it is ready. `words`: what each status means that is not `ready`. `message`: the
 * member that says why it failed.
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
