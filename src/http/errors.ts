import type { Limits } from '../model/budget.ts';
import type { RateLimit } from '../model/event.ts';
import type { Method } from '../model/request.ts';

/** Which call an error is about. `path` has no query, and `(secret)` in place of secret parts. */
export interface Asked {
  method: Method;
  path: string;
}

interface Details {
  code: string;
  hint?: string;
  sent: boolean;
  passing: boolean;
  cause?: unknown;
}

/** A call that brought no usable answer. No message holds the token, a sent secret or a stack. */
export abstract class RequestError extends Error {
  readonly method: Method;
  readonly path: string;
  /** Stable; for `HttpError` the platform's own code where it gave one. */
  readonly code: string;
  readonly hint?: string;
  /** The platform may have carried the call out: the outcome of a write is unknown. */
  readonly sent: boolean;
  /** The same call may well succeed later. */
  readonly passing: boolean;

  constructor(asked: Asked, message: string, details: Details) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.method = asked.method;
    this.path = asked.path;
    this.code = details.code;
    this.hint = details.hint;
    this.sent = details.sent;
    this.passing = details.passing;
  }
}

const hints: Record<number, string> = {
  401: 'the token is invalid or expired',
  402: "the account's plan or a payment limit does not allow this; trueup does not retry it",
  403: 'the token is invalid or expired, or has no access to this team or object',
  407: 'the proxy requires credentials: put them in HTTPS_PROXY',
  413: 'the request is larger than the platform accepts',
  429: 'the platform limits these calls; run again later',
  449: 'the platform is still at it; run again later',
};

/** The platform answered with an error. */
export class HttpError extends RequestError {
  readonly status: number;
  /** The platform says that the token itself is at fault. */
  readonly invalidToken: boolean;
  /** The wait that the platform asks for, in milliseconds. */
  readonly retryAfter?: number;
  /** The rate limit that the answer states for its bucket. */
  readonly limits?: Limits;

  constructor(
    asked: Asked,
    answer: {
      status: number;
      code?: string;
      message: string;
      invalidToken?: boolean;
      retryAfter?: number;
      limits?: Limits;
    },
  ) {
    const { status, code, message } = answer;
    super(asked, `${asked.method} ${asked.path} answered ${status}${code ? ` ${code}` : ''}: ${message}`, {
      code: code ?? `http/${status}`,
      hint: hints[status] ?? (status >= 500 ? 'the platform has a problem; run again later' : undefined),
      sent: status >= 500,
      // 501 and 505 say that the platform never will.
      passing: status === 429 || (status >= 500 && status !== 501 && status !== 505),
    });
    this.status = status;
    this.invalidToken = answer.invalidToken ?? false;
    this.retryAfter = answer.retryAfter;
    this.limits = answer.limits;
  }
}

/** No connection came about: refused, unknown host, TLS, proxy. Nothing was sent. */
export class Unreachable extends RequestError {
  constructor(asked: Asked, message: string, details: { hint?: string; passing: boolean; cause?: unknown }) {
    super(asked, message, { ...details, code: 'http/unreachable', sent: false });
  }
}

/** The connection ended before the answer did. */
export class ConnectionCut extends RequestError {
  constructor(asked: Asked, message: string, cause?: unknown) {
    super(asked, message, { code: 'http/cut', sent: true, passing: true, cause });
  }
}

/** No connection, no headers, no more of the body or no end of it in time. `sent` is false only if no connection came about. */
export class TimedOut extends RequestError {
  constructor(asked: Asked, message: string, details: { sent: boolean; passing?: boolean; cause?: unknown }) {
    super(asked, message, { passing: true, ...details, code: 'http/timeout' });
  }
}

/** A success whose body is no JSON: something else than the platform's API answered, or this call has another format. */
export class NotJson extends RequestError {
  readonly status: number;

  constructor(asked: Asked, status: number, found: string) {
    super(asked, `${asked.method} ${asked.path} answered ${status}, but ${found}`, {
      code: 'http/not-json',
      hint: 'is the base URL correct, or does a proxy or login page answer instead?',
      sent: true,
      passing: false,
    });
    this.status = status;
  }
}

/** An answer that takes more than it may: too large, too deep, without an end. */
export class OutOfBounds extends RequestError {
  constructor(asked: Asked, what: string) {
    super(asked, `${asked.method} ${asked.path}: ${what}`, {
      code: 'http/out-of-bounds',
      hint: 'is the base URL correct, or does something on the way answer instead?',
      sent: true,
      passing: false,
    });
  }
}

/** A redirect. It is never followed: the token must not reach another host. Whether a write was done before it nobody knows. */
export class Redirected extends RequestError {
  readonly status: number;

  constructor(asked: Asked, status: number, origin: string) {
    super(asked, `${asked.method} ${asked.path} answered ${status}, a redirect to ${origin}`, {
      code: 'http/redirect',
      hint: 'redirects are not followed, to keep the token from other hosts; correct the base URL',
      sent: true,
      passing: false,
    });
    this.status = status;
  }
}

/** A rate limit asks to wait longer than allowed. Nothing was done. */
export class RateLimited extends RequestError {
  /** The wait in milliseconds. */
  readonly wait: number;
  readonly rateLimit: RateLimit;
  /** The same command may well succeed later: its exit code says so. */
  readonly isForLater = true;

  constructor(asked: Asked, rateLimit: RateLimit, { wait, maxWait }: { wait: number; maxWait: number }) {
    const seconds = (milliseconds: number) => `${Math.ceil(milliseconds / 1000)} s`;
    super(asked, `${asked.method} ${asked.path} is rate limited for ${seconds(wait)}`, {
      code: 'http/rate-limited',
      hint: `that exceeds the longest wait of ${seconds(maxWait)} (--max-wait); run again later`,
      sent: false,
      passing: true,
    });
    this.wait = wait;
    this.rateLimit = rateLimit;
  }
}

/** A list of which it is not sure that all items were read: what it lacks must not count as absent. */
export class IncompleteList extends RequestError {
  constructor(asked: Asked, why: string) {
    super(asked, `${asked.method} ${asked.path}: the list may be incomplete: ${why}`, {
      code: 'http/incomplete-list',
      hint: 'objects missing from it are not treated as deleted',
      sent: false,
      passing: true,
    });
  }
}
