import { ApiError } from '../errors.ts';

interface Bucket {
  limit: number;
  windowMs: number;
}

const minute = 60_000;

// Published by a peer's documentation.
const published: Record<string, Bucket> = {
  createRecord: { limit: 100, windowMs: 60 * minute },
  updateRecord: { limit: 50, windowMs: minute },
};
// No source has the others: generous.
const writes: Bucket = { limit: 500, windowMs: minute };
// Assumed, and by nothing but that many of the platform's windows are a minute long: tight, so that clients have to mind them.
const assumed: Record<string, Bucket> = {
  createProject: { limit: 30, windowMs: minute },
  updateProject: { limit: 60, windowMs: minute },
  createProjectEnv: { limit: 60, windowMs: minute },
};
const assumedWrites: Bucket = { limit: 120, windowMs: minute };
const assumedReads: Bucket = { limit: 200, windowMs: minute };

/** Counts calls, per owner and operation, against the limits. */
export interface RateLimits {
  /** Counts one call; returns the headers of its answer, none where it is not limited, or throws 429 with them. */
  count(ownerId: string, operationId: string, isWrite: boolean): Record<string, string>;
}

/** `assumed`: minute buckets too that no source confirms. `windowMs`: all windows are so long. */
interface Settings {
  assumed?: boolean;
  windowMs?: number | undefined;
}

/** A 429, which carries headers of its own. */
export class RateLimited extends ApiError {
  readonly headers: Record<string, string>;

  constructor(message: string, extra: Record<string, unknown>, headers: Record<string, string>) {
    super(429, 'rate_limited', message, extra);
    this.headers = headers;
  }
}

/** Returns the rate limit of an operation; undefined if it has none. `isAssumed`: also applies limits that are not published. */
export function bucketOf(operationId: string, isWrite: boolean, isAssumed: boolean): Bucket | undefined {
  if (Object.hasOwn(published, operationId)) return published[operationId];
  if (!isAssumed) return isWrite ? writes : undefined;
  if (Object.hasOwn(assumed, operationId)) return assumed[operationId];
  return isWrite ? assumedWrites : assumedReads;
}

/** Returns a counter that applies rate limits like the platform: fixed windows for each owner and operation, which start with the first call. */
export function rateLimits(
  now: () => number,
  { assumed: isAssumed = false, windowMs: shortened }: Settings = {},
): RateLimits {
  const used = new Map<string, { count: number; reset: number }>();
  return {
    count(ownerId, operationId, isWrite) {
      const bucket = bucketOf(operationId, isWrite, isAssumed);
      if (!bucket) return {};
      const { limit } = bucket;
      const windowMs = shortened ?? bucket.windowMs;
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
