// Builds dist/: the whole tool without runtime dependencies; trueup.mjs is the program, the other .mjs files are parts that it
// loads, plan.schema.json describes what `plan --json` prints.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  entryNames: 'trueup',
  chunkNames: 'part-[hash]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // What a command does not need is not loaded.
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  plugins: [raw, parts],
  define: { 'process.env.TRUEUP_VERSION': JSON.stringify(version) },
  // Some dependencies are CommonJS: they call require() for node's own modules, and look at __filename.
  banner: {
    js: [
      '#!/usr/bin/env node',
      "import { createRequire as $createRequire } from 'node:module';",
      "import { fileURLToPath as $fileURLToPath } from 'node:url';",
      'const require = $createRequire(import.meta.url);',
      'const __filename = $fileURLToPath(import.meta.url);',
    ].join('\n'),
  },
});

const built = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));
writeFileSync(
  built('plan.schema.json'),
  execFileSync(process.execPath, [built('trueup.mjs'), 'schema', '--plan']),
);
