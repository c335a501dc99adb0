import type { Limits } from '../model/budget.ts';
import type { RateLimit } from '../model/event.ts';
import type { Method } from '../model/request.ts';

/** The call that an error is about. `path` has no query, and `(secret)` stands for secret parts. */
export interface CallName {
  method: Method;
  path: string;
}

interface ErrorDetails {
  code: string;
  hint?: string;
  mayBeCarriedOut: boolean;
  isTransient: boolean;
  cause?: unknown;
}

/** A call failed to return a usable answer. The message never contains the token, a secret that was sent, or a stack trace. */
export abstract class RequestError extends Error {
  readonly method: Method;
  readonly path: string;
  /** A stable code. For `HttpError` it is the platform's own code if the answer has one. */
  readonly code: string;
  readonly hint?: string;
  /** True if the platform may have carried out the call, so that the outcome of a write is unknown. */
  readonly mayBeCarriedOut: boolean;
  /** True if the same call may succeed later. */
  readonly isTransient: boolean;

  /**
   * Creates the common part of all errors of the HTTP client: which call failed, and what the callers must
   * know about it. The retry repeats a call if `isTransient`, and a write only if not `mayBeCarriedOut`, so
   * that no object is created twice. The message and the hint are shown to the user.
   */
  constructor(call: CallName, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.method = call.method;
    this.path = call.path;
    this.code = details.code;
    this.hint = details.hint;
    this.mayBeCarriedOut = details.mayBeCarriedOut;
    this.isTransient = details.isTransient;
  }
}

const hintsByStatus: Record<number, string> = {
  401: 'the token is invalid or expired',
  402: "the account's plan or a payment limit does not allow this; trueup does not retry it",
  403: 'the token is invalid or expired, or has no access to this team or object',
  407: 'the proxy requires credentials: put them in HTTPS_PROXY',
  413: 'the request is larger than the platform accepts',
  429: 'the platform limits these calls; run again later',
  449: 'the platform is still at it; run again later',
};

/** Returns what to do about an answer with this status, for the line below its message. */
const hintOfStatus = (status: number): string | undefined =>
  hintsByStatus[status] ?? (status >= 500 ? 'the platform has a problem; run again later' : undefined);

/** An answer with a status of 400 or more, as far as it was understood. */
interface RefusedAnswer {
  status: number;
  code?: string;
  message: string;
  /** What the operation needs. Without it, the hint says what the status means. */
  hint?: string;
  invalidToken?: boolean;
  /** The team that refuses tokens made without single sign-on. */
  ssoScope?: string;
  retryAfter?: number;
  limits?: Limits;
  failed?: readonly unknown[];
  /** The rule that a twin names for its refusal. */
  rule?: string;
}

const tokenOfTeam = 'use a token of this team, or of the full account';

/** The platform's words for a token that may not create tokens. Their refusals have no code of their own. */
const mayNotCreateTokens =
  /^(Only user authentication tokens can|To create a token you must be authenticated)/;

/**
 * Returns what a refused token or its account lacks, and the hint for it; undefined for other refusals. Used to tell users that another
 * token or another plan is needed, and not more rights in the team.
 */
function findMissingScope(refusal: RefusedAnswer): { lack: string; hint: string } | undefined {
  const { status, code, message, ssoScope } = refusal;
  if (ssoScope !== undefined)
    return {
      lack: `this token needs single sign-on (SSO) for the scope ${ssoScope}`,
      hint: `log in to ${ssoScope} with SSO, create a token for it then, and use that one`,
    };
  if (code?.endsWith('_needs_upgrade'))
    return { lack: "the account's plan does not include this", hint: hintsByStatus[402]! };
  if (status !== 403) return undefined;
  if (code === 'team_unauthorized')
    return {
      lack: 'this token is limited to another team or to one project',
      hint: tokenOfTeam,
    };
  if (mayNotCreateTokens.test(message))
    return {
      lack: 'this token may not create tokens',
      hint: 'use a token of the full account, made in the account settings: tokens of a team, of a project or of a login create no tokens',
    };
  return undefined;
}

