import { cut, doubled, isList, type ListLie, leftOut, withItems } from './answered-list.ts';
import { type Lie, lies } from './lies.ts';
import { partOfBatch } from './part-of-batch.ts';

/** What stands between two programs can do to one request. `when` is about its effect: before it happens (the default), or after. */
export type ProxyAction =
  /** 429, not passed on. `retryAfter`: in seconds. */
  | { type: 'rateLimit'; retryAfter?: number }
  | { type: 'status'; status: number; when?: 'before' | 'after' }
  /** With `during` the connection ends in the middle of the answer. */
  | { type: 'connectionReset'; when?: 'before' | 'after' | 'during' }
  /** An answer that ends in the middle of its JSON. */
  | { type: 'cutJson' }
  /** Passed on at once, answered that many milliseconds later. */
  | { type: 'delay'; ms: number }
  /** The first `done` items of a batch get through (half of them without a number), the others come back as failed. */
  | { type: 'partialBatch'; done?: number }
  /** A list that passes for whole: with its first `keep` items, without one in the middle, with each item twice. */
  | { type: 'cutList'; keep?: number }
  | { type: 'leftOut' }
  | { type: 'doubled' }
  /** The answer comes in another form. */
  | { type: 'lie'; form: Lie }
  /** A read is answered as it was before, when that was something else. */
  | { type: 'earlier' }
  /** Just before the request somebody else does something. */
  | { type: 'foreign'; change(): void };

/** A request as it arrived. */
export interface Arrived {
  method: string;
  /** With the query. */
  path: string;
  text: string;
}

export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** What becomes of one request, step by step. */
export interface ProxySteps {
  /** Answered in place of passing it on. */
  instead?: ProxyAnswer;
  /** Passed on in place of what was sent. */
  text?: string;
  /** Made of the answer; undefined where nothing can be made of it: then the fault did not happen. */
  finish?(answer: ProxyAnswer): ProxyAnswer | undefined;
  /** How much of the answer arrives: `half, then cut` ends with the connection. */
  delivery?: 'half, then cut' | 'none';
  delay?: number;
}

type Of<T extends ProxyAction['type']> = Extract<ProxyAction, { type: T }>;
/** Undefined where the action cannot be done to this request. */
type Makers = {
  [T in ProxyAction['type']]: (
    action: Of<T>,
    request: Arrived,
    before: readonly ProxyAnswer[],
  ) => ProxySteps | undefined;
};

const headers = { 'content-type': 'application/json; charset=utf-8' };
const refusal = (status: number, code: string, more: Record<string, string> = {}): ProxyAnswer => ({
  status,
  headers: { ...headers, ...more },
  text: JSON.stringify({ error: { code, message: `The proxy answers ${status}.` } }),
});

const codes: Record<number, string> = {
  400: 'bad_request',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list that passes for the true one. */
const listed =
  <T>(lie: (action: T) => ListLie) =>
  (action: T, { method, path }: Arrived): ProxySteps | undefined =>
    method !== 'GET' || !isList(path)
      ? undefined
      : {
          finish: (answer) => {
            const body = answer.status < 300 ? withItems(parsed(answer.text), lie(action)) : undefined;
            return body === undefined ? undefined : { ...answer, text: JSON.stringify(body) };
          },
        };

const makers: Makers = {
  rateLimit: ({ retryAfter }) => ({
    instead: refusal(
      429,
      'rate_limited',
      retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    ),
  }),
  status({ status, when = 'before' }) {
    const answer = refusal(status, codes[status] ?? 'error');
    return when === 'before' ? { instead: answer } : { finish: () => answer };
  },
  connectionReset({ when = 'before' }) {
    if (when === 'before') return { instead: refusal(500, 'unseen'), delivery: 'none' };
    return { delivery: when === 'after' ? 'none' : 'half, then cut' };
  },
  cutJson: () => ({
    finish: (answer) =>
      answer.text === '' ? undefined : { ...answer, text: answer.text.slice(0, answer.text.length / 2) },
  }),
  delay: ({ ms }) => ({ delay: ms }),
  partialBatch({ done }, { method, path, text }) {
    const part = partOfBatch(method, path, parsed(text), done);
    return (
      part && {
        text: JSON.stringify(part.body),
        finish: (answer) =>
          answer.status < 300
            ? { ...answer, text: JSON.stringify(part.finish(parsed(answer.text) as object as never)) }
            : undefined,
      }
    );
  },
  cutList: listed(({ keep }: Of<'cutList'>) => cut(keep)),
  leftOut: listed(() => leftOut),
  doubled: listed(() => doubled),
  lie: ({ form }) => ({
    finish(answer) {
      if (answer.status >= 300) return undefined;
      const { type, text } = lies[form](parsed(answer.text));
      return { status: 200, headers: { ...answer.headers, 'content-type': type }, text };
    },
  }),
  earlier: (_, { method }, before) =>
    method !== 'GET'
      ? undefined
      : { finish: (answer) => before.findLast(({ text }) => text !== answer.text) },
  foreign: () => ({}),
};

/** What an action does to this request; `before`: what the same was answered before. Undefined where it can do nothing to it. */
export function proxySteps(
  action: ProxyAction,
  request: Arrived,
  before: readonly ProxyAnswer[],
): ProxySteps | undefined {
  return (makers[action.type] as (...args: unknown[]) => ProxySteps | undefined)(action, request, before);
}
