import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pack, temporary, unpack } from './packed.ts';

/** What the build needs of a checkout and of node_modules, in another place. */
function checkoutAt(place: string): string {
  mkdirSync(place, { recursive: true });
  const esbuild = ['esbuild', `@esbuild/${process.platform}-${process.arch}`];
  const lock = JSON.parse(readFileSync('dist/bundled/package-lock.json', 'utf8')) as { packages: object };
  const packages = Object.keys(lock.packages).filter((path) => path !== '');
  for (const path of [
    ...['src', 'providers', 'build', 'build.mjs', 'package.json', 'package-lock.json', 'README.md'],
    ...esbuild.map((name) => `node_modules/${name}`),
    ...packages,
  ])
    cpSync(resolve(path), join(place, path), { recursive: true });
  return place;
}

it('the same sources make the same bytes: in another folder, from another one, with other settings of the machine', () => {
  const place = checkoutAt(join(temporary(), 'a', 'longer way', 'to-the-checkout'));
  execFileSync('sh', ['-c', 'umask 077; exec "$0" "$1"', process.execPath, join(place, 'build.mjs')], {
    cwd: temporary(),
    env: {
      PATH: process.env.PATH,
      HOME: temporary(),
      TZ: 'Pacific/Kiritimati',
      LC_ALL: 'tr_TR.UTF-8',
      CI: 'true',
      TRUEUP_BASE_URL: 'http://127.0.0.1:9',
      FORCE_COLOR: '1',
    },
  });
  const [here, there] = [pack(), pack(place)];
  const [ours, theirs] = [unpack(here), unpack(there)];
  expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
  for (const [name, bytes] of ours) expect(theirs.get(name)!.equals(bytes), name).toBe(true);
  // With the modes and times of the files, too.
  expect(there.equals(here)).toBe(true);
});
