import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Lets sources import a file as text: `import text from './file?raw'`. Vite, which runs the tests, has the same. */
export const raw = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    // Named from the root: the output may not depend on where the root is.
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

/**
 * Bundles only the parts of undici that are used: all of it takes as long to load as everything else that a plan needs. HTTP/2 is off unless
 * it is asked for, and no body here is a form. The agent for proxies runs its modules when it is created.
 */
const partsOfUndici = {
  name: 'parts-of-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, () => ({
      resolveDir: root,
      contents: `
        import connect from 'undici/lib/api/api-connect.js';
        import request from 'undici/lib/api/api-request.js';
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import Pool from 'undici/lib/dispatcher/pool.js';
        Object.assign(Dispatcher.prototype, { connect, request });
        export function EnvHttpProxyAgent(options) {
          const Agent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
          return new Agent(options);
        }
        export { Pool };`,
    }));
    const unused = /[\\/](client-h2|fetch[\\/]body)\.js$/;
    onResolve({ filter: unused }, ({ path, importer }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Bundles commander without its support for commands that are separate programs: it would take as long to load as the rest of commander. */
const noPrograms = {
  name: 'no-programs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'no-programs' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-programs' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Bundles only the parser of yaml with the reader of configurations: few commands write YAML. Takes the files for browsers, which have
 * the same code as modules, because those for Node ask for an environment variable at every token, a tenth of the parser's time.
 */
const partsOfYaml = {
  name: 'parts-of-yaml',
  setup({ onResolve, onLoad }) {
    const modules = join(root, 'node_modules/yaml/browser/dist');
    onResolve({ filter: /^yaml$/ }, ({ importer }) =>
      /src[\\/]config[\\/]yaml[\\/](node|scalar)-reader\.ts$/.test(importer)
        ? { path: 'parser', namespace: 'yaml' }
        : { path: join(modules, 'index.js') },
    );
    onLoad({ filter: /.*/, namespace: 'yaml' }, () => ({
      resolveDir: modules,
      contents: `
        export * as CST from './parse/cst.js';
        export { Lexer } from './parse/lexer.js';
        export { Parser } from './parse/parser.js';`,
    }));
  },
};

/**
 * Loads `node:crypto` for the modules of `validate` when one of its functions is called: few configurations need one, and loading all takes 2 % of the
 * time of a small `validate`.
 */
const cryptoOnUse = {
  name: 'crypto-on-use',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:crypto$/ }, ({ importer }) =>
      /[\\/]src[\\/](config|model)[\\/]/.test(importer) ? { path: 'crypto', namespace: 'on-use' } : undefined,
    );
    const functions = 'createHash createHmac hash hkdfSync randomBytes randomUUID timingSafeEqual'.split(' ');
    const onUse = (name) => `export const ${name} = (...values) => crypto().${name}(...values);`;
    onLoad({ filter: /.*/, namespace: 'on-use' }, () => ({
      contents: `
        let loaded;
        const crypto = () => (loaded ??= require('node:crypto'));
        ${functions.map(onUse).join('\n')}`,
    }));
  },
};

export const plugins = [raw, partsOfUndici, noPrograms, partsOfYaml, cryptoOnUse];
