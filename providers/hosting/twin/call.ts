import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import { type Account, makeId, type Owner, type ProjectParts, tick } from './account.ts';
import type { Leniency } from './outside.ts';
import type { Switches } from './switches.ts';
import type { TakenNames } from './taken-names.ts';

/** What code of the twin needs to create an object of one owner, for a request or from a seed. */
export interface Making {
  account: Account;
  owner: Owner;
  switches: Switches;
  /** Returns a new id: `prefix`, and then `length` letters and digits (24 by default). */
  id(prefix: string, length?: number): string;
  /** Returns the server's time in milliseconds, and moves it on: each call returns a later time. */
  time(): number;
  /** Returns the time of the clock, for deadlines. Unlike `time`, it does not move the server's time. */
  now(): number;
  /** Returns the empty lists and settings that the resources store in a new project. */
  emptyProject(): ProjectParts;
  /** The names of projects and domains. Only while a seed is loaded. */
  taken?: TakenNames | undefined;
}

/** One request as its handler sees it: routed, authorised, scoped, parsed. */
export interface Call extends Making {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** The body, if it is no JSON: a file, for example. */
  bytes?: Buffer;
  /** Accepts and notes members of the body that the public schema does not know; undefined unless the twin is lenient. */
  outside: Leniency | undefined;
  /** The cap on the page size of every list. */
  pageSize: number;
  /** The request's headers, by lower-case name. */
  headers: IncomingHttpHeaders;
  /** Removes a deleted project from all objects that refer to it. */
  forgetProject(id: string): void;
}

/**
 * Returns what code of the twin needs to create objects of one owner (a team or the user), for a request or from a seed: the account, new
 * ids, and times that are all different.
 */
export const makingFor = (
  world: Pick<Making, 'account' | 'switches' | 'now' | 'emptyProject' | 'taken'>,
  owner: Owner,
): Making => ({
  account: world.account,
  switches: world.switches,
  now: world.now,
  emptyProject: world.emptyProject,
  taken: world.taken,
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

/** Returns the times of a new object: it was created and last changed now. */
export function times({ time }: Pick<Making, 'time'>): Pick<Stamped, 'createdAt' | 'updatedAt'> {
  const timestamp = time();
  return { createdAt: timestamp, updatedAt: timestamp };
}

/** Returns the members that every new object has: an id of its own, and its times. */
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

/** Carries out a request of one operation. Returns the body of an answer 200, or an `Answer`. Throws an `ApiError` for a refusal. */
export type Handler = (call: Call) => unknown;

/** The schemas of query parameters by name, without `teamId` and `slug`, which every operation takes. */
export type Query = Record<string, z.ZodType>;
