import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HttpError, NotJson, OutOfBounds, TimedOut } from '../../src/http/errors.ts';
import { retry } from '../../src/http/retry.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { call, failure, json, jumpingClock, serve, serveBytes } from './serve.ts';

const story = oneStoryIn(4);

// A platform, or whatever answers in its place, may take neither our time nor our memory.

/** Says something as soon as there is a request, and then the same thing again and again, for as long as anybody listens. */
const endless = (first: string, again: string) =>
  serveBytes((socket) => {
    socket.once('data', () => {
      socket.write(first);
      pour(socket, again);
    });
  });

function pour(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  if (socket.write(text.repeat(64))) setImmediate(() => pour(socket, text));
  else socket.once('drain', () => pour(socket, text));
}

const json200 = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${json200}transfer-encoding: chunked\r\n\r\n`;
const writes = { body: {} };

/** An alarm that rings when it is told to. */
function bell() {
  const waits: number[] = [];
  let ring = () => {};
  let isSet = false;
  return {
    waits,
    isSet: () => isSet,
    ring: () => ring(),
    alarm: (milliseconds: number, given: () => void) => {
      waits.push(milliseconds);
      ring = given;
      isSet = true;
      return () => {
        isSet = false;
      };
    },
  };
}

describe('an answer without an end is an error, and nobody knows what became of a write', () => {
  oneRowIn(5)([
    [
      '1xx answers',
      'HTTP/1.1 103 Early Hints\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      /20 informational \(1xx\)/,
    ],
    ['headers', json200, 'x-more: and more\r\n', /headers are too long/],
    ['one header', `${json200}x-long: `, 'and more ', /headers are too long/],
    ['a body', `${json200}\r\n"`, 'and more ', /larger than 100000 bytes/],
    ['parts of a body', chunked, '1\r\n \r\n', /larger than 100000 bytes/],
    ['trailers', `${chunked}2\r\n{}\r\n0\r\n`, 'x-more: and more\r\n', /headers are too long/],
  ])('%s', async (_, first, again, message) => {
    const url = await endless(first, again);
    const error = await failure(
      call(url, 'POST /x', { ...writes, bounds: { maxBytes: 100_000 } }),
      OutOfBounds,
    );
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ code: 'http/out-of-bounds', mayBeCarriedOut: true, isTransient: false });
  });

  story('100 and 101, which nobody asked for', async () => {
    for (const first of [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    ]) {
      const url = await endless(first, first);
      await expect(call(url, 'POST /x', writes)).rejects.toMatchObject({ mayBeCarriedOut: true });
    }
  });

  test('a few 1xx answers are none', async () => {
    const url = await serveBytes((socket) => {
      const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
      socket.once('data', () => socket.end(`${early.repeat(20)}${json200}content-length: 2\r\n\r\n{}`));
    });
    expect(await call(url, 'GET /x')).toMatchObject({ status: 200, body: {} });
  });

  test('the extension of a chunk is no part of the body, and takes no longer than all of it may', async () => {
    const url = await endless(`${chunked}2;`, 'and=more;');
    const { alarm, ring } = bell();
    const called = call(url, 'POST /x', { ...writes, alarm });
    setTimeout(ring, 20);
    await expect(called).rejects.toMatchObject({ mayBeCarriedOut: true });
  });
});

/** Once so many bytes of a body have come in, and were handed on. */
const received = (bytes: number) =>
  new Promise<void>((done) => {
    let count = 0;
    const name = 'undici:request:bodyChunkReceived';
    const listen = (message: unknown) => {
      count += (message as { chunk: Buffer }).chunk.length;
      if (count < bytes) return;
      unsubscribe(name, listen);
      setImmediate(() => setImmediate(done));
    };
    subscribe(name, listen);
  });

