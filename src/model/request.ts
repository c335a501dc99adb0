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

/** True if only the account of a team has this endpoint. */
export const isTeamEndpoint = (endpoint: Endpoint): boolean => endpoint.includes('{teamId}');

/** One HTTP call as data, holes included. */
export interface Request {
  endpoint: Endpoint;
  /** Values for the endpoint's `{placeholders}`. */
  params?: Record<string, Value>;
  body?: unknown;
  /** Sends the content of the file whose digest is the body's `file`. */
  file?: true;
  /** The ids of addresses after this request has succeeded: found in the answer, or known already. */
  returns?: ({ address: Address; path: Path } | { address: Address; id: Value })[];
  /** The ids that are gone after this request has succeeded. */
  drops?: { address: Address; id: string }[];
  /**
   * A batch: the addresses behind each item of the body; the kind's `outcome` reads the result of each. The id of a finished item comes
   * from `outcome`, unless `returns` or `drops` give it; for a refused item these mean nothing.
   */
  batch?: Address[][];
  /**
   * For a read of a whole list: the place of the items in the answer ('' if the answer is the list, several if it has several lists). All
   * pages are followed, and their items come back as one array without duplicates; a list that cannot be proven complete is an error.
   */
  items?: string | readonly string[];
  /** Reads only the first page of a list: the answer is `Pages`. */
  pages?: true;
  /** The answer has a secret at `path`, shown only this once: it goes where the address says. */
  shows?: { address: Address; path: Path };
  /**
   * The values that the answer must have; otherwise nothing more is sent, since the plan's basis has changed. `orAbsent`: or
   * nothing at the path.
   */
  expects?: { path: Path; value: unknown; orAbsent?: true }[];
  /** The answer comes with the `etag` of its header as a member. */
  etag?: true;
  /** Error codes that mean that something this request names has not arrived everywhere yet. It is safe to repeat for a while. */
  late?: string[];
  /** The answer names at `version` the version staged now, with changes `of` these addresses; without `version`, nothing is staged any more. */
  stages?: { collection: CollectionId; version?: Path; of?: Address[] };
  /** The id of the operation that it belongs to. Room was reserved for it, since it makes something anew that was deleted. */
  reserved?: string;
}

/**
 * The only I/O that the core sees: sends a request without holes, follows pages, retries what is safe to repeat. An error with a
 * `rateLimit` says that nothing was done, and when to try again. `confirm` is called for a request that goes out `maxReadAge` or more after
 * it was given: it throws if the request must not be sent any more.
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

/** A list, as far as it has been read. */
export interface Pages {
  /** The items so far, each once. */
  items(): unknown[];
  /** Reads the next page; call it once. Absent after the last page. */
  readNext?(): Promise<Pages>;
}

/** Reads on to the end; all items. */
export async function readAllPages(pages: Pages): Promise<unknown[]> {
  let last = pages;
  while (last.readNext) last = await last.readNext();
  return last.items();
}

/** A reading is fresh for this long, in milliseconds. An older one is repeated before anything is sent that changes the object. */
export const maxReadAge = 5000;

/** A call of any operation with any body, written by hand. */
export interface ApiCall {
  /** `HEAD` has an answer without a body. */
  method: Method | 'HEAD';
  /** As the catalog has it, with its placeholders. */
  path: string;
  params: Record<string, string>;
  /** Names and values in their order; a name may come several times. */
  query: readonly (readonly [string, string])[];
  /** The headers of the token and of the tool are added. */
  headers: Record<string, string>;
  /** Opens the body for one attempt; undefined if it cannot be opened a second time. */
  open?(): ApiBody | undefined;
  /** The secret part of the body. */
  secrets?: readonly Sealed[];
}

export type ApiBody = string | AsyncIterable<Uint8Array>;

/** Any success, with its body still to come. Errors while reading that are errors for people. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  parts: AsyncIterable<Uint8Array>;
}
