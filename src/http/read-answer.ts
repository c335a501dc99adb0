import type { Limits } from '../model/budget.ts';
import type { Masking } from '../model/masking.ts';
import { type ParsedBody, parseBoundedJson } from './bounded-json.ts';
import { headerText, parseLimits, parseRetryAfter } from './bucket.ts';
import { type CallName, HttpError, NotJson, OutOfBounds, Redirected } from './errors.ts';
import type { Bounds, RawAnswer } from './exchange.ts';
import {
  describeBoundExceeded,
  excerptOf,
  looksLikeJson,
  type ParsedError,
  parseError,
  toPlainLine,
} from './faults.ts';

/** A successful answer. */
export interface Answer {
  status: number;
  /** The parsed JSON. Undefined for an empty body. */
  body: unknown;
  limits?: Limits;
  /** The version of the object that was read, for `If-Match`. */
  etag?: string;
}

/** What reading an answer depends on besides the answer. */
export interface AnswerContext {
  base: URL;
  bounds: Bounds;
  now: number;
  masking: Masking;
  /** Returns what the refused operation needs, by the status and the error of the answer. */
  findHint(status: number, error: ParsedError): string | undefined;
  /** True if an earlier call with the same token succeeded, so that the token is valid. */
  hasSucceeded: boolean;
}

/**
 * Parses the answer to a call, and reads its rate limit. Throws a `RequestError` for everything except a success with
 * JSON or without a body (for GET only with status 204), so that no page of a proxy and no redirect is taken for an
 * answer of the platform. `raw`: the answer as text; `context`: what else decides.
 */
export function readAnswer(call: CallName, raw: RawAnswer, context: AnswerContext): Answer {
  const { base, bounds, now, masking } = context;
  const { status, headers } = raw;
  const body = raw.isCut ? 'no JSON' : parseBoundedJson(raw.text, bounds.maxDepth);
  if (status < 300) {
    if (body === 'too deep') throw new OutOfBounds(call, describeBoundExceeded('maxDepth', bounds));
    if (body === 'no JSON') throw new NotJson(call, status, describeDefect(raw, body, masking));
    // Status 204 means "no content". An empty body with another status is a defect, so it does not mean that the object is absent.
    if (call.method === 'GET' && body.json === undefined && status !== 204)
      throw new NotJson(call, status, 'its body is empty');
    return { status, body: body.json, limits: parseLimits(headers, now), etag: headerText(headers.etag) };
  }
  if (status < 400) throw new Redirected(call, status, toPlainLine(redirectTarget(raw, base), masking.mask));
  throw createRefusal(call, raw, body, context);
}

/**
 * Creates the error for an answer with a status of 400 or more: the platform's reason with secrets masked, the hint for the user, the wait
 * before a repetition, and the rate limit. The retry and the limiter decide by it what happens next. The twin (the local imitation of the
 * platform) also names the rule by which it refuses (`rule`).
 */
function createRefusal(call: CallName, raw: RawAnswer, body: ParsedBody, context: AnswerContext): HttpError {
  const { now, masking } = context;
  const { status, headers } = raw;
  const isJson = typeof body === 'object';
  const error = parseError(isJson ? body.json : undefined, headers, now);
  const statedLimits = parseLimits(headers, now);
  const statedWait = parseRetryAfter(headers, now) ?? error.retryAfter;
  const isRateLimit = status === 429;
  const rateLimitWait = statedWait ?? statedLimits?.resetIn;
  // A 429 means that nothing remains, even if its headers state another number.
  const exhaustedLimits: Limits = {
    ...statedLimits,
    limit: statedLimits?.limit ?? error.limit,
    bucket: error.bucket,
    remaining: 0,
    resetIn: rateLimitWait,
  };
  return new HttpError(call, {
    status,
    code: error.code === undefined ? undefined : masking.safeNameIn(error.code),
    message:
      formatReason(error, masking) ?? (isJson ? 'no reason given' : describeDefect(raw, body, masking)),
    hint: context.findHint(status, error) ?? hintForValidToken(status, error, context),
    invalidToken: error.invalidToken,
    ssoScope:
      error.ssoScope === undefined ? undefined : (masking.safeSlugIn(error.ssoScope) ?? 'of this team'),
    failed: error.failed,
    rule: parseRule(headerText(headers['x-twin-rule'])),
    retryAfter: isRateLimit ? rateLimitWait : statedWait,
    limits: isRateLimit ? exhaustedLimits : statedLimits,
  });
}

/** Returns the rule that a twin names in a header, if it has the form of an id. Anything may answer, so other texts are dropped. */
const parseRule = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w:-]{1,60}$/.test(text) ? text : undefined;

/**
 * Returns the hint for a refusal (403) of a call that the token may not make although it is valid; undefined if the token may be invalid,
 * because then the usual hint is right.
 */
const hintForValidToken = (
  status: number,
  { invalidToken }: ParsedError,
  { hasSucceeded }: AnswerContext,
): string | undefined =>
  status === 403 && !invalidToken && hasSucceeded
    ? 'the token is valid, since other requests succeeded, but it has no access to this'
    : undefined;

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
