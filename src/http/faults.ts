import { isObjectValue } from '../model/value.ts';
import { clampWait, type Headers, waitUntilEpoch } from './bucket.ts';
import {
  type CallName,
  ConnectionCut,
  OutOfBounds,
  type RequestError,
  TimedOut,
  Unreachable,
} from './errors.ts';
import { BoundExceeded, type Bounds } from './exchange.ts';

/** An error as Node.js and undici throw it. */
interface NetworkError extends Error {
  code?: string;
  syscall?: string;
}

/** The error codes of a failed TLS handshake. */
const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/;

/** Error codes that occur before anything is sent. `isTransient`: the next attempt may succeed. */
const connectErrors: Record<string, { what: string; isTransient: boolean }> = {
  ECONNREFUSED: { what: 'the connection was refused', isTransient: true },
  ENOTFOUND: { what: 'the host name is not known', isTransient: false },
  EAI_AGAIN: { what: 'the host name could not be looked up', isTransient: true },
  EHOSTUNREACH: { what: 'there is no route to the host', isTransient: true },
  ENETUNREACH: { what: 'there is no route to the network', isTransient: true },
};

/** Describes which bound an answer exceeds, for the message of the error. Bounds keep a faulty server from filling the memory. */
export const describeBoundExceeded = (bound: keyof Bounds, bounds: Bounds): string =>
  ({
    maxBytes: `the answer is larger than ${bounds.maxBytes} bytes`,
    maxDepth: `the answer is nested deeper than ${bounds.maxDepth} levels`,
    interim: `more than ${bounds.interim} informational (1xx) responses came without a final one`,
  })[bound as string] ?? `the answer is beyond ${bound}`;

/**
 * Turns an error of the connection into a `RequestError`, so that callers can decide whether to repeat the call. It says what happened,
 * what to check, and if the platform may have carried out the call. `origin`: the origin of the base URL.
 */
export function toRequestError(
  call: CallName,
  thrown: unknown,
  origin: string,
  bounds: Bounds,
): RequestError {
  const cause = (thrown instanceof Error ? thrown : new Error(String(thrown))) as NetworkError;
  const code = cause.code ?? '';
  const callText = `${call.method} ${call.path}`;

  if (thrown instanceof BoundExceeded)
    return thrown.bound === 'deadline'
      ? new TimedOut(call, `${callText}: the response was too slow and was abandoned`, {
          mayBeCarriedOut: true,
          isTransient: false,
        })
      : new OutOfBounds(call, describeBoundExceeded(thrown.bound, bounds));
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutOfBounds(call, 'the headers are too long');
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return new TimedOut(call, `${callText}: no response in time`, { mayBeCarriedOut: true, cause });
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new TimedOut(call, `${callText}: the response stalled`, { mayBeCarriedOut: true, cause });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && cause.syscall === 'connect'))
    return new TimedOut(call, `cannot reach ${origin}: no connection in time`, {
      mayBeCarriedOut: false,
      cause,
    });
  const obstacle = findObstacle(cause, code);
  if (obstacle) {
    const { reason, ...details } = obstacle;
    return new Unreachable(call, `cannot reach ${origin}: ${reason}`, { ...details, cause });
  }
  return new ConnectionCut(call, `${callText}: the connection was cut${code ? ` (${code})` : ''}`, cause);
}

/**
 * Returns why nothing could be sent, if an error of the connection means that: the reason, what to check, and if the next attempt may
 * succeed. Undefined for other errors: then the platform may have carried out the call.
 */
function findObstacle(
  { message }: NetworkError,
  code: string,
): { reason: string; isTransient: boolean; hint: string } | undefined {
  const connectError = connectErrors[code];
  if (connectError)
    return {
      reason: `${connectError.what} (${code})`,
      isTransient: connectError.isTransient,
      hint: 'check the base URL, the network and HTTPS_PROXY',
    };
  const [, proxyStatus] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (proxyStatus !== undefined)
    return {
      reason: `the proxy answered ${proxyStatus}`,
      isTransient: false,
      hint:
        proxyStatus === '407'
          ? 'the proxy requires credentials: put them in HTTPS_PROXY'
          : 'check HTTPS_PROXY and NO_PROXY',
    };
  if (tlsCodes.test(code))
    return {
      reason: `TLS failed (${code})`,
      isTransient: false,
      hint: 'if a company proxy or private CA signs its certificate, set NODE_EXTRA_CA_CERTS to the CA file',
    };
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return {
      reason: 'the connection is already closed',
      isTransient: false,
      hint: 'this is a bug in trueup',
    };
  return undefined;
}

