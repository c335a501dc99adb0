import { connect, createServer, type Socket } from 'node:net';

/** Stands in front of a server, and cuts each connection once so many bytes of answers went through. */
export interface CuttingProxy {
  port: number;
  /** From now on; infinity lets everything through. */
  cutAfter(bytes: number): void;
  /** The most bytes of answers that one connection has had. */
  most(): number;
  close(): Promise<void>;
}

export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  let limit = Number.POSITIVE_INFINITY;
  let most = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let passed = 0;
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    near.pipe(far);
    far.on('data', (part: Buffer) => {
      const left = limit - passed;
      passed += part.length;
      most = Math.max(most, passed);
      if (part.length <= left) near.write(part);
      else if (left > 0) near.end(part.subarray(0, left), () => cut());
      else cut();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    cutAfter: (bytes) => {
      limit = bytes;
      most = 0;
      // What is open already is cut, too.
      for (const socket of sockets) socket.destroy();
    },
    most: () => most,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}
