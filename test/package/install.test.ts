import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { pack, temporary } from './packed.ts';

test('the package as users get it: installs offline into an empty folder, without dependencies, and does the main job', async () => {
  const folder = temporary();
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  writeFileSync(join(folder, 'trueup.tgz'), pack());
  npm(['install', '--offline', '--no-audit', '--no-fund', './trueup.tgz'], folder);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'trueup',
  ]);
  // Whatever is set for CI, or for other runs of it.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const trueup = (...args: string[]) =>
    execFileSync(join(folder, 'node_modules/.bin/trueup'), args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    });
  const [url] = await firstLine(folder);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  trueup('init');
  trueup('validate');
  // As the workflows call it: nothing of npm is in between.
  const planned = spawnSync(
    'npm',
    ['exec', '--no', '--', 'trueup', 'plan', '--twin', '--detailed-exitcode'],
    {
      cwd: folder,
      encoding: 'utf8',
      env,
    },
  );
  expect(planned.status).toBe(2);
  expect(planned.stdout).toContain('projects/web');
  expect(planned.stdout).toBe(trueup('plan', '--twin'));
  expect(trueup('apply', '--twin', '--auto-approve')).toContain('Verified: the account matches');
  expect(trueup('plan', '--twin', '--detailed-exitcode')).toContain('No changes');
});

/** What `trueup twin` prints first; then it is stopped, and must end by itself. */
async function firstLine(folder: string): Promise<string[]> {
  const twin = spawn(join(folder, 'node_modules/.bin/trueup'), ['twin'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(twin, 'exit');
  const line = (await once(createInterface({ input: twin.stdout }), 'line')) as string[];
  twin.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  return line;
}
