import type { Endpoint } from './request.ts';

/** The rate limit that an answer states for the bucket it came from. */
export interface Limits {
  /** Calls per window. */
  limit?: number | undefined;
  /** Calls left in this window. */
  remaining?: number | undefined;
  /** Milliseconds until the next window. */
  resetIn?: number | undefined;
  /** The end of the window as the server names it, which is the same for all of its answers: an epoch time in seconds. */
  window?: number | undefined;
}

/** The state of a rate bucket that other runs use too, without this run. */
export interface BucketState {
  /** Calls per window. */
  limit: number;
  /** Calls that nobody has used in this window. */
  left: number;
  /** For each other run, how many calls it has reserved, or has yet to send by its plan. */
  reserved: number[];
  /** Milliseconds until the window ends; absent while it has not begun. */
  endsIn?: number | undefined;
}

/**
 * The budget of requests of one token, which several runs share, bucket by bucket. It only ever holds a limiter back: what the limiter
 * knows from the answers of its own calls holds beside it. So whoever can write where it is kept makes runs slower, and nothing else.
 */
export interface Budget {
  /**
   * This run's share of a bucket. `needs` tells how many calls wait, and for how many of later room is kept; `changed` is called when there
   * is more, or it is time to look again.
   */
  share(bucket: string, needs: { now(): { waiting: number; reserved: number }; changed(): void }): Share;
  /** This run is going to send so many requests to these buckets. */
  announce(requests: ReadonlyMap<string, number>): void;
  /** The buckets of these names of which something is known. */
  states(buckets: readonly string[]): Promise<Map<string, BucketState>>;
}

/** One run's share of a bucket: calls that it took ahead of use, and gives back if it does not use them. */
export interface Share {
  /** Calls that may begin. */
  left(): number;
  /** Asks for more. When to look again; undefined while it is being asked, which `changed` ends. */
  more(): number | undefined;
  begin(): void;
  /** `unsent` used nothing up, and of `lost` no answer is known. */
  end(how: 'unsent' | 'lost' | 'answered', limits: Limits | undefined): void;
}

/** A rate limit that a platform publishes: so many requests of one endpoint in a window. */
export interface PublishedLimit {
  endpoint: Endpoint;
  /** The purpose of these requests, for people: `DNS record creations`. */
  what: string;
  allowed: number;
  /** The length of a window in seconds. */
  window: number;
  /** Its current state, if other runs share it. */
  now?: BucketState | undefined;
}

/** The speed of a platform, as far as it is known before anything is sent. */
export interface Pace {
  /** The usual duration of a request in seconds. */
  requestSeconds: number;
  limits: readonly PublishedLimit[];
}
