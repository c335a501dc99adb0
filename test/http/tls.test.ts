import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClient } from '../../src/http/client.ts';
import { Unreachable } from '../../src/http/errors.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { call, failure, json, listen, serve } from './serve.ts';

const openssl = '/usr/bin/openssl';
const folder = mkdtempSync(join(tmpdir(), 'trueup-tls-'));
const file = (name: string) => join(folder, name);
const run = promisify(execFile);

afterAll(() => rmSync(folder, { recursive: true }));

/** A proxy that leads every tunnel to one port of this machine; tells what it was asked. */
async function serveProxy(port: number, password?: string) {
  const tunnels: string[] = [];
  const server = createHttpServer((request, response) => {
    tunnels.push(`${request.method} ${request.url}`);
    json(response, 500, {});
  });
  server.on('connect', (request, socket) => {
    tunnels.push(`CONNECT ${request.url}`);
    const wanted = password && `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const target = connectTcp(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return { port: await listen(server), tunnels };
}

/** One request in an environment with these settings. */
const through = (env: Record<string, string>, url: string) => call(url, 'POST /x', { env });

describe.skipIf(!existsSync(openssl))('TLS and proxies', () => {
  beforeAll(async () => {
    const names = 'subjectAltName=DNS:api.example.test,IP:127.0.0.1';
    const subject = ['-subj', '/CN=trueup test', '-addext', names, '-days', '2', '-nodes'];
    const keys = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync(
      openssl,
      ['req', '-x509', ...keys, '-keyout', file('key'), '-out', file('cert'), ...subject],
      {
        stdio: 'ignore',
      },
    );
    writeFileSync(
      file('get.ts'),
      `import { openClient } from ${JSON.stringify(join(import.meta.dirname, '../../src/http/client.ts'))};
       import { fillEndpoint } from ${JSON.stringify(join(import.meta.dirname, '../../src/http/endpoint.ts'))};
       import { Sealed } from ${JSON.stringify(join(import.meta.dirname, '../../src/model/sealed.ts'))};
       const client = openClient({ baseUrl: new URL(process.argv[2]!), token: new Sealed('tok-1234567890'), env: process.env });
       client.call(fillEndpoint('GET /x'), undefined, 1)
         .then((answer) => console.log(JSON.stringify(answer.body)), (error) => console.log(error.message))
         .then(() => client.close());`,
    );
    await build({
      entryPoints: [file('get.ts')],
      outfile: file('get.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
  });

  const serveTls = () =>
    listen(
      createHttpsServer(
        { key: readFileSync(file('key')), cert: readFileSync(file('cert')) },
        (request, response) =>
          json(response, 200, { host: request.headers.host, token: request.headers.authorization }),
      ),
    );
  /** One GET from a new process, since node reads the CA file when it starts. */
  async function get(url: string, environment: Record<string, string>): Promise<string> {
    const { stdout } = await run(process.execPath, [file('get.cjs'), url], {
      env: { PATH: process.env.PATH, ...environment },
    });
    return stdout.trim();
  }

  test('an unknown CA is refused, with a hint', async () => {
    const url = `https://127.0.0.1:${await serveTls()}`;
    const error = await failure(call(url, 'POST /x'), Unreachable);
    expect(error.message).toBe(`cannot reach ${url}: TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)`);
    expect(error).toMatchObject({ mayBeCarriedOut: false, isTransient: false });
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('nobody is trusted because checking is turned off', async () => {
    let requests = 0;
    const server = createHttpsServer(
      { key: readFileSync(file('key')), cert: readFileSync(file('cert')) },
      () => {
        requests += 1;
      },
    );
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const error = await failure(
      call(`https://127.0.0.1:${await listen(server)}`, 'POST /x', { env }),
      Problems,
    );
    expect(error.diagnostics).toMatchObject([
      { code: 'http/unverified', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
    ]);
    expect(requests).toBe(0);
  });

  test('NODE_EXTRA_CA_CERTS is honoured, with and without a proxy', async () => {
    const port = await serveTls();
    const proxy = await serveProxy(port, 'p%w');
    const trusted = { NODE_EXTRA_CA_CERTS: file('cert') };
    expect(JSON.parse(await get(`https://127.0.0.1:${port}`, trusted))).toMatchObject({
      token: 'Bearer tok-1234567890',
    });
    const through = { ...trusted, HTTPS_PROXY: `http://me:p%25w@127.0.0.1:${proxy.port}` };
    expect(JSON.parse(await get('https://api.example.test', through))).toMatchObject({
      host: 'api.example.test',
    });
    expect(proxy.tunnels).toEqual(['CONNECT api.example.test:443']);
    expect(await get('https://other.example.test', through)).toBe(
      'cannot reach https://other.example.test: TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    );
  });

  test('a proxy that refuses, one that is down, and one that speaks to no one', async () => {
    const proxy = await serveProxy(1, 'secret-pw');
    const wrong = { HTTPS_PROXY: `http://me:wrong-pw@127.0.0.1:${proxy.port}` };
    const refused = await failure(through(wrong, 'https://api.example.test'), Unreachable);
    expect(refused.message).toBe('cannot reach https://api.example.test: the proxy answered 407');
    expect(refused).toMatchObject({ mayBeCarriedOut: false, isTransient: false });
    expect(`${refused.message} ${refused.hint}`).not.toContain('wrong-pw');

    const nobody = { HTTPS_PROXY: 'http://127.0.0.1:1' };
    const down = await failure(through(nobody, 'https://api.example.test'), Unreachable);
    expect(down.message).toContain('ECONNREFUSED');
  });
});

test('NO_PROXY is honoured', async () => {
  const proxy = await serveProxy(1);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '.invalid' };
  const error = await failure(through(env, 'https://api.invalid'), Unreachable);
  expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(proxy.tunnels).toEqual([]);
});

test('this machine is reached without a proxy', async () => {
  const proxy = await serveProxy(1);
  const url = await serve((_, response) => json(response, 200, { a: 1 }));
  expect((await through({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }, url)).body).toEqual({ a: 1 });
  expect(proxy.tunnels).toEqual([]);
});

test('settings that cannot work are told at once', () => {
  const codes = (env: Record<string, string>) => {
    try {
      openClient({ baseUrl: new URL('https://api.example.test'), token: new Sealed('t'), env });
    } catch (error) {
      if (error instanceof Problems)
        return error.diagnostics.map(({ code, message }) => `${code}: ${message}`);
      throw error;
    }
  };
  expect(codes({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
    expect.stringMatching(/^http\/unverified: NODE_TLS_REJECT_UNAUTHORIZED=0 is set/),
  ]);
  expect(codes({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toBeUndefined();
  expect(codes({ HTTPS_PROXY: 'me:pass@proxy' })).toEqual([
    'http/proxy: HTTPS_PROXY or HTTP_PROXY is not a URL',
  ]);
  expect(codes({ NODE_EXTRA_CA_CERTS: file('absent') })).toEqual([
    `http/ca: NODE_EXTRA_CA_CERTS names ${file('absent')}, which cannot be read (ENOENT)`,
  ]);
  writeFileSync(file('empty'), 'x');
  expect(codes({ NODE_EXTRA_CA_CERTS: file('empty') })).toEqual([
    `http/ca: NODE_EXTRA_CA_CERTS names ${file('empty')}, which contains no certificate`,
  ]);
});
