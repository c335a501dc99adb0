import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import type { Connections } from '../../src/http/connections.ts';
import { openDirectConnections } from '../../src/http/direct-connections.ts';
import { standardBounds } from '../../src/http/exchange.ts';
import { reopenAfterPause } from '../../src/http/proxy-connections.ts';
import { json, listen } from './serve.ts';

type OpenConnections = (origin: string, now: () => number) => Connections;

const openDirect: OpenConnections = (origin, now) =>
  openDirectConnections(new URL(origin), { ...standardBounds, connections: 1 }, now);

/** What a proxy is reached with, here without a proxy. */
const openUndici: OpenConnections = (origin, now) =>
  reopenAfterPause(() => new Pool(origin, { connections: 1 }), now);

/** A server that closes idle connections when it is told to, and a client whose clock can be moved. */
async function openPair(open: OpenConnections) {
  let connectionCount = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => json(response, 200, {}));
  }).on('connection', () => {
    connectionCount += 1;
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  let time = 0;
  const connections = open(origin, () => time);
  const send = async (method: 'GET' | 'POST') => {
    const { statusCode, body } = await connections.request({ origin, path: '/', method, headers: {} });
    for await (const part of body) expect(part.length).toBeGreaterThan(0);
    // A connection is used again only after a turn of the event loop.
    await setImmediate();
    return statusCode;
  };
  return {
    send,
    countConnections: () => connectionCount,
    /**
     * Like a calculation of so many milliseconds in the client, after the journal was written: the event loop does not turn, so that the client does
     * not see that the server closes.
     */
    calculate: async (milliseconds: number) => {
      await readFile(import.meta.filename);
      server.closeAllConnections();
      time += milliseconds;
    },
    destroy: () => connections.destroy(),
  };
}

const ways = [
  ['direct', openDirect],
  ['as through a proxy', openUndici],
] as const;

describe.each(ways)('a write after a pause: %s', (_, open) => {
  it('goes to a new connection after a second, since the server may have closed the old one', async () => {
    const { send, calculate, countConnections, destroy } = await openPair(open);
    await send('GET');
    await calculate(1001);
    expect(await send('POST')).toBe(200);
    expect(countConnections()).toBe(2);
    await destroy();
  });

  it('shares a connection with requests before it if there is no pause, and ends if the connections are destroyed', async () => {
    const { send, countConnections, destroy } = await openPair(open);
    for (const method of ['GET', 'POST', 'GET'] as const) expect(await send(method)).toBe(200);
    expect(countConnections()).toBe(1);
    const cut = expect(send('GET')).rejects.toThrow();
    await destroy();
    await cut;
  });
});
