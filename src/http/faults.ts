import { type Headers, untilEpoch, waitOf } from './bucket.ts';
import {
  type Asked,
  ConnectionCut,
  OutOfBounds,
  type RequestError,
  TimedOut,
  Unreachable,
} from './errors.ts';
import { type Bounds, Exceeded } from './exchange.ts';

interface Fault extends Error {
  code?: string;
  syscall?: string;
}

const tls =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/;

// Codes that come up while connecting, so before anything is sent; whether it may work a moment later.
const connecting: Record<string, { what: string; passing: boolean }> = {
  ECONNREFUSED: { what: 'the connection was refused', passing: true },
  ENOTFOUND: { what: 'the host name is not known', passing: false },
  EAI_AGAIN: { what: 'the host name could not be looked up', passing: true },
  EHOSTUNREACH: { what: 'there is no route to the host', passing: true },
  ENETUNREACH: { what: 'there is no route to the network', passing: true },
};

/** Describes an answer that exceeds a bound. */
export const beyond = (bound: keyof Bounds, bounds: Bounds): string =>
  ({
    maxBytes: `the answer is larger than ${bounds.maxBytes} bytes`,
    maxDepth: `the answer is nested deeper than ${bounds.maxDepth} levels`,
    interim: `more than ${bounds.interim} informational (1xx) responses came without a final one`,
  })[bound as string] ?? `the answer is beyond ${bound}`;

/** Makes of what an exchange threw an error for people. `origin` is the base URL's. */
export function faultOf(asked: Asked, thrown: unknown, origin: string, bounds: Bounds): RequestError {
  const fault = (thrown instanceof Error ? thrown : new Error(String(thrown))) as Fault;
  const code = fault.code ?? '';
  const what = `${asked.method} ${asked.path}`;
  const unreachable = (why: string, passing: boolean, hint: string) =>
    new Unreachable(asked, `cannot reach ${origin}: ${why}`, { passing, hint, cause: fault });

  if (thrown instanceof Exceeded)
    return thrown.bound === 'deadline'
      ? new TimedOut(asked, `${what}: the response was too slow and was abandoned`, {
          sent: true,
          passing: false,
        })
      : new OutOfBounds(asked, beyond(thrown.bound, bounds));
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutOfBounds(asked, 'the headers are too long');
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return new TimedOut(asked, `${what}: no response in time`, { sent: true, cause: fault });
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new TimedOut(asked, `${what}: the response stalled`, { sent: true, cause: fault });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && fault.syscall === 'connect'))
    return new TimedOut(asked, `cannot reach ${origin}: no connection in time`, {
      sent: false,
      cause: fault,
    });

  const known = connecting[code];
  if (known)
    return unreachable(
      `${known.what} (${code})`,
      known.passing,
      'check the base URL, the network and HTTPS_PROXY',
    );
  const proxy = /^Proxy response \((\d+)\)/.exec(fault.message);
  if (proxy)
    return unreachable(
      `the proxy answered ${proxy[1]}`,
      false,
      proxy[1] === '407'
        ? 'the proxy requires credentials: put them in HTTPS_PROXY'
        : 'check HTTPS_PROXY and NO_PROXY',
    );
  if (tls.test(code))
    return unreachable(
      `TLS failed (${code})`,
      false,
      'if a company proxy or private CA signs its certificate, set NODE_EXTRA_CA_CERTS to the CA file',
    );
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED')
    return unreachable('the connection is already closed', false, 'this is a bug in trueup');
  return new ConnectionCut(asked, `${what}: the connection was cut${code ? ` (${code})` : ''}`, fault);
}

/** The content of an error body, in whichever format the platform wrote it. */
export interface ParsedError {
  code?: string;
  message?: string;
  /** The parameters that are wrong, and why. */
  issues: { parameter?: string; message?: string }[];
  invalidToken: boolean;
  /** The wait that it asks for, in milliseconds. */
  retryAfter?: number;
}

/** More of them nobody reads. */
const mostIssues = 20;

type Json = Record<string, unknown>;

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const isName = (value: unknown) => typeof value === 'number' || text(value) !== undefined;

function issuesOf(value: unknown): ParsedError['issues'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostIssues).map((issue) => {
    const path = object(issue)?.path;
    const parts = (Array.isArray(path) ? path.slice(0, mostIssues) : [path]).filter(isName);
    const message = text(object(issue)?.message);
    return { ...(parts.length > 0 ? { parameter: parts.join('.') } : {}), ...(message ? { message } : {}) };
  });
}

function wait(body: Json, headers: Headers, now: number): number | undefined {
  const seconds = object(body.retryAfter)?.value ?? body.retryAfter;
  if (typeof seconds === 'number' && seconds >= 0) return waitOf(seconds * 1000);
  const reset = object(body.limit)?.reset;
  return typeof reset === 'number' && reset > 0 ? untilEpoch(reset, headers, now) : undefined;
}

/**
 * Reads the platform's error families: `{error: {code, message}}`, the same under `err` or unwrapped, the registrar's flat
 * body with `issues`, and `{error: "code", error_description}` of its OAuth endpoints. Empty for anything else.
 */
export function parseError(body: unknown, headers: Headers, now: number): ParsedError {
  const value = object(body) ?? {};
  const inner = object(value.error) ?? object(value.err) ?? value;
  return {
    code: text(inner.code) ?? text(value.error) ?? text(value.code),
    message: text(inner.message) ?? text(value.error_description) ?? text(value.message),
    issues: issuesOf(inner.issues ?? value.issues),
    invalidToken: inner.invalidToken === true,
    retryAfter: wait(inner, headers, now) ?? wait(value, headers, now),
  };
}

const longest = 1000;

/** The most characters of a text that are looked at. Nobody sees the rest, masked or not. */
const mostSeen = 8 * longest;

/**
 * Server text for one line of a terminal: masked, without control characters, which could fake output, and not endless. What is not
 * shown is not searched for secrets either.
 */
export function plain(text: string, mask: (text: string) => string = (same) => same): string {
  const line = mask(text.slice(0, mostSeen))
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

/** True if text begins as JSON does, even if it is cut off or wrapped in what keeps browsers from running it. */
export const looksLikeJson = (text: string): boolean => /^(\uFEFF|\)\]\}'?,?|\s)*(data:\s*)?["[{]/.test(text);

/** The first 80 characters of what a reader of a page would see, masked before white space and tags are taken out of it. */
export function excerpt(text: string, mask: (text: string) => string): string {
  const words = mask(text.slice(0, 20_000))
    .replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return plain(words, mask).slice(0, 80);
}
