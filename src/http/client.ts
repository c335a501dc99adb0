import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Limits } from '../model/budget.ts';
import { createMasking, type Masking } from '../model/masking.ts';
import type { ApiAnswer, ApiBody, Method } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { version } from '../model/version.ts';
import { readLimits, readRetryAfter } from './bucket.ts';
import { type Alarm, type Clock, systemAlarm, systemClock } from './clock.ts';
import { openDispatcher } from './dispatcher.ts';
import type { Filled } from './endpoint.ts';
import { type Asked, HttpError, NotJson, OutOfBounds, Redirected } from './errors.ts';
import {
  type Bounds,
  collected,
  exchange,
  type Opened,
  openExchange,
  partsOf,
  type Raw,
  type Read,
  readJson,
  standardBounds,
  toWire,
} from './exchange.ts';
import { beyond, excerpt, faultOf, looksLikeJson, type ParsedError, parseError, plain } from './faults.ts';

/** A successful answer. */
interface Answer {
  status: number;
  /** The parsed JSON; undefined if there is none. */
  body: unknown;
  limits?: Limits;
  /** The version of what was read, for `If-Match`. */
  etag?: string;
}

/** One finished attempt, successful or not. */
interface Attempted {
  method: Method;
  /** With its query; `(secret)` in place of secret parts. */
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  /** The body that was sent, secrets still sealed. */
  body?: unknown;
  /** The time when it was answered, by the server's clock, as far as that is known. */
  answeredAt?: number;
}

export interface ClientOptions {
  /** A path in it goes in front of every call's. */
  baseUrl: URL;
  token: Sealed;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
  bounds?: Partial<Bounds>;
  clock?: Clock;
  /** Rings when an answer has had its time. */
  alarm?: Alarm;
  /** The secrets of the run, which every error is searched for. What this client sends is added. Default: those alone. */
  masking?: Masking;
  onExchange?(exchange: Attempted): void;
}

/** Sends single calls, each exactly once. */
export interface Client {
  /** Throws a `RequestError` for everything but a success with JSON or without a body. */
  call(filled: Filled, body: unknown, attempt: number): Promise<Answer>;
  /** Sends any body and gives back any success, with its body still to come. Throws a `RequestError`, also while that is read. */
  open(
    filled: Filled,
    sent: { body?: ApiBody; headers: Record<string, string>; secrets?: readonly Sealed[] },
    attempt: number,
  ): Promise<ApiAnswer & { limits?: Limits }>;
  close(): Promise<void>;
}

const json = 'application/json';
const userAgent = `trueup/${version}`;

/** Describes a body that is not JSON, or cannot be read. Masked. */
function found(raw: Raw, read: Read, masking: Masking): string {
  const type = plain(masking.mask(one(raw.headers['content-type']) ?? 'no content type').split(';')[0]!);
  const coding = one(raw.headers['content-encoding']);
  if (raw.isCut) return 'its body is too large';
  if (read === 'too deep') return 'its body is nested too deeply';
  if (coding !== undefined && coding !== 'identity')
    return `its body is compressed (${plain(masking.mask(coding))}), which was not requested`;
  const isCut = looksLikeJson(raw.text) || /\bjson\b/i.test(type);
  // What was to be JSON may hold a token or a value that nobody asked to see.
  const seen = isCut ? `${raw.text.length} characters, not shown` : `"${excerpt(raw.text, masking.mask)}"`;
  return `its body is not JSON (${type}): ${seen}`;
}

const one = (value: string | string[] | undefined): string | undefined => [value].flat()[0];

function redirectTarget(raw: Raw, base: URL): string {
  const location = one(raw.headers.location);
  if (!location || !URL.canParse(location, base.href)) return 'nowhere';
  return new URL(location, base).origin;
}

/** The platform's reason for a refusal: codes and names of parameters as they are, texts masked. */
function reasonOf({ code, message, issues }: ParsedError, masking: Masking): string | undefined {
  const shown = (text: string | undefined) => text && plain(text, masking.mask);
  const details = issues.map(({ parameter, message: about }) =>
    [parameter && (masking.name(parameter) ?? shown(parameter)), shown(about)].filter(Boolean).join(': '),
  );
  const isOdd = code !== undefined && masking.name(code) === undefined;
  const parts = [isOdd ? shown(code) : undefined, shown(message), details.filter(Boolean).join('; ')];
  return parts.filter(Boolean).join(': ') || undefined;
}

interface Reading {
  base: URL;
  bounds: Bounds;
  now: number;
  masking: Masking;
}

