import type { Endpoint } from './request.ts';

/*
 * Terms:
 *
 *   bucket   a counter of the platform that several operations share. It allows `limit` calls in each window
 *   window   the time until the platform resets the counter
 *   budget   the buckets of one token. Several runs with the same token can share it through a database
 *   share    the part of a bucket that one run may use at the moment
 */

/** The rate limit that an answer states for its bucket. */
export interface Limits {
  /** The platform's name of the bucket. Only refusals state it. */
  bucket?: string | undefined;
  /** Calls per window. */
  limit?: number | undefined;
  /** Calls left in this window. */
  remaining?: number | undefined;
  /** Milliseconds until the next window. */
  resetIn?: number | undefined;
  /** The end of the window in seconds since 1970, as the server states it: the same number in all answers of a window. */
  window?: number | undefined;
}

/** The use of a bucket by other runs. A plan shows it in its forecast. */
export interface BucketState {
  /** Calls per window. */
  limit: number;
  /** Unused calls of this window. */
  remaining: number;
  /** For each other run that uses the bucket: the calls that it holds, or that its plan will still send. */
  reserved: number[];
  /** Milliseconds until the window ends. Absent before its first call. */
  endsIn?: number | undefined;
}

/**
 * The rate limits of one token that several runs share. A budget can only delay calls, because the limiter also obeys the limits that it
 * learns from its own calls. So an attacker who can write to the store of the budget can slow runs down, and nothing else.
 */
export interface Budget {
  /**
   * Returns this run's share of a bucket. `needs.now` returns the number of calls that wait and the number of reservations. The share calls
   * `needs.changed` when more calls may begin, or when the limiter should ask again.
   */
  share(bucket: string, needs: { now(): { waiting: number; reserved: number }; changed(): void }): Share;
  /** Announces how many requests this run is going to send to each bucket. */
  announce(requests: ReadonlyMap<string, number>): void;
  /** Returns the states of these buckets. Leaves out buckets that no run has used yet. */
  states(buckets: readonly string[]): Promise<Map<string, BucketState>>;
}

/** One run's share of a bucket: calls that it was granted in advance. It returns the calls that it does not use. */
export interface Share {
  /** Returns how many calls may begin now. */
  availableCalls(): number;
  /**
   * Requests more calls. Returns the time at which to ask again, in milliseconds since 1970. Returns undefined while a
   * request is under way: `changed` is called when it ends.
   */
  requestCalls(): number | undefined;
  /** Counts a call that begins. */
  begin(): void;
  /** Counts a call that ended. `unsent`: it used up nothing; `lost`: no answer came. */
  end(outcome: 'unsent' | 'lost' | 'answered', limits: Limits | undefined): void;
}

/** A rate limit that the platform documents: the requests of some endpoints that it allows together in a window. */
export interface PublishedLimit {
  /** The name of its bucket. */
  name: string;
  /** The purpose of these requests, for people: `DNS record creations`. */
  what: string;
  endpoints: readonly Endpoint[];
  /** Endpoints that only probably count. Plans forecast their waits, but an apply waits only if answers state the limit. */
  weakEndpoints: readonly Endpoint[];
  /** True if a request with this body counts. Absent if all requests of the endpoints count. */
  counts?: ((body: unknown) => boolean) | undefined;
  allowed: number;
  /** The length of a window in seconds. */
  window: number;
  /** True if the platform counts the requests of a user in all accounts together. */
  isOfUser: boolean;
  /** Its current state, if other runs share it. */
  now?: BucketState | undefined;
}

/** The speed of a platform, as documented. Used to estimate how long an apply takes. */
export interface Pace {
  /** The usual duration of a request in seconds. */
  requestSeconds: number;
  limits: readonly PublishedLimit[];
}
