import { connect, createServer, type Socket } from 'node:net';

/** Stands in front of a server, and cuts all connections once so many bytes of answers went through. */
export interface CuttingProxy {
  port: number;
  /** From now on, whatever connection they come by: then the network is away. Infinity lets everything through. */
  cutAfter(bytes: number): Promise<void>;
  /** How many bytes of answers there were since. */
  passed(): number;
  close(): Promise<void>;
}

export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  let limit = Number.POSITIVE_INFINITY;
  let passed = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
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
      if (part.length <= left) near.write(part);
      else if (left > 0) near.end(part.subarray(0, left), () => cut());
      else cut();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    cutAfter: async (bytes) => {
      limit = bytes;
      passed = 0;
      for (const socket of sockets) socket.destroy();
      // Whoever had a connection finds out that it is closed, and begins with another one.
      await new Promise((done) => setTimeout(done, 20));
    },
    passed: () => passed,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}