/** The platform answered with an error. */
export class HttpError extends RequestError {
  readonly status: number;
  /** True if the platform says that the token itself is invalid. */
  readonly invalidToken: boolean;
  /**
   * What to do about a valid token whose scope does not include the object, or whose account's plan does not; undefined for other errors.
   */
  readonly scopeHint?: string;
  /** The wait that the platform asks for, in milliseconds. */
  readonly retryAfter?: number;
  /** The rate limit that the answer states for its bucket. */
  readonly limits?: Limits;
  /**
   * The rule behind the refusal of a twin, as its header `x-twin-rule` names it: the id of a fact, such as `PF41`. The platform names none.
   */
  readonly rule?: string;
  /** Private, so that printing the error does not show it. */
  readonly #failed: readonly unknown[];

  /**
   * Creates the error for an answer of the platform with a status of 400 or more. The retry waits for
   * `retryAfter` milliseconds before it sends the call again. A status below 500 means that the platform
   * refused the call, so a write is known not to be done.
   */
  constructor(call: CallName, answer: RefusedAnswer) {
    const { status, code, message } = answer;
    const missingScope = findMissingScope(answer);
    const reason = missingScope ? `${missingScope.lack}: ${message}` : message;
    super(call, `${call.method} ${call.path} answered ${status}${code ? ` ${code}` : ''}: ${reason}`, {
      code: code ?? `http/${status}`,
      hint: missingScope?.hint ?? answer.hint ?? hintOfStatus(status),
      mayBeCarriedOut: status >= 500,
      // 501 and 505 mean that the platform will never support this call.
      isTransient: status === 429 || (status >= 500 && status !== 501 && status !== 505),
    });
    this.status = status;
    this.invalidToken = answer.invalidToken ?? false;
    this.scopeHint = missingScope?.hint;
    this.retryAfter = answer.retryAfter;
    this.limits = answer.limits;
    this.rule = answer.rule;
    this.#failed = answer.failed ?? [];
  }

  /** The refusals of the items of a batch, in the platform's own words. They may contain secrets, so mask them before they are shown. */
  get failed(): readonly unknown[] {
    return this.#failed;
  }
}

/** No connection was established: it was refused, or the host name, TLS or the proxy failed. Nothing was sent. */
export class Unreachable extends RequestError {
  /**
   * Creates the error for a call that got no connection (refused, unknown host, TLS or proxy). Nothing was
   * sent, so even a write may be sent again. `isTransient`: true if a later attempt may get a connection, so
   * that the retry tries it.
   */
  constructor(
    call: CallName,
    message: string,
    details: { hint?: string; isTransient: boolean; cause?: unknown },
  ) {
    super(call, message, { ...details, code: 'http/unreachable', mayBeCarriedOut: false });
  }
}

/** The connection ended before the answer was complete. */
export class ConnectionCut extends RequestError {
  constructor(call: CallName, message: string, cause?: unknown) {
    super(call, message, { code: 'http/no-response', mayBeCarriedOut: true, isTransient: true, cause });
  }
}

/** The connection, the headers or the body took too long. `mayBeCarriedOut` is false only if there was no connection. */
export class TimedOut extends RequestError {
  /**
   * Creates the error for a call that exceeded a time limit. `mayBeCarriedOut` is false only if there was no
   * connection yet: the retry may then send even a write again. `isTransient`: false for an answer that is
   * abandoned as too slow, because another attempt would be as slow.
   */
  constructor(
    call: CallName,
    message: string,
    details: { mayBeCarriedOut: boolean; isTransient?: boolean; cause?: unknown },
  ) {
    super(call, message, { isTransient: true, ...details, code: 'http/no-response' });
  }
}

/**
 * A success has a body that is not JSON, or none after a read, so something other than the platform's API answered,
 * or this endpoint uses another format.
 */
export class NotJson extends RequestError {
  readonly status: number;

  /**
   * Creates the error for a successful answer whose body is not JSON or missing, usually from a login page or a
   * proxy. `defect` continues the sentence "answered 200, but". The outcome of a write is unknown then, and the call
   * is not repeated.
   */
  constructor(call: CallName, status: number, defect: string) {
    super(call, `${call.method} ${call.path} answered ${status}, but ${defect}`, {
      code: 'http/not-json',
      hint: 'is the base URL correct, or does a proxy or login page answer instead?',
      mayBeCarriedOut: true,
      isTransient: false,
    });
    this.status = status;
  }
}

