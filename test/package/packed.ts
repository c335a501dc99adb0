import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for one test. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let own: Buffer | undefined;

/** The package of a checkout that is built: its tarball. Of the one that is tested it is made once for all tests of a process. */
export function pack(checkout?: string): Buffer {
  if (checkout !== undefined) return packed(checkout);
  own ??= packed(resolve('.'));
  return own;
}

function packed(checkout: string): Buffer {
  return within((folder) => {
    // Not in the checkout itself: npm would read all of node_modules first.
    const copy = join(folder, 'checkout');
    for (const path of ['package.json', 'README.md', 'dist', 'src/main.ts', 'build.mjs'])
      cpSync(join(checkout, path), join(copy, path), { recursive: true });
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
      cwd: copy,
      stdio: 'ignore',
    });
    return readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!));
  });
}

/** What is in a tarball, by path. */
export function unpack(tarball: Buffer): Map<string, Buffer> {
  return within((folder) => {
    execFileSync('tar', ['-xz', '-C', folder], { input: tarball });
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((one) => !one.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new Map(paths.map((path) => [path.slice(`${folder}/package/`.length), readFileSync(path)]));
  });
}

function within<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-package-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
