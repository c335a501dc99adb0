import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { printResponse } from '../../src/api/print-response.ts';
import type { Masking } from '../../src/model/masking.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';

it('stops reading a response without an error when the reader of its output is gone', async () => {
  let chunks = 0;
  let isClosed = false;
  async function* parts() {
    try {
      while (chunks < 10) {
        chunks++;
        yield Buffer.from('line\n');
      }
    } finally {
      isClosed = true;
    }
  }
  const stdout = new Writable({
    highWaterMark: 1,
    write: (_, __, done) => setImmediate(done, new Error('write EPIPE')),
  }).on('error', () => {});
  const terminal = { run: { host: { stdout, env: {} } } } as unknown as Terminal;
  const masking = { mask: (text: string) => text } as unknown as Masking;
  const headers = { 'content-type': 'text/plain' };
  await printResponse({ status: 200, headers, parts: parts() }, {}, masking, terminal);
  expect({ chunks, isClosed }).toEqual({ chunks: 1, isClosed: true });
});
