import { basename, relative } from 'node:path';
import { build, transformSync } from 'esbuild';
import { joinParts } from './join-parts.mjs';
import { kindsOnUse } from './kinds-on-use.mjs';
import { withPlainExports } from './plain-exports.mjs';
import { plugins } from './plugins.mjs';

/** The main file of jsonc-parser finds its parts with a `require` that esbuild does not see. */
const alias = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/**
 * Returns the bundled program and library: the text of each file by its name, with its source map if `isReadable`, and the metafile of esbuild.
 * `joined`: the parts that common commands load, as `joinParts` takes them; default: all parts stay apart. `build.mjs` packs these files. The bench profiles the readable form: it keeps the names of functions, and maps them back to their sources.
 */
export async function bundle(root, manifest, { isReadable = false, joined = {} } = {}) {
  const minify = isReadable ? { minifySyntax: true, minifyWhitespace: true } : { minify: true };
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { trueup: 'src/main.ts', library: 'src/library.ts' },
    outdir: 'dist',
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    ...minify,
    sourcemap: isReadable ? 'inline' : false,
    sourcesContent: false,
    legalComments: 'none',
    plugins: [...plugins, kindsOnUse({ plugins, alias })],
    alias,
    // Clients of stores, which are installed where a ledger lies in one.
    external: Object.keys(manifest.peerDependencies),
    define: {
      TRUEUP_VERSION: JSON.stringify(manifest.version),
      // Absent from a manifest without a home page.
      TRUEUP_HOMEPAGE: JSON.stringify(manifest.homepage ?? manifest.repository?.url) ?? 'undefined',
    },
    // A command loads only the parts that it needs. esbuild can split only modules.
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
  });
  const exportsOf = (path) => metafile.outputs[relative(root, path).replaceAll('\\', '/')].exports;
  const files = outputFiles.map(({ path, text }) => {
    // As CommonJS, because Node starts slower with modules, and because `require` has to find the library.
    const { code, map } = transformSync(withPlainExports(text, exportsOf(path)), {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      ...minify,
      sourcemap: isReadable ? 'external' : false,
      sourcefile: path,
      sourcesContent: false,
      // `import()` would start the loader of modules.
      supported: { 'dynamic-import': false },
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
    });
    return { name: basename(path), text: code, sourceMap: map };
  });
  return { files: joinParts(files, joined, metafile.outputs), metafile };
}
