import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { type Account, makeId, type Owner, type ProjectParts, tick } from './account.ts';
import type { Leniency } from './outside.ts';
import type { Switches } from './switches.ts';

/** Everything that it takes to make an object, for a request or for a seed. */
export interface Making {
  account: Account;
  owner: Owner;
  switches: Switches;
  /** A new id of the account: `prefix` and then `length` (24) letters and digits. */
  id(prefix: string, length?: number): string;
  /** The server's time, strictly increasing. */
  time(): number;
  /** The clock as it is, for deadlines: reading it does not move the server's time. */
  now(): number;
  /** Makes the parts below a new project: every resource's own, all of them empty. */
  emptyProject(): ProjectParts;
}

/** One request as its handler sees it: routed, authorised, scoped, parsed. */
export interface Call extends Making {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** The body where it is not JSON: a file, for example. */
  bytes?: Buffer;
  /** Takes members that the public schema does not know; undefined unless the twin is lenient. */
  outside: Leniency | undefined;
  /** The cap on the page size of every list. */
  pageSize: number;
  /** The request's headers, by lower-case name. */
  headers: IncomingHttpHeaders;
  /** Takes a deleted project out of all that refers to it. */
  forgetProject(id: string): void;
}

/**
 * Returns what code of the twin needs to create objects of one owner (a team or the user), for a request or from a seed: the account, new ids, and
 * times that are all different.
 */
export const makingFor = (
  world: Pick<Making, 'account' | 'switches' | 'now' | 'emptyProject'>,
  owner: Owner,
): Making => ({
  account: world.account,
  switches: world.switches,
  now: world.now,
  emptyProject: world.emptyProject,
  owner,
  id: (prefix, length = 24) => makeId(world.account, prefix, length),
  time: () => tick(world.account, world.now),
});

/** The members that nearly every object of the platform has; times in milliseconds. */
export interface Stamped {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** The times of every new object. */
export function times({ time }: Pick<Making, 'time'>): Pick<Stamped, 'createdAt' | 'updatedAt'> {
  const timestamp = time();
  return { createdAt: timestamp, updatedAt: timestamp };
}

/** The members of every new object: its own id, and the time. */
export const stamped = (making: Making, prefix: string, length?: number): Stamped => ({
  id: making.id(prefix, length),
  ...times(making),
});

/** An answer with a status other than its operation's usual one, or with headers. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  /**
   * Creates an answer with a status other than the usual one, or with headers. Handlers may return it instead of a
   * body.
   */
  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Serves one operation; returns the body of a 200, or an Answer; throws ApiError. */
export type Handler = (call: Call) => unknown;

/** The schemas of query parameters, by name; without teamId and slug, which every operation takes. */
export type Query = Record<string, z.ZodType>;
