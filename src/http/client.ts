import type { Method } from '../model/plan.ts';
import type { Sealed } from '../model/sealed.ts';
import { version } from '../model/version.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Bounds, openDispatcher, standardBounds } from './dispatcher.ts';
import { type Asked, HttpError, NotJson, Redirected } from './errors.ts';
import { faultOf } from './faults.ts';
import type { Filled } from './fill.ts';
import { type Headers, type Limits, readLimits, readRetryAfter } from './limits.ts';
import { parseError } from './parse-error.ts';
import { excerpt, looksLikeJson, plain } from './plain.ts';
import { redact } from './redact.ts';
import { toWire } from './wire.ts';

/** A successful answer. */
export interface Answer {
  status: number;
  /** The parsed JSON; undefined if there is none. */
  body: unknown;
  limits?: Limits;
  /** The version of what was read, for `If-Match`. */
  etag?: string;
}

/** One finished attempt, successful or not. */
export interface Attempted {
  method: Method;
  /** With its query; `(secret)` in place of secret parts. */
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  /** What was sent, secrets still sealed. */
  body?: unknown;
}

export interface ClientOptions {
  /** A path in it goes in front of every call's. */
  baseUrl: URL;
  token: Sealed;
  /** Names proxies and certificates. Default: nothing is set. */
  env?: Record<string, string | undefined>;
  bounds?: Partial<Bounds>;
  clock?: Clock;
  onExchange?(exchange: Attempted): void;
}

/** Sends single calls, each exactly once. */
export interface Client {
  /** Throws a `RequestError` for everything but a success with JSON or without a body. */
  call(filled: Filled, body: unknown, attempt: number): Promise<Answer>;
  close(): Promise<void>;
}

const userAgent = `trueup/${version}`;

interface Raw {
  status: number;
  headers: Headers;
  text: string;
}

function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function found(raw: Raw): string {
  const type = String(raw.headers['content-type'] ?? 'no content type').split(';')[0]!;
  const isCut = looksLikeJson(raw.text) || /\bjson\b/i.test(type);
  // What was to be JSON may hold a token or a value that nobody asked to see.
  const seen = isCut ? `${raw.text.length} characters, not shown` : `"${excerpt(raw.text)}"`;
  return `its body is no JSON (${plain(type)}): ${seen}`;
}

function redirectTarget(raw: Raw, base: URL): string {
  const location = [raw.headers.location].flat()[0];
  if (!location || !URL.canParse(location, base.href)) return 'nowhere';
  return new URL(location, base).origin;
}

function read(asked: Asked, raw: Raw, base: URL, now: number, secrets: Sealed[]): Answer {
  const { status, headers } = raw;
  const limits = readLimits(headers, now);
  const json = raw.text.trim() === '' ? { json: undefined } : parse(raw.text);
  if (status < 300) {
    if (json === undefined) throw new NotJson(asked, status, redact(found(raw), secrets));
    const etag = [headers.etag].flat()[0];
    return { status, body: json.json, limits, ...(etag === undefined ? {} : { etag }) };
  }
  if (status < 400) throw new Redirected(asked, status, redirectTarget(raw, base));

  const error = parseError(json?.json, headers, now);
  const retryAfter = readRetryAfter(headers, now) ?? error.retryAfter;
  const message = error.message ?? (json === undefined ? found(raw) : 'no reason was given');
  throw new HttpError(asked, {
    status,
    code: error.code === undefined ? undefined : plain(redact(error.code, secrets)),
    message: plain(redact(message, secrets)),
    body: redact(json === undefined ? raw.text : json.json, secrets),
    retryAfter: retryAfter ?? (status === 429 ? limits?.resetIn : undefined),
    // A 429 says that nothing remains, whatever else it says.
    limits: status === 429 ? { ...limits, remaining: 0, resetIn: retryAfter ?? limits?.resetIn } : limits,
  });
}

/** Opens a client for one base URL. Throws `Problems` for a proxy or CA setting that cannot work. */
export function openClient(options: ClientOptions): Client {
  const { baseUrl, token, env = {}, clock = systemClock, onExchange } = options;
  const bounds = { ...standardBounds, ...options.bounds };
  const dispatcher = openDispatcher(baseUrl, bounds, env);
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  async function exchange(filled: Filled, text: string | undefined): Promise<Raw> {
    const response = await dispatcher.request({
      origin: baseUrl.origin,
      path: prefix + filled.path,
      method: filled.method,
      headers: {
        authorization: `Bearer ${token.reveal()}`,
        'user-agent': userAgent,
        accept: 'application/json',
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: text,
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  }

  return {
    async call(filled, body, attempt) {
      const asked = { method: filled.method, path: filled.shown.split('?')[0]! };
      const wire = body === undefined ? undefined : toWire(body);
      const start = performance.now();
      let raw: Raw | undefined;
      try {
        raw = await exchange(filled, wire?.text);
      } catch (error) {
        throw faultOf(asked, error, baseUrl.origin, bounds.maxBytes);
      } finally {
        onExchange?.({
          method: filled.method,
          path: filled.shown,
          status: raw?.status,
          milliseconds: performance.now() - start,
          attempt,
          ...(body === undefined ? {} : { body }),
        });
      }
      return read(asked, raw, baseUrl, clock.now(), [token, ...filled.secrets, ...(wire?.secrets ?? [])]);
    },
    close: () => dispatcher.close(),
  };
}
