import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { type ClientOptions, openClient } from '../../src/http/client.ts';
import type { Clock } from '../../src/http/clock.ts';
import { fillEndpoint } from '../../src/http/endpoint.ts';
import type { Endpoint } from '../../src/model/request.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { atEnd } from '../support/at-end.ts';

/** Listens on a free port of this machine until the test is over. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

/** An HTTP server; returns its base URL. */
export async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

/** A server that does as it likes with the bytes. */
export async function serveBytes(talk: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createTcpServer(talk))}`;
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

/** One call through a client of its own. */
export async function call(
  baseUrl: string,
  endpoint: Endpoint,
  options: Partial<ClientOptions> & { params?: Record<string, unknown>; body?: unknown } = {},
) {
  const { params, body, ...rest } = options;
  const client = openClient({ baseUrl: new URL(baseUrl), token: new Sealed('tok-1234567890'), ...rest });
  try {
    return await client.call(fillEndpoint(endpoint, params), body, 1);
  } finally {
    await client.close();
  }
}

/** What a promise is rejected with; fails if it is not. */
export async function failure<T>(
  promise: Promise<unknown>,
  type: abstract new (...args: never[]) => T,
): Promise<T> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof type) return thrown;
  throw new Error(`expected ${type.name}`, { cause: thrown });
}

/** A clock that jumps over every sleep and remembers it. */
export function jumpingClock(start = 1_000_000_000_000): Clock & { slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}

/** A clock that stands still until it is moved. */
export function manualClock(start = 1_000_000_000_000) {
  let now = start;
  let sleepers: { at: number; wake(): void }[] = [];
  const settle = () => new Promise<void>((done) => setImmediate(done));
  return {
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: now + milliseconds, wake });
      }),
    async advance(milliseconds: number) {
      now += milliseconds;
      const due = sleepers.filter(({ at }) => at <= now);
      sleepers = sleepers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await settle();
    },
    settle,
  };
}
