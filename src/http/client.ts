import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Limits } from '../model/budget.ts';
import { createMasking, type Masking } from '../model/masking.ts';
import type { ApiAnswer, ApiBody, Endpoint, Method } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { version } from '../model/version.ts';
import { headerText, parseLimits } from './bucket.ts';
import { type Alarm, type Clock, systemAlarm, systemClock } from './clock.ts';
import type { Connections } from './connections.ts';
import { openConnections } from './dispatcher.ts';
import { callNameOf, type FilledEndpoint } from './endpoint.ts';
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
import { type ParsedError, toRequestError } from './faults.ts';
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
  /** Returns what a refused operation needs, for the hint of its error. Default: the hint says what the status means. */
  findHint?(endpoint: Endpoint, status: number, error: ParsedError): string | undefined;
}

/** Sends single calls, each exactly once. */
export interface Client {
  /**
   * Sends a body, as JSON or as the bytes of a file (`FileContent`), and returns the parsed answer. Throws a `RequestError` for everything
   * except a success with JSON or without a body.
   */
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
 * Yields the parts of an answer that is read piece by piece, such as a log. Turns errors on the way into `RequestError`s with `toError`.
 * Ends the deadline, which each part extends, at the end of the answer, after an error, and when the caller stops reading.
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
 * Opens the client for the API at one base URL: that of the platform, or of a code host for comments on pull requests. It sends single
 * calls and masks secrets in their errors; its callers add rate limits and repetition. Throws `Problems` for a proxy or CA setting that
 * cannot work.
 */
export const openClient = (options: ClientOptions): Client => new ApiClient(options);

/** The client for one base URL. See `openClient`. */
class ApiClient implements Client {
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #alarm: Alarm;
  readonly #masking: Masking;
  readonly #bounds: Bounds;
  readonly #connections: Connections;
  /** The path of the base URL, which precedes the path of each call. */
  readonly #pathPrefix: string;
  /** True once a call has succeeded, so that a later refusal is not the fault of an invalid token. */
  #hasSucceeded = false;

  /**
   * Opens the connections of the client that sends all requests to the platform. Its token is masked from now on, because an answer may
   * quote it.
   */
  constructor(options: ClientOptions) {
    const { baseUrl, token, env = {}, clock = systemClock, alarm = systemAlarm } = options;
    this.#options = options;
    this.#clock = clock;
    this.#alarm = alarm;
    this.#masking = options.masking ?? createMasking();
    this.#masking.addSecret(token);
    this.#bounds = { ...standardBounds, ...options.bounds };
    this.#connections = openConnections(baseUrl, this.#bounds, env);
    this.#pathPrefix = baseUrl.pathname.replace(/\/+$/, '');
  }

  /**
   * Sends one call to the platform, exactly once, with JSON or the bytes of a file (`FileContent`) as its body, or without one, and returns
   * the parsed answer. Throws a `RequestError` unless it is a success; the caller decides about repetitions. `attempt`: the number of the
   * attempt, for the log of requests.
   */
  async call(filled: FilledEndpoint, body: unknown, attempt: number): Promise<Answer> {
    const wire = body === undefined ? undefined : toWire(body);
    const headers = { accept: json, ...(wire ? { 'content-type': wire.type } : {}) };
    const request = this.#requestOf(filled, wire?.content, headers);
    const raw = await this.#send(filled, { attempt, secrets: wire?.secrets ?? [], body }, () =>
      exchange(this.#connections, request, this.#bounds, this.#alarm),
    );
    this.#options.onAnswer?.(filled, raw);
    return readAnswer(callNameOf(filled), raw, this.#answerContextOf(filled));
  }

  /**
   * Sends one call to the platform with any body, exactly once, and returns an answer whose body the caller reads piece by piece, such as a
   * log. Throws a `RequestError` unless it is a success. `attempt`: the number of the attempt, for the log of requests.
   */
  async open(
    filled: FilledEndpoint,
    { body, headers, secrets = [] }: Parameters<Client['open']>[1],
    attempt: number,
  ): ReturnType<Client['open']> {
    const toError = (error: unknown) => this.#toRequestError(filled, error);
    const sentBody = body === undefined || typeof body === 'string' ? body : Readable.from(body);
    const request = this.#requestOf(filled, sentBody, headers);
    const opened = await this.#send(filled, { attempt, secrets }, () =>
      openExchange(this.#connections, request, this.#bounds, this.#alarm),
    );
    if (opened.status >= 300) {
      const raw = await readToEnd(opened, this.#bounds).catch((error: unknown) => {
        throw toError(error);
      });
      // Throws, because the answer is not a success.
      readAnswer(callNameOf(filled), raw, this.#answerContextOf(filled));
    }
    const limits = parseLimits(opened.headers, this.#clock.now());
    return { status: opened.status, headers: opened.headers, parts: readParts(opened, toError), limits };
  }

  /** Closes the connections. Calls that are still under way belong to a run that was stopped, so they are cut. */
  close(): Promise<void> {
    return this.#connections.destroy();
  }

  /**
   * Sends one attempt of a call with `send`, and reports it to `onExchange`, for logs of requests. Throws a `RequestError` if the
   * connection fails; the answer of the platform is not judged here. `body` is only for the report.
   */
  async #send<T extends { status: number; headers: RawAnswer['headers'] }>(
    filled: FilledEndpoint,
    { attempt, secrets, body }: { attempt: number; secrets: readonly Sealed[]; body?: unknown },
    send: () => Promise<T>,
  ): Promise<T> {
    // Registered before sending, because the platform may quote a secret of this request in the answer to another one.
    for (const secret of [...filled.secrets, ...secrets]) this.#masking.addSecret(secret);
    const start = performance.now();
    let status: number | undefined;
    let answeredAt: number | undefined;
    try {
      const answer = await send();
      status = answer.status;
      if (status < 300) this.#hasSucceeded = true;
      // By the clock of the server.
      const date = Date.parse(headerText(answer.headers.date) ?? '');
      if (!Number.isNaN(date)) answeredAt = date;
      return answer;
    } catch (error) {
      throw this.#toRequestError(filled, error);
    } finally {
      this.#options.onExchange?.({
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

  /** Returns a call as a request for the connection: with the token, and with the path of the base URL in front of its own. */
  #requestOf(
    filled: FilledEndpoint,
    body: Dispatcher.RequestOptions['body'],
    headers: Record<string, string>,
  ): Dispatcher.RequestOptions {
    const { baseUrl, token } = this.#options;
    return {
      origin: baseUrl.origin,
      path: this.#pathPrefix + filled.path,
      method: filled.method,
      headers: { ...headers, authorization: `Bearer ${token.reveal()}`, 'user-agent': userAgent },
      body,
    };
  }

  /** Returns an error of the connection as a `RequestError`, by which the retry decides if the call may be repeated. */
  #toRequestError(filled: FilledEndpoint, error: unknown): Error {
    return toRequestError(callNameOf(filled), error, this.#options.baseUrl.origin, this.#bounds);
  }

  /**
   * Returns what reading the answer to a call depends on: the base URL and the time (for redirects and rate limits), the bounds of its
   * size, the masking of secrets, and the hint for a refusal. `hasSucceeded`: true if any call has succeeded, so that the token must be
   * valid.
   */
  #answerContextOf({ endpoint }: FilledEndpoint): AnswerContext {
    return {
      base: this.#options.baseUrl,
      bounds: this.#bounds,
      now: this.#clock.now(),
      masking: this.#masking,
      findHint: (status, error) => this.#options.findHint?.(endpoint, status, error),
      hasSucceeded: this.#hasSucceeded,
    };
  }
}
