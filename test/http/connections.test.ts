import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { reopenAfterPause } from '../../src/http/connections.ts';
import { json, listen } from './serve.ts';

/** A server that closes idle connections when it is told to, and a client whose clock can be moved. */
async function openPair() {
  let connectionCount = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => json(response, 200, {}));
  }).on('connection', () => {
    connectionCount += 1;
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  let time = 0;
  const connections = reopenAfterPause(
    () => new Pool(origin, { connections: 1 }),
    () => time,
  );
  const send = async (method: 'GET' | 'POST') => {
    const { statusCode, body } = await connections.request({ path: '/', method, body: null });
    await body.dump();
    // undici uses a connection again only after a turn of the event loop.
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

describe('a write after a pause', () => {
  it('goes to a new connection after a second, since the server may have closed the old one', async () => {
    const { send, calculate, countConnections, destroy } = await openPair();
    await send('GET');
    await calculate(1001);
    expect(await send('POST')).toBe(200);
    expect(countConnections()).toBe(2);
    await destroy();
  });

  it('would get no answer on the old one', async () => {
    const { send, calculate, destroy } = await openPair();
    await send('GET');
    await calculate(0);
    await expect(send('POST')).rejects.toThrow(/other side closed|ECONNRESET/);
    await destroy();
  });
});

it('requests without a pause share a connection, and destroying ends those that are under way', async () => {
  const { send, countConnections, destroy } = await openPair();
  for (const method of ['GET', 'POST', 'GET'] as const) expect(await send(method)).toBe(200);
  expect(countConnections()).toBe(1);
  const cut = expect(send('GET')).rejects.toThrow();
  await destroy();
  await cut;
});
