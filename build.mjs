// Builds dist/trueup.mjs: the whole tool as one file without runtime dependencies.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/trueup.mjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'none',
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
