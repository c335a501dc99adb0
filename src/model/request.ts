import type { Address } from './address.ts';
import type { CollectionId } from './resource.ts';
import type { Sealed } from './sealed.ts';
import type { Path, Value } from './value.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Method and path as in the API catalog, a query after `?`. `{id}` is the object's own id, `{project}` the id of the ancestor
 * (or referenced resource) of that kind, `{teamId}` the id of the account's team, `{name}` a field.
 */
export type Endpoint = `${Method} /${string}`;

/** True if only an account that is a team's can be asked for it. */
export const isOfTeam = (endpoint: Endpoint): boolean => endpoint.includes('{teamId}');

/** One HTTP call as data, holes included. */
export interface Request {
  endpoint: Endpoint;
  /** Values for the endpoint's `{placeholders}`. */
  params?: Record<string, Value>;
  body?: unknown;
  /** Sends the content of the file whose digest is the body's `file`. */
  file?: true;
  /** Ids that addresses have once this request succeeded: found in the answer, or known already. */
  returns?: ({ address: Address; path: Path } | { address: Address; id: Value })[];
  /** Ids that are gone once this request succeeded. */
  drops?: { address: Address; id: string }[];
  /**
   * A batch: the addresses behind each item of the body; the kind's `outcome` tells what became of each. A finished item
   * has the id that `outcome` tells, unless `returns` or `drops` give it; for a refused item these mean nothing.
   */
  batch?: Address[][];
  /**
   * For a read of a whole list: where the items are in the answer ('' if the answer is the list, several if it has more lists than one). All pages are followed and the
   * items of all of them come back as one array without doubles; a list that cannot be proven complete is an error.
   */
  items?: string | readonly string[];
  /** Reads only the first page of a list: the answer is `Pages`. */
  pages?: true;
  /** The answer has a secret at `path` that is never shown again: it goes where the address says. */
  shows?: { address: Address; path: Path };
  /**
   * The values that the answer must have; otherwise nothing more is sent, since the plan's basis has changed. `orAbsent`: or
   * nothing at the path.
   */
  expects?: { path: Path; value: unknown; orAbsent?: true }[];
  /** The answer comes with the `etag` of its header as a member. */
  etag?: true;
  /** Error codes that mean: what this names has not arrived everywhere yet. Safe to repeat for a while. */
  late?: string[];
  /** The answer names, at `version`, what is staged now, with changes `of` these addresses; without `version`, nothing is any more. */
  stages?: { collection: CollectionId; version?: Path; of?: Address[] };
  /** The operation that this is a request of. Room for it was reserved, since something was deleted that it makes anew. */
  reserved?: string;
}

/**
 * The only I/O that the core sees: sends a request without holes, follows pages, retries what is safe to repeat. An error with a
 * `rateLimit` says that nothing was done, and when to come back. `confirm` is asked if a request comes `freshFor` or more after it was
 * given: it throws where it must not be sent any more.
 */
export type Send = (request: Request, confirm?: () => Promise<void>) => Promise<unknown>;

/** True if a request changes nothing. */
export const isRead = ({ endpoint }: Pick<Request, 'endpoint'>): boolean => endpoint.startsWith('GET ');

/** A `Send` that cannot write: it throws on everything but GET, before anything is sent. */
export function readOnly(send: Send): Send {
  return async (request) => {
    if (!isRead(request)) throw new Error(`${request.endpoint}: a plan only reads, this request would write`);
    return send(request);
  };
}

/** A list as far as it was read. */
export interface Pages {
  /** The items so far, each once. */
  found(): unknown[];
  /** Reads the next page; may be asked once. Absent after the last one. */
  more?(): Promise<Pages>;
}

/** Reads on to the end; all items. */
export async function allPages(pages: Pages): Promise<unknown[]> {
  let last = pages;
  while (last.more) last = await last.more();
  return last.found();
}

/** A reading is fresh for this long, in milliseconds. An older one is repeated before anything is sent that changes the object. */
export const freshFor = 5000;

/** A call of any operation with any body, as somebody wrote it out. */
export interface ApiCall {
  /** `HEAD` has an answer without a body. */
  method: Method | 'HEAD';
  /** As the catalog has it, with its placeholders. */
  path: string;
  params: Record<string, string>;
  /** Names and values in their order; a name may come several times. */
  query: readonly (readonly [string, string])[];
  /** Those of the token and of the tool are added. */
  headers: Record<string, string>;
  /** Opens the body for one attempt; undefined where it was open before and cannot be opened again. */
  open?(): ApiBody | undefined;
  /** The secret part of the body. */
  secrets?: readonly Sealed[];
}

export type ApiBody = string | AsyncIterable<Uint8Array>;

/** Any success, with its body still to come. What goes wrong while its parts are read is an error for people. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  parts: AsyncIterable<Uint8Array>;
}
