import type { RequestCounts } from '../model/plan.ts';
import type { Endpoint, Pages, Request, Send } from '../model/request.ts';

/** A `Send` that counts its requests, for one of the stacks that share a connection. */
interface CountedSend {
  send: Send;
  /** Returns the number of requests so far, by endpoint, with `earlier`. */
  sent(): RequestCounts;
}

/**
 * Returns a `Send` that counts the requests of one stack by endpoint, each page of a list as one. Used for stacks that
 * share a connection with a cache of reads. The plan of a stack states how many requests it took, and how many reads
 * its apply will take. So a request counts whether the cache or the platform answers it, and requests of other stacks
 * do not count: so the numbers do not depend on the order of the stacks. `earlier`: requests that were sent for the
 * stack before, such as those that find the owner of the account.
 */
export function countRequests(send: Send, earlier: RequestCounts): CountedSend {
  const counts = new Map<Endpoint, number>(earlier);
  const add = (endpoint: Endpoint) => counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  const countPages = (pages: Pages, { endpoint }: Request): Pages => {
    const { readNext } = pages;
    if (!readNext) return pages;
    const readCounted = async () => {
      add(endpoint);
      return countPages(await readNext(), { endpoint });
    };
    return { ...pages, readNext: readCounted };
  };
  return {
    send: async (request, confirm, dispatch) => {
      add(request.endpoint);
      const answer = await send(request, confirm, dispatch);
      return request.pages ? countPages(answer as Pages, request) : answer;
    },
    sent: () => new Map(counts),
  };
}
