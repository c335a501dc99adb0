import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { sweepOnly } from '../support/sweep.ts';
import { pack, temporary, unpack } from './packed.ts';

/** What the build needs of a checkout and of node_modules, in another place. */
function checkoutAt(place: string): string {
  mkdirSync(place, { recursive: true });
  const tools = ['esbuild', `@esbuild/${process.platform}-${process.arch}`];
  const lock = JSON.parse(readFileSync('dist/bundled/package-lock.json', 'utf8')) as { packages: object };
  const packages = Object.keys(lock.packages).filter((path) => path !== '');
  const own = [
    'src',
    'providers',
    'build',
    'build.mjs',
    'package.json',
    'package-lock.json',
    'README.md',
    'docs',
    'examples/ci',
    'tsconfig.json',
  ];
  for (const path of own) cpSync(resolve(path), join(place, path), { recursive: true });
  // Types take longer to copy than to build.
  const filter = (path: string) => !/\.(ts|mts|cts|map)$/.test(path);
  for (const path of [...tools.map((name) => `node_modules/${name}`), ...packages])
    cpSync(resolve(path), join(place, path), { recursive: true, filter });
  // The declarations of the library are the compiler's business, and take all types of all packages.
  const declared = 'node_modules/.cache/trueup';
  for (const path of [`${declared}/types`, `${declared}/types.sources`])
    cpSync(resolve(path), join(place, path), { recursive: true });
  return place;
}

sweepOnly('here nothing in the package names the folder, the time or the machine')(
  'the same sources make the same bytes: in another folder, from another one, with other settings of the machine',
  () => {
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
    // Names, modes and times of the files, too.
    if (!there.equals(here))
      expect.fail(`not the same: ${different(here, there).join(', ') || 'names, modes or times'}`);
  },
);

/** The files that are not the same. */
function different(here: Buffer, there: Buffer): string[] {
  const [ours, theirs] = [here, there].map(unpack) as [Map<string, Buffer>, Map<string, Buffer>];
  const names = new Set([...ours.keys(), ...theirs.keys()]);
  return [...names].filter((name) => !ours.get(name)?.equals(theirs.get(name) ?? Buffer.of()));
}
