import type { Connection, Owner } from '../kind/provider.ts';
import { isRead, type Request, type Send } from '../model/request.ts';

/** A request that reads. No other method fits its type, so the code of `trueup doctor` cannot even express a write. */
export type ReadRequest = Pick<Request, 'params' | 'items' | 'pages' | 'etag'> & {
  endpoint: `GET /${string}`;
};

/** A connection to an account without any means to write. */
export interface ReadClient {
  read(request: ReadRequest): Promise<unknown>;
  /** Reads the owner of the account behind the token; throws `Problems` if it is not the account of the configuration. */
  owner(): Promise<Owner>;
}

/** Returns the reading half of a connection. Everything of `trueup doctor` gets this, never the connection itself. */
export const toReadClient = ({ send, owner }: Pick<Connection, 'send' | 'owner'>): ReadClient => ({
  read: (request) => send(request),
  owner,
});

/** Returns a `Send` for the readers of kinds, which plans use as well. It throws an `Error` on everything but GET, and nothing is sent then. */
export const toSend =
  (client: ReadClient): Send =>
  async (request) => {
    if (!isReadRequest(request)) throw new Error(`${request.endpoint}: the doctor only reads`);
    return client.read(request);
  };

const isReadRequest = (request: Request): request is Request & ReadRequest => isRead(request);
