import { canonicalJson } from '../model/digest.ts';
import { isRead, type Pages, type Send } from '../model/request.ts';
import { holdsSecret } from '../model/value.ts';

/** A `Send` that answers equal reads from a cache. */
export interface ReadCache {
  send: Send;
  /** Drops the answers so far. */
  forget(): void;
  /** Drops all answers, and sends every request from now on. */
  end(): void;
}

/**
 * Returns a `Send` that sends each equal read only once. Used for plans that are made together, because several
 * stacks read the same account. A write ends the caching (`end`); `forget` drops the answers so far. Neither failed
 * reads nor requests with secrets or with reserved room are cached. Each caller gets its own copy of an answer.
 */
export function readCache(send: Send): ReadCache {
  // Each cached value makes a copy of its answer.
  let answers: Map<string, Promise<() => unknown>> | undefined = new Map();
  const end = () => {
    answers = undefined;
  };
  return {
    end,
    forget: () => {
      if (answers) answers = new Map();
    },
    send: async (request, confirm, dispatch) => {
      if (!isRead(request)) end();
      if (!answers || request.reserved !== undefined || holdsSecret(request.params))
        return send(request, confirm, dispatch);
      const currentAnswers = answers;
      const key = canonicalJson(request);
      const cached = currentAnswers.get(key);
      if (cached) return (await cached)();
      const sending = send(request, confirm).then((answer) =>
        request.pages ? sharePages(answer as Pages) : () => structuredClone(answer),
      );
      currentAnswers.set(key, sending);
      sending.catch(() => currentAnswers.delete(key));
      return (await sending)();
    },
  };
}

/**
 * Returns a function to make copies of a paged list. All copies share the requests for further pages, so that each page is read only once:
 * the first copy that needs the next page reads it, and makes it such a function, too (`nextPages`). Each caller gets a copy of its
 * own, because it may change the objects.
 */
function sharePages(pages: Pages): () => Pages {
  const { readNext } = pages;
  let nextPages: Promise<() => Pages> | undefined;
  const readMore = async () => {
    nextPages ??= readNext!().then(sharePages);
    const sharedPages = nextPages;
    // A failed read is sent again for the next caller.
    sharedPages.catch(() => {
      if (nextPages === sharedPages) nextPages = undefined;
    });
    return (await sharedPages)();
  };
  return () => ({ items: () => structuredClone(pages.items()), readNext: readNext && readMore });
}
