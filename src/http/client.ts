import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Limits } from '../model/budget.ts';
import { createMasking, type Masking } from '../model/masking.ts';
import type { ApiAnswer, ApiBody, Endpoint, Method } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { version } from '../model/version.ts';
import { headerText, parseLimits, parseRetryAfter } from './bucket.ts';
import { type Alarm, type Clock, systemAlarm, systemClock } from './clock.ts';
import { openDispatcher } from './dispatcher.ts';
import type { FilledEndpoint } from './endpoint.ts';
import { type CallName, HttpError, NotJson, OutOfBounds, Redirected } from './errors.ts';
import {
  type Bounds,
  countedParts,
  exchange,
  type OpenedAnswer,
  openExchange,
  type ParsedBody,
  parseBoundedJson,
  type RawAnswer,
  readToEnd,
  standardBounds,
  toWire,
} from './exchange.ts';
import {
  describeBoundExceeded,
  excerptOf,
  looksLikeJson,
  type ParsedError,
  parseError,
  toPlainLine,
  toRequestError,
} from './faults.ts';

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
  findHint?(endpoint: Endpoint, status: number): string | undefined;
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
  const contextOf = ({ endpoint }: FilledEndpoint): AnswerContext => ({
    base: baseUrl,
    bounds,
    now: clock.now(),
    masking,
    findHint: (status) => options.findHint?.(endpoint, status),
  });

  return {
    async call(filled, body, attempt) {
      const wire = body === undefined ? undefined : toWire(body);
      const headers = { accept: json, ...(wire ? { 'content-type': wire.type } : {}) };
      const raw = await sendAttempt(filled, { attempt, secrets: wire?.secrets ?? [], body }, () =>
        exchange(dispatcher, requestOf(filled, wire?.content, headers), bounds, alarm),
      );
      options.onAnswer?.(filled, raw);
      return readAnswer(callNameOf(filled), raw, contextOf(filled));
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
        readAnswer(call, await readToEnd(opened, bounds).catch(rethrow), contextOf(filled));
      const limits = parseLimits(opened.headers, clock.now());
      const parts = readParts(opened, toError);
      return { status: opened.status, headers: opened.headers, parts, limits };
    },
    // Calls that are still under way belong to a run that was stopped.
    close: () => dispatcher.destroy(),
  };
}

/** A successful answer. */
interface Answer {
  status: number;
  /** The parsed JSON. Undefined for an empty body. */
  body: unknown;
  limits?: Limits;
  /** The version of the object that was read, for `If-Match`. */
  etag?: string;
}

/** What reading an answer depends on besides the answer. */
interface AnswerContext {
  base: URL;
  bounds: Bounds;
  now: number;
  masking: Masking;
  /** Returns what the refused operation needs, by the status of the answer. */
  findHint(status: number): string | undefined;
}

/**
 * Parses the answer to a call, and reads its rate limit. Throws a `RequestError` for everything except a success with
 * JSON or without a body, so that no page of a proxy and no redirect is taken for an answer of the platform.
 */
function readAnswer(call: CallName, raw: RawAnswer, context: AnswerContext): Answer {
  const { base, bounds, now, masking } = context;
  const { status, headers } = raw;
  const limits = parseLimits(headers, now);
  const body = raw.isCut ? 'no JSON' : parseBoundedJson(raw.text, bounds.maxDepth);
  if (status < 300) {
    if (body === 'too deep') throw new OutOfBounds(call, describeBoundExceeded('maxDepth', bounds));
    if (body === 'no JSON') throw new NotJson(call, status, describeDefect(raw, body, masking));
    // Status 204 means "no content". An empty body with another status is a defect, so it does not mean that the object is absent.
    if (call.method === 'GET' && body.json === undefined && status !== 204)
      throw new NotJson(call, status, 'its body is empty');
    return { status, body: body.json, limits, etag: headerText(headers.etag) };
  }
  if (status < 400) throw new Redirected(call, status, toPlainLine(redirectTarget(raw, base), masking.mask));

  const isJson = typeof body === 'object';
  const error = parseError(isJson ? body.json : undefined, headers, now);
  const retryAfter = parseRetryAfter(headers, now) ?? error.retryAfter;
  throw new HttpError(call, {
    status,
    code: error.code === undefined ? undefined : masking.safeNameIn(error.code),
    message:
      formatReason(error, masking) ?? (isJson ? 'no reason given' : describeDefect(raw, body, masking)),
    hint: context.findHint(status),
    invalidToken: error.invalidToken,
    ssoScope:
      error.ssoScope === undefined ? undefined : (masking.safeSlugIn(error.ssoScope) ?? 'of this team'),
    failed: error.failed,
    retryAfter: retryAfter ?? (status === 429 ? limits?.resetIn : undefined),
    // A 429 means that nothing remains, even if its headers state another number.
    limits:
      status === 429
        ? {
            ...limits,
            limit: limits?.limit ?? error.limit,
            bucket: error.bucket,
            remaining: 0,
            resetIn: retryAfter ?? limits?.resetIn,
          }
        : limits,
  });
}

/**
 * Describes why a body cannot be used as JSON, for the message. Secrets are masked, and a body that may be JSON is
 * not quoted, because it may hold a token.
 */
function describeDefect(raw: RawAnswer, body: ParsedBody, masking: Masking): string {
  const contentType = headerText(raw.headers['content-type']) ?? 'no content type';
  const type = toPlainLine(masking.mask(contentType).split(';')[0]!);
  const coding = headerText(raw.headers['content-encoding']);
  if (raw.isCut) return 'its body is too large';
  if (body === 'too deep') return 'its body is nested too deeply';
  if (coding !== undefined && coding !== 'identity')
    return `its body is compressed (${toPlainLine(masking.mask(coding))}), which was not requested`;
  const mayBeJson = looksLikeJson(raw.text) || /\bjson\b/i.test(type);
  const quote = mayBeJson
    ? `${raw.text.length} characters, not shown`
    : `"${excerptOf(raw.text, masking.mask)}"`;
  return `its body is not JSON (${type}): ${quote}`;
}

/**
 * Returns the origin that a redirect leads to, for the message. Its path is not shown, because it may hold a secret;
 * `nowhere` if the header is missing or invalid.
 */
function redirectTarget(raw: RawAnswer, base: URL): string {
  const location = headerText(raw.headers.location);
  if (!location || !URL.canParse(location, base.href)) return 'nowhere';
  return new URL(location, base).origin;
}

/**
 * Formats the platform's reason for a refusal: its message and the invalid parameters; undefined if it gives none.
 * Secrets in it are masked, because the platform may quote the request.
 */
function formatReason({ code, message, issues }: ParsedError, masking: Masking): string | undefined {
  const show = (text: string | undefined) => text && toPlainLine(text, masking.mask);
  const details = issues.map((issue) => {
    const parameter = issue.parameter && (masking.safeNameIn(issue.parameter) ?? show(issue.parameter));
    return [parameter, show(issue.message)].filter(Boolean).join(': ');
  });
  // A code that is not a plain name cannot become the code of the error, so it is shown as text.
  const oddCode = code !== undefined && masking.safeNameIn(code) === undefined ? show(code) : undefined;
  const parts = [oddCode, show(message), details.filter(Boolean).join('; ')];
  return parts.filter(Boolean).join(': ') || undefined;
}
