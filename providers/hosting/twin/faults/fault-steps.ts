import type { Answer } from '../call.ts';
import { ApiError, badRequest, conflict, forbidden, notFound } from '../errors.ts';
import type { Delivery } from '../http/messages.ts';
import { RateLimited } from '../http/rate-limits.ts';
import type { Asked, OwnAction } from './fault-schedule.ts';
import { cutList, partOf, withoutItems } from './partial.ts';

/** What an action of a fault changes in the handling of a request. */
export interface Steps {
  /** The fault in words. */
  text: string;
  /** The error that is answered instead of serving the request. */
  refuse?: ApiError;
  /** The body that is served instead of that of the request. */
  body?: unknown;
  /** Returns the answer (or refusal) to send instead of this one. Undefined if it cannot be changed so: then the fault did not happen. */
  finish?(answer: Answer): Answer | ApiError | undefined;
  /** The time from the effect to the answer, in milliseconds. */
  delay?: number;
  /** For how long reads show the account as it was before the request. */
  stale?: { ms: number; byId: boolean };
  delivery?: Delivery;
}

/** The action of a type, and one maker of steps for each type. */
type Of<T extends OwnAction['type']> = Extract<OwnAction, { type: T }>;
type Makers = { [T in OwnAction['type']]: (action: Of<T>, asked: Asked, now: () => number) => Steps };

// The number of calls that the refusal names as the limit; it is made up, and nothing depends on it.
const windowSize = 100;

/** Returns the steps of a refusal (429) by a rate limit, with the headers that the fault requests. */
function rateLimit({ retryAfter, reset }: Of<'rateLimit'>, { operation }: Asked, now: () => number): Steps {
  const resetAt = reset === undefined ? undefined : Math.ceil(now() / 1000 + reset);
  const wait = retryAfter === undefined ? '' : ` - try again in ${retryAfter} seconds`;
  const message = `Too many requests${wait} (more than ${windowSize}, code: "${operation}").`;
  const limit = { total: windowSize, remaining: 0, reset: resetAt };
  const headers = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(resetAt === undefined
      ? {}
      : {
          'x-ratelimit-limit': String(windowSize),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(resetAt),
        }),
  };
  const namedHeaders = Object.keys(headers).filter((name) => /retry-after|reset/.test(name));
  return {
    text: `429 ${namedHeaders.length > 0 ? `with ${namedHeaders.join(' and ')}` : 'that does not say when to come back'}`,
    refuse: new RateLimited(message, { name: operation, ...(resetAt !== undefined && { limit }) }, headers),
  };
}

/** The usual error of the platform for each status. */
const troubles = {
  400: () => badRequest('The request is not valid.'),
  402: () => new ApiError(402, 'payment_required', 'The plan of the account does not allow this.'),
  410: () => new ApiError(410, 'gone', 'It is not there any more.'),
  403: () => forbidden('You are not allowed to do this.'),
  404: () => notFound('The requested object'),
  409: () => conflict('Something else has this name.'),
  422: () => new ApiError(422, 'unprocessable_entity', 'The request cannot be processed.'),
  500: () => new ApiError(500, 'internal_server_error', 'An unexpected error occurred.'),
  502: () => new ApiError(502, 'bad_gateway', 'The server did not answer.'),
  503: () => new ApiError(503, 'service_unavailable', 'The server is not available.'),
};

const makers: Makers = {
  rateLimit,
  status({ status, code, message, when }) {
    const usual = troubles[status]();
    const error = code === undefined ? usual : new ApiError(status, code, message ?? usual.message);
    const text = `${status} ${when} the effect`;
    return when === 'before' ? { text, refuse: error } : { text, finish: () => error };
  },
  connectionReset({ when }) {
    if (when === 'during') return { text: 'connection cut during the answer', delivery: 'half, then cut' };
    const text = `connection reset ${when} the effect`;
    // The refusal keeps the request from being served. No client sees it.
    return {
      text,
      delivery: 'none',
      ...(when === 'before' ? { refuse: troubles[500]() } : {}),
    };
  },
  delay: ({ ms }) => ({ text: `answered ${ms} ms after the effect`, delay: ms }),
  partialBatch({ done }, { operation, body }) {
    const partialBatch = partOf(operation, body, done)!;
    return {
      text: `${partialBatch.done} of ${partialBatch.total} items done`,
      body: partialBatch.body,
      finish: partialBatch.finish,
    };
  },
  cutList: ({ keep, without }, { operation }) => ({
    text: 'a part of the list passes for all of it',
    finish: (answer) =>
      without ? withoutItems(operation, answer, without) : cutList(operation, answer, keep),
  }),
  cutJson: () => ({
    text: 'the answer ends in the middle of its JSON',
    delivery: 'half',
    finish: (answer) => (answer.body === undefined ? undefined : answer),
  }),
  stale: ({ ms, byId }) => ({
    text: `${byId ? 'reads' : 'lists'} do not show it for ${ms} ms`,
    stale: { ms, byId },
  }),
};

/** Returns the steps that carry out the action of a fault for this request. */
export function stepsOf(action: OwnAction, asked: Asked, now: () => number): Steps {
  return (makers[action.type] as (action: OwnAction, asked: Asked, now: () => number) => Steps)(
    action,
    asked,
    now,
  );
}