function read(asked: Asked, raw: Raw, { base, bounds, now, masking }: Reading): Answer {
  const { status, headers } = raw;
  const limits = readLimits(headers, now);
  const body = raw.isCut ? 'no JSON' : readJson(raw.text, bounds.maxDepth);
  if (status < 300) {
    if (body === 'too deep') throw new OutOfBounds(asked, beyond('maxDepth', bounds));
    if (body === 'no JSON') throw new NotJson(asked, status, found(raw, body, masking));
    // 204 says that there is nothing; of a read that has an answer, and nothing in it, nothing may be concluded.
    if (asked.method === 'GET' && body.json === undefined && status !== 204)
      throw new NotJson(asked, status, 'its body is empty');
    const etag = one(headers.etag);
    return { status, body: body.json, limits, ...(etag === undefined ? {} : { etag }) };
  }
  if (status < 400) throw new Redirected(asked, status, plain(redirectTarget(raw, base), masking.mask));

  const isRead = typeof body === 'object';
  const error = parseError(isRead ? body.json : undefined, headers, now);
  const retryAfter = readRetryAfter(headers, now) ?? error.retryAfter;
  throw new HttpError(asked, {
    status,
    code: error.code === undefined ? undefined : masking.name(error.code),
    message: reasonOf(error, masking) ?? (isRead ? 'no reason given' : found(raw, body, masking)),
    invalidToken: error.invalidToken,
    retryAfter: retryAfter ?? (status === 429 ? limits?.resetIn : undefined),
    // A 429 says that nothing remains, whatever else it says.
    limits: status === 429 ? { ...limits, remaining: 0, resetIn: retryAfter ?? limits?.resetIn } : limits,
  });
}

/** The parts of an answer; what goes wrong on the way is an error for people. */
async function* toTheEnd(opened: Opened, failed: (error: unknown) => Error): AsyncIterable<Buffer> {
  try {
    yield* partsOf(opened);
  } catch (error) {
    throw failed(error);
  } finally {
    opened.end();
  }
}

/** Opens a client for one base URL. Throws `Problems` for a proxy or CA setting that cannot work. */
export function openClient(options: ClientOptions): Client {
  const { baseUrl, token, env = {}, clock = systemClock, alarm = systemAlarm, onExchange } = options;
  const { masking = createMasking() } = options;
  masking.know(token);
  const bounds = { ...standardBounds, ...options.bounds };
  const dispatcher = openDispatcher(baseUrl, bounds, env);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const requestOf = (
    filled: Filled,
    body: Dispatcher.RequestOptions['body'],
    headers: Record<string, string>,
  ) => ({
    origin: baseUrl.origin,
    path: prefix + filled.path,
    method: filled.method,
    headers: { ...headers, authorization: `Bearer ${token.reveal()}`, 'user-agent': userAgent },
    body,
  });
  const askedOf = ({ method, shown }: Filled) => ({ method, path: shown.split('?')[0]! });

  /** Sends one attempt, and tells of it as soon as its status is known. Throws a `RequestError`. */
  async function attempted<T extends { status: number; headers: Raw['headers'] }>(
    filled: Filled,
    { attempt, secrets, body }: { attempt: number; secrets: readonly Sealed[]; body?: unknown },
    send: () => Promise<T>,
  ): Promise<T> {
    // Before anything can answer: what this request sends may be quoted to any other one.
    for (const secret of [...filled.secrets, ...secrets]) masking.know(secret);
    const start = performance.now();
    let status: number | undefined;
    let answeredAt: number | undefined;
    try {
      const answer = await send();
      status = answer.status;
      const date = Date.parse(one(answer.headers.date) ?? '');
      if (!Number.isNaN(date)) answeredAt = date;
      return answer;
    } catch (error) {
      throw faultOf(askedOf(filled), error, baseUrl.origin, bounds);
    } finally {
      onExchange?.({
        method: filled.method,
        path: filled.shown,
        status,
        milliseconds: performance.now() - start,
        attempt,
        ...(answeredAt === undefined ? {} : { answeredAt }),
        ...(body === undefined ? {} : { body }),
      });
    }
  }
  const readingNow = (): Reading => ({ base: baseUrl, bounds, now: clock.now(), masking });

  return {
    async call(filled, body, attempt) {
      const wire = body === undefined ? undefined : toWire(body);
      const headers = { accept: json, ...(wire ? { 'content-type': wire.type } : {}) };
      const raw = await attempted(filled, { attempt, secrets: wire?.secrets ?? [], body }, () =>
        exchange(dispatcher, requestOf(filled, wire?.content, headers), bounds, alarm),
      );
      return read(askedOf(filled), raw, readingNow());
    },
    async open(filled, { body, headers, secrets = [] }, attempt) {
      const asked = askedOf(filled);
      const failed = (error: unknown) => faultOf(asked, error, baseUrl.origin, bounds);
      const asFault = (error: unknown): never => {
        throw failed(error);
      };
      const whole = body === undefined || typeof body === 'string' ? body : Readable.from(body);
      const opened = await attempted(filled, { attempt, secrets }, () =>
        openExchange(dispatcher, requestOf(filled, whole, headers), bounds, alarm),
      );
      // Not what was asked for: this says so.
      if (opened.status >= 300) read(asked, await collected(opened, bounds).catch(asFault), readingNow());
      const limits = readLimits(opened.headers, clock.now());
      const { status, headers: said } = opened;
      return { status, headers: said, parts: toTheEnd(opened, failed), ...(limits ? { limits } : {}) };
    },
    // What is still under way belongs to a run that was stopped.
    close: () => dispatcher.destroy(),
  };
}
