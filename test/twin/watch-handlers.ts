import { catalog } from '../../providers/hosting/catalog.ts';
import { Answer, type Call } from '../../providers/hosting/twin/call.ts';
import { ApiError } from '../../providers/hosting/twin/errors.ts';
import { nameOf, operations } from '../../providers/hosting/twin/tables.ts';
import { all as isSweep } from '../support/sweep.ts';

const reads = new Set(catalog.filter(({ method }) => method === 'GET').map(nameOf));

/**
 * The number of answers of each reading operation that are kept. The first ones differ most: every plan reads the whole account again, so the later
 * ones mostly repeat them. The sweep keeps all.
 */
const answersOfReads = isSweep ? Number.POSITIVE_INFINITY : 6;

/** As it goes over the wire: much quicker than a structured clone. */
const copyOf = (body: unknown): unknown =>
  body === undefined ? undefined : JSON.parse(JSON.stringify(body));

/** What one operation was asked, read and answered while it was watched. */
export interface Seen {
  /** Query parameters that it looked at, whether they were there or not. */
  read: Set<string>;
  /** Statuses, those of the trials included. */
  statuses: Set<number>;
  /** Bodies of requests that went well. */
  bodies: unknown[];
  /** Bodies of answers that went well; undefined where there was none. Of reads the first ones. */
  answers: { status: number; body: unknown }[];
  /** What it answered to its first good request without the body. */
  withoutBody?: number;
}

/** The query, noting what is read of it. Only single parameters can be read: all at once could be any. */
function noted(query: URLSearchParams, read: Set<string>): URLSearchParams {
  return new Proxy(query, {
    get(target, member) {
      if (member !== 'get' && member !== 'getAll' && member !== 'has') {
        throw new Error(`the query is read by ${String(member)}`);
      }
      return (name: string) => {
        read.add(name);
        return target[member](name);
      };
    },
  });
}

/**
 * Watches every handler of every twin in this process until the answer's `stop` is called. The first good request of an operation is also tried
 * on a copy of the account: without its body, with another value for each thing that it names, and a second time.
 */
export function watchHandlers(): { seen: Map<string, Seen>; stop: () => void } {
  const all = new Map<string, Seen>();
  const unwatched = new Map<string, (typeof operations)[string]['serve']>();
  for (const [name, operation] of Object.entries(operations)) {
    const { serve } = operation;
    unwatched.set(name, serve);
    const seen: Seen = { read: new Set(), statuses: new Set(), bodies: [], answers: [] };
    all.set(name, seen);
    const run = (call: Call): Answer => {
      try {
        const result = serve({ ...call, query: noted(call.query, seen.read) });
        const answer = result instanceof Answer ? result : new Answer(200, result);
        seen.statuses.add(answer.status);
        return answer;
      } catch (error) {
        if (error instanceof ApiError) seen.statuses.add(error.status);
        throw error;
      }
    };
    /** Tries calls, each on the account as the text says it is, or on this one. What is refused changes nothing: the next one has the same. */
    const trialsOn = (text: string | undefined, account: Call['account']) => {
      let copy: Call['account'] | undefined;
      return (call: Call): number => {
        copy ??= text === undefined ? account : (JSON.parse(text) as Call['account']);
        try {
          const { status } = run({ ...call, account: copy });
          copy = undefined;
          return status;
        } catch (error) {
          if (error instanceof ApiError) return error.status;
          throw error;
        }
      };
    };
    operation.serve = (call) => {
      const isFirst = seen.answers.length === 0;
      // What only reads changes nothing: it needs no copy.
      const isRead = reads.has(name);
      if (isRead && seen.answers.length >= answersOfReads) return run(call);
      const before = isFirst && !isRead ? JSON.stringify(call.account) : undefined;
      const body = copyOf(call.body) as object | undefined;
      const answer = run(call);
      seen.bodies.push(body);
      seen.answers.push({ status: answer.status, body: copyOf(answer.body) });
      if (!isFirst) return answer;
      const trial = trialsOn(before, call.account);
      seen.withoutBody = trial({ ...call, body: undefined, bytes: undefined });
      // A team is found by either name of it.
      const unscoped = new URLSearchParams(call.query);
      unscoped.delete('slug');
      for (const param of Object.keys(call.params)) {
        trial({ ...call, body, query: unscoped, params: { ...call.params, [param]: 'nobody' } });
      }
      for (const param of call.query.keys()) {
        const query = new URLSearchParams(call.query);
        query.set(param, 'nobody');
        trial({ ...call, body, query });
      }
      for (const [member, value] of Object.entries(body ?? {})) {
        if (typeof value === 'string') trial({ ...call, body: { ...body, [member]: 'nobody' } });
      }
      // Once more: what cannot be there twice is refused.
      trialsOn(isRead ? undefined : JSON.stringify(call.account), call.account)({ ...call, body });
      return answer;
    };
  }
  const stop = () => {
    for (const [name, serve] of unwatched) operations[name]!.serve = serve;
  };
  return { seen: all, stop };
}