/** The content of an error body, equal for all of the platform's formats. */
export interface ParsedError {
  code?: string;
  message?: string;
  /** The invalid parameters, each with the reason. */
  issues: { parameter?: string; message?: string }[];
  invalidToken: boolean;
  /** The team that takes only tokens made after single sign-on, if that is the reason (`saml`). */
  ssoScope?: string;
  /** The wait that the body asks for, in milliseconds. */
  retryAfter?: number;
  /** The platform's name of the rate limit, and its number of calls, if the body of a 429 states them. */
  bucket?: string;
  limit?: number;
  /** The refusals of the items of a batch, as the body lists them in `failed`. Empty if it has none. */
  failed: readonly unknown[];
}

/** The number of issues that are shown, and of parts of an issue's path: more would not be read. */
const mostIssues = 20;

/** Returns a value if it is a JSON object, otherwise undefined. An error body may have any form. */
const asObject = (value: unknown): Record<string, unknown> | undefined =>
  isObjectValue(value) ? value : undefined;
/** Returns a value if it is a non-empty text, otherwise undefined. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns a value if it is a number of calls above zero, otherwise undefined. */
const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

/** The number of characters of a bucket's name that are kept. The name is only compared. */
const longestBucketName = 200;

const isPathPart = (value: unknown) => typeof value === 'number' || asText(value) !== undefined;

/**
 * Reads the invalid parameters of an error body (`issues`), each with its reason, so that the message tells the user
 * which value to correct. Returns none for a body in another form.
 */
function parseIssues(value: unknown): ParsedError['issues'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostIssues).map((issue) => {
    const path = asObject(issue)?.path;
    const parts = (Array.isArray(path) ? path.slice(0, mostIssues) : [path]).filter(isPathPart);
    const message = asText(asObject(issue)?.message);
    return { parameter: parts.length > 0 ? parts.join('.') : undefined, message };
  });
}

/**
 * Returns how long the body of a refused call asks to wait before the retry sends it again, in milliseconds: its `retryAfter` in seconds,
 * or the reset time of its `limit`. Undefined if it asks for nothing.
 */
function parseWait(body: Record<string, unknown>, headers: Headers, now: number): number | undefined {
  const seconds = asObject(body.retryAfter)?.value ?? body.retryAfter;
  if (typeof seconds === 'number' && seconds >= 0) return clampWait(seconds * 1000);
  const reset = asObject(body.limit)?.reset;
  return typeof reset === 'number' && reset > 0 ? waitUntilEpoch(reset, headers, now) : undefined;
}

/**
 * Parses the JSON body of a refused call. The platform uses several formats: `{error: {code, message}}`, the same
 * under `err` or without a wrapper, a flat body with `issues` (registrar), and `{error: "code", error_description}`
 * (OAuth). Members stay undefined or empty for any other body. Used to tell the user why the platform refused a call,
 * and whether to repeat it.
 */
export function parseError(body: unknown, headers: Headers, now: number): ParsedError {
  const value = asObject(body) ?? {};
  const inner = asObject(value.error) ?? asObject(value.err) ?? value;
  return {
    code: asText(inner.code) ?? asText(value.error) ?? asText(value.code),
    message: asText(inner.message) ?? asText(value.error_description) ?? asText(value.message),
    issues: parseIssues(inner.issues ?? value.issues),
    invalidToken: inner.invalidToken === true,
    ssoScope: inner.saml === true ? (asText(inner.scope) ?? 'of this team') : undefined,
    retryAfter: parseWait(inner, headers, now) ?? parseWait(value, headers, now),
    bucket: asText(inner.name)?.slice(0, longestBucketName),
    limit: asCount(asObject(inner.limit)?.total),
    failed: Array.isArray(value.failed) ? value.failed : [],
  };
}

/** The longest text in a message, in characters. */
const longestErrorLine = 1000;

/** The number of characters of a text that are searched for secrets. The rest is never shown. */
const mostSearched = 8 * longestErrorLine;

/**
 * Returns text from a server as one line for a terminal: masked, at most 1,000 characters, and without control characters, because these
 * could fake output of trueup.
 */
export function toPlainLine(text: string, mask: (text: string) => string = (same) => same): string {
  const line = mask(text.slice(0, mostSearched))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return line.length > longestErrorLine ? `${line.slice(0, longestErrorLine)}...` : line;
}

/**
 * True if a text begins like JSON, even if it is cut off. Such an answer is not quoted in messages, because it may
 * hold a token.
 */
export const looksLikeJson = (text: string): boolean => /^(\uFEFF|\)\]\}'?,?|\s)*(data:\s*)?["[{]/.test(text);

/**
 * Returns the first 80 characters of a page's visible text, for the message about an answer that is not JSON: often a
 * login page. Secrets are masked before tags are removed, too, because a secret may contain text that looks like a
 * tag.
 */
export function excerptOf(text: string, mask: (text: string) => string): string {
  const words = mask(text.slice(0, 20_000))
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return toPlainLine(words, mask).slice(0, 80);
}
