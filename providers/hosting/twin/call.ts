import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { Account, Owner } from './account.ts';
import type { NoteOutside } from './outside.ts';
import type { Switches } from './switches.ts';

/** One request as its handler sees it: routed, authorised, scoped, parsed. */
export interface Call {
  account: Account;
  owner: Owner;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** Notes what the public schema does not know of the body; undefined in a strict twin. */
  outside: NoteOutside;
  switches: Switches;
  /** The cap on the page size of every list. */
  pageSize: number;
  /** A new id of the account. */
  id: (prefix: string, length?: number) => string;
  /** The server's time, strictly increasing. */
  time: () => number;
  /** The clock as it is, for deadlines: reading it does not move the server's time. */
  now: () => number;
  /** The request's headers, by lower-case name. */
  headers: IncomingHttpHeaders;
}

/** An answer with a status other than 200, or with headers. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Serves one operation; returns the body of a 200, or an Answer; throws ApiError. */
export type Handler = (call: Call) => unknown;

/** Handlers by the catalog's operationId (by method and path where it has none, see `nameOf`). */
export type Handlers = Record<string, Handler>;

/**
 * The schemas of request bodies, under the same names: what the twin's OpenAPI document shows. An operation whose schema
 * is optional can be called without a body.
 */
export type Bodies = Record<string, z.ZodType>;

/** The schemas of query parameters, by name; without teamId and slug, which every operation takes. */
export type Query = Record<string, z.ZodType>;

/** The query parameters of operations that read any, under the same names as the handlers. */
export type Queries = Record<string, Query>;
