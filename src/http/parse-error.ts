import { type Headers, untilEpoch } from './limits.ts';

/** What an error body says, whichever family it belongs to. */
export interface ParsedError {
  code?: string;
  message?: string;
  /** How long it asks to wait, in milliseconds. */
  retryAfter?: number;
}

type Json = Record<string, unknown>;

const object = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function issues(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const lines = value.map((issue) => {
    const path = object(issue)?.path;
    const where = Array.isArray(path) ? path.join('.') : text(path);
    return [where, text(object(issue)?.message)].filter((part) => part).join(': ');
  });
  return lines.filter((line) => line !== '').join('; ') || undefined;
}

function wait(body: Json, headers: Headers, now: number): number | undefined {
  const seconds = object(body.retryAfter)?.value ?? body.retryAfter;
  if (typeof seconds === 'number' && seconds >= 0) return seconds * 1000;
  const reset = object(body.limit)?.reset;
  return typeof reset === 'number' && reset > 0 ? untilEpoch(reset, headers, now) : undefined;
}

/**
 * Reads the platform's error families: `{error: {code, message}}`, the same under `err` or unwrapped, the registrar's flat
 * body with `issues`, and `{error: "code", error_description}` of its OAuth endpoints. Empty for anything else.
 */
export function parseError(body: unknown, headers: Headers, now: number): ParsedError {
  const whole = object(body);
  if (whole === undefined) return {};
  const inner = object(whole.error) ?? object(whole.err) ?? whole;
  const message = [
    text(inner.message) ?? text(whole.error_description) ?? text(whole.message),
    issues(inner.issues ?? whole.issues),
  ];
  return {
    code: text(inner.code) ?? text(whole.error) ?? text(whole.code),
    message: message.filter((part) => part !== undefined).join(': ') || undefined,
    retryAfter: wait(inner, headers, now) ?? wait(whole, headers, now),
  };
}
