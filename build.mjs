// Builds dist/: the whole tool without runtime dependencies. trueup.cjs starts it, the other .cjs files are the parts that it
// loads, compiled-* is what V8 made of them, plan.schema.json describes what `plan --json` prints.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** `import text from './file?raw'`: the file as text, as Vite has it too. */
const raw = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }));
    onLoad({ filter: /.*/, namespace: 'raw' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};

/** Of undici the parts that are used: all of it takes as long to load as everything else that a plan needs. */
const parts = {
  name: 'parts-of-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, () => ({
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      contents: `
        import api from 'undici/lib/api/index.js';
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
        import Pool from 'undici/lib/dispatcher/pool.js';
        Object.assign(Dispatcher.prototype, api);
        export { EnvHttpProxyAgent, Pool };`,
    }));
  },
};

/** Of commander everything but commands that are programs of their own: what starts those takes as long to load as the rest. */
const noPrograms = {
  name: 'no-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'no-programs' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** What is the same for all that is built. */
const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  plugins: [raw, parts, noPrograms],
  define: { TRUEUP_VERSION: JSON.stringify(version) },
};
const built = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));

rmSync(built(''), { recursive: true, force: true });
mkdirSync(built(''));
const { outputFiles } = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  entryNames: 'program',
  chunkNames: 'part-[hash]',
  outExtension: { '.js': '.cjs' },
  // What a command does not need is not loaded. Only modules can be split, but node takes longer to begin with them.
  splitting: true,
  format: 'esm',
  write: false,
});
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    minify: true,
  });
  // Exports are getters, which every call from another part would go through. Here none of them changes later.
  writeFileSync(path, `${code}module.exports={...module.exports};\n`);
}
await build({
  ...common,
  entryPoints: { trueup: 'src/start/start.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  banner: { js: '#!/usr/bin/env node' },
});
// What V8 makes of the program is kept: functions that a run has used need not be compiled in the next one.
const writer = fileURLToPath(new URL('node_modules/.cache/trueup/write-code-cache.cjs', import.meta.url));
await build({ ...common, entryPoints: ['src/start/write-code-cache.ts'], outfile: writer, format: 'cjs' });
const folder = mkdtempSync(join(tmpdir(), 'trueup-build-'));
copyFileSync(new URL('examples/minimal.yaml', import.meta.url), join(folder, 'trueup.yaml'));
// Whatever is set for CI, for other runs of the program, or for node.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(CI|NODE_OPTIONS|(TRUEUP|GITHUB|GITLAB|RUNNER)_.*)$/.test(name),
  ),
);
for (const args of ['--help', 'apply --twin --auto-approve', 'plan --twin', 'validate'])
  execFileSync(process.execPath, [writer, built(''), ...args.split(' ')], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
rmSync(folder, { recursive: true });

writeFileSync(
  built('plan.schema.json'),
  execFileSync(process.execPath, [built('trueup.cjs'), 'schema', '--plan']),
);