describe('a slow answer has a deadline', () => {
  /** Sends a piece whenever it is told to. */
  async function slow(start: string) {
    let socket: Socket | undefined;
    let begun = () => {};
    const isAsked = new Promise<void>((done) => {
      begun = done;
    });
    const url = await serveBytes((one) => {
      one.once('data', () => {
        socket = one;
        one.write(start);
        begun();
      });
    });
    return { url, isAsked, send: (text: string) => void socket?.write(text) };
  }

  test.each([
    ['headers that never end', 'HTTP/1.1 200 OK\r\nx-slow: a'],
    ['1xx answers now and then', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['a body of one byte every now and then', `${json200}content-length: 1000\r\n\r\n{`],
    ['nothing at all', ''],
  ])('%s', async (_, start) => {
    const { url, isAsked } = await slow(start);
    const { alarm, ring, waits } = bell();
    const called = failure(call(url, 'POST /x', { ...writes, alarm }), TimedOut);
    await isAsked;
    ring();
    const error = await called;
    expect(error).toMatchObject({ code: 'http/no-response', mayBeCarriedOut: true, isTransient: false });
    expect(error.message).toBe('POST /x: the response was too slow and was abandoned');
    expect(waits).toEqual([120_000]);
  });

  test('it is not asked for again', async () => {
    let calls = 0;
    const url = await serveBytes((socket) => {
      socket.once('data', () => {
        calls += 1;
        ring();
      });
    });
    const { alarm, ring } = bell();
    const clock = jumpingClock();
    await failure(
      retry('GET', () => call(url, 'GET /x', { alarm }), { clock }),
      TimedOut,
    );
    expect([calls, clock.slept]).toEqual([1, []]);
  });

  test('a large answer gets more time, as much as it has come with', async () => {
    const size = 3000;
    let end = () => {};
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(size) });
      response.write(`"${'x'.repeat(1999)}`);
      end = () => response.end(`${'x'.repeat(999)}"`);
    });
    const { alarm, ring, waits, isSet } = bell();
    const bounds = { deadline: 5000, leastRate: 1000 };
    const isHere = received(2000);
    const called = call(url, 'GET /x', { alarm, bounds });
    await isHere;
    ring();
    end();
    expect(await called).toMatchObject({ body: 'x'.repeat(size - 2) });
    expect(waits).toEqual([5000, 2000]);
    expect(isSet()).toBe(false);
  });
});

describe('what an answer holds', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const answering = (status: number, text: string | Buffer, headers: Record<string, string> = {}) =>
    serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(text);
    });

  test('is no deeper than anything that walks over it can go', async () => {
    expect((await call(await answering(200, deep(256)), 'GET /x')).body).toHaveLength(1);
    const texts = JSON.stringify(['[{'.repeat(1000), '\\"[['.repeat(1000)]);
    expect((await call(await answering(200, texts), 'GET /x')).body).toHaveLength(2);
    for (const text of [deep(257), deep(100_000), '{"a":'.repeat(100_000)]) {
      const error = await failure(call(await answering(200, text), 'POST /x', writes), OutOfBounds);
      expect(error.message).toBe('POST /x: the answer is nested deeper than 256 levels');
      expect(error.mayBeCarriedOut).toBe(true);
    }
  });

  test('an error keeps its status, however deep or long it is', async () => {
    const of = async (text: string, bounds = {}) =>
      failure(call(await answering(403, text), 'GET /x', { bounds }), HttpError);
    const nested = await of(`{"error":{"code":"forbidden","meta":${deep(100_000)}}}`);
    expect(nested).toMatchObject({ status: 403, code: 'http/403', mayBeCarriedOut: false });
    expect(nested.message).toBe('GET /x answered 403: its body is nested too deeply');
    const long = await of(`{"error":{"message":"${'x'.repeat(10_000)}"}}`, { maxErrorBytes: 1000 });
    expect(long.message).toBe('GET /x answered 403: its body is too large');
  });

  story('an error without an end keeps its status, too', async () => {
    const url = await endless('HTTP/1.1 429 Too Many Requests\r\nretry-after: 3\r\n\r\n{"a":"', 'more');
    const error = await failure(call(url, 'POST /x', writes), HttpError);
    expect(error).toMatchObject({ status: 429, retryAfter: 3000 });
  });

  story('nothing is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, ' '));
    for (const coding of ['gzip', 'br', 'zstd']) {
      const url = await answering(200, bomb.subarray(0, -10), { 'content-encoding': coding });
      const error = await failure(call(url, 'POST /x', writes), NotJson);
      expect(error.message).toContain(`its body is compressed (${coding}), which was not requested`);
      expect(error.mayBeCarriedOut).toBe(true);
    }
  });

  test('odd issues and waits do no harm', async () => {
    const body = {
      error: {
        code: 'bad_request',
        message: 'm',
        issues: [
          null,
          7,
          { path: [{ toString: 1 }, ['a'], 'a', 0], message: {} },
          { path: 'b', message: 'x' },
        ],
      },
    };
    const error = await failure(call(await answering(400, JSON.stringify(body)), 'GET /x'), HttpError);
    expect(error.message).toBe('GET /x answered 400 bad_request: m: a.0; b: x');
    for (const wait of ['9'.repeat(400), '99999999999999999']) {
      const headers = { 'retry-after': wait, 'x-ratelimit-reset': wait };
      const { retryAfter } = await failure(call(await answering(429, '{}', headers), 'GET /x'), HttpError);
      expect(Number.isNaN(new Date(Date.now() + retryAfter!).getTime())).toBe(false);
    }
  });

  test('a redirect may have followed what was asked for', async () => {
    const url = await serve((_, response) => json(response, 303, {}, { location: '/done' }));
    await expect(call(url, 'POST /x', writes)).rejects.toMatchObject({
      code: 'http/redirect',
      mayBeCarriedOut: true,
    });
  });
});
