import http, { type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Headers } from './bucket.ts';
import {
  type ConnectionAnswer,
  type ConnectionRequest,
  type Connections,
  connectionError,
  longestPause,
} from './connections.ts';
import type { Bounds } from './exchange.ts';

/*
 * Connections to a server without a proxy in between, with the HTTP client of Node.js. It is part of the running program already. undici, which
 * `proxy-connections.ts` uses, takes more CPU time to load than everything else that a small plan does after reading its configuration.
 */

/** What bounds the connections: their number, and times in milliseconds. See `Bounds`. */
type ConnectionBounds = Pick<Bounds, 'connections' | 'connectTimeout' | 'idle'>;

/** Opens connections to one origin, at most `bounds.connections` at once. `now`: returns milliseconds that never jump back. */
export function openDirectConnections(
  base: URL,
  bounds: ConnectionBounds,
  now: () => number = () => performance.now(),
): Connections {
  const options = { keepAlive: true, maxSockets: bounds.connections };
  const agent = base.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  const dropIdleSockets = watchIdleSockets(agent, now);
  /** Fails each request whose answer has not been read to its end. */
  const cuts = new Set<(error: Error) => void>();
  let isDestroyed = false;
  return {
    request: async (request) => {
      // A turn of the event loop, in which the program notices which connections the server has closed.
      await new Promise<void>((done) => setImmediate(done));
      request.signal?.throwIfAborted();
      if (isDestroyed) throw connectionError('UND_ERR_DESTROYED');
      dropIdleSockets();
      return send(startRequest(base, agent, request), request, bounds, cuts);
    },
    destroy: async () => {
      isDestroyed = true;
      for (const cut of cuts) cut(connectionError('UND_ERR_DESTROYED'));
      agent.destroy();
    },
  };
}

/** Returns a function that closes the connections which have been idle for so long that the server may have closed them. */
function watchIdleSockets(agent: Agent, now: () => number): () => void {
  const idleSince = new WeakMap<Socket, number>();
  agent.on('free', (socket: Socket) => idleSince.set(socket, now()));
  return () => {
    for (const sockets of Object.values(agent.freeSockets))
      for (const socket of sockets ?? [])
        if (now() - (idleSince.get(socket) ?? 0) > longestPause) socket.destroy();
  };
}

/** Begins a request, without its body. Its length is stated, because Node.js would leave it out for the body of a DELETE. */
function startRequest(base: URL, agent: Agent, { path, method, headers, body }: ConnectionRequest) {
  const framing =
    body instanceof Readable
      ? { 'transfer-encoding': 'chunked' }
      : body
        ? { 'content-length': String(Buffer.byteLength(body)) }
        : {};
  return http.request({
    agent,
    protocol: base.protocol,
    // Without the brackets of an IPv6 address.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    path,
    method,
    headers: { ...headers, ...framing },
  });
}

/**
 * Writes the body of a request, and waits for the headers of its answer. Keeps a function in `cuts` that fails the exchange, until it is over. The
 * exchange also fails when `signal` aborts, or when nothing has been sent or received for too long.
 */
function send(
  outgoing: ClientRequest,
  { body, signal, onInfo }: ConnectionRequest,
  { connectTimeout, idle }: ConnectionBounds,
  cuts: Set<(error: Error) => void>,
): Promise<ConnectionAnswer> {
  return new Promise((resolve, reject) => {
    let incoming: IncomingMessage | undefined;
    const cut = (error: Error) => {
      // A request that still waits for a connection reports no error of its own.
      reject(error);
      (incoming ?? outgoing).destroy(error);
    };
    const abort = () => cut(signal!.reason);
    cuts.add(cut);
    signal?.addEventListener('abort', abort);
    outgoing
      .on('error', cut)
      .on('information', () => onInfo?.())
      .on('socket', (socket) => limitConnectTime(socket, connectTimeout, cut))
      .on('response', (answer) => {
        incoming = answer;
        // Nothing here asks for another protocol, so Node.js reports 101 like a final answer.
        if (answer.statusCode! < 200) return cut(new Error(`answered ${answer.statusCode}`));
        // Reading the answer reports the error, also if it occurs before.
        answer.on('error', () => {});
        resolve({ statusCode: answer.statusCode!, headers: headersOf(answer), body: answer });
      })
      .on('close', () => {
        cuts.delete(cut);
        signal?.removeEventListener('abort', abort);
        if (body instanceof Readable) body.destroy();
      })
      .setTimeout(idle, () => {
        // The reader of the answer makes the pause if parts wait for it.
        if (incoming && incoming.readableLength > 0) return;
        cut(connectionError(incoming ? 'UND_ERR_BODY_TIMEOUT' : 'UND_ERR_HEADERS_TIMEOUT'));
      });
    if (body instanceof Readable) body.on('error', cut).pipe(outgoing);
    else outgoing.end(body ?? undefined);
  });
}

/** Calls `cut` if a new connection is not ready in time, which includes the handshake of TLS. */
function limitConnectTime(socket: Socket, milliseconds: number, cut: (error: Error) => void): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => cut(connectionError('UND_ERR_CONNECT_TIMEOUT')), milliseconds);
  const stop = () => clearTimeout(timer);
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
}

/** Returns the headers of an answer. A header that came several times is a list, so that no text is made up from several. */
const headersOf = (answer: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(answer.headersDistinct).map(([name, values = []]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  );
