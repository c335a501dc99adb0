import type { Server } from 'node:http';
import type { Account, Seed } from './account.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import type { DoneFault, LoggedRequest } from './http/request-log.ts';
import type { Outside } from './outside.ts';
import type { Switches } from './switches.ts';

/** The settings of a twin; each has a default. */
export interface TwinOptions {
  /** 0 for any free one. */
  port?: number;
  /** If given, only this bearer token is accepted; otherwise any that is not empty. */
  token?: string;
  seed?: Seed;
  /** The account is loaded from this file if it exists (the seed is then not used) and saved to it after each write. */
  statePath?: string;
  latencyMs?: number;
  /** GET /__twin/requests shows the texts in bodies too, and with them the secrets that clients send. */
  logText?: boolean;
  /**
   * 'real' counts calls against the limits that the platform documents, sends their headers and answers 429; 'assumed' has limits for all other
   * operations as well, which no source confirms; 'off' does none of it.
   */
  rateLimits?: 'real' | 'assumed' | 'off';
  /** The length of the windows of all limits; default: as the platform documents them. */
  limitWindowMs?: number;
  /**
   * Takes members of bodies that neither the public schema nor an official client has, stores them and lists them. By default they are
   * refused, as the platform does.
   */
  lenient?: boolean;
  /** A cap on the page size of every list. */
  pageSize?: number;
  switches?: Partial<Switches>;
  /** The faults to cause, and when. An unusable plan is refused with a `FaultPlanError`. */
  faults?: FaultPlan;
  /** The clock, in milliseconds. */
  now?: () => number;
  /** Waits for so many milliseconds before an answer. */
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
  /** Every request so far, oldest first, as it came; at GET /__twin/requests without any text of its body. */
  requests: LoggedRequest[];
  clearRequests(): void;
  /** Everything that clients requested or sent and the public schema does not know; also at GET /__twin/outside. */
  outside: Outside[];
  /** Every fault so far, oldest first, of all plans; also at GET /__twin/faults. */
  faults: DoneFault[];
  /** Replaces the present plan: counts start again, and nothing is stale any more. */
  setFaults(plan: FaultPlan): void;
  /** Adds projects, domains and everything else that a team has, as a seed does. */
  add(seed: Omit<Seed, 'user' | 'team' | 'teams'>): void;
  /** For tests that hand it requests without a connection. */
  server: Server;
  close(): Promise<void>;
}