/** An answer exceeds a bound: it is too large, nested too deeply, or does not end. */
export class OutOfBounds extends RequestError {
  /**
   * Creates the error for an answer that is too large, too deeply nested or endless, so that a wrong server
   * cannot fill the memory. `what` says which bound it exceeds. The outcome of a write is unknown, and the
   * call is not repeated.
   */
  constructor(call: CallName, what: string) {
    super(call, `${call.method} ${call.path}: ${what}`, {
      code: 'http/out-of-bounds',
      hint: 'is the base URL correct, or does something on the way answer instead?',
      mayBeCarriedOut: true,
      isTransient: false,
    });
  }
}

/** The answer is a redirect. It is never followed, because the token must not reach another host. The outcome of a write is unknown. */
export class Redirected extends RequestError {
  readonly status: number;

  /**
   * Creates the error for an answer that is a redirect. The client does not follow it, because the token must
   * not reach another host. `origin`: where it leads, for the user who then corrects the base URL. Any server may
   * have sent it, so it does not prove that a write was not carried out.
   */
  constructor(call: CallName, status: number, origin: string) {
    super(call, `${call.method} ${call.path} answered ${status}, a redirect to ${origin}`, {
      code: 'http/redirect',
      hint: 'redirects are not followed, to keep the token from other hosts; correct the base URL',
      mayBeCarriedOut: true,
      isTransient: false,
    });
    this.status = status;
  }
}

/**
 * A rate limit requires a longer wait than allowed. Nothing was carried out: the call was not sent, or was refused.
 */
export class RateLimited extends RequestError {
  /** The wait in milliseconds. */
  readonly wait: number;
  readonly rateLimit: RateLimit;
  /** Tells the command to end with the exit code for "run again later". */
  readonly isForLater = true;

  /**
   * Creates the error for a call that would have to wait longer than the user allows with `--max-wait`. Nothing was
   * carried out, and the command ends with the exit code for "run again later". `wait` and `maxWait` are in
   * milliseconds.
   */
  constructor(call: CallName, rateLimit: RateLimit, { wait, maxWait }: { wait: number; maxWait: number }) {
    const seconds = (milliseconds: number) => `${Math.ceil(milliseconds / 1000)} s`;
    super(call, `${call.method} ${call.path} is rate limited for ${seconds(wait)}`, {
      code: 'http/rate-limited',
      hint: `that exceeds the longest wait of ${seconds(maxWait)} (--max-wait); run again later`,
      mayBeCarriedOut: false,
      isTransient: true,
    });
    this.wait = wait;
    this.rateLimit = rateLimit;
  }
}

/** A list may be incomplete. Objects that are missing from it must not be treated as deleted. */
export class IncompleteList extends RequestError {
  /**
   * Creates the error for a list that may lack objects, for example because its pages form a loop. Readers
   * then treat the collection as unreadable: an object that is missing from the list must not be taken for
   * deleted. `reason` says why, and `hint` what to do.
   */
  constructor(call: CallName, reason: string, hint = 'objects missing from it are not treated as deleted') {
    super(call, `${call.method} ${call.path}: the list may be incomplete: ${reason}`, {
      code: 'http/incomplete-list',
      hint,
      mayBeCarriedOut: false,
      isTransient: true,
    });
  }
}

/** The scope of the token is smaller than a list, so that only some of its objects can be read. */
export class LimitedList extends RequestError {
  /** Like an answer 403, so that reports do not advise to run again. */
  readonly status = 403;
  readonly scopeHint = tokenOfTeam;
  /** The objects that the token can read, in the form of the list. */
  readonly readable: unknown[];

  /**
   * Creates the error for a list that a token cannot read beyond `readable`. Readers then compare these objects, and treat all others as
   * unknown: they must not be created or deleted. `reason` is the whole message.
   */
  constructor(call: CallName, reason: string, readable: unknown[]) {
    super(call, reason, {
      code: 'http/incomplete-list',
      hint: tokenOfTeam,
      mayBeCarriedOut: false,
      isTransient: false,
    });
    this.readable = readable;
  }
}
