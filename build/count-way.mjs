#!/usr/bin/env node
// Counts the functions and modules that run when one environment variable goes from YAML to the ledger: a measure of how much a
// newcomer has to read. docs/development.md follows the same way by names.
// usage: node build/count-way.mjs [--list]      (--list also prints the modules, each with the number of its functions)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { raw } from './plugins.mjs';

const root = path.resolve(import.meta.dirname, '..');
const compiled = path.join(root, 'node_modules/.cache/trueup/way');
const subpaths = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).imports;

const yaml = `stack: way
platform: { team: acme }
projects:
  web:
    env: { LOG_LEVEL: info }
`;

await compile();
const counts = countFunctions(applyOnce());
if (process.argv.includes('--list'))
  for (const [file, count] of counts) console.log(`${String(count).padStart(4)}  ${file}`);
const functions = [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log(`one variable from YAML to the ledger: ${functions} functions in ${counts.size} modules`);

/** Compiles each source to a module of its own, since a bundle hides which files run. */
async function compile() {
  const sources = ['src', 'providers'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => path.join(folder, name)),
  );
  const separateModules = {
    name: 'separate-modules',
    setup({ onResolve }) {
      onResolve({ filter: /^[.#]/ }, ({ path: specifier, resolveDir, kind }) => {
        if (kind === 'entry-point') return undefined;
        const file = path.resolve(
          specifier.startsWith('.') ? resolveDir : root,
          subpaths[specifier] ?? specifier,
        );
        if (!file.endsWith('.ts')) return undefined;
        return { path: `./${path.relative(resolveDir, file).replace(/ts$/, 'js')}`, external: true };
      });
    },
  };
  rmSync(compiled, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    outbase: root,
    outdir: compiled,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [raw, separateModules],
  });
  writeFileSync(path.join(compiled, 'package.json'), '{ "type": "module" }\n');
}

/** Applies a configuration with one variable on the embedded twin. Returns V8's coverage of the process. */
function applyOnce() {
  const folder = mkdtempSync(path.join(tmpdir(), 'trueup-way-'));
  try {
    writeFileSync(path.join(folder, 'trueup.yaml'), yaml);
    const coverage = path.join(folder, 'coverage');
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(compiled, 'src/main.js'), 'apply', '--twin', '--auto-approve'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, NODE_V8_COVERAGE: coverage },
      },
    );
    if (status !== 0) throw new Error(`apply exited with ${status}:\n${stderr}`);
    return readdirSync(coverage).flatMap(
      (name) => JSON.parse(readFileSync(path.join(coverage, name), 'utf8')).result,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns for each of our modules how many of its functions were called; the twin stands for the platform and is left out. */
function countFunctions(scripts) {
  const counts = new Map();
  for (const { url, functions } of scripts) {
    const file = url.startsWith('file:') ? path.relative(compiled, fileURLToPath(url)) : '..';
    if (file.startsWith('..') || file.startsWith('providers/hosting/twin/')) continue;
    // Callbacks without a name are read with the function around them. The top level of a script has no name either.
    const called = functions.filter(
      ({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0,
    ).length;
    if (called > 0) counts.set(file.replace(/js$/, 'ts'), called);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
