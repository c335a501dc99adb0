import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Limits } from '../model/budget.ts';
import { createMasking, type Masking } from '../model/masking.ts';
import type { ApiAnswer, ApiBody, Endpoint, Method } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { version } from '../model/version.ts';
import { headerText, parseLimits } from './bucket.ts';
import { type Alarm, type Clock, systemAlarm, systemClock } from './clock.ts';
import { openDispatcher } from './dispatcher.ts';
import type { FilledEndpoint } from './endpoint.ts';
import {
  type Bounds,
  countedParts,
  exchange,
  type OpenedAnswer,
  openExchange,
  type RawAnswer,
  readToEnd,
  standardBounds,
  toWire,
} from './exchange.ts';
import { toRequestError } from './faults.ts';
import { type Answer, type AnswerContext, readAnswer } from './read-answer.ts';

/** One finished attempt, successful or not. */
interface Attempt {
  endpoint: Endpoint;
  method: Method;
  /** With its query. `(secret)` stands for secret parts. */
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  /** The body that was sent, with its secrets sealed. */
  body?: unknown;
  /** The time of the answer by the server's clock, if the answer states it. */
  answeredAt?: number;
}

export interface ClientOptions {
  /** Its path, if it has one, precedes the path of every call. */
  baseUrl: URL;
  token: Sealed;
  /** Names proxies and certificates. Default: none. */
  env?: Record<string, string | undefined>;
  bounds?: Partial<Bounds>;
  clock?: Clock;
  /** Measures the deadline of an answer. */
  alarm?: Alarm;
  /** The secrets of the run. They are masked in every error. The client adds the secrets that it sends. Default: only these. */
  masking?: Masking;
  onExchange?(exchange: Attempt): void;
  /** Gets each answer of `call` before it is parsed. */
  onAnswer?(filled: FilledEndpoint, raw: RawAnswer): void;
}

/** Sends single calls, each exactly once. */
export interface Client {
  /** Sends a JSON body and returns the parsed answer. Throws a `RequestError` for everything except a success with JSON or without a body. */
  call(filled: FilledEndpoint, body: unknown, attempt: number): Promise<Answer>;
  /** Sends any body and returns any success, whose body the caller reads. Throws a `RequestError`, also while the body is read. */
  open(
    filled: FilledEndpoint,
    content: { body?: ApiBody; headers: Record<string, string>; secrets?: readonly Sealed[] },
    attempt: number,
  ): Promise<ApiAnswer & { limits?: Limits }>;
  close(): Promise<void>;
}

const json = 'application/json';
const userAgent = `trueup/${version}`;

/**
 * Yields the parts of an answer that is read piece by piece, such as a log. Turns errors on the way into `RequestError`s with `toError`, and ends the
 * deadline when the caller stops reading.
 */
async function* readParts(opened: OpenedAnswer, toError: (error: unknown) => Error): AsyncIterable<Buffer> {
  try {
    yield* countedParts(opened);
  } catch (error) {
    throw toError(error);
  } finally {
    opened.end();
  }
}

/**
 * Opens the client for the API at one base URL: that of the platform, or of a code host for comments on pull requests. It sends single calls and
 * masks secrets in their errors; its callers add rate limits and repetition. Throws `Problems` for a proxy or CA setting that cannot work.
 */
export function openClient(options: ClientOptions): Client {
  const { baseUrl, token, env = {}, clock = systemClock, alarm = systemAlarm, onExchange } = options;
  const { masking = createMasking() } = options;
  masking.addSecret(token);
  const bounds = { ...standardBounds, ...options.bounds };
  const dispatcher = openDispatcher(baseUrl, bounds, env);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const requestOf = (
    filled: FilledEndpoint,
    body: Dispatcher.RequestOptions['body'],
    headers: Record<string, string>,
  ) => ({
    origin: baseUrl.origin,
    path: prefix + filled.path,
    method: filled.method,
    headers: { ...headers, authorization: `Bearer ${token.reveal()}`, 'user-agent': userAgent },
    body,
  });
  const callNameOf = ({ method, shown }: FilledEndpoint) => ({ method, path: shown.split('?')[0]! });

  /** Sends one attempt and reports it to `onExchange`. Throws a `RequestError`. */
  async function sendAttempt<T extends { status: number; headers: RawAnswer['headers'] }>(
    filled: FilledEndpoint,
    { attempt, secrets, body }: { attempt: number; secrets: readonly Sealed[]; body?: unknown },
    send: () => Promise<T>,
  ): Promise<T> {
    // Registered before sending, because the platform may quote a secret of this request in the answer to another one.
    for (const secret of [...filled.secrets, ...secrets]) masking.addSecret(secret);
    const start = performance.now();
    let status: number | undefined;
    let answeredAt: number | undefined;
    try {
      const answer = await send();
      status = answer.status;
      const date = Date.parse(headerText(answer.headers.date) ?? '');
      if (!Number.isNaN(date)) answeredAt = date;
      return answer;
    } catch (error) {
      throw toRequestError(callNameOf(filled), error, baseUrl.origin, bounds);
    } finally {
      onExchange?.({
        endpoint: filled.endpoint,
        method: filled.method,
        path: filled.shown,
        status,
        milliseconds: performance.now() - start,
        attempt,
        answeredAt,
        body,
      });
    }
  }
  const currentContext = (): AnswerContext => ({ base: baseUrl, bounds, now: clock.now(), masking });

  return {
    async call(filled, body, attempt) {
      const wire = body === undefined ? undefined : toWire(body);
      const headers = { accept: json, ...(wire ? { 'content-type': wire.type } : {}) };
      const raw = await sendAttempt(filled, { attempt, secrets: wire?.secrets ?? [], body }, () =>
        exchange(dispatcher, requestOf(filled, wire?.content, headers), bounds, alarm),
      );
      options.onAnswer?.(filled, raw);
      return readAnswer(callNameOf(filled), raw, currentContext());
    },
    async open(filled, { body, headers, secrets = [] }, attempt) {
      const call = callNameOf(filled);
      const toError = (error: unknown) => toRequestError(call, error, baseUrl.origin, bounds);
      const rethrow = (error: unknown): never => {
        throw toError(error);
      };
      const sentBody = body === undefined || typeof body === 'string' ? body : Readable.from(body);
      const opened = await sendAttempt(filled, { attempt, secrets }, () =>
        openExchange(dispatcher, requestOf(filled, sentBody, headers), bounds, alarm),
      );
      // Throws, because the answer is not a success.
      if (opened.status >= 300)
        readAnswer(call, await readToEnd(opened, bounds).catch(rethrow), currentContext());
      const limits = parseLimits(opened.headers, clock.now());
      const parts = readParts(opened, toError);
      return { status: opened.status, headers: opened.headers, parts, limits };
    },
    // Calls that are still under way belong to a run that was stopped.
    close: () => dispatcher.destroy(),
  };
}
