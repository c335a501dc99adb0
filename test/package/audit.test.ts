import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { temporary } from './packed.ts';

const story = oneStoryIn(4);

/** A registry that knows of mistakes in one package; it notes which versions of which packages it is asked about. */
async function registry(name: string) {
  const asked: Record<string, string[]> = {};
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (!request.url!.endsWith('/advisories/bulk')) return void response.writeHead(404).end('{}');
    const sent = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    Object.assign(asked, JSON.parse(sent.toString()));
    const advisory = {
      id: 1,
      severity: 'high',
      title: 'a mistake',
      vulnerable_versions: '*',
      url: 'about:1',
    };
    response.end(JSON.stringify({ [name]: [advisory] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

story('npm audit tells of mistakes in what is bundled, from the two files alone', async () => {
  const { url, asked } = await registry('undici');
  const folder = temporary();
  cpSync('dist/bundled', folder, { recursive: true });
  const npm = spawn('npm', ['audit', '--package-lock-only', '--json', '--registry', url], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said, [status]] = await Promise.all([buffer(npm.stdout), once(npm, 'exit')]);
  expect(status).toBe(1);
  const { vulnerabilities, metadata } = JSON.parse(said.toString());
  expect(Object.keys(vulnerabilities)).toEqual(['undici']);
  expect(vulnerabilities.undici).toMatchObject({ severity: 'high', isDirect: true });
  const lock = await import(join(folder, 'package-lock.json'), { with: { type: 'json' } });
  const { '': _, ...locked } = lock.default.packages as Record<string, { version: string }>;
  const listed = Object.entries(locked).map(([path, { version }]) => [
    path.replace('node_modules/', ''),
    [version],
  ]);
  expect(asked).toEqual(Object.fromEntries(listed));
  expect(metadata.dependencies.total).toBe(listed.length);
});
