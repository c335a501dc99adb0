import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';
import type { TestProject } from 'vitest/node';
// @ts-expect-error: what builds has no types.
import { raw } from '../../build/plugins.mjs';
import manifest from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');

/** Below node_modules, so that the runner leaves them to Node, and packages are found from there. */
const compiled = path.join(root, 'node_modules/.cache/trueup/compiled');

/**
 * Tests import the sources as Node loads them, not as the test runner does: it reads every import through a getter, which costs a seventh of
 * the suite. Where files are watched the runner loads them itself, since only then it sees that they change.
 */
export const compiledSources: Plugin = {
  name: 'compiled-sources',
  enforce: 'pre',
  apply: () => process.argv.includes('run'),
  resolveId(specifier, importer = '') {
    const source = sourceOf(specifier, path.dirname(importer));
    return source && path.join(compiled, asScript(source));
  },
};

/** `src/plan/plan.ts`, where a specifier leads to a source; undefined for others, as text too. */
function sourceOf(specifier: string, from: string): string | undefined {
  const subpaths: Record<string, string> = manifest.imports;
  const file = specifier.startsWith('.') ? path.resolve(from, specifier) : subpaths[specifier];
  const source = file && path.relative(root, path.resolve(root, file));
  return source && /^(src|providers)\/.*\.ts$/.test(source) ? source : undefined;
}

const asScript = (source: string) => source.replace(/ts$/, 'js');

/** Each source stays a module of its own. */
const separateModules: EsbuildPlugin = {
  name: 'separate-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^[.#]/ }, ({ path: specifier, resolveDir, kind }) => {
      const source = kind === 'entry-point' ? undefined : sourceOf(specifier, resolveDir);
      if (!source) return undefined;
      const from = path.relative(root, resolveDir);
      return { path: `./${path.relative(from, asScript(source))}`, external: true };
    });
  },
};

/** Before all tests, which the runner announces to each of its projects. Writes only what has changed: another run may be using the rest. */
export default async function compile(project: TestProject): Promise<void> {
  if (!project.isRootProject()) return;
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src', 'providers'].flatMap((folder) =>
      filesBelow(path.join(root, folder))
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
        .map((name) => path.join(folder, name)),
    ),
    outbase: root,
    outdir: compiled,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    sourcesContent: false,
    plugins: [raw, separateModules],
    write: false,
  });
  const files = new Map(outputFiles.map((file) => [path.relative(compiled, file.path), file.text]));
  files.set('package.json', '{ "type": "module" }\n');
  const before = filesBelow(compiled).filter((name) => /\.js(on)?$/.test(name));
  for (const name of before) if (!files.has(name)) rmSync(path.join(compiled, name));
  for (const [name, text] of files) {
    const file = path.join(compiled, name);
    if (before.includes(name) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function filesBelow(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
