import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `import text from './file?raw'`: the file as text, as Vite has it too. */
export const raw = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    // Named from the root: what is built may not depend on where the root is.
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: relative(root, join(resolveDir, path.slice(0, -'?raw'.length))),
      namespace: 'raw',
    }));
    onLoad({ filter: /.*/, namespace: 'raw' }, ({ path }) => ({
      contents: readFileSync(join(root, path), 'utf8'),
      loader: 'text',
    }));
  },
};

/** Of undici the parts that are used: all of it takes as long to load as everything else that a plan needs. */
const partsOfUndici = {
  name: 'parts-of-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, () => ({
      resolveDir: root,
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

export const plugins = [raw, partsOfUndici, noPrograms];
