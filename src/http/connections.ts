import type { Readable } from 'node:stream';
import type { Headers } from './bucket.ts';

/** A request as it is written to a connection. */
export interface ConnectionRequest {
  origin: string;
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | Readable | null | undefined;
  /** Cuts the exchange when it aborts, also while the body of the answer is read. The request or the reading then fails with its reason. */
  signal?: AbortSignal;
  /** Called for each 1xx answer before the final one. */
  onInfo?(): void;
}

/** An answer whose body has not been read yet. */
export interface ConnectionAnswer {
  statusCode: number;
  headers: Headers;
  /** Fails if the connection is cut before its end. Its caller reads it to its end or stops early, which closes the connection. */
  body: AsyncIterable<Buffer>;
}

/** The connections to one origin. */
export interface Connections {
  /**
   * Sends one request, and returns when the headers of its answer are there. Throws the errors of Node.js, such as `ECONNREFUSED`, and those that
   * `connectionError` creates.
   */
  request(request: ConnectionRequest): Promise<ConnectionAnswer>;
  /** Closes all connections, and cuts the requests that are under way. */
  destroy(): Promise<void>;
}

/** The codes of errors that Node.js has no code for. undici, which is used through a proxy, has the same. */
type ConnectionErrorCode =
  | 'UND_ERR_CONNECT_TIMEOUT'
  | 'UND_ERR_HEADERS_TIMEOUT'
  | 'UND_ERR_BODY_TIMEOUT'
  | 'UND_ERR_DESTROYED';

/** Creates the error of a connection that took too long or is closed, with a code by which `toRequestError` explains it. */
export const connectionError = (code: ConnectionErrorCode): Error => Object.assign(new Error(code), { code });

/**
 * The longest time in milliseconds for which a connection may have been idle to be used again.
 *
 * A server closes a connection that was idle for some time, often five seconds. The program notices that only when its event loop turns, and a long
 * calculation, such as the plan of 100,000 objects, keeps the loop from turning. A request on a closed connection gets no answer, and a write must not be
 * repeated, because nothing shows whether it was carried out. So connections that were idle for longer are never used again.
 */
export const longestPause = 1000;
