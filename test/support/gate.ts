import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server in front of another one that lets requests through, but for those that it is told to hold until it is opened. */
export async function gateTo(url: string, isHeld: (method: string, path: string) => boolean) {
  let open: () => void = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  let arrived: () => void = () => {};
  const firstHeld = new Promise<void>((done) => {
    arrived = done;
  });
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (isHeld(method, path)) {
      arrived();
      await opened;
    }
    const { host: _, 'content-length': __, connection: ___, ...passed } = headers;
    const answer = await fetch(url + path, {
      method,
      headers: passed as Record<string, string>,
      ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
    }).catch(() => undefined);
    // The test is over, and the server behind is gone.
    if (!answer) return void response.destroy();
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    open();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, open: () => open(), firstHeld };
}
