import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PassedAnswer {
  status: number;
  body: Buffer;
}

export interface PassingRequest {
  method: string;
  path: string;
  /** Who asks. */
  token: string;
}

export interface InFront {
  url: string;
  close(): void;
}

/**
 * A server in front of another one, whose address may change. `handle` decides on each request whether and when it is passed on, and
 * what is answered; undefined: the connection breaks.
 */
export async function inFront(
  behind: () => string,
  handle: (
    request: PassingRequest,
    pass: () => Promise<PassedAnswer | undefined>,
  ) => Promise<PassedAnswer | undefined>,
): Promise<InFront> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const parts: Buffer[] = [];
    try {
      for await (const part of request) parts.push(part as Buffer);
    } catch {
      // Whoever asked is gone before the question was complete.
      return;
    }
    const { host: _, 'content-length': __, connection: ___, ...passed } = headers;
    const pass = async () => {
      const answer = await fetch(behind() + path, {
        method,
        headers: passed as Record<string, string>,
        ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
      });
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
    };
    // Where nobody answers, the test is over, and the server behind is gone.
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    const answer = await handle({ method, path, token }, () => pass().catch(() => undefined));
    if (!answer) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
