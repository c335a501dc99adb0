import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Builds the program with the names of its functions and with source maps, and returns the path of its main file. It lies below
 * `node_modules`, so that it finds the clients of stores there, as the built program does.
 */
export async function buildReadable(): Promise<string> {
  const folder = resolve('node_modules/.cache/trueup/readable');
  // Not bundled with the bench, since it finds the plugins' files from where it lies.
  const { bundle } = await import(pathToFileURL(resolve('build/bundle.mjs')).href);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const { files } = await bundle(resolve('.'), manifest, { isReadable: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, text, sourceMap } of files) {
    writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, `${name}.map`), sourceMap);
  }
  return join(folder, 'trueup.cjs');
}
