import { type Headers, untilEpoch, waitOf } from './limits.ts';

/** The content of an error body, in whichever format the platform wrote it. */
export interface ParsedError {
  code?: string;
  message?: string;
  /** The parameters that are wrong, and why. */
  issues: { parameter?: string; message?: string }[];
  invalidToken: boolean;
  /** How long it asks to wait, in milliseconds. */
  retryAfter?: number;
}

/** More of them nobody reads. */
const mostIssues = 20;

type Json = Record<string, unknown>;

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const isName = (part: unknown) => typeof part === 'number' || text(part) !== undefined;

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
  const whole = object(body) ?? {};
  const inner = object(whole.error) ?? object(whole.err) ?? whole;
  return {
    code: text(inner.code) ?? text(whole.error) ?? text(whole.code),
    message: text(inner.message) ?? text(whole.error_description) ?? text(whole.message),
    issues: issuesOf(inner.issues ?? whole.issues),
    invalidToken: inner.invalidToken === true,
    retryAfter: wait(inner, headers, now) ?? wait(whole, headers, now),
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
