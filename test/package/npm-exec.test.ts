import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { oneStoryIn } from '../support/sweep.ts';
import { temporary } from './packed.ts';

const story = oneStoryIn(4);

/** What documents and workflows say of how to run it: with `npx` or `npm exec`. */
const calls = () => {
  const examples = readdirSync('examples', { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(ya?ml|mjs|md|json)$/.test(file.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const guides = readdirSync('docs/guides').map((name) => join('docs/guides', name));
  return ['README.md', ...guides, ...examples].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(npx|npm (exec|x))\b.*?\btrueup\b/g)].map(([call]) => call),
  );
};

it('README, guides and examples call what is installed, and nothing else', () => {
  expect(calls().length).toBeGreaterThan(10);
  expect(new Set(calls())).toEqual(new Set(['npm exec --no -- trueup']));
});

story('where it is not installed, that runs nothing of the registry', async () => {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(request.url!);
    const dist = { tarball: `http://${request.headers.host}/trueup.tgz` };
    const version = { name: 'trueup', version: '6.6.6', bin: { trueup: 'evil.js' }, dist };
    response.end(
      JSON.stringify({ name: 'trueup', 'dist-tags': { latest: '6.6.6' }, versions: { '6.6.6': version } }),
    );
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void registry.close());
  const folder = temporary();
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const npm = spawn('npm', ['exec', '--no', '--', 'trueup', '--version'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, npm_config_registry: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(npm.stdout),
    text(npm.stderr),
    once(npm, 'exit'),
  ]);
  expect(status).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('trueup@6.6.6');
  expect(asked).not.toContain('/trueup.tgz');
});
