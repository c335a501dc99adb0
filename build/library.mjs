import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Returns the declaration files of the library, `{ name: text }`: that of `library.ts`, and all that it imports. Throws if one of them imports
 * another package, since none is installed with this one. Lets tsc write them again only if a source changed.
 */
export function libraryTypes(root) {
  const cache = join(root, 'node_modules/.cache/trueup');
  const out = join(cache, 'types');
  const mark = join(cache, 'types.sources');
  const sources = digestOf(root);
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== sources) {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    declare(root, out);
    writeFileSync(mark, sources);
  }
  const files = {};
  const add = (name) => {
    if (files[name] !== undefined) return;
    const text = readFileSync(join(out, 'src', name.replace(/\.ts$/, '.d.ts')), 'utf8');
    files[name] = text.replace(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
    for (const [, , from] of text.matchAll(/(from |import\()['"]([^'"]+)['"]/g)) {
      if (!from.startsWith('.'))
        throw new Error(`the types of the library need the package ${from} (${name})`);
      add(posix.join(posix.dirname(name), from));
    }
  };
  add('library.ts');
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name.replace(/\.ts$/, '.d.ts'), text]),
  );
}

/** Lets tsc write the declaration files of the library and its imports into a folder. */
function declare(root, out) {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const { noEmit: _, incremental: __, tsBuildInfoFile: ___, ...options } = compilerOptions;
  const config = join(root, 'node_modules/.cache/trueup/types.json');
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        ...options,
        declaration: true,
        emitDeclarationOnly: true,
        // `npm run types` reports errors in types.
        noCheck: true,
        rootDir: root,
        outDir: out,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: [join(root, 'src/library.ts')],
    }),
  );
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { cwd: root, stdio: 'inherit' });
}

/** Returns a digest of all sources and of the compiler's options, to notice a change. */
function digestOf(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'tsconfig.json')));
  for (const folder of ['src', 'providers'])
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort())
      if (name.endsWith('.ts')) hash.update(`${name}\n`).update(readFileSync(join(root, folder, name)));
  return hash.digest('hex');
}
