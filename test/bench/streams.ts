import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Comparison, Line } from './comparison.ts';
import { measured, type Sample } from './measure.ts';
import { program, Workplace } from './workplace.ts';

const MiB = 1024 * 1024;

/** A platform that takes any file and throws it away, and gives one of the asked size. */
async function startFilePlatform() {
  const account = JSON.stringify({ user: { id: 'user_1', username: 'ada' } });
  const piece = Buffer.alloc(MiB, 7);
  const server = createServer(async (request, response) => {
    let taken = 0;
    for await (const part of request) taken += (part as Buffer).length;
    const [, hash = ''] = /^\/v8\/artifacts\/(\d+)/.exec(request.url!) ?? [];
    if (hash === '' || request.method === 'PUT') {
      response.setHeader('content-type', 'application/json');
      return response.end(hash === '' ? account : JSON.stringify({ urls: [String(taken)] }));
    }
    response.setHeader('content-type', 'application/octet-stream');
    for (let sent = 0; sent < Number(hash); sent++)
      if (!response.write(piece)) await new Promise<void>((done) => response.once('drain', () => done()));
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function writeFile(path: string, megabytes: number): void {
  const file = openSync(path, 'w');
  for (let written = 0; written < megabytes; written++) writeSync(file, Buffer.alloc(MiB, 7));
  closeSync(file);
}

/** A file of 1 GiB up and down, against one of 1 MiB. */
export const streams: Comparison = {
  name: 'streams',
  description: 'what memory `trueup api` takes for a body of 1 GiB, against one of 1 MiB',
  measure: async () => {
    const place = new Workplace('platform: { personal: true }\n');
    const files = await startFilePlatform();
    const api = (...args: string[]): Promise<Sample> =>
      measured({
        argv: [process.execPath, program, 'api', ...args],
        cwd: place.folder,
        env: { TRUEUP_BASE_URL: files.url, TRUEUP_TOKEN: 'token' },
      });
    const typed = ['--header', 'content-type:application/octet-stream', '--auto-approve'];
    const lines: Line[] = [];
    try {
      for (const [direction, argsOf] of [
        ['up', (size: number) => ['uploadArtifact', '--param', `hash=${size}`, '--input', 'body', ...typed]],
        ['down', (size: number) => ['downloadArtifact', '--param', `hash=${size}`, '--output', 'answer']],
      ] as const) {
        const memory = [];
        for (const size of [1, 1024]) {
          writeFile(join(place.folder, 'body'), size);
          memory.push((await api(...argsOf(size))).memory);
        }
        const [small, large] = memory;
        if (small !== undefined && large !== undefined)
          lines.push({
            what: `memory of a body of 1 GiB ${direction} (${Math.round(large)} MiB), against 1 MiB`,
            figure: large / small,
            unit: 'times',
            target: 1.5,
          });
      }
    } finally {
      files.close();
      rmSync(place.folder, { recursive: true, force: true });
    }
    return lines;
  },
};
