import { ApiError } from '../errors.ts';

interface Bucket {
  limit: number;
  windowMs: number;
}

// The DNS numbers are published by a peer's documentation; the others are not, and generous here.
const buckets: Record<string, Bucket> = {
  createRecord: { limit: 100, windowMs: 3_600_000 },
  updateRecord: { limit: 50, windowMs: 60_000 },
};
const writes: Bucket = { limit: 500, windowMs: 60_000 };

/** Counts writes, per owner and operation, against the limits. */
export interface RateLimits {
  /** Counts one write; returns the headers of its answer, or throws 429 with them. */
  count(ownerId: string, operationId: string): Record<string, string>;
}

/** A 429, which carries headers of its own. */
export class RateLimited extends ApiError {
  readonly headers: Record<string, string>;

  constructor(message: string, extra: Record<string, unknown>, headers: Record<string, string>) {
    super(429, 'rate_limited', message, extra);
    this.headers = headers;
  }
}

/** Fixed windows per owner and operation, from the first write on. */
export function rateLimits(now: () => number): RateLimits {
  const used = new Map<string, { count: number; reset: number }>();
  return {
    count(ownerId, operationId) {
      const { limit, windowMs } = buckets[operationId] ?? writes;
      const key = `${ownerId} ${operationId}`;
      let window = used.get(key);
      if (window === undefined || window.reset <= now()) {
        window = { count: 0, reset: now() + windowMs };
        used.set(key, window);
      }
      window.count += 1;
      const remaining = Math.max(0, limit - window.count);
      const reset = Math.ceil(window.reset / 1000);
      const headers = {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(reset),
      };
      if (window.count <= limit) return headers;
      const wait = Math.max(1, Math.ceil((window.reset - now()) / 1000));
      const message = `Too many requests - try again in ${wait} seconds (more than ${limit}, code: "${operationId}").`;
      throw new RateLimited(
        message,
        { limit: { total: limit, remaining: 0, reset } },
        { ...headers, 'retry-after': String(wait) },
      );
    },
  };
}
