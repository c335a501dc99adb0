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

/** One HTTP call as data. Values that are determined later are holes. */
export interface Request {
  endpoint: Endpoint;
  /** Values for the endpoint's `{placeholders}`. */
  params?: Record<string, Value>;
  body?: unknown;
  /** Sends the content of the file whose digest is the body's `file`. */
  file?: true;
  /** The ids of addresses after this request has succeeded: found in the answer, or known already. */
  returns?: ({ address: Address; path: Path } | { address: Address; id: Value })[];
  /** The ids that no longer exist after this request has succeeded. */
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
  /** The answer contains a secret at `path`. The platform shows it only this once. It is delivered as the address says. */
  shows?: { address: Address; path: Path };
  /**
   * The values that the answer must have; otherwise nothing more is sent, since the plan's basis has changed. `orAbsent`: or
   * nothing at the path.
   */
  expects?: { path: Path; value: unknown; orAbsent?: true }[];
  /** The answer comes with the `etag` of its header as a member. */
  etag?: true;
  /**
   * Error codes which mean that an object in this request is not known everywhere on the platform yet. It is safe to
   * repeat for a while.
   */
  late?: string[];
  /**
   * The answer names at `version` the version staged now, with changes `of` these addresses; without `version`, nothing is staged any more.
   */
  stages?: { collection: CollectionId; version?: Path; of?: Address[] };
  /**
   * The id of the operation that it belongs to. Room was reserved for it, since it creates an object again that was
   * deleted.
   */
  reserved?: string;
}

/** Ends the wait of one request when its run is stopped, and learns whether the request was sent by then. */
export interface Dispatch {
  /** Once aborted, the request is not sent any more. It is rejected if it still waits for a rate limit or another attempt. */
  signal: AbortSignal;
  /** Called with true right before each attempt to send the request, and with false whenever the platform cannot have carried it out. */
  onInFlight(isInFlight: boolean): void;
}

/**
 * The only input and output of the core: sends a request without holes, follows pages, retries if repeating is safe. An
 * error with a `rateLimit` means that nothing was done, and when to try again. `confirm` is called before a request
 * that had to wait for `maxReadAge` or longer. It throws if the request must not be sent any more. `dispatch` ends the wait of a
 * request when its run is stopped; a read of a list ignores it.
 */
export type Send = (request: Request, confirm?: () => Promise<void>, dispatch?: Dispatch) => Promise<unknown>;

/** True if a request changes nothing. */
export const isRead = ({ endpoint }: Pick<Request, 'endpoint'>): boolean => endpoint.startsWith('GET ');

/**
 * Returns a `Send` that cannot write: it throws for each request that may change something (`isRead`), before it is sent. Used while
 * planning, and wherever an apply only reads.
 */
export function readOnly(send: Send): Send {
  return async (request) => {
    if (!isRead(request)) throw new Error(`${request.endpoint}: a plan only reads, this request would write`);
    return send(request);
  };
}

/** A list whose pages are read one by one, so that the reader can stop early. */
export interface Pages {
  /** Returns the items so far, each once. */
  items(): unknown[];
  /** Reads the next page; call it once. Absent after the last page. */
  readNext?(): Promise<Pages>;
}

/**
 * Reads the remaining pages of a list of the platform and returns all items, for a plan that needs the whole list. The items of a page
 * include those of the pages before.
 */
export async function readAllPages(pages: Pages): Promise<unknown[]> {
  let current = pages;
  while (current.readNext) current = await current.readNext();
  return current.items();
}

/**
 * The age, in milliseconds, at which a reading of the account is too old. It is then repeated before any request
 * changes the object.
 */
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

/** The body of a request: a text, or a stream of bytes. */
export type ApiBody = string | AsyncIterable<Uint8Array>;

/** A successful answer whose body is still to be read. Errors while reading it are errors for people. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  parts: AsyncIterable<Uint8Array>;
}

/** Returns a path or an endpoint with `{}` for each placeholder, to compare paths whose placeholders may have other names. */
export const withoutPlaceholderNames = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');
