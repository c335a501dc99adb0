import type { Server } from 'node:http';
import type { Account, Seed } from './account.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import type { DoneFault, LoggedRequest } from './http/request-log.ts';
import type { Outside } from './outside.ts';
import type { Switches } from './switches.ts';

/** The settings of a twin; each has a default. */
export interface TwinOptions {
  /** The port to listen on; by default, and for 0, any free one. */
  port?: number;
  /** If given, only this bearer token is accepted, and those that the account lists; otherwise any that is not empty. */
  token?: string;
  /** The initial content of the account. */
  seed?: Seed;
  /** The account is loaded from this file if it exists (the seed is then not used) and saved to it after each write. */
  statePath?: string;
  /** The time that each request waits before it is handled, in milliseconds. */
  latencyMs?: number;
  /** If true, GET /__twin/requests also shows the texts in bodies, and with them the secrets that clients send. */
  logText?: boolean;
  /**
   * 'real' counts calls against the limits that the platform documents, sends their headers and answers 429; 'assumed' has limits for all
   * other operations as well, which no source confirms; 'off' does none of it.
   */
  rateLimits?: 'real' | 'assumed' | 'off';
  /** The length of the windows of all limits, in milliseconds; default: as the platform documents them. */
  limitWindowMs?: number;
  /**
   * If true, members of bodies that neither the public schema nor an official client has are accepted, stored and listed. By default they
   * are refused, as on the platform.
   */
  lenient?: boolean;
  /** A cap on the page size of every list. */
  pageSize?: number;
  switches?: Partial<Switches>;
  /** The faults to cause, and when. An unusable plan is refused with a `FaultPlanError`. */
  faults?: FaultPlan;
  /** The clock, in milliseconds. */
  now?: () => number;
  /**
   * The number of ids that count as made in a new account. With another number than those of a second twin, the two never make equal ids.
   * Default: 0.
   */
  idsAfter?: number;
  /** Waits for so many milliseconds; tests replace it. Used for `latencyMs` and for faults that delay an answer. */
  sleep?: (ms: number) => Promise<void>;
}

/** A running twin. */
export interface Twin {
  /** http://127.0.0.1:PORT */
  url: string;
  /** The URL of the OpenAPI document that describes this twin. It needs no token. */
  openApiUrl: string;
  /** The live state: what a test reads or edits here is a change behind the client's back. */
  account: Account;
  /** Every request so far, oldest first, as it was received. GET /__twin/requests shows them without the texts in bodies, see `logText`. */
  requests: LoggedRequest[];
  clearRequests(): void;
  /** The operations and members that clients used and the public schema does not know; also at GET /__twin/outside. */
  outside: Outside[];
  /** Every fault that happened so far, oldest first, of all plans; also at GET /__twin/faults. */
  faults: DoneFault[];
  /** Replaces the present plan: requests are counted from 1 again, and reads show the present state. */
  setFaults(plan: FaultPlan): void;
  /** Adds objects to the account, with the same rules as for a seed. Throws a `SeedError`. */
  add(seed: Omit<Seed, 'user' | 'team' | 'teams'>): void;
  /** The HTTP server, for tests that pass requests to it without a connection. */
  server: Server;
  close(): Promise<void>;
}
