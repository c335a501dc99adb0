import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Third-party code inside bundled packages, by package, that no package.json names. */
const carried = {
  undici: [
    { name: 'llhttp', license: 'MIT', copyright: 'Copyright Fedor Indutny, 2018.', as: 'WebAssembly' },
  ],
};

/**
 * Returns the third-party packages with code in the bundle, for the licence texts and the SBOM: `packages`, sorted by `path` (from the root), each
 * `{ path, name, version, license, texts, integrity, needs, carries }`, and `direct`, the paths of those that our own code imports. `needs` has the
 * paths of the packages that a package imports. Throws if a package has no licence text, or differs from the lockfile. `inputs`, `outputs`: of
 * esbuild's metafile.
 */
export function bundledPackages(root, { inputs, outputs }) {
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const paths = new Set();
  for (const { inputs: parts } of Object.values(outputs))
    for (const [file, { bytesInOutput }] of Object.entries(parts))
      if (bytesInOutput > 0 && packageOf(file)) paths.add(packageOf(file));
  const needs = new Map();
  for (const [file, { imports }] of Object.entries(inputs)) {
    const from = packageOf(file);
    const needed = needs.get(from) ?? new Set();
    needs.set(from, needed);
    for (const { path } of imports)
      if (paths.has(packageOf(path)) && packageOf(path) !== from) needed.add(packageOf(path));
  }
  const sorted = (paths = []) => [...paths].sort();
  const packages = sorted(paths).map((path) => ({
    ...read(root, path, locked[path]),
    needs: sorted(needs.get(path)),
  }));
  return { packages, direct: sorted(needs.get(undefined)) };
}

/** Returns the folder of the package that a file is in; undefined for our own files. */
const packageOf = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** Reads a package from its folder. Throws if it has no licence text, or another version than the lockfile (`locked`). */
function read(root, path, locked) {
  const folder = join(root, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (locked?.version !== version)
    throw new Error(`${path} is ${version}, and ${locked?.version} in package-lock.json: run npm ci`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim());
  if (!license || texts.length === 0) throw new Error(`${path} comes without its licence`);
  const { integrity } = locked;
  return { path, name, version, license, texts, integrity, carries: carried[name] ?? [] };
}
