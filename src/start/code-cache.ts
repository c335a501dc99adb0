import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';

/** Where in the package the compiled code for the running node is: V8 takes only what it made itself. */
const folderIn = (folder: string) => join(folder, `compiled-${process.version}-${process.arch}`);

/** What V8 made of a part, for this node; undefined if the package was built with another one. */
export function codeCache(folder: string): ((part: string) => Buffer | undefined) | undefined {
  const cache = folderIn(folder);
  if (!existsSync(cache)) return undefined;
  return (part) => {
    try {
      return readFileSync(join(cache, part));
    } catch {
      // Not all parts are in it.
      return undefined;
    }
  };
}

/** Keeps what V8 has made of these parts by now: the functions that have run. */
export function writeCodeCache(folder: string, scripts: ReadonlyMap<string, Script>): void {
  const cache = folderIn(folder);
  mkdirSync(cache, { recursive: true });
  for (const [part, script] of scripts) writeFileSync(join(cache, part), script.createCachedData());
}
