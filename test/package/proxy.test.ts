import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Shell } from '../support/cli.ts';
import { startProcess } from '../support/process.ts';

// Of the HTTP client the package has only the parts that are used: this is the one that no other test has need of.
it('goes through the proxy that the environment names', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const shell = await new Shell().write({
    'trueup.yaml': 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n',
  });
  const { status, all } = await startProcess(['plan'], {
    cwd: shell.folder,
    env: {
      TRUEUP_TOKEN: 'token',
      TRUEUP_BASE_URL: 'https://platform.example',
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
    },
  }).ended;
  expect([status, all]).toEqual([1, expect.stringContaining('the proxy answered 502')]);
  expect(asked).toEqual(['platform.example:443']);
});
