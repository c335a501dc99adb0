import type { BucketState } from './budget.ts';
import type { Endpoint } from './plan.ts';

/** A rate limit that a platform publishes: so many requests of one endpoint in a window. */
export interface PublishedLimit {
  endpoint: Endpoint;
  /** The purpose of these requests, for people: `DNS record creations`. */
  what: string;
  allowed: number;
  /** How long a window is, in seconds. */
  window: number;
  /** What is known of it now, where other runs share it. */
  now?: BucketState | undefined;
}

/** How fast a platform answers, as far as it is known before anything is sent. */
export interface Pace {
  /** How many seconds a request usually takes. */
  requestSeconds: number;
  limits: readonly PublishedLimit[];
}
