import * as module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { codeCache } from './code-cache.ts';
import { loadParts } from './load-parts.ts';

const program = 'program.cjs';
const cached = codeCache(__dirname);

/** Half of the time that a short command takes is V8 compiling the program: that was done when the package was built. */
if (cached) loadParts({ folder: __dirname, cached })(program);
else {
  // Another node than the package was built with: newer ones keep what they compile themselves.
  keepCompiled();
  module.createRequire(__filename)(`./${program}`);
}

function keepCompiled(): void {
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  try {
    // Not node's default, which is a folder that everybody on the machine can write to.
    const folder = NODE_COMPILE_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'trueup');
    (module as { enableCompileCache?: (folder: string) => void }).enableCompileCache?.(folder);
  } catch {
    // Without a home folder there is nothing to keep it in.
  }
}
